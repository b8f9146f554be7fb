"""Axes that stand still: more respondents look like less error, and what was before is a ghost."""

from __future__ import annotations

import re
from math import comb

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.error_view import CURVES
from dpdesk.gui.pages.simulate.estimator_plot import EstimatorCanvas
from dpdesk.gui.pages.simulate.survey_tabs import BINARY, SEVERAL
from dpdesk.preview.survey import error_curves, estimates_view, theory_curve
from tests.gui.hands import Hands


def axes(plot: EstimatorCanvas) -> list[list[float]]:
    return [list(ends) for ends in plot.getPlotItem().getViewBox().viewRange()]


def suppose(page: SimulatePage, **changes: object) -> None:
    page.pane.change(**changes)
    page.pane.flush()


def legend(page: SimulatePage) -> list[str]:
    return [entry.text for entry in page.pane.estimator.legend.entries()]


def test_that_the_axes_stay_where_they_are_whatever_moves(page: SimulatePage) -> None:
    plot = page.pane.estimator.plot
    first = axes(plot)
    for changes in (
        {"respondents": 300},
        {"respondents": 300_000},
        {"prevalence": 0.12},
        {"deny": 0.1},
        {"seed": 9},
        {"design": page.scenario().at_epsilon(2.5)},
    ):
        suppose(page, **changes)
        assert axes(plot) == first, changes


def test_that_few_and_many_respondents_do_not_look_alike(page: SimulatePage) -> None:
    plot = page.pane.estimator.plot
    bars = plot._bars.opts
    suppose(page, respondents=300)
    few, width = bars["height"], bars["width"]
    assert page.pane.estimator.outside.text() == "1.8 % outside: fit the axes"
    suppose(page, respondents=300_000)
    many = bars["height"]
    # Bars of few respondents are wider: their area is what counts.
    assert few.sum() * width == pytest.approx(many.sum() * bars["width"], rel=0.03)
    assert (many > 0).sum() * bars["width"] < (few > 0).sum() * width / 8
    assert many.max() > 8 * few.max()
    assert page.pane.estimator.outside.text().startswith("Bars up to ")


def test_that_estimates_beside_the_axis_are_outside_also_where_their_bar_reaches_in(
    page: SimulatePage,
) -> None:
    suppose(page, prevalence=0.0, respondents=10, design=page.scenario().at_epsilon(3.0))
    low, high = axes(page.pane.estimator.plot)[0]
    p = float(page.scenario().design.p)
    # Nobody says yes, or one of ten does, and so on: only some of these estimates lie inside.
    inside = sum(
        comb(10, yes) * (1 - p) ** yes * p ** (10 - yes)
        for yes in range(11)
        if low <= 100 * (yes / 10 - (1 - p)) / (2 * p - 1) <= high
    )
    (share,) = re.findall(r"([\d.]+) % outside", page.pane.estimator.outside.text())
    assert float(share) == pytest.approx(100 * (1 - inside), abs=5)
    assert float(share) > 50


def test_that_what_is_outside_is_said_and_fitting_is_the_users_own_act(
    page: SimulatePage, hands: Hands, qtbot: QtBot
) -> None:
    view, first = page.pane.estimator, axes(page.pane.estimator.plot)
    assert not view.outside.isVisible()
    suppose(page, prevalence=0.6)
    assert view.outside.text().startswith("100 % outside")
    hands.click(view.outside)
    assert not view.outside.isVisible()
    low, high = axes(view.plot)[0]
    assert low < 60 < high
    suppose(page, prevalence=0.1)
    qtbot.keyClick(view.plot, Qt.Key.Key_F)
    assert axes(view.plot) == first
    qtbot.keyClick(view.plot, Qt.Key.Key_Plus)
    (low, high), (_, top) = axes(view.plot)
    assert high - low == pytest.approx((first[0][1] - first[0][0]) / 2)
    assert top == pytest.approx(first[1][1] / 2)
    qtbot.keyClick(view.plot, Qt.Key.Key_Minus)
    assert axes(view.plot) == first
    suppose(page, prevalence=0.6)
    page.start_over()
    assert axes(view.plot) == first


def test_that_the_curve_before_stays_as_a_ghost(page: SimulatePage) -> None:
    plot = page.pane.estimator.plot
    assert "before" not in legend(page)
    theory = page.scenario().survey.shown_theory
    suppose(page, respondents=300)
    assert legend(page)[-1] == "before"
    entry = page.pane.estimator.legend.entries()[-1]
    assert (entry.colour, entry.sign) == ("muted", "dashed")
    x, y = plot._before.getOriginalDataset()
    view = plot.view()
    np.testing.assert_allclose(y, theory_curve(theory, x, plot._per, view.repetitions))
    # Another seed is the same survey, drawn anew: what was before it stays.
    suppose(page, seed=5)
    assert page.scenario().before.respondents == 3586
    page.start_over()
    assert "before" not in legend(page)
    assert plot._before.getOriginalDataset() == (None, None)


def test_that_a_drag_is_one_change_and_its_ghost_is_what_it_began_with(page: SimulatePage) -> None:
    slider = page.pane.card.respondents.slider

    def drag(*positions: int) -> None:
        slider.setSliderDown(True)
        for position in positions:
            slider.setValue(position)
        slider.setSliderDown(False)
        page.pane.flush()

    drag(200, 250, 300)
    now = page.scenario().respondents
    assert page.scenario().before.respondents == 3586
    drag(320, 340)
    assert page.scenario().before.respondents == now
    now = page.scenario().respondents
    page.pane.card.prevalence.slider.setValue(60)
    page.pane.card.prevalence.slider.setValue(61)
    before = page.scenario().before
    assert (before.respondents, before.prevalence) == (now, 0.1)
    assert before.before is None
    assert all(other.before is None for other in page.scenario().others)


def test_that_another_question_has_nothing_before_it_and_axes_of_its_own(
    page: SimulatePage,
) -> None:
    page.choose_kind(SEVERAL)
    plot = page.pane.estimator.plot
    suppose(page, respondents=500)
    assert page.scenario().before is not None
    first = axes(plot)
    suppose(page, looked=0)
    assert page.scenario().before is None
    assert axes(plot) != first


def test_that_the_curves_of_the_error_stand_still_with_a_ghost(page: SimulatePage) -> None:
    errors = page.pane.errors
    page.pane.tabs.tabs.setCurrentIndex(page.pane.tabs.views().index(errors))
    errors.shown.setCurrentIndex(CURVES)
    page.pane.flush()
    plots = (errors.by_people, errors.by_epsilon)
    first = [axes(plot) for plot in plots]
    survey = page.scenario().survey
    for people in (300, 300_000):
        suppose(page, respondents=people)
        assert [axes(plot) for plot in plots] == first
    assert not errors.outside.isVisible()
    suppose(page, respondents=10**9)
    assert errors.outside.isVisible()
    errors.outside.click()
    assert not errors.outside.isVisible()
    suppose(page, respondents=3586)
    suppose(page, prevalence=0.3)
    _, y = errors.by_epsilon._before.getOriginalDataset()
    np.testing.assert_allclose(10**y, error_curves(survey).by_epsilon)
    assert [entry.text for entry in errors.legend.entries()][-1] == "before"


def test_that_the_map_shows_the_way_from_the_survey_before(page: SimulatePage) -> None:
    errors = page.pane.errors
    page.pane.tabs.tabs.setCurrentIndex(page.pane.tabs.views().index(errors))
    plot = errors.plot
    first = axes(plot)
    assert plot._past_word.text() == ""
    suppose(page, respondents=300)
    assert axes(plot) == first
    assert plot._past_word.text() == "before"
    _, heights = plot._past.getOriginalDataset()
    assert (10**heights).round().tolist() == [3586, 300]


def test_that_a_new_seed_holds_the_surveys_of_its_kind_anew(page: SimulatePage) -> None:
    page.choose_kind(SEVERAL)
    before = estimates_view(page.scenario().survey).counts
    page.new_seed()
    page.pane.flush()
    assert page.scenario().survey.seed == 2
    assert not np.array_equal(estimates_view(page.scenario().survey).counts, before)
    page.choose_kind(BINARY)
    assert page.scenario().survey.seed == 1
