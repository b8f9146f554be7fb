"""One solver for shares, several answers and numbers, against plans that are worked out apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import exp, inf, log, sqrt
from statistics import NormalDist

import numpy as np
import pytest

from dpdesk.designs import DESIGNS, Design, YesNoDesign, design_named
from dpdesk.designs.item_count import ItemCount
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.planning import (
    Contrast,
    FieldError,
    Goal,
    Mean,
    People,
    Question,
    Sample,
    Share,
    Shares,
    Stratum,
    Unknown,
    Wanted,
    denied_error,
    least_epsilon,
    plan_of_questionnaire,
    plan_of_strata,
    power,
    respondents_for_margin,
    respondents_for_power,
    respondents_for_strata,
    respondents_to_beat_direct,
    solve,
)
from dpdesk.designs.scrambling import Additive, Multiplicative
from dpdesk.designs.several_answers import share_variances
from dpdesk.designs.warner import WarnerDesign
from dpdesk.designs.yes_no import Count
from dpdesk.errors import DpdeskError, ParameterError
from tests.refusals import refused

Z = NormalDist().inv_cdf(0.975)
SHARES = Shares((0.6, 0.3, 0.1), 2)
MEAN = Mean(400, 350)
ADDITIVE = Additive(lower=0, upper=2_000, scale=1_000)
ORDERS = design_named("forced_categories").example()
DECIDED = [kind.example() for kind in DESIGNS if kind.example().epsilon_decides]
CASES: list[tuple[Design, People, float]] = [
    *((design, Share(0.1), 0.03) for design in DECIDED if isinstance(design, YesNoDesign)),
    (MechanismShare(categories=3), SHARES, 0.05),
    (ORDERS, Shares(tuple(1 / ORDERS.size for _ in range(ORDERS.size)), 1), 0.05),
    (ADDITIVE, MEAN, 50.0),
    (Multiplicative(lower=400, upper=800, scale=0.2), Mean(600, 80), 10.0),
]
every_case = pytest.mark.parametrize(
    ("design", "people", "margin"), CASES, ids=[f"{c[0].kind}-{type(c[1]).__name__}" for c in CASES]
)


def variance_of(design: Design, people: People) -> float:
    """n times the variance of the estimate, by the design itself."""
    if isinstance(people, Share):
        return design.planned_variance(people.prevalence).total
    if isinstance(people, Shares):
        sampling, privacy = share_variances(design, people.shares)
        return float(sampling[people.looked] + privacy[people.looked])
    return sum(design.planned_variance(people.mean, people.deviation**2))


def privacy_of(design: Design, people: People) -> float:
    """The device's part of it, by the design itself."""
    if isinstance(people, Share):
        return design.planned_variance(people.prevalence).privacy
    if isinstance(people, Shares):
        return float(share_variances(design, people.shares)[1][people.looked])
    return design.planned_variance(people.mean, people.deviation**2)[1]


def bisected(reaches: Callable[[float], bool]) -> float:
    """The least number up to 12 of which something holds, by halving alone."""
    low, high = 0.0, 12.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (low, middle) if reaches(middle) else (middle, high)
    return high


def least_or_infinite(sample: Sample, question: Question) -> float:
    """The least epsilon of a question; infinite where even direct questions would not do."""
    try:
        return least_epsilon(sample, question.margin)
    except ParameterError:
        return inf


@every_case
def test_that_the_least_epsilon_is_that_of_a_plain_bisection(
    design: Design, people: People, margin: float
) -> None:
    n = 5_000

    def reaches(epsilon: float) -> bool:
        try:
            return Z * sqrt(variance_of(design.at_epsilon(epsilon), people) / n) <= margin
        except DpdeskError:
            return False

    found = least_epsilon(Sample(design, people, n), margin)
    assert found == pytest.approx(bisected(reaches), rel=1e-10)
    assert reaches(found)
    assert not reaches(found * (1 - 1e-9))


def test_that_warners_least_epsilon_is_that_of_the_first_chance_that_reaches_the_margin() -> None:
    # All chances of the device, in millionths, by Warner's own formula.
    n, share, margin = 5_000, 0.1, 0.03
    k = np.arange(500_001, 10**6)
    p = k / 10**6
    variance = share * (1 - share) + p * (1 - p) / (2 * p - 1) ** 2
    first = int(k[np.argmax(Z * np.sqrt(variance / n) <= margin)])
    found = least_epsilon(Sample(WarnerDesign(), Share(share), n), margin)
    assert WarnerDesign().at_epsilon(found).p == Fraction(first, 10**6)
    assert found == pytest.approx(log(first / (10**6 - first)), rel=1e-12)
    # Without rounding the formula gives less, at which the device misses the margin.
    v = n * (margin / Z) ** 2 - share * (1 - share)
    ideal = log((2 * v + 1 + sqrt(4 * v + 1)) / (2 * v))
    assert (round(ideal, 8), round(found, 8)) == (0.92795911, 0.92796379)
    missed = Sample(WarnerDesign().at_epsilon(ideal), Share(share), n)
    assert missed.margin > margin
    assert missed.margin == pytest.approx(margin, rel=1e-5)


@every_case
def test_that_every_goal_about_margins_is_solved_for_every_kind(
    design: Design, people: People, margin: float
) -> None:
    asked = design.at_epsilon(4.0)
    needed = variance_of(asked, people) * (Z / margin) ** 2
    found = solve(Wanted(Goal.RESPONDENTS_FOR_MARGIN, margin=margin), Sample(asked, people))
    assert found.epsilon is None
    assert found.sample.respondents - 1 < needed <= found.sample.respondents
    back = solve(Wanted(Goal.MARGIN), found.sample).sample
    assert back.margin == pytest.approx(
        Z * sqrt(variance_of(asked, people) / back.respondents), rel=1e-12
    )
    least = solve(Wanted(Goal.EPSILON_FOR_MARGIN, margin=margin), found.sample)
    assert least.epsilon is not None
    assert least.sample.design == design.at_epsilon(least.epsilon)
    assert least.sample.margin <= margin
    assert least.epsilon <= 4.0


@every_case
def test_that_a_value_is_told_from_another_and_from_a_second_group(
    design: Design, people: People, margin: float
) -> None:
    asked, other = design.at_epsilon(4.0), people.value * 0.7
    null = variance_of(asked, people.at(other))
    true = variance_of(asked, people)
    direct = variance_of(asked, people.at(other)) - privacy_of(asked, people.at(other))
    for second, extra in (("", 0.0), ("device", null), ("direct", direct)):
        s0, s1 = sqrt(null + extra), sqrt(true + extra)
        z0, z1 = NormalDist().inv_cdf(0.95), NormalDist().inv_cdf(0.8)
        needed = ((z0 * s0 + z1 * s1) / (people.value - other)) ** 2
        contrast = Contrast(other, second=second)
        found = respondents_for_power(Sample(asked, people), contrast, 0.8)
        assert found.respondents - 1 < needed <= found.respondents
        assert power(found, contrast) >= 0.8 > power(found.of(found.respondents - 1), contrast)


@every_case
def test_that_a_questionnaire_of_any_kind_keeps_its_budget_with_the_fewest_respondents(
    design: Design, people: People, margin: float
) -> None:
    questions = (Question(people, margin), Question(people, 2 * margin))
    plans = {s: plan_of_questionnaire(design, questions, 6.0, s) for s in ("equal", "least")}
    for plan in plans.values():
        assert plan.epsilon <= 6.0 * (1 + 1e-12)
        for planned in plan.questions:
            assert type(planned.design) is type(design)
            exact = Z * sqrt(variance_of(planned.design, people) / plan.respondents)
            assert exact == pytest.approx(planned.margin)
            assert planned.margin <= planned.question.margin
    least = plans["least"].respondents
    assert least <= plans["equal"].respondents
    fewer = [Sample(design, people, least - 1), Sample(design, people, least - 1)]
    assert sum(map(least_or_infinite, fewer, questions)) > 6.0 * (1 - 1e-6)


@pytest.mark.parametrize(
    ("design", "parts", "whole"),
    [
        (
            MechanismShare(categories=3),
            ((0.7, SHARES), (0.3, Shares((0.2, 0.2, 0.6), 2))),
            Shares((0.48, 0.27, 0.25), 2),
        ),
        # Two points of variance within, and what lies between the means.
        (
            ADDITIVE,
            ((0.7, MEAN), (0.3, Mean(900, 100))),
            Mean(550, sqrt(0.7 * 350**2 + 0.3 * 100**2 + 0.7 * 0.3 * 500**2)),
        ),
    ],
    ids=["shares", "mean"],
)
def test_that_strata_of_shares_and_means_have_the_variance_of_the_weighted_sum(
    design: Design, parts: tuple[tuple[float, People], ...], whole: People
) -> None:
    strata = [Stratum(*part) for part in parts]
    plan = plan_of_strata(design, strata, (900, 400))
    variances = [variance_of(design, stratum.people) for stratum in strata]
    exact = 0.49 * variances[0] / 900 + 0.09 * variances[1] / 400
    assert plan.margin == pytest.approx(Z * sqrt(exact))
    assert plan.people.value == pytest.approx(whole.value)
    assert plan.unstratified_margin == pytest.approx(Z * sqrt(variance_of(design, whole) / 1300))
    found = respondents_for_strata(design, strata, plan.margin, "neyman")
    assert found.margin <= plan.margin
    assert found.total <= 1300


def test_that_denials_bias_a_share_of_several_and_a_mean_as_the_answers_do() -> None:
    # A quarter of the holders of the third answer gives another one.
    sample = Sample(MechanismShare(categories=3), SHARES, 1000)
    exact = sqrt(0.075 * 0.925 / 1000 + 0.025**2)
    assert denied_error(sample, 0.25) == pytest.approx(exact)
    # A quarter says the least number, 100: the law of what is said, number by number.
    design = Additive(lower=100, upper=2_000, scale=1_000)
    true = np.array([300.0, 700.0])
    said = np.array([100.0, 100.0, *np.repeat(true, 3)])
    people = Mean(float(true.mean()), float(true.std()))
    exact = sqrt(said.var() / 1000 + (true.mean() - said.mean()) ** 2)
    assert denied_error(Sample(design, people, 1000), 0.25) == pytest.approx(exact)
    for sample in (Sample(design, people), Sample(MechanismShare(categories=3), SHARES)):
        least = respondents_to_beat_direct(sample, 0.25)
        assert least is not None
        errors = [
            (sqrt(variance_of(sample.design, sample.people) / n), denied_error(sample.of(n), 0.25))
            for n in (least, least - 1)
        ]
        assert errors[0][0] <= errors[0][1] * (1 + 1e-12)
        assert errors[1][0] > errors[1][1]


def test_that_other_people_differ_in_the_value_alone() -> None:
    moved = SHARES.at(0.55)
    assert moved.shares == pytest.approx((0.3, 0.15, 0.55))
    assert moved.looked == 2
    assert Shares((0.0, 1.0), 1).at(0.4).shares == (0.0, 0.4)
    assert MEAN.at(700) == Mean(700, 350)


def test_that_a_design_of_another_quantity_is_refused() -> None:
    for design, people in ((ADDITIVE, Share(0.1)), (WarnerDesign(), MEAN), (ADDITIVE, SHARES)):
        with refused("designs.other-quantity"):
            respondents_for_margin(Sample(design, people), 0.1)


@pytest.mark.parametrize(
    ("wanted", "changes", "field"),
    [
        (Wanted(margin=0.0), {}, "margin"),
        (Wanted(margin=0.03), {"weights_cv": -1.0}, "weights_cv"),
        (Wanted(margin=0.03), {"people": Share(0.0)}, ""),
        (Wanted(Goal.MARGIN), {"respondents": 1}, ""),
        (Wanted(Goal.MARGIN), {"respondents": 90, "population": 50}, "population"),
        (Wanted(Goal.POWER, alpha=0.0), {}, "alpha"),
        (Wanted(Goal.POWER, against=1.5), {}, "against"),
        (Wanted(Goal.EPSILON_FOR_POWER, power=0.9999, against=0.0999), {}, "power"),
        (Wanted(Goal.EPSILON_FOR_BELIEF, belief=0.05), {}, "belief"),
        (Wanted(Goal.EPSILON_FOR_ODDS, odds=1.0), {}, "odds"),
        (Wanted(denial=1.0), {}, "denial"),
    ],
)
def test_that_a_refusal_names_the_field_that_it_is_of(
    wanted: Wanted, changes: dict[str, object], field: str
) -> None:
    sample = replace(Sample(WarnerDesign(), Share(0.1), 1000), **changes)
    with pytest.raises(FieldError) as caught:
        solve(wanted, sample)
    assert caught.value.field == field
    assert str(caught.value).endswith(".")


def test_that_a_goal_that_needs_no_population_leaves_it_out() -> None:
    sample = Sample(WarnerDesign(), Share(0.1), 1000, population=2000)
    assert solve(Wanted(Goal.MARGIN), sample).sample.population == 2000
    assert solve(Wanted(Goal.POWER), sample).sample.population is None


def test_that_beliefs_are_those_of_the_epsilon_that_was_found() -> None:
    found = solve(Wanted(Goal.EPSILON_FOR_ODDS, odds=3.0), Sample(WarnerDesign(), Share(0.1), 1000))
    assert found.epsilon == log(3)
    assert found.beliefs == pytest.approx((0.1 / 2.8, 0.25))
    other = solve(Wanted(Goal.MARGIN), Sample(WarnerDesign().at_epsilon(2.0), Share(0.1), 1000))
    assert other.beliefs[1] == pytest.approx(0.1 * exp(2) / (0.9 + 0.1 * exp(2)), rel=1e-5)


@pytest.mark.parametrize(("items", "mean", "sd"), [(1, None, None), (4, None, None), (4, 1.5, 0.6)])
@pytest.mark.parametrize("share", [0.1, 0.5])
def test_that_an_item_count_is_planned_by_the_declared_spread_of_its_items(
    items: int, mean: float | None, sd: float | None, share: float
) -> None:
    declared = {} if mean is None else {"innocent_mean": mean, "innocent_sd": sd}
    design = ItemCount(items=items, **declared)
    sample = Sample(design, Share(share), 2_000)
    longer, shorter = ([float(chance) for chance in group.law[1]] for group in design.asked)
    numbers = np.arange(items + 1)
    assert numbers @ shorter == pytest.approx(items / 2 if mean is None else mean)
    spread = (numbers - numbers @ shorter) ** 2 @ shorter
    assert spread == pytest.approx(items / 4 if sd is None else sd**2)
    # Surveys of 1,000 respondents with each list.
    draw = np.random.default_rng(5)
    of_shorter = draw.multinomial(1_000, shorter, size=20_000) @ numbers
    carriers = draw.binomial(1_000, share, size=20_000)
    of_longer = draw.multinomial(1_000, longer[: items + 1], size=20_000) @ numbers + carriers
    found = (of_longer - of_shorter) / 1_000
    assert sample.margin == pytest.approx(Z * found.std(), rel=0.02)
    needed = respondents_for_margin(sample, 0.05)
    assert needed.margin <= 0.05 < needed.of(needed.respondents - 1).margin


@pytest.mark.parametrize("items", [1, 4, 20])
def test_that_the_margin_of_sums_is_that_of_the_interval_of_counts(items: int) -> None:
    each = 10**6
    for declared in ({}, {"innocent_mean": 0.7, "innocent_sd": 0.458}):
        design = ItemCount(items=items, **declared)
        mean = design.innocent_mean
        counts = [Count(round(each * (mean + more)), each) for more in (0.1, 0.0)]
        found = design.estimate(counts)
        widest = Sample(design, Share(0.1), 2 * each).margin_of_sums
        assert widest == pytest.approx((found.upper - found.lower) / 2, rel=1e-4)


@pytest.mark.parametrize(("mean", "sd"), [(4.5, 0.5), (0, 0), (4, 0), (2, 2.1), (1.5, 0.4)])
def test_that_items_cannot_have_an_impossible_mean_or_spread(mean: float, sd: float) -> None:
    design = ItemCount(items=4, innocent_mean=mean, innocent_sd=sd)
    with refused("designs.no-items"):
        Sample(design, Share(0.1), 100).check()


def test_that_no_other_design_has_a_margin_that_is_a_bound() -> None:
    for kind in DESIGNS:
        design = kind.example()
        if isinstance(design, YesNoDesign) and design.kind != "item_count":
            assert not design.error_is_bound
            assert design.interval_variance(0.1) == design.planned_variance(0.1)


def test_that_a_goal_names_the_number_that_it_finds() -> None:
    epsilons = {goal for goal in Goal if goal.finds is Unknown.EPSILON}
    before = Sample(WarnerDesign(p=Fraction(3, 4)), Share(0.1), 3000)
    for goal in Goal:
        outcome = solve(Wanted(goal), before)
        changed = outcome.sample.respondents != before.respondents
        assert changed == (goal.finds is Unknown.RESPONDENTS), goal
        assert (outcome.epsilon is not None) == (goal in epsilons), goal
    assert {goal for goal in Goal if goal.is_cap} == {
        Goal.EPSILON_FOR_BELIEF,
        Goal.EPSILON_FOR_ODDS,
    }
