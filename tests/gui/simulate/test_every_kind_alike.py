"""What the page offers is there for every kind of answer, and for designs that nobody names."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import replace
from math import inf, log10, sqrt

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.designs import DESIGNS, Design, registry
from dpdesk.designs.scrambling import Multiplicative
from dpdesk.gui.document import Document
from dpdesk.gui.pages.simulate import SimulatePage
from dpdesk.gui.pages.simulate.error_view import CURVES, MAP
from dpdesk.gui.pages.simulate.page import MEMO, SHEET, PapersDialog
from dpdesk.gui.pages.simulate.results import result_csv
from dpdesk.gui.pages.simulate.scenario import COLUMN
from dpdesk.gui.pages.simulate.survey_pane import SurveyPane
from dpdesk.gui.pages.simulate.survey_tabs import ANSWER_KINDS, BINARY, NUMBER, SEVERAL
from dpdesk.preview.survey import error_surface, figures_of_survey
from tests.designs.test_made_up_designs import MADE_UP, Balls, Ladder, Widened
from tests.gui.simulate.test_several_and_numbers import choose, pane_of

FOLLOWING = [(BINARY, "warner"), (SEVERAL, "oue"), (NUMBER, "additive")]
OWN = [(SEVERAL, "matrix"), (NUMBER, "bar_lev")]
MADE = [(BINARY, Balls), (SEVERAL, Ladder), (NUMBER, Widened)]


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three more designs in the list, before a page is made."""
    monkeypatch.setattr(registry, "DESIGNS", (*DESIGNS, *MADE_UP))


@pytest.fixture
def page_of_made_up(made_up: None, document: Document, qtbot: QtBot) -> Iterator[SimulatePage]:
    page = SimulatePage(document)
    qtbot.addWidget(page)
    page.resize(1240, 780)
    page.show()
    yield page
    page.shut_down()


def look_at(pane: SurveyPane, title: str) -> None:
    titles = [pane.tabs.tabs.tabText(index) for index in range(pane.tabs.tabs.count())]
    pane.tabs.tabs.setCurrentIndex(titles.index(title))
    pane.flush()


def rows_of(pane: SurveyPane) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(result_csv(pane.scenario()))))


@pytest.mark.parametrize(("kind", "design"), MADE)
def test_that_a_made_up_design_has_card_views_papers_and_a_place_in_the_plan(
    page_of_made_up: SimulatePage,
    document: Document,
    qtbot: QtBot,
    kind: str,
    design: type[Design],
) -> None:
    page = page_of_made_up
    pane = pane_of(page, kind)
    choose(pane, design.tag())
    card = pane.card
    assert type(pane.scenario().design) is design
    assert card.design.kinds.currentText().startswith(design.title)
    assert card.design.words.text() == design.summary
    shown = {parameter.name for parameter in design.parameters()} - {"lower", "upper"}
    assert all(card.design.form.line(name).text() for name in shown)
    card.design.epsilon.valueChanged.emit(1.5)
    pane.flush()
    assert 1.49 < pane.scenario().epsilon <= 1.5
    for index in range(pane.tabs.tabs.count()):
        pane.tabs.tabs.setCurrentIndex(index)
        assert pane.tabs.reason.isHidden(), pane.tabs.tabs.tabText(index)
    look_at(pane, "Error by n and ε")
    pane.errors.shown.setCurrentIndex(CURVES)
    pane.errors.shown.activated.emit(CURVES)
    assert pane.errors.second.currentWidget() is pane.errors.by_epsilon
    look_at(pane, "One by one")
    for _ in range(40):
        pane.respondents.player.advance()
    assert len(pane.respondents.plot.table_data().rows) > 30
    dialog = PapersDialog(pane.scenario(), page)
    qtbot.addWidget(dialog)
    dialog.tabs.setCurrentIndex(SHEET)
    if dialog.screens.isVisibleTo(dialog):
        # No device at hand has the chances of this epsilon.
        assert dialog.words.text()
        dialog.screens.click()
    assert pane.scenario().question in dialog.preview.toPlainText()
    dialog.tabs.setCurrentIndex(MEMO)
    assert design.title in dialog.preview.toPlainText()
    page.use_in_plan()
    taken = document.plan.column(COLUMN).mechanism
    assert taken is not None
    assert 1.49 < float(taken.epsilon) <= 1.5
    assert not page.notice.message().startswith("No mechanism")


@pytest.mark.parametrize(("kind", "design"), MADE)
def test_that_a_made_up_design_is_compared_with_and_saved(
    page_of_made_up: SimulatePage, kind: str, design: type[Design]
) -> None:
    pane = pane_of(page_of_made_up, kind)
    assert design.tag() not in pane.card.compare.boxes
    pane.card.compare.add(design.tag())
    pane.flush()
    assert [entry.text for entry in pane.estimator.rivals.entries()] == [
        pane.scenario().compared[0].title
    ]
    assert pane.scenario().compared[0].title.startswith(design.title)
    (rival,) = pane.scenario().shown_rivals
    assert rival.loss.epsilon == pytest.approx(pane.scenario().epsilon, rel=1e-4)
    words = {row["design"] for row in rows_of(pane)}
    assert words == {pane.scenario().design.word, design.tag()}


@pytest.mark.parametrize("kind", ANSWER_KINDS)
def test_that_a_kept_survey_is_drawn_and_saved_beside_the_one_in_force(
    page: SimulatePage, kind: str
) -> None:
    pane = pane_of(page, kind)
    before = pane.scenario()
    pane.card.compare.kept.click()
    pane.change(respondents=12_345, seed=7)
    pane.flush()
    kept = pane.scenario().kept
    assert kept == before
    drawn, own = pane.estimator.plot._kept.yData, pane.estimator.plot._curve.yData
    # Of theory, the peak grows with the root of n.
    assert own.max() / drawn.max() == pytest.approx(sqrt(12_345 / before.respondents), rel=1e-3)
    assert f"n = {before.respondents:,}" in pane.card.compare.kept.accessibleName()
    rows = rows_of(pane)
    quantities = len(before.quantities)
    assert [row["respondents"] for row in rows] == [
        *["12345"] * quantities,
        *[str(before.respondents)] * quantities,
    ]
    assert {row["seed"] for row in rows} == {"7", "1"}
    pane.card.compare.kept.click()
    assert pane.scenario().kept is None


@pytest.mark.parametrize(("kind", "word"), FOLLOWING)
def test_that_the_map_of_every_kind_has_its_margins_and_gives_its_points(
    page: SimulatePage, qtbot: QtBot, kind: str, word: str
) -> None:
    pane = pane_of(page, kind)
    choose(pane, word)
    look_at(pane, "Error by n and ε")
    errors = pane.errors
    errors.shown.setCurrentIndex(MAP)
    errors.shown.activated.emit(MAP)
    scenario = pane.scenario()
    assert errors.stack.currentWidget() is errors.plot
    epsilon, people = errors.plot.cross_hair()
    assert (epsilon, people) == pytest.approx((scenario.epsilon, scenario.respondents))
    error = pane.figures.tiles[0].value()
    assert errors.reading.full_text().endswith(error)
    assert errors.words.full_text().endswith(error)
    first = "Least 95 % error" if kind == BINARY else "95 % error of this"
    assert errors.words.full_text().startswith(first)
    surface = error_surface(scenario.survey)
    assert surface.margin_at(scenario.epsilon, scenario.respondents) == pytest.approx(
        figures_of_survey(scenario.survey).error, rel=1e-4
    )
    for line in surface.lines:
        middle = len(line.epsilons) // 2
        assert surface.margin_at(line.epsilons[middle], line.respondents[middle]) == pytest.approx(
            line.margin, rel=1e-4
        )
    assert len(surface.lines) >= 3
    qtbot.keyClick(errors.plot, Qt.Key.Key_Left)
    qtbot.keyClick(errors.plot, Qt.Key.Key_Up)
    taken = errors.plot.cross_hair()
    qtbot.keyClick(errors.plot, Qt.Key.Key_Return)
    pane.flush()
    assert pane.scenario().respondents == round(taken[1]) > scenario.respondents
    assert pane.scenario().epsilon == pytest.approx(taken[0], rel=1e-3)
    assert log10(pane.scenario().epsilon) < log10(scenario.epsilon)


@pytest.mark.parametrize(("kind", "word"), OWN)
def test_that_a_map_that_no_epsilon_decides_says_why_it_is_not_drawn(
    page: SimulatePage, kind: str, word: str
) -> None:
    pane = pane_of(page, kind)
    choose(pane, word)
    look_at(pane, "Error by n and ε")
    pane.errors.shown.setCurrentIndex(MAP)
    pane.errors.shown.activated.emit(MAP)
    assert pane.errors.stack.currentWidget() is pane.errors.no_map
    assert "is not drawn" in pane.errors.no_map.text()
    assert pane.errors.reading.full_text().endswith(pane.figures.tiles[0].value())
    choose(pane, "forced_categories" if kind == SEVERAL else "additive")
    assert pane.errors.stack.currentWidget() is pane.errors.plot


def test_that_a_device_without_an_epsilon_of_the_map_says_so(page: SimulatePage) -> None:
    pane = pane_of(page, NUMBER)
    # ln(2000) / scale is above 15 for every multiplier that has a variance.
    pane.change(design=Multiplicative(lower=1, upper=2000, scale=0.3))
    look_at(pane, "Error by n and ε")
    for shown, reason in ((MAP, pane.errors.no_map), (CURVES, pane.errors.reason)):
        pane.errors.shown.setCurrentIndex(shown)
        pane.errors.shown.activated.emit(shown)
        assert not reason.isHidden()
        assert reason.text().endswith("the device has no ε from 0.1 to 8.")


def test_that_the_curves_of_a_share_go_through_its_margin(page: SimulatePage) -> None:
    pane = pane_of(page, BINARY)
    look_at(pane, "Error by n and ε")
    pane.errors.shown.setCurrentIndex(CURVES)
    pane.errors.shown.activated.emit(CURVES)
    assert pane.errors.reading.full_text() == "ε = 1.099, n = 3,586: ± 3.0 pp"
    table = pane.errors.by_people.table_data()
    margins = [float(row[1]) for row in table.rows]
    assert margins == sorted(margins, reverse=True)
    people = np.array([float(row[0].replace(",", "")) if "×" not in row[0] else inf
                       for row in table.rows])  # fmt: skip
    near = int(np.argmin(np.abs(np.log(people / 3586))))
    assert margins[near] == pytest.approx(3.0 * sqrt(3586 / people[near]), rel=0.02)


@pytest.mark.parametrize("kind", ANSWER_KINDS)
def test_that_equal_respondents_alone_show_rivals_at_their_own_epsilon(
    page: SimulatePage, kind: str
) -> None:
    pane = pane_of(page, kind)
    word = {BINARY: "forced", SEVERAL: "grr", NUMBER: "additive"}[kind]
    pane.change(design=pane.scenario().design.at_epsilon(0.7))
    pane.card.compare.add(word)
    at_equal = pane.scenario().rival(word).loss.epsilon
    assert at_equal == pytest.approx(0.7, abs=1e-4)
    pane.card.compare.equality.setCurrentIndex(1)
    pane.card.compare.equality.activated.emit(1)
    usual = pane.scenario().rival(word).loss.epsilon
    assert usual == pytest.approx({BINARY: 1.6094, SEVERAL: 1.0, NUMBER: 1.0}[kind], abs=1e-4)
    assert not pane.card.compare.equality.currentData()
    if kind == NUMBER:
        # At an equal epsilon it would be the design itself.
        assert pane.scenario().rivals == ()
        pane.flush()
        pane.card.compare.add(word)
        assert len(pane.scenario().compared) == 1
        assert replace(pane.scenario(), equal_epsilon=True).compared == ()


@pytest.mark.parametrize("kind", ANSWER_KINDS)
def test_that_the_card_has_the_departures_that_change_answers_and_no_others(
    page: SimulatePage, kind: str
) -> None:
    pane = pane_of(page, kind)
    for design in pane.scenario().designs():
        choose(pane, design.word)
        names = {"denial": "deny", "refusal": "refuse", "carelessness": "careless",
                 "understatement": "understating"}  # fmt: skip
        wanted = {names[way] for way in design.departures}
        shown = {name for name, slider in pane.card.departures.items() if not slider.isHidden()}
        assert shown == wanted, design.word


def test_that_a_departure_that_a_design_does_not_have_is_none_of_its_own(
    page: SimulatePage,
) -> None:
    pane = pane_of(page, BINARY)
    pane.change(refuse=0.3)
    pane.flush()
    assert "do not follow" in pane.figures.tiles[3].toolTip()
    choose(pane, "direct")
    assert "Everybody follows" in pane.figures.tiles[3].toolTip()
    (row,) = rows_of(pane)
    assert (row["deny"], row["refuse"], row["careless"]) == ("0", "", "0")
    choose(pane, "warner")
    assert pane.scenario().survey.refuse == 0.3
    (row,) = rows_of(pane)
    assert row["refuse"] == "0.3"
