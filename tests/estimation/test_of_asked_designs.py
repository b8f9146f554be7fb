"""The share answered among those asked, with weights, and one attribute of each respondent."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import isclose, sqrt
from typing import NamedTuple

import numpy as np
import pytest

from dpdesk.data.table import table_from_texts
from dpdesk.estimation.of_asked import BLANKS, SomeShare, answered_of_asked
from dpdesk.estimation.released import ReleasedAttribute, bind_attributes, released_from_tallies
from dpdesk.plan import Plan, draft_table, protect
from dpdesk.plan.column_changes import set_kind, set_role
from dpdesk.plan.declared_routing import set_asked
from dpdesk.plan.filter_question import AskedIf
from dpdesk.queries.condition import Condition
from tests.randomness.word_sources import ShakeWords

REPORTS = 10_000


class People(NamedTuple):
    """A part of the population.

    Attributes:
        part: Their part of all.
        weight: Survey weight of each.
        asked: Share of them that was asked.
        ratio: Share of these that answered.
        unasked: Share of the others that answered.
    """

    part: float
    weight: float
    asked: float
    ratio: float
    unasked: float = 0.0

    @property
    def answered(self) -> float:
        return self.asked * self.ratio + (1 - self.asked) * self.unasked

    def states(self) -> dict[tuple[int, int], float]:
        """The chance to be asked and to have answered."""
        return {
            (0, 0): (1 - self.asked) * (1 - self.unasked),
            (0, 1): (1 - self.asked) * self.unasked,
            (1, 0): self.asked * (1 - self.ratio),
            (1, 1): self.asked * self.ratio,
        }


def mean(people: tuple[People, ...], power: int, field: str) -> float:
    """The share of respondents by a power of their weights."""
    weights = [one.part * one.weight**power for one in people]
    shares = [getattr(one, field) for one in people]
    return sum(w * share for w, share in zip(weights, shares, strict=True)) / sum(weights)


def linearised(people: tuple[People, ...], truth: float, of: tuple[float, float]) -> float:
    """The variance of the weighted mean of x A + y F, over all respondents and reports of both.

    A and F are the unbiased scores of two randomized responses that are true with this chance. By
    Taylor linearisation it is E[w^2 (e - mean)^2] / (n E[w]^2).
    """
    scores = {report: (report - (1 - truth)) / (2 * truth - 1) for report in (0, 1)}
    cases = [
        (
            one.part
            * chance
            * (truth if a == gave else 1 - truth)
            * (truth if f == asked else 1 - truth),
            one.weight,
            of[0] * scores[a] + of[1] * scores[f],
        )
        for one in people
        for ((asked, gave), chance), a, f in product(one.states().items(), (0, 1), (0, 1))
    ]
    weight = sum(chance * w for chance, w, _ in cases)
    centre = sum(chance * w * value for chance, w, value in cases) / weight
    square = sum(chance * w**2 * (value - centre) ** 2 for chance, w, value in cases)
    return square / weight**2 / REPORTS


EVEN = (People(0.5, 1, 0.6, 0.5), People(0.5, 3, 0.6, 0.5))
MIXES = [
    EVEN,
    (People(0.7, 1, 0.3, 0.9), People(0.3, 4, 0.6, 0.7)),
    (People(0.7, 1, 0.6, 0.4), People(0.3, 4, 0.3, 0.9)),
    (People(0.9, 1, 0.5, 0.8, 0.05), People(0.1, 9, 0.4, 0.9, 0.05)),
    (People(0.5, 1, 0.9, 0.9, 0.02), People(0.5, 2, 0.8, 1.0, 0.05)),
]


@pytest.mark.parametrize("people", MIXES)
@pytest.mark.parametrize("truth", [1.0, 0.9, 0.7])
def test_that_with_weights_the_error_is_at_least_that_of_all_answers_and_reports(
    people: tuple[People, ...], truth: float
) -> None:
    first, second = (sum(one.part * one.weight**power for one in people) for power in (1, 2))
    effective = REPORTS * first**2 / second
    noise = sqrt(truth * (1 - truth) / (2 * truth - 1) ** 2 / effective)

    def share(field: str, of: tuple[float, float]) -> SomeShare:
        total = sqrt(linearised(people, truth, of))
        value, squared = (mean(people, power, field) for power in (1, 2))
        return SomeShare(value, noise, total, REPORTS, effective, squared)

    answered, asked = share("answered", (1, 0)), share("asked", (0, 1))
    found = answered_of_asked(answered, asked)
    assert not isinstance(found, str)
    truly = answered.value / asked.value
    exact = sqrt(linearised(people, truth, (1, -truly))) / asked.value
    assert isclose(float(found.value[0]), truly)
    assert found.total_error[0] >= exact * (1 - 1e-9)
    assert found.lower[0] < truly < found.upper[0]
    if all(one.unasked == 0.05 for one in people):
        assert isclose(float(found.total_error[0]), exact, rel_tol=1e-9)


def test_that_weights_that_have_nothing_to_do_with_answers_cost_what_kish_says() -> None:
    plain = [SomeShare(value, 0.01, 0.02, REPORTS, REPORTS) for value in (0.3, 0.6)]
    few = [SomeShare(value, 0.01, 0.02, 2 * REPORTS, REPORTS, value) for value in (0.3, 0.6)]
    without, with_weights = answered_of_asked(*plain), answered_of_asked(*few)
    assert not isinstance(without, str)
    assert not isinstance(with_weights, str)
    assert with_weights.total_error[0] == pytest.approx(without.total_error[0])


def test_that_shares_of_different_respondents_do_not_vary_together() -> None:
    # Three respondents of whom each reports one of three attributes, drawn alike.
    chance = {(0, 0): (5, 10), (0, 1): (1, 10), (1, 0): (1, 10), (1, 1): (3, 10)}
    states = {state: Fraction(*parts) for state, parts in chance.items()}
    answered = asked = both = total = Fraction(0)
    for drawn in product(range(3), repeat=3):
        if not {0, 1} <= set(drawn):
            continue
        for people in product(states.items(), repeat=3):
            share = Fraction(1)
            for _, part in people:
                share *= part
            own = [state[1] for (state, _), place in zip(people, drawn, strict=True) if place == 0]
            of = [state[0] for (state, _), place in zip(people, drawn, strict=True) if place == 1]
            a, f = Fraction(sum(own), len(own)), Fraction(sum(of), len(of))
            answered, asked = answered + share * a, asked + share * f
            both, total = both + share * a * f, total + share
    assert answered / total == Fraction(4, 10)
    assert asked / total == Fraction(4, 10)
    assert both / total == answered * asked / total**2


@pytest.mark.parametrize("truth", [1.0, 0.8])
@pytest.mark.parametrize("people", MIXES)
def test_that_of_one_attribute_each_the_error_is_that_of_two_independent_shares(
    people: tuple[People, ...], truth: float
) -> None:
    first, second = (sum(one.part * one.weight**power for one in people) for power in (1, 2))
    effective = REPORTS * first**2 / second
    noise = sqrt(truth * (1 - truth) / (2 * truth - 1) ** 2 / effective)
    variances = [linearised(people, truth, of) for of in ((1.0, 0.0), (0.0, 1.0))]
    answered, asked = (
        SomeShare(
            mean(people, 1, field), noise, sqrt(v), REPORTS, effective, mean(people, 2, field)
        )
        for field, v in zip(("answered", "asked"), variances, strict=True)
    )
    found = answered_of_asked(answered, asked, respondents=3 * effective)
    assert not isinstance(found, str)
    truly = answered.value / asked.value
    exact = sqrt(variances[0] + truly**2 * variances[1]) / asked.value
    assert float(found.total_error[0]) == pytest.approx(exact)
    assert found.noise_error[0] ** 2 + found.sampling_error[0] ** 2 == pytest.approx(exact**2)


def plan_of(strategy: str, *, weighted: bool, number: bool) -> Plan:
    """A plan with a filter, an item, another question and weights, at epsilon 2 each."""
    cells = {"smoker": ["yes", "no"] * 4, "other": ["l", "r"] * 4, "w": ["1", "2.5"] * 4}
    cells["item"] = (["1", "2", "3", ""] if number else ["a", "b", "a", ""]) * 2
    table = table_from_texts(cells)
    plan = draft_table(table)
    if weighted:
        plan = set_kind(plan, "w", "weight", table)
        plan = plan.with_column("w", role="keep", keep_confirmed=True)
    else:
        plan = set_role(plan, "w", "drop")
    if number:
        plan = set_kind(plan, "item", "integer", table)
    for name in ("smoker", "item", "other"):
        plan = protect(plan, name)
        mechanism = plan.column(name).mechanism
        assert mechanism is not None
        changed = mechanism.model_copy(update={"epsilon": Decimal(2)})
        plan = plan.with_column(name, mechanism=changed)
    asked = AskedIf(any_of=(Condition(column="smoker", values=("yes",)),))
    return set_asked(plan, "item", asked).with_fields(strategy=strategy)


def drawn(
    plan: Plan, people: tuple[People, ...], number: int, draws: np.random.Generator
) -> ReleasedAttribute:
    """The item of one release of some respondents, drawn from a population."""
    words = ShakeWords(str(draws.integers(1 << 30)))
    which = draws.choice(len(people), number, p=[one.part for one in people])
    asked_of, ratio, unasked, weight = (
        np.array([getattr(one, field) for one in people])[which]
        for field in ("asked", "ratio", "unasked", "weight")
    )
    asked = draws.random(number) < asked_of
    gave = draws.random(number) < np.where(asked, ratio, unasked)
    reporters = draws.integers(0, 3, number)
    tallies = []
    for place, (column, bound) in enumerate(bind_attributes(plan)):
        domain = bound.domain
        if column.name == "smoker":
            codes = np.where(asked, domain.listed.index("yes"), domain.listed.index("no"))
        elif column.name == "other":
            codes = draws.integers(0, 2, number)
        elif domain.missing_value:
            missing = domain.listed.index(domain.missing_value)
            codes = np.where(gave, (missing + 1) % domain.size, missing)
        else:
            codes = np.where(gave, draws.integers(0, domain.size, number), domain.size)
        mine = reporters == place if plan.strategy == "smp" else np.ones(number, dtype=np.bool_)
        reports = bound.randomize(codes[mine].astype(np.int32), words)
        weights = None if plan.weight_column is None else weight[mine]
        tallies.append((column, bound, bound.tally(reports, weights)))
    released = released_from_tallies(plan, number, tallies)
    return next(one for one in released.attributes if one.column.name == "item")


@pytest.mark.parametrize("number", [False, True])
@pytest.mark.parametrize("people", [MIXES[1], MIXES[3]])
@pytest.mark.parametrize(("strategy", "weighted"), [("spl", True), ("smp", False), ("smp", True)])
def test_that_intervals_miss_the_ratio_one_time_in_twenty(
    strategy: str, people: tuple[People, ...], *, weighted: bool, number: bool
) -> None:
    plan = plan_of(strategy, weighted=weighted, number=number)
    draws = np.random.default_rng(11)
    power = 1 if weighted else 0
    truly = mean(people, power, "answered") / mean(people, power, "asked")
    missed = told = 0
    for _ in range(200):
        found = drawn(plan, people, 3000, draws).answered_of_asked
        if found is not None:
            told += 1
            missed += not found.lower[0] <= truly <= found.upper[0]
    assert told > 150
    # Of 200 draws 10 are expected to miss; more than 19 have a chance of 1 in 400.
    assert missed <= 19


@pytest.mark.parametrize("strategy", ["spl", "smp"])
def test_that_blanks_of_the_filter_tell_no_share_of_those_asked(strategy: str) -> None:
    plan = plan_of(strategy, weighted=False, number=False)
    smoker = plan.column("smoker")
    blank = smoker.missing.changed(policy="blank", value="")
    item = drawn(plan, EVEN, 600, np.random.default_rng(3))
    assert not item.of_asked_withheld
    passed = plan.with_column("smoker", missing=blank)
    bound = bind_attributes(passed)
    tallies = [
        (column, mechanism, mechanism.tally(np.zeros(10 + place, dtype=np.int32)))
        for place, (column, mechanism) in enumerate(bound)
        if mechanism.form == "symbol"
    ]
    assert len(tallies) == 3
    released = released_from_tallies(passed, 30, tallies)
    told = {one.column.name: one.of_asked_withheld for one in released.attributes}
    assert told["item"] == BLANKS
