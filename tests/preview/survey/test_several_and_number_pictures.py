"""Pictures of surveys of several answers and of numbers: bars, curves, and what is solved for."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.planning import least_epsilon, respondents_for_margin
from dpdesk.designs.scrambling import Additive, BarLev, Multiplicative
from dpdesk.preview.survey import (
    SupposedMean,
    SupposedShares,
    error_curves,
    estimates_view,
    figures_of_survey,
)
from dpdesk.preview.survey.report_law import report_law, report_laws
from tests.refusals import refused

SHARES = (0.7, 0.18, 0.08, 0.04)
FORCED = SupposedShares(ForcedCategories(orders=(Fraction(1, 8),) * 4), SHARES, 3_000, looked=3)
OUE = replace(FORCED, design=MechanismShare(mechanism="oue", categories=4, epsilon=Decimal(1)))
ADDITIVE = SupposedMean(Additive(lower=0, upper=2_000, scale=1_000), 400.0, 350.0, 3_000)
BAR_LEV = replace(ADDITIVE, design=BarLev(lower=1, upper=2_000, scale=0.2))


@pytest.mark.parametrize("request_", [FORCED, OUE], ids=["forced", "oue"])
def test_that_bars_pile_up_the_estimates_of_the_share_looked_at(request_: SupposedShares) -> None:
    pile = estimates_view(request_)
    estimates = 100 * request_.all_outcomes().estimates[:, 3]
    inside = (pile.edges[0] <= estimates) & (estimates <= pile.edges[-1])
    assert pile.counts.sum() == inside.sum()
    assert inside.mean() > 0.99
    assert pile.truth == pytest.approx(4.0)
    assert pile.mean == pytest.approx(estimates.mean())
    # The curve of theory is as much as the bars are, all told.
    assert np.trapezoid(pile.y, pile.x) / pile.width == pytest.approx(1_000, rel=0.01)


@pytest.mark.parametrize("request_", [FORCED, OUE], ids=["forced", "oue"])
def test_that_every_bar_holds_as_many_possible_estimates(request_: SupposedShares) -> None:
    few = replace(request_, respondents=60)
    pile = estimates_view(few)
    if request_ is OUE:
        p, q = map(float, few.design.chances)
    else:
        # Half of the cards order an answer, an eighth each; the other half tell the truth.
        p, q = 5 / 8, 1 / 8
    step = 100 / abs(p - q) / 60
    assert pile.width / step == pytest.approx(round(pile.width / step))
    estimates = 100 * few.all_outcomes().estimates[:, 3]
    apart = np.abs(estimates[:, np.newaxis] - pile.edges).min()
    assert apart == pytest.approx(step / 2, rel=1e-6)


def test_that_bars_of_numbers_are_in_their_unit() -> None:
    pile = estimates_view(ADDITIVE)
    assert pile.counts.sum() >= 995
    assert pile.truth == 400.0
    assert pile.planned_error == pytest.approx(((350**2 + 2 * 1_000**2) / 3_000) ** 0.5)


def test_that_what_is_looked_at_draws_no_other_surveys() -> None:
    other = replace(FORCED, looked=0, instead=1)
    np.testing.assert_array_equal(FORCED.all_outcomes().estimates, other.all_outcomes().estimates)
    hiding = replace(FORCED, instead=0, deny=0.5)
    assert not np.array_equal(FORCED.all_outcomes().estimates, hiding.all_outcomes().estimates)


@pytest.mark.parametrize("request_", [FORCED, OUE, ADDITIVE], ids=["forced", "oue", "additive"])
def test_that_the_margin_is_on_both_curves(request_) -> None:
    curves = error_curves(request_)
    assert len(curves.epsilons) > 35
    at_n = np.interp(np.log(3_000), np.log(curves.respondents), np.log(curves.by_respondents))
    assert np.exp(at_n) == pytest.approx(curves.margin, rel=1e-6)
    at_epsilon = np.interp(request_.epsilon, curves.epsilons, curves.by_epsilon)
    assert at_epsilon == pytest.approx(curves.margin, rel=0.02)
    assert (curves.by_respondents > curves.direct).all()
    assert (np.diff(curves.by_epsilon) < 0).all()


def test_that_no_curve_is_drawn_where_epsilon_decides_nothing() -> None:
    assert error_curves(BAR_LEV).epsilons.size == 0
    # A multiplier has no variance below some epsilon: the curve begins above it.
    design = Multiplicative(lower=100, upper=2_000, scale=0.2)
    steep = error_curves(replace(ADDITIVE, design=design))
    assert steep.epsilons[0] > 2 * np.log(20)


@pytest.mark.parametrize("request_", [FORCED, OUE, ADDITIVE, BAR_LEV])
def test_that_respondents_for_a_margin_are_the_least(request_) -> None:
    wanted = (replace(request_, respondents=777)).margin
    assert respondents_for_margin(request_.sample, wanted).respondents == 777
    assert respondents_for_margin(request_.sample, wanted * (1 - 1e-6)).respondents == 778


@pytest.mark.parametrize("request_", [FORCED, OUE, ADDITIVE], ids=["forced", "oue", "additive"])
def test_that_the_least_epsilon_for_a_margin_is_found(request_) -> None:
    wanted = (request_.asked_by(request_.design.at_epsilon(1.3))).margin
    assert least_epsilon(request_.sample, wanted) == pytest.approx(1.3, abs=2e-4)
    with refused("designs.planning.margin-even-direct"):
        least_epsilon(request_.sample, wanted / 1e6)


def test_that_figures_split_the_error() -> None:
    for found in (figures_of_survey(FORCED), figures_of_survey(ADDITIVE)):
        assert found.error**2 == pytest.approx(found.sampling**2 + found.privacy**2)
        assert found.factor == pytest.approx((found.error / found.sampling) ** 2)
        assert found.bias == pytest.approx(0.0, abs=1e-9)
    assert figures_of_survey(replace(FORCED, deny=0.5, instead=0)).bias == pytest.approx(-2.5)


@pytest.mark.parametrize(
    "design",
    [
        Additive(lower=1, upper=20, scale=4, center=2),
        Additive(lower=1, upper=20, scale=4, noise="uniform"),
        Multiplicative(lower=1, upper=20, scale=0.2),
        Multiplicative(lower=1, upper=20, scale=0.2, noise="uniform"),
        BarLev(lower=1, upper=20, scale=0.2),
    ],
    ids=lambda design: f"{design.kind} {design.noise}",
)
def test_that_the_law_of_what_is_said_is_one(design) -> None:
    law = report_law(design, 10.0, np.linspace(-80, 200, 20_001))
    assert law.atom == (0.25 if isinstance(design, BarLev) else 0.0)
    assert np.trapezoid(law.density, law.x) == pytest.approx(1 - law.atom, abs=2e-3)
    mean = np.trapezoid(law.density * law.x, law.x) + law.atom * 10.0
    shift, factor = design.shift_and_factor
    assert (mean - shift) / factor == pytest.approx(10.0, abs=0.02)


def test_that_zero_times_anything_is_said_as_zero() -> None:
    laws = report_laws(replace(ADDITIVE, design=Multiplicative(lower=0, upper=2_000, scale=0.2)))
    assert [law.atom for law in laws] == [1.0, 0.0, 0.0]
    assert not laws[0].density.any()
