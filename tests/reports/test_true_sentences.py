"""Sentences of a report of records, for every strategy, against the enumerated law of records."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from math import exp, log
from typing import get_args

import pytest

from dpdesk.domains import Categorical
from dpdesk.mechanisms import MECHANISMS, Sampling, kind_of
from dpdesk.plan import Plan
from dpdesk.plan.model import Strategy
from dpdesk.reports.checklist.texts import T as Checks
from dpdesk.reports.public import PublicReport
from dpdesk.reports.texts import T
from tests.reports.cases import KEPT, WEIGHT, plan_of, protected, report_of
from tests.reports.true_numbers import (
    Losses,
    is_rounded_up,
    losses_of,
    number,
    papers_epsilon,
    released_by,
    texts_in,
)
from tests.texts import is_said, only_said, values_in

FAKES = get_args(Plan.model_fields["fakes"].annotation)
STRATEGIES = [
    (strategy, fakes)
    for strategy in get_args(Strategy)
    for fakes in (FAKES if strategy == "rsfd" else FAKES[:1])
]
TWO, THREE = Categorical(values=("yes", "no")), Categorical(values=("low", "mid", "high"))
EVEN, SKEWED = (Decimal(1),) * 3, (Decimal(1), Decimal(2), Decimal(5))

# Kind, epsilon and expected shares of each attribute.
MIXES = {
    "one": [("grr", "1", SKEWED)],
    "one of bits": [("oue", "0.7", EVEN)],
    "equal": [("grr", "1.3", EVEN), ("grr", "1.3", EVEN)],
    "equal, skewed": [("grr", "1", SKEWED), ("grr", "1", SKEWED)],
    "equal sizes differ": [("warner", "1", (Decimal(1), Decimal(3))), ("grr", "1", EVEN)],
    "equal bits": [("sue", "0.9", EVEN), ("sue", "0.9", EVEN)],
    "bits of two kinds": [("sue", "2", EVEN), ("oue", "2", SKEWED)],
    "unequal": [("grr", "0.5", EVEN), ("grr", "2", SKEWED)],
    "unequal bits": [("oue", "1", SKEWED), ("sue", "0.25", EVEN)],
    "three": [("warner", "1", EVEN[:2]), ("grr", "0.4", SKEWED), ("warner", "2.5", EVEN[:2])],
}
CASES = [(mix, *strategy) for mix in MIXES for strategy in STRATEGIES]


def plan_for(mix: str, strategy: str, fakes: str, *more, **fields) -> Plan:
    columns = [
        protected(f"q{i}", "nominal", TWO if len(e) == 2 else THREE, kind, epsilon, expected=e)
        for i, (kind, epsilon, e) in enumerate(MIXES[mix], start=1)
    ]
    return plan_of(*columns, *more, strategy=strategy, fakes=fakes, **fields)


@pytest.fixture(scope="module", params=CASES, ids=", ".join)
def case(request) -> tuple[Plan, Losses, PublicReport]:
    plan = plan_for(*request.param, budget=Decimal(20))
    return plan, losses_of(plan), report_of(released_by(plan))


def test_that_the_cases_hold_every_mechanism_that_can_be_faked() -> None:
    faked = {kind_of(kind) for kind in MECHANISMS if Sampling("rsfd", 2).serves(kind)}
    assert {kind for mix in MIXES.values() for kind, _, _ in mix} == faked


def test_that_the_guarantee_states_the_loss_of_the_record_and_no_other(case) -> None:
    _, losses, report = case
    sentence = report.guarantee.sentence
    (promise,), (bound,) = values_in(T.GUARANTEE, sentence), values_in(T.RATIO, sentence)
    assert is_rounded_up(float(promise["epsilon"]), losses.record, 2e-6)
    assert is_rounded_up(number(bound["ratio"]), exp(losses.record), 0.0101 * exp(losses.record))
    assert promise["delta"] == "0"
    # More is promised only where nobody sees which of several attributes was real.
    alone = values_in(T.LOSS_OF_ONE_ANSWER, sentence)
    for loss in alone:
        assert is_rounded_up(float(loss["epsilon"]), losses.largest_alone, 2e-6)
    assert bool(alone) == (report.strategy.fakes is not None)


def test_that_the_losses_are_those_of_the_enumerated_records(case) -> None:
    plan, losses, report = case
    facts, asked = report.strategy, [float(c.mechanism.epsilon) for c in plan.protected]
    for stated in (facts.record_loss, report.budget.spent, report.risk.record.epsilon,
                   report.guarantee.epsilon, report.parameters.epsilon_asked):  # fmt: skip
        assert is_rounded_up(float(stated), losses.record, 2e-6)
    for stated in (facts.one_attribute_loss, report.parameters.epsilon_of_one_attribute):
        assert is_rounded_up(float(stated), losses.largest_alone, 2e-6)
    for risk, alone in zip(report.risk.attributes, losses.alone, strict=True):
        assert is_rounded_up(float(risk.epsilon), alone, 2e-6)
    # What is run is what is asked for, but for the roundings of the law.
    assert losses.record - 1e-9 < float(report.parameters.epsilon_run) <= float(facts.record_loss)
    for attribute, epsilon in zip(report.parameters.attributes, asked, strict=True):
        assert float(attribute.epsilon_asked) == epsilon
        assert epsilon - 1e-9 < float(attribute.epsilon_run) <= epsilon


def test_that_how_the_losses_follow_is_true_of_their_numbers(case) -> None:
    plan, losses, report = case
    asked = [float(c.mechanism.epsilon) for c in plan.protected]
    holds = {
        T.LOSS_ALONE: len(asked) == 1,
        T.LOSS_SUM: len(asked) > 1 and abs(losses.record - sum(asked)) < 1e-9,
        T.LOSS_LARGEST: plan.strategy == "smp" and losses.record <= max(asked) + 1e-9,
        T.LOSS_AVERAGED: "rs" in plan.strategy and losses.record <= max(asked) + 1e-9,
    }
    (said,) = only_said(holds, report.strategy.losses)
    assert said is next(text for text in holds if holds[text])
    assert report.parameters.composition == report.strategy.losses
    # That the loss is less than the largest epsilon is said of fakes of unequal ones alone.
    less = is_said(T.LOSS_OF_UNEQUAL, report.strategy.losses)
    assert less == (losses.record < max(asked) - 1e-6)
    (reason,) = [
        check.reason for group in report.checklist for check in group.checks
        if check.question == Checks.ASKS_ADDED()
    ]  # fmt: skip
    assert reason == report.strategy.losses


def test_that_what_the_papers_state_is_told_where_it_differs_and_rightly_compared(case) -> None:
    plan, losses, report = case
    facts, statement = report.strategy, report.budget.statement
    nominal = papers_epsilon(losses.record, len(plan.protected))
    assert (T.SPENDS_RECORD() in statement) == (facts.fakes is not None)
    if facts.fakes is None:
        assert (facts.difference, facts.nominal_epsilon) == ("", None)
        return
    assert nominal < losses.record - 1e-3
    assert float(facts.nominal_epsilon) == pytest.approx(nominal, abs=2e-6)
    (papers,) = values_in(T.NOMINAL, facts.difference)
    (alone,) = values_in(T.NOMINAL_OF_ONE, facts.difference)
    assert float(papers["nominal"]) == float(facts.nominal_epsilon)
    assert is_rounded_up(float(papers["total"]), losses.record, 2e-6)
    assert is_rounded_up(float(alone["one"]), losses.largest_alone, 2e-6)


def test_that_a_record_is_described_as_its_law_has_it(case) -> None:
    plan, _, report = case
    facts, several = report.strategy, len(plan.protected) > 1
    named = several and plan.strategy == "smp"
    faked = several and plan.strategy in {"rsfd", "rsrfd"}
    holds = {
        T.RECORD_OF_ONE: not several,
        T.RECORD_OF_ALL: several and not named and not faked,
        T.RECORD_OF_DRAWN: named,
        T.RECORD_OF_FAKES: faked,
        T.FAKES_ZERO: faked and (plan.strategy, plan.fakes) == ("rsfd", "zeros"),
        T.FAKES_RANDOM: faked and (plan.strategy, plan.fakes) == ("rsfd", "random"),
        T.FAKES_EXPECTED: faked and plan.strategy == "rsrfd",
    }
    assert only_said(holds, facts.report) == [text for text in holds if holds[text]]
    for text in (T.RECORD_OF_DRAWN, T.RECORD_OF_FAKES):
        for values in values_in(text, facts.report):
            assert values == {"count": str(len(plan.protected))}
    assert (facts.fakes is not None) == faked
    assert (facts.sampled_column is not None) == (plan.strategy == "smp")
    assert (T.DRAWN_PUBLIC() in report.unit.not_protected) == named
    assert (T.FAKES_TAKEN_OUT() in report.results.post_processing) == faked
    assert (T.OF_DRAWN() in report.results.post_processing) == named
    for attribute in report.parameters.attributes:
        assert (attribute.phi is not None) == faked
    counts = [group.reports for group in facts.groups]
    assert counts == ([60 // len(plan.protected)] * len(plan.protected)
                      if plan.strategy == "smp" else [])  # fmt: skip


def test_that_the_risk_is_that_of_the_losses(case) -> None:
    _, losses, report = case
    risks = (report.risk.record, *report.risk.attributes)
    for risk, loss in zip(risks, (losses.record, *losses.alone), strict=True):
        odds = exp(loss)
        assert is_rounded_up(number(risk.likelihood_ratio), odds, 0.0101 * odds)
        for belief in risk.beliefs:
            after = belief.before * odds / (belief.before * odds + 1 - belief.before)
            assert belief.after == pytest.approx(after, abs=1e-6)
        text = T.ODDS_OF_ANSWER if risk.attribute else T.ODDS_OF_RECORD
        assert only_said((T.ODDS_OF_ANSWER, T.ODDS_OF_RECORD), risk.sentence) == [text]
        (draws,), (belief,) = values_in(text, risk.sentence), values_in(T.BELIEF, risk.sentence)
        assert (float(draws["often"]), float(draws["seldom"])) == pytest.approx(
            (100 * odds / (odds + 1), 100 / (odds + 1)), abs=0.51
        )
        most = number(belief["belief"].removesuffix(" %"))
        assert is_rounded_up(most, 100 * odds / (odds + 1), 0.1000001)
        assert is_rounded_up(float(risk.epsilon), loss, 2e-6)
    for members, group in zip((2, 3, 4, 5), report.risk.groups, strict=True):
        assert group.members == members
        assert is_rounded_up(float(group.epsilon), members * losses.record, members * 2e-6)
        odds = exp(members * losses.record)
        assert is_rounded_up(number(group.likelihood_ratio), odds, 0.0102 * odds)


def test_that_the_budget_says_what_is_spent_and_left(case) -> None:
    _, losses, report = case
    statement = report.budget.statement
    (said,), (allowed,) = values_in(T.SPENDS, statement), values_in(T.LIMIT, statement)
    spent, left = float(said["epsilon"]), float(allowed["left"])
    assert is_rounded_up(spent, losses.record, 2e-6)
    assert allowed["limit"] == "20"
    assert left == pytest.approx(20 - spent, abs=1e-9)
    assert float(report.budget.left) == left
    assert T.NO_LIMIT() not in statement


def test_that_an_extreme_loss_is_said_in_sound_words() -> None:
    for epsilon, often, least in (("9", "99.99", "0.01"), ("12", "", "")):
        released = released_by(plan_of(protected("q", "binary", TWO, "warner", epsilon)))
        sentence = report_of(released).risk.record.sentence
        draws, (belief,) = values_in(T.ODDS_OF_RECORD, sentence), values_in(T.BELIEF, sentence)
        assert draws == ([{"often": often, "seldom": least}] if least else [])
        assert (T.NO_DOUBT() in sentence) == (not least)
        if not least:
            assert belief["belief"] == "more than 99.99 %"


@pytest.mark.parametrize(("strategy", "fakes"), STRATEGIES)
@pytest.mark.parametrize("kept", [(), (KEPT,), (KEPT, WEIGHT)], ids=len)
def test_that_kept_columns_are_named_as_unprotected_and_no_others(strategy, fakes, kept) -> None:
    plan = plan_for("three", strategy, fakes, *kept)
    report = report_of(released_by(plan))
    names = [column.name for column in kept]
    quoted = " and ".join(f"“{name}”" for name in names)
    assert list(report.guarantee.passed_through) == names
    unprotected = [{"names": quoted}] if kept else []
    assert values_in(T.UNPROTECTED, report.guarantee.sentence) == unprotected
    assert T.PROTECTED(names="“q1”, “q2” and “q3”") in report.guarantee.sentence
    as_surveyed = [
        values for fact in report.unit.not_protected for values in values_in(T.AS_SURVEYED, fact)
    ]
    assert as_surveyed == unprotected
    (answer,) = [
        (check.answer, check.reason) for group in report.checklist for check in group.checks
        if check.question == Checks.ASKS_EVERY_COLUMN()
    ]  # fmt: skip
    assert answer == (
        ("no", Checks.COLUMNS_KEPT(names=quoted)) if kept else ("yes", Checks.NO_COLUMN_KEPT())
    )
    assert (T.WEIGHTED(name="wt") in report.results.post_processing) == ("wt" in names)
    assert not any("canary" in text for text in texts_in(report.model_dump(mode="json")))


@pytest.mark.parametrize(("limit", "shuffle"), list(product((None, "6"), (True, False))))
def test_that_limit_and_order_are_those_of_the_plan(limit, shuffle) -> None:
    budget = None if limit is None else Decimal(limit)
    report = report_of(released_by(plan_for("three", "spl", "zeros", budget=budget,
                                            shuffle=shuffle)))  # fmt: skip
    allowed = [] if limit is None else [{"limit": "6", "left": "2.1"}]
    assert values_in(T.LIMIT, report.budget.statement) == allowed
    assert (T.NO_LIMIT() in report.budget.statement) == (limit is None)
    (order,) = [
        (check.answer, check.reason) for group in report.checklist for check in group.checks
        if check.question == Checks.ASKS_ORDER()
    ]  # fmt: skip
    assert order == (("yes", Checks.ROWS_SHUFFLED()) if shuffle else ("no", Checks.ROWS_ORDERED()))


def test_that_the_papers_conversion_is_the_one_that_is_explained() -> None:
    assert papers_epsilon(1.0, 3) == pytest.approx(log((exp(1) - 1) / 3 + 1))
