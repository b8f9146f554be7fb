"""Respondents who do not comply: what they add to the estimate, exactly."""

from __future__ import annotations

from fractions import Fraction
from math import isclose

import pytest

from dpdesk.designs import DESIGNS, Design, YesNoDesign, design_named, designs_of
from dpdesk.designs.behaviour import (
    COMPLIANT,
    SHARE_OF,
    Behaviour,
    answer_worth,
    behaved,
    group_sizes,
    require_departures,
)
from dpdesk.designs.estimator_law import HeldSurvey, estimator_theory
from dpdesk.preview.survey import SupposedShare
from tests.designs.cases import ALL, NAMES
from tests.refusals import refused

PI = Fraction(1, 10)
LINEAR = [design for design in ALL if not design.same_respondents]


def expected(design: YesNoDesign, behaviour: Behaviour, prevalence: Fraction = PI) -> Fraction:
    """The expected estimate of a design with one group of two answers, in fractions."""
    (group,) = design.groups
    a, b = (law[0] for law in group.law)
    carrier, other = behaved(group, behaviour)
    share = prevalence * carrier[0] + (1 - prevalence) * other[0]
    return (share - b) / (a - b)


@pytest.mark.parametrize("p", [Fraction(3, 4), Fraction(5, 6)])
@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(1, 2), Fraction(1)])
def test_that_deniers_bias_warners_design_by_minus_c_pi_p_over_2p_minus_1(p, share) -> None:
    warner = design_named("warner")(p=p)
    bias = expected(warner, Behaviour(deny=float(share))) - PI
    assert bias == -share * PI * p / (2 * p - 1)


@pytest.mark.parametrize("no", [Fraction(1, 6), Fraction(1, 8)])
@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(1, 2), Fraction(1)])
def test_that_deniers_bias_forced_response_by_the_formula(no, share) -> None:
    yes = Fraction(1, 3)
    forced = design_named("forced")(forced_no=no, forced_yes=yes)
    bias = expected(forced, Behaviour(deny=float(share))) - PI
    assert bias == -share * PI * (1 - no) / (1 - no - yes)


@pytest.mark.parametrize("p", ["1/4", "1/12", "3/4"])
@pytest.mark.parametrize("share", [Fraction(1, 10), Fraction(1, 2), Fraction(1)])
def test_that_random_answers_pull_the_crosswise_estimate_to_one_half(p, share) -> None:
    crosswise = design_named("crosswise")(p=p)
    bias = expected(crosswise, Behaviour(careless=float(share))) - PI
    assert bias == share * (Fraction(1, 2) - PI)


def test_that_refusals_of_forced_yes_bias_by_their_share_of_the_orders() -> None:
    forced = design_named("forced")(forced_no="1/6", forced_yes="1/3")
    bias = expected(forced, Behaviour(refuse=0.25)) - PI
    assert bias == -Fraction(1, 4) * (1 - PI) * Fraction(1, 3) / (
        1 - Fraction(1, 6) - Fraction(1, 3)
    )


def test_that_cheating_detection_counts_deniers_and_refusers_as_cheaters() -> None:
    design = design_named("cheating_detection")(p1="1/4", p2="3/4")
    theory = estimator_theory(HeldSurvey(design, 0.3, 1_000, Behaviour(deny=0.2, refuse=0.1)))
    # Honest carriers are what is estimated.
    assert isclose(theory.mean, 0.3 * 0.8, abs_tol=1e-12)


@pytest.mark.parametrize("deny", [0.0, 0.4, 1.0])
def test_that_the_stochastic_lie_detector_is_not_biased_by_deniers(deny: float) -> None:
    design = design_named("stochastic_lie_detector")(s1="1/4", s2="4/5")
    theory = estimator_theory(HeldSurvey(design, 0.3, 1_000, Behaviour(deny=deny)))
    assert isclose(theory.mean, 0.3, abs_tol=1e-12)


def test_that_a_denier_gives_the_answer_that_speaks_least_for_a_carrier() -> None:
    # With p < 1/2 the answer yes ("the same") speaks against the trait.
    (group,) = design_named("crosswise")(p="1/4").groups
    carrier, _ = behaved(group, Behaviour(deny=1.0))
    assert carrier == (1, 0)


def test_that_a_denier_who_must_name_a_number_answers_as_a_non_carrier() -> None:
    design = next(d for d in ALL if d.kind == "christofides")
    (group,) = design.groups
    carrier, other = behaved(group, Behaviour(deny=1.0))
    assert carrier == other == group.law[1]


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_every_law_of_behaviour_sums_to_one(design: YesNoDesign) -> None:
    for group in design.asked:
        assert behaved(group, COMPLIANT) == group.law[:2]
        for law in behaved(group, Behaviour(0.3, 0.2, 0.1)):
            assert sum(law) == 1
            assert all(chance >= 0 for chance in law)


@pytest.mark.parametrize("respondents", [600, 601])
@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_theory_is_unbiased_with_the_planned_variance(
    design: YesNoDesign, respondents
) -> None:
    theory = estimator_theory(HeldSurvey(design, 0.3, respondents))
    assert isclose(theory.mean, 0.3, abs_tol=1e-9)
    if respondents % design.group_count == 0:
        planned = design.planned_variance(0.3).total / respondents
        assert isclose(theory.error**2, planned, rel_tol=1e-6)


@pytest.mark.parametrize("design", LINEAR, ids=[d.kind for d in LINEAR])
def test_that_the_error_of_theory_holds_whatever_respondents_do(design: YesNoDesign) -> None:
    """The variance of a linear estimate, from the laws in fractions and unit steps of a total."""
    behaviour = Behaviour(0.3, 0.2, 0.1)
    sizes = group_sizes(design, 60)
    variance = 0.0
    for index, (group, size) in enumerate(zip(design.asked, sizes, strict=True)):
        rows = behaved(group, behaviour)
        law = [PI * a + (1 - PI) * b for a, b in zip(*rows, strict=True)]
        worth = [answer_worth(answer) for answer in group.answers]
        mean = sum(c * w for c, w in zip(law, worth, strict=True))
        spread = sum(c * (w - mean) ** 2 for c, w in zip(law, worth, strict=True))
        variance += _slope(design, index, sizes) ** 2 * float(spread) * size
    theory = estimator_theory(HeldSurvey(design, 0.1, 60, behaviour))
    assert isclose(theory.error**2, variance, rel_tol=1e-9)


def _slope(design: YesNoDesign, index: int, sizes: tuple[int, ...]) -> float:
    import numpy as np

    totals = np.tile(np.array(sizes, dtype=float) / 2, (2, 1))
    totals[1, index] += 1
    first, second = design.estimates(totals, sizes).estimate
    return float(second - first)


@pytest.mark.parametrize("shares", [(1.1, 0, 0), (0, -0.1, 0), (0, 0, float("nan"))])
def test_that_shares_that_are_none_are_refused(shares) -> None:
    with refused("designs.no-share"):
        Behaviour(*shares)


@pytest.mark.parametrize("kind", designs_of(YesNoDesign))
def test_that_a_design_names_the_departures_that_change_its_answers(
    kind: type[YesNoDesign],
) -> None:
    design = kind.example()
    ways = {
        "denial": Behaviour(deny=0.5),
        "refusal": Behaviour(refuse=0.5),
        "carelessness": Behaviour(careless=0.5),
    }
    changing = tuple(
        name
        for name, behaviour in ways.items()
        if any(behaved(group, behaviour) != group.law[:2] for group in design.asked)
    )
    assert design.departures == changing


@pytest.mark.parametrize("kind", DESIGNS)
def test_that_departures_that_change_no_answer_are_refused(kind: type[Design]) -> None:
    design = kind.example()
    for way in SHARE_OF:
        require_departures(design, {way: 0.0})
        if way in design.departures:
            require_departures(design, {way: 0.3})
            continue
        with refused("designs.no-departure", design=design.title, share=SHARE_OF[way]):
            require_departures(design, {**dict.fromkeys(design.departures, 0.1), way: 0.3})


def test_that_everybody_follows_where_no_departure_changes_an_answer() -> None:
    warner = SupposedShare(design_named("warner")(p="3/4"), 0.1, 100, refuse=0.3)
    direct = warner.asked_by(design_named("direct")())
    assert warner.departures == {"denial": 0.0, "refusal": 0.3, "carelessness": 0.0}
    assert not warner.all_follow
    assert direct.departures == {"denial": 0.0, "carelessness": 0.0}
    assert direct.all_follow
    assert direct.theory == direct.changed(refuse=0.0).theory
