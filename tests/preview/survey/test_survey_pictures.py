"""What the page of hypothetical surveys shows, against formulas and exact sums."""

from __future__ import annotations

from dataclasses import replace
from math import inf, log, sqrt

import numpy as np
import pytest

from dpdesk.designs import YesNoDesign, design_named
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.errors import ParameterError
from dpdesk.preview.survey import (
    SupposedShare,
    beliefs_after,
    error_surface,
    estimates_view,
    figures_of_survey,
    theory_curve,
)
from tests.designs.cases import ALL, NAMES
from tests.refusals import refused

TWO_COINS = design_named("warner")()
REQUEST = SupposedShare(TWO_COINS, 0.1, 3_586)


def test_that_two_coins_have_the_figures_of_the_formulas() -> None:
    shown = figures_of_survey(REQUEST)
    assert round(shown.error, 2) == 3.0
    assert (round(shown.sampling, 2), round(shown.privacy, 2)) == (0.98, 2.83)
    assert shown.error**2 == pytest.approx(shown.sampling**2 + shown.privacy**2)
    assert shown.factor == pytest.approx(1 + 0.75 / 0.09)
    assert [(b.answer, round(b.belief, 4)) for b in beliefs_after(TWO_COINS, 0.1)] == [
        ("yes", 0.25),
        ("no", 0.0357),
    ]
    assert sum(b.chance for b in beliefs_after(TWO_COINS, 0.1)) == pytest.approx(1)
    assert REQUEST.epsilon == pytest.approx(log(3))
    assert 0.94 < shown.coverage < 0.96


def test_that_a_proof_is_said_to_be_one() -> None:
    proving = replace(REQUEST, design=design_named("triangular")(p="1/4"))
    assert proving.epsilon == inf
    assert min(after.belief for after in beliefs_after(proving.design, 0.1)) == 0.0


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_the_curve_holds_all_surveys_and_meets_the_bars(design) -> None:
    view = estimates_view(SupposedShare(design, 0.3, 40_000, 4_000, seed=3))
    assert view.counts.sum() + view.outside == pytest.approx(4_000)
    bars = np.trapezoid(view.y, view.x) / view.width
    assert bars == pytest.approx(4_000, rel=0.003)
    middles = (view.edges[1:] + view.edges[:-1]) / 2
    expected = np.interp(middles, view.x, view.y)
    # Each count within 7 standard deviations of a Poisson number, and of the curve's own error.
    assert (np.abs(view.counts - expected) < 7 * np.sqrt(expected + 1)).all()
    assert len(view.x) <= 512
    assert len(view.counts) <= 512


def test_that_few_respondents_show_all_outcomes_and_many_a_seeded_simulation() -> None:
    few, many = estimates_view(REQUEST), estimates_view(replace(REQUEST, respondents=5_001))
    assert (few.exact, few.seed) == (True, None)
    assert (many.exact, many.seed) == (False, 1)
    assert float(many.counts.sum() + many.outside) == 1_000
    assert not estimates_view(replace(REQUEST, simulated=True)).exact


@pytest.mark.parametrize("respondents", [50, 300, 1_000, 5_000])
def test_that_bars_of_all_outcomes_have_no_comb(respondents: int) -> None:
    """Every bar holds as many values as its neighbours: the counts rise once and fall once."""
    counts = estimates_view(replace(REQUEST, respondents=respondents)).counts
    turns = np.diff(np.sign(np.diff(counts)))
    assert (turns != 0).sum() == 1


def test_that_the_axis_stays_while_epsilon_moves_a_little() -> None:
    ranges = {
        estimates_view(replace(REQUEST, design=design_named("warner")(p=f"0.{p}"))).x_range
        for p in range(7500, 7600, 5)
    }
    assert len(ranges) <= 2


def test_that_deniers_move_the_curve_and_not_the_axis_of_truth() -> None:
    view = estimates_view(replace(REQUEST, deny=0.5))
    # -c pi p / (2p - 1).
    assert view.theory_bias == pytest.approx(-100 * 0.5 * 0.1 * 0.75 / 0.5)
    assert view.bias == pytest.approx(view.theory_bias, abs=1e-9)
    assert view.truth == 10
    assert view.x[view.y.argmax()] == pytest.approx(10 + view.theory_bias, abs=0.1)
    assert view.x_range[0] < 10 + view.theory_bias < view.x_range[1]


def test_that_a_rival_is_drawn_over_the_same_bars() -> None:
    view = estimates_view(REQUEST)
    rival = replace(REQUEST, design=design_named("unrelated")(p="1/4", q="1/6"))
    curve = theory_curve(rival.shown_theory, view.x, view.width, 1_000)
    error = 100 * rival.theory.error
    assert curve.max() == pytest.approx(1_000 * view.width / (error * sqrt(2 * np.pi)), rel=1e-3)
    mean, error = 100 * REQUEST.theory.mean, 100 * REQUEST.theory.error
    bell = np.exp(-(((view.x - mean) / error) ** 2) / 2) / (error * sqrt(2 * np.pi))
    assert view.y == pytest.approx(1_000 * view.width * bell, rel=1e-9, abs=1e-9)


def test_that_the_surface_has_the_margins_of_the_formula_and_its_lines_lie_on_it() -> None:
    surface = error_surface(REQUEST)
    assert surface.margin_at(log(3), 3_586) == pytest.approx(3.0, abs=1e-3)
    assert surface.margin_at(1.0, 4_314) == pytest.approx(3.0, abs=1e-3)
    assert surface.margins.shape == (len(surface.respondents), len(surface.epsilons))
    row, column = 17, 50
    assert surface.margins[row, column] == pytest.approx(
        surface.margin_at(surface.epsilons[column], surface.respondents[row])
    )
    assert {3.0, 5.0} <= {line.margin for line in surface.lines}
    for line in surface.lines:
        for epsilon, respondents in zip(line.epsilons, line.respondents, strict=True):
            assert surface.margin_at(epsilon, respondents) == pytest.approx(line.margin)


@pytest.mark.parametrize(
    "family",
    [
        design_named("unrelated")(p="1/4", q="1/6"),
        design_named("crosswise")(p="1/4"),
        MechanismShare(mechanism="oue", categories=1_000),
        MechanismShare(mechanism="subset_selection", categories=100),
    ],
    ids=["unrelated", "crosswise", "oue", "subset"],
)
def test_that_the_surface_of_a_family_has_the_errors_of_its_designs(family) -> None:
    surface = error_surface(replace(REQUEST, design=family), of_design=True)
    for row, column in ((0, 10), (40, 50), (80, 100)):
        design = family.at_epsilon(surface.epsilons[column])
        respondents = surface.respondents[row]
        variance = design.planned_variance(0.1).total / respondents
        assert surface.margins[row, column] == pytest.approx(196 * sqrt(variance), rel=1e-3)
        at = surface.margin_at(surface.epsilons[column], respondents)
        assert at == pytest.approx(surface.margins[row, column])
    # At the same epsilon no design for one trait undercuts Warner's, nor does any mechanism.
    assert (surface.margins >= error_surface(REQUEST).margins * (1 - 1e-5)).all()


def test_that_a_family_without_one_number_is_refused() -> None:
    def of_design(design: YesNoDesign) -> None:
        error_surface(replace(REQUEST, design=design), of_design=True)

    with refused("designs.not-decided"):
        of_design(design_named("mangat_singh")(t="1/2", p="2/3"))
    with refused("designs.proof"):
        of_design(design_named("mangat")(p="2/3"))


def test_that_the_surface_at_the_design_is_the_figure() -> None:
    for confidence in (0.9, 0.95):
        request = replace(REQUEST, confidence=confidence)
        shown = figures_of_survey(request)
        surface = error_surface(request)
        assert surface.margin_at(REQUEST.epsilon, 3_586) == pytest.approx(shown.error)


@pytest.mark.parametrize(
    ("prevalence", "arguments"),
    [
        *[(1.5, ()), (-0.1, ())],
        *[(0.1, (ends,)) for ends in ((0, 9), (9, 8), (9, 9))],
    ],
)
def test_that_an_impossible_surface_is_refused(prevalence: float, arguments) -> None:
    with pytest.raises(ParameterError):
        error_surface(replace(REQUEST, prevalence=prevalence), *arguments)


def test_that_an_impossible_survey_is_refused() -> None:
    for changed in ({"prevalence": 2.0}, {"respondents": 1}, {"deny": -1.0}, {"repetitions": 0}):
        with pytest.raises(ParameterError):
            estimates_view(replace(REQUEST, simulated=True, **changed))


@pytest.mark.parametrize("respondents", [2, 10_000])
def test_that_surveys_in_which_all_say_no_show_one_bar(respondents: int) -> None:
    forced = design_named("forced")()
    view = estimates_view(SupposedShare(forced, 0.1, respondents, deny=1.0, refuse=1.0))
    # (0 - 1/6) / (5/6 - 1/6).
    assert view.mean == pytest.approx(-25)
    assert view.spread == pytest.approx(0, abs=1e-9)
    assert view.counts.max() == view.counts.sum() == 1_000
    assert view.y_max > 1_000


@pytest.mark.parametrize("prevalence", [0.0, 1.0])
def test_that_nobody_and_everybody_can_be_shown(prevalence: float) -> None:
    for design in ALL:
        for n in (100, 10_000):
            shown = figures_of_survey(SupposedShare(design, prevalence, n))
            assert shown.factor == inf
            assert shown.effective_respondents == 0.0
