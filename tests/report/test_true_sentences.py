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
from dpdesk.report.public import PublicReport
from tests.report.cases import KEPT, WEIGHT, plan_of, protected, report_of
from tests.report.true_numbers import (
    Losses,
    is_rounded_up,
    losses_of,
    number,
    numbers_after,
    only,
    papers_epsilon,
    plain,
    released_by,
    texts_in,
)

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
    stated, *alone = numbers_after("ε = ", sentence)[:1] + numbers_after("(with ε = ", sentence)
    assert is_rounded_up(stated, losses.record, 2e-6)
    (ratio,) = numbers_after("e^ε = ", sentence)
    assert is_rounded_up(ratio, exp(losses.record), 0.0101 * exp(losses.record))
    assert numbers_after("δ = ", sentence) == [0]
    # More is promised only where nobody sees which of several attributes was real.
    for loss in alone:
        assert is_rounded_up(loss, losses.largest_alone, 2e-6)
    hidden = report.strategy.fakes is not None
    assert bool(alone) == hidden == ("in one answer only" in sentence)


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
    phrases = {
        "its loss is that of a respondent's whole record": len(asked) == 1,
        "exact sum over the attributes": len(asked) > 1 and abs(losses.record - sum(asked)) < 1e-9,
        "the largest epsilon bounds": len(asked) > 1 and losses.record <= max(asked) + 1e-9,
    }
    true = [phrase for phrase, holds in phrases.items() if holds]
    assert len(true) == 1
    assert only(list(phrases), true, report.strategy.losses)
    assert report.parameters.composition == report.strategy.losses
    # That equal epsilons are the loss, and unequal ones more than it, is said of fakes alone.
    if "with unequal ones it is less" in report.strategy.losses:
        assert report.strategy.fakes is not None
        assert (losses.record < max(asked) - 1e-6) == (len(set(asked)) > 1)
    (reason,) = [
        check.reason for group in report.checklist for check in group.checks
        if check.question.startswith("Is the loss of several")
    ]  # fmt: skip
    short = ["its loss is that of the record", "is the sum", "the largest epsilon bounds"]
    assert only(short, [short[list(phrases).index(true[0])]], reason)


def test_that_what_the_papers_state_is_told_where_it_differs_and_rightly_compared(case) -> None:
    plan, losses, report = case
    facts, statement = report.strategy, report.budget.statement
    nominal = papers_epsilon(losses.record, len(plan.protected))
    charged = "not the smaller epsilon that the papers state"
    if facts.fakes is None:
        assert (facts.difference, facts.nominal_epsilon) == ("", None)
        assert charged not in statement
        return
    assert nominal < losses.record - 1e-3
    assert charged in statement
    assert float(facts.nominal_epsilon) == pytest.approx(nominal, abs=2e-6)
    papers, record, alone = numbers_after("ε = ", facts.difference)
    assert papers == float(facts.nominal_epsilon)
    assert is_rounded_up(record, losses.record, 2e-6)
    assert is_rounded_up(alone, losses.largest_alone, 2e-6)
    compared = {
        "which is their epsilon": abs(losses.largest_alone - nominal) < 1e-6,
        "more than their epsilon": losses.largest_alone > nominal + 1e-6,
        "less than their epsilon": losses.largest_alone < nominal - 1e-6,
    }
    assert only(list(compared), [c for c, holds in compared.items() if holds], facts.difference)
    assert facts.difference.count(". ") == 1


def test_that_all_three_comparisons_with_the_papers_occur() -> None:
    said = {
        report_of(released_by(plan_for(mix, strategy, fakes))).strategy.difference.split(", ")[-1]
        for mix, strategy, fakes in CASES
    }
    assert {"which is their epsilon.", "more than their epsilon."} <= said


def test_that_a_record_is_described_as_its_law_has_it(case) -> None:
    plan, _, report = case
    facts, several = report.strategy, len(plan.protected) > 1
    named = several and plan.strategy == "smp"
    faked = several and plan.strategy in {"rsfd", "rsrfd"}
    phrases = {
        "a report of the one attribute": not several,
        "a report of every attribute": several and not named and not faked,
        "says which": named,
        "the cells of the others are empty": named,
        f"one of {len(plan.protected)} attributes": named or faked,
        "a fake for every other attribute": faked and plan.strategy == "rsfd",
        "as if no category were true": faked and (plan.strategy, plan.fakes) == ("rsfd", "zeros"),
        "a category drawn at random": faked and (plan.strategy, plan.fakes) == ("rsfd", "random"),
        "from the declared distribution": faked and plan.strategy == "rsrfd",
    }
    assert only(list(phrases), [p for p, holds in phrases.items() if holds], facts.report)
    assert (facts.fakes is not None) == faked
    assert (facts.sampled_column is not None) == (plan.strategy == "smp")
    assert ("which attribute a respondent reports is public" in " ".join(
        report.unit.not_protected).lower()) == named  # fmt: skip
    said = " ".join(report.results.post_processing)
    assert ("Real and fake reports are counted together" in said) == faked
    assert ("the respondents who were drawn to report it" in said) == named
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
        (often,) = numbers_after("shows in ", risk.sentence.split(", it shows")[0])
        (seldom,) = numbers_after("it shows in about ", risk.sentence)
        assert (often, seldom) == pytest.approx(
            (100 * odds / (odds + 1), 100 / (odds + 1)), abs=0.51
        )
        (most,) = numbers_after("can become ", risk.sentence)
        assert is_rounded_up(most, 100 * odds / (odds + 1), 0.1000001)
        assert is_rounded_up(*numbers_after("At ε = ", risk.sentence), loss, 2e-6)
        words = {"a released record": not risk.attribute, "set of answers": not risk.attribute,
                 "a report": bool(risk.attribute), "true answer": bool(risk.attribute)}  # fmt: skip
        assert only(list(words), [w for w, holds in words.items() if holds], risk.sentence)
    for members, group in zip((2, 3, 4, 5), report.risk.groups, strict=True):
        assert group.members == members
        assert is_rounded_up(float(group.epsilon), members * losses.record, members * 2e-6)
        odds = exp(members * losses.record)
        assert is_rounded_up(number(group.likelihood_ratio), odds, 0.0102 * odds)


def test_that_the_budget_says_what_is_spent_and_left(case) -> None:
    _, losses, report = case
    statement = report.budget.statement
    (spent,) = numbers_after("This release spends ε = ", statement)
    assert is_rounded_up(spent, losses.record, 2e-6)
    (limit,) = numbers_after("The plan allows ", statement)
    assert limit == 20
    (left,) = numbers_after("The plan allows 20; ", statement)
    assert left == pytest.approx(20 - spent, abs=1e-9)
    assert float(report.budget.left) == left
    assert "sets no limit" not in statement


def test_that_an_extreme_loss_is_said_in_sound_words() -> None:
    for epsilon, often, least in (("9", "99.99", "0.01"), ("12", "more than 99.99", "less than")):
        released = released_by(plan_of(protected("q", "binary", TWO, "warner", epsilon)))
        sentence = plain(report_of(released).risk.record.sentence)
        assert f"in {often} of 100 cases" in sentence
        assert f"{least}" in sentence.split("cases")[1]
        assert "about less" not in sentence
        assert "about more" not in sentence
        if epsilon == "12":
            assert sentence.endswith("can become more than 99.99 %.")


@pytest.mark.parametrize(("strategy", "fakes"), STRATEGIES)
@pytest.mark.parametrize("kept", [(), (KEPT,), (KEPT, WEIGHT)], ids=len)
def test_that_kept_columns_are_named_as_unprotected_and_no_others(strategy, fakes, kept) -> None:
    plan = plan_for("three", strategy, fakes, *kept)
    report = report_of(released_by(plan))
    names = [column.name for column in kept]
    quoted = " and ".join(f"“{name}”" for name in names)
    assert list(report.guarantee.passed_through) == names
    listed = {0: "", 1: "the column “region”, released without protection",
              2: "the columns “region” and “wt”, released without protection"}  # fmt: skip
    every = [text for text in listed.values() if text]
    assert only(every, [listed[len(kept)]] if kept else [], report.guarantee.sentence)
    assert "answers to “q1”, “q2” and “q3”:" in report.guarantee.sentence
    as_it_is = [fact for fact in report.unit.not_protected if fact.startswith("Released as in")]
    assert len(as_it_is) == bool(kept)
    for fact in as_it_is:
        assert fact.startswith(f"Released as in the survey: {quoted}.")
        assert ("respect to it," in fact, "respect to them," in fact) == (
            len(kept) == 1, len(kept) == 2
        )  # fmt: skip
    (answer,) = [
        (check.answer, check.reason) for group in report.checklist for check in group.checks
        if check.question.startswith("Does the guarantee cover every column")
    ]  # fmt: skip
    assert answer == (
        ("no", f"Released without protection: {quoted}.")
        if kept
        else ("yes", "No column is passed through.")
    )
    said = " ".join(report.results.post_processing)
    assert ("They are weighted by wt." in said) == ("wt" in names)
    assert not any("canary" in text for text in texts_in(report.model_dump(mode="json")))


@pytest.mark.parametrize(("limit", "shuffle"), list(product((None, "6"), (True, False))))
def test_that_limit_and_order_are_those_of_the_plan(limit, shuffle) -> None:
    budget = None if limit is None else Decimal(limit)
    report = report_of(released_by(plan_for("three", "spl", "zeros", budget=budget,
                                            shuffle=shuffle)))  # fmt: skip
    assert only(["sets no limit", "allows 6; 2.1 of it is not used"],
                ["sets no limit"] if limit is None else ["allows 6; 2.1 of it is not used"],
                report.budget.statement)  # fmt: skip
    (order,) = [
        (check.answer, check.reason) for group in report.checklist for check in group.checks
        if check.question.startswith("Is the order of the rows")
    ]  # fmt: skip
    assert order == (
        ("yes", "The rows are in random order.")
        if shuffle
        else ("no", "The rows are in the order of the survey, which can identify respondents.")
    )


def test_that_the_papers_conversion_is_the_one_that_is_explained() -> None:
    assert papers_epsilon(1.0, 3) == pytest.approx(log((exp(1) - 1) / 3 + 1))
