"""Every estimator by going through all answers that a few respondents can give."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from itertools import product
from math import isclose

import pytest

from dpdesk.cli.main import main
from dpdesk.designs import DESIGNS, Count, Group, YesNoDesign, loss_of
from dpdesk.designs.behaviour import answer_worth
from dpdesk.designs.sample_groups import OneSampleDesign
from tests.designs.cases import ALL, NAMES

LINEAR = [d for d in ALL if len(d.groups) == d.group_count]


def totals(group: Group, prevalence: Fraction, size: int) -> dict[int, Fraction]:
    """Chance of each sum of the answers of a group, exactly."""
    one: dict[int, Fraction] = defaultdict(Fraction)
    for answer, carrier, other in zip(group.answers, group.law[0], group.law[1], strict=True):
        one[answer_worth(answer)] += prevalence * carrier + (1 - prevalence) * other
    law = {0: Fraction(1)}
    for _ in range(size):
        extended: dict[int, Fraction] = defaultdict(Fraction)
        for (so_far, p), (worth, q) in product(law.items(), one.items()):
            extended[so_far + worth] += p * q
        law = dict(extended)
    return law


def outcomes(
    design: YesNoDesign, prevalence: Fraction, size: int
) -> list[tuple[list[Count], Fraction]]:
    laws = [totals(group, prevalence, size) for group in design.groups]
    found = []
    for sums in product(*(law.items() for law in laws)):
        chance = Fraction(1)
        for _, p in sums:
            chance *= p
        found.append(([Count(total, size) for total, _ in sums], chance))
    return found


def test_that_every_design_has_a_case() -> None:
    assert {d.kind for d in ALL} == {d.tag() for d in DESIGNS if d.quantity == "share"}


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_the_chances_of_the_answers_sum_to_one(design: YesNoDesign) -> None:
    for group in design.groups:
        assert len(group.law) == len(group.states)
        for law in group.law:
            assert len(law) == len(group.answers)
            assert sum(law) == 1


@pytest.mark.parametrize("size", [2, 3, 6])
@pytest.mark.parametrize("design", LINEAR, ids=[d.kind for d in LINEAR])
def test_that_estimates_are_unbiased_with_the_planned_variance(
    design: YesNoDesign, size: int
) -> None:
    prevalence = Fraction(3, 10)
    if design.group_count > 1 and size > 3:
        size = 4
    mean = variance = unbiased = 0.0
    for counts, chance in outcomes(design, prevalence, size):
        estimate = design.estimate(counts)
        mean += float(chance) * estimate.estimate
        variance += float(chance) * (estimate.estimate - 0.3) ** 2
        unbiased += float(chance) * estimate.standard_error**2
    assert isclose(mean, 0.3, abs_tol=1e-12)
    respondents = size * design.group_count
    assert isclose(variance, design.planned_variance(0.3).total / respondents, rel_tol=1e-9)
    if isinstance(design, OneSampleDesign) or design.group_count > 1:
        # The mean answer of a design with many answers does not show its spread.
        pooled = design.kind == "extended_crosswise"
        assert pooled or isclose(unbiased, variance, rel_tol=1e-9)


def test_that_the_error_of_an_item_count_from_counts_is_named_an_upper_bound(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["survey", "estimate", "--design", "item_count", "--set", "items=4"]
    assert main([*words, "--counts", "460/200,400/200"]) == 0
    assert "standard error at most" in capsys.readouterr().out
    assert main([*words, "--counts", "460/200,400/200", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["se_is_upper_bound"]
    words = ["survey", "estimate", "--design", "warner", "--set", "p=3/4", "--counts", "60/200"]
    assert main(words) == 0
    assert "at most, from" not in capsys.readouterr().out


def test_that_the_item_count_is_unbiased_and_its_error_never_too_small() -> None:
    design = next(d for d in ALL if d.kind == "item_count")
    (longer,) = design.groups
    shorter = Group("", longer.states, longer.answers, (longer.law[1], longer.law[1]))
    mean = variance = stated = 0.0
    first, second = totals(longer, Fraction(3, 10), 3), totals(shorter, Fraction(3, 10), 3)
    for (a, p), (b, q) in product(first.items(), second.items()):
        if p * q == 0:
            continue
        estimate = design.estimate([Count(a, 3), Count(b, 3)])
        mean += float(p * q) * estimate.estimate
        variance += float(p * q) * (estimate.estimate - 0.3) ** 2
        stated += float(p * q) * estimate.standard_error**2
    assert isclose(mean, 0.3, abs_tol=1e-12)
    assert isclose(variance, design.planned_variance(0.3).total / 6, rel_tol=1e-9)
    assert stated >= variance


def test_that_honest_no_and_cheaters_are_unbiased() -> None:
    shares = (Fraction(3, 10), Fraction(1, 2), Fraction(1, 5))
    for kind in ("cheating_detection", "symmetric_cheating_detection"):
        design = next(d for d in ALL if d.kind == kind)
        never = (Fraction(0), Fraction(1))
        means = [0.0, 0.0]
        laws = []
        for group in design.groups:
            rows = (group.law[0], group.law[1], never)
            yes = sum(s * row[0] for s, row in zip(shares, rows, strict=True))
            laws.append(dict(_binomial(3, yes)))
        for (a, p), (b, q) in product(laws[0].items(), laws[1].items()):
            others = design.estimate([Count(a, 3), Count(b, 3)]).other_shares
            for i, name in enumerate(("honest_no", "cheaters")):
                means[i] += float(p * q) * others[name][0]
        assert isclose(means[0], 0.5, abs_tol=1e-12)
        assert isclose(means[1], 0.2, abs_tol=1e-12)


def _binomial(n: int, p: Fraction) -> list[tuple[int, Fraction]]:
    from math import comb

    return [(y, comb(n, y) * p**y * (1 - p) ** (n - y)) for y in range(n + 1)]


@pytest.mark.parametrize("design", ALL, ids=NAMES)
def test_that_epsilon_bounds_every_answer_and_is_reached(design: YesNoDesign) -> None:
    loss = loss_of(design.groups)
    ratios = []
    for group in design.groups:
        for answer in range(len(group.answers)):
            column = [law[answer] for law in group.law]
            if max(column) > 0:
                ratios.append(max(column) / min(column) if min(column) else None)
    if None in ratios:
        assert loss.ratio is None
        assert loss.disclosing
    else:
        assert loss.ratio == max(r for r in ratios if r is not None)
        assert not loss.disclosing
