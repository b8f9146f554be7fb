"""What a report says of every mechanism, every missing policy and how the file is read."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product
from math import exp

import pytest

from dpdesk.data.table import table_from_texts
from dpdesk.domains import Categorical, Integer, ListedDomain, OptionSet
from dpdesk.estimation.rows import estimate_rows
from dpdesk.mechanisms import MECHANISMS, Mechanism, kind_of
from dpdesk.plan import ColumnPlan, MissingPolicy, check, check_table
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.texts import T
from dpdesk.reports.checklist.texts import T as Checks
from dpdesk.reports.implementation import reading_statement
from dpdesk.reports.texts import T as R
from tests.reports.cases import KEPT, WEIGHT, plan_of, protected, report_of
from tests.reports.true_numbers import is_rounded_up, number, released_by
from tests.texts import is_said, values_in

DOMAINS = (
    Categorical(values=("yes", "no")),
    Categorical(values=("1", "2", "3", "4")),
    Integer(lower=0, upper=20, unit="years"),
    OptionSet(values=("1", "2", "3", "4")),
)
KINDS = ["nominal", "nominal", "integer", "several"]
SERVED = [
    (mechanism, index)
    for mechanism in MECHANISMS
    for index, domain in enumerate(DOMAINS)
    if mechanism.misfit(domain) is None
]


def column_of(mechanism: type[Mechanism], index: int, epsilon: str, name: str = "q") -> ColumnPlan:
    domain = DOMAINS[index]
    plain_column = protected(name, KINDS[index], domain, "laplace", "1")
    return plain_column.changed(mechanism=mechanism.starting(domain, Decimal(epsilon)))


def test_that_every_mechanism_is_served() -> None:
    assert {mechanism for mechanism, _ in SERVED} == set(MECHANISMS)


@pytest.mark.parametrize(
    ("mechanism", "index"), SERVED, ids=[f"{kind_of(m)} {i}" for m, i in SERVED]
)
@pytest.mark.parametrize("strategy", ["spl", "smp"])
def test_that_the_loss_of_every_mechanism_is_that_of_its_law(
    mechanism: type[Mechanism], index: int, strategy: str
) -> None:
    other = protected("other", "binary", DOMAINS[0], "warner", "0.25")
    column = column_of(mechanism, index, "1.5")
    assert column.mechanism is not None
    asked = float(column.mechanism.epsilon)
    report = report_of(released_by(plan_of(column, other, strategy=strategy)))
    facts = report.parameters.attributes[0]
    assert facts.mechanism == kind_of(mechanism)
    assert facts.mechanism_title == mechanism.title
    # The exact largest ratio of the law in whole numbers keeps what was asked for.
    ratio = Fraction(facts.likelihood_ratio)
    assert exp(asked - 1e-6) < float(ratio) <= exp(asked) * (1 + 1e-12)
    assert float(facts.epsilon_asked) == asked
    assert is_rounded_up(exp(float(facts.epsilon_run)), float(ratio), 1e-12)
    record = asked + 0.25 if strategy == "spl" else max(asked, 0.25)
    sentence = report.guarantee.sentence
    (promise,), (bound,) = (
        values_in(R.GUARANTEE, sentence),
        values_in(R.RATIO, sentence),
    )
    assert float(promise["epsilon"]) == pytest.approx(record, abs=1e-12)
    assert is_rounded_up(number(bound["ratio"]), exp(record), 0.0101 * exp(record))
    assert float(report.parameters.epsilon_run) == pytest.approx(record, abs=1e-6)
    assert float(report.parameters.epsilon_of_one_attribute) == max(asked, 0.25)
    first, _ = report.risk.attributes
    assert float(first.epsilon) == pytest.approx(asked)
    rule = report.reproduction.rules[0].rule
    assert is_said(R.RULE_OF_DRAWN, rule) == (strategy == "smp")


@pytest.mark.parametrize(
    ("mechanism", "index"), SERVED, ids=[f"{kind_of(m)} {i}" for m, i in SERVED]
)
def test_that_what_is_said_of_the_estimates_is_true_of_them(
    mechanism: type[Mechanism], index: int
) -> None:
    released = released_by(plan_of(column_of(mechanism, index, "2")), rows=300)
    report = report_of(released)
    (facts,), (result,) = report.parameters.attributes, report.results.attributes
    shares = isinstance(DOMAINS[index], ListedDomain)
    assert (facts.quantity, result.quantity) == ("share" if shares else "mean",) * 2
    size = DOMAINS[index].size
    assert facts.error_assumes == (R.LARGEST_ERROR(count=size) if shares else R.ERROR_OF_MEAN())
    rows = [row for row in estimate_rows(released.attributes[0]) if row.quantity == result.quantity]
    assert [row.estimate for row in rows] == [e.estimate for e in result.estimates]
    assert facts.error_95 == pytest.approx(max(e.error_95 for e in result.estimates))
    said = report.results.post_processing
    unknown = any(row.sampling_standard_error is None for row in rows)
    assert result.noise_is_upper_bound == unknown
    assert (R.UNIDENTIFIED(names="“q”") in said) == unknown
    # A law of one bit is told by two reports; its mean has no spread of its own.
    if unknown:
        assert len(released.attributes[0].bound.outputs) == 2
        assert not shares
    possible = any(
        value is not None and abs(value - e.estimate) > e.error_95 / 200
        for e in (*result.estimates, *result.intervals)
        for value in (e.simplex, e.norm_sub, e.iterative_bayes, e.smoothed_bayes, e.lasso)
    )
    assert (R.POSSIBLE_BIASED() in said) == possible
    assert not is_said(R.RULE_OF_DRAWN, report.reproduction.rules[0].rule)
    (reason,) = [
        item.reason for group in report.checklist for item in group.checks
        if item.question == Checks.ASKS_ERRORS()
    ]  # fmt: skip
    assert (Checks.MOVED_BIAS() in reason) == (not shares)
    assert facts.outside == (R.OUTSIDE_STOPS() if shares else R.NUMBERS_MOVED())


POLICIES = {
    "none": MissingPolicy(),
    "category": MissingPolicy(policy="category", value="?"),
    "value": MissingPolicy(policy="value", value="2"),
}


@pytest.mark.parametrize(
    ("policy", "other", "index"),
    # Numbers have neither a category of missing answers nor one of all others.
    [*product(POLICIES, ("", "else"), (1,)), ("none", "", 2), ("value", "", 2)],
)
def test_that_what_becomes_of_an_answer_is_what_is_said(
    policy: str, other: str, index: int
) -> None:
    if index == 2 and other:
        return
    column = column_of(MECHANISMS[1] if index == 1 else MECHANISMS[10], index, "1")
    column = column.changed(missing=POLICIES[policy], other=other)
    plan = plan_of(column, allowed_unfit=Decimal(1))
    (facts,) = report_of(released_by(plan)).parameters.attributes
    domain = column.effective_domain
    assert domain is not None

    def stops(answer: str) -> bool:
        table = table_from_texts({"q": ["1", answer]}, name="t.csv")
        return any(p.severity == "error" for p in (*check(plan), *check_table(plan, table)))

    def became(answer: str) -> str:
        table = table_from_texts({"q": ["1", answer]}, name="t.csv")
        texts = table.column("q")
        code = encode_column(column, texts, table.reading).code_of[texts.codes][1]
        return str(domain.texts[code])

    assert ("would have stopped the release" in facts.missing.sentence) == stops("")
    if not stops(""):
        assert f"“{became('')}”" in facts.missing.sentence
        text = T.TREATED_CATEGORY if policy == "category" else T.TREATED_VALUE
        assert facts.missing.sentence == text(value=became(""))
    beyond = "99"
    assert (facts.outside == R.OUTSIDE_STOPS()) == stops(beyond)
    if other:
        assert facts.outside == R.OUTSIDE_OTHER(name=became(beyond))
    elif index == 1 and policy != "none":
        assert facts.outside == R.OUTSIDE_MISSING(name=became(beyond))
    if index == 2:
        assert R.NUMBERS_MOVED() in facts.outside
        assert became(beyond) == domain.texts[-1]
        assert became("-5") == domain.texts[0]
        assert became("3.4") == "3"
        assert (R.NO_NUMBER_MISSING() in facts.outside) != stops("x")
        assert stops("x") or became("x") == became("")


@pytest.mark.parametrize("allowed", ["0", "0.01", "0.05", "0.125"])
def test_that_a_file_is_refused_where_the_report_says_so(allowed: str) -> None:
    column = column_of(MECHANISMS[10], 2, "1")
    plan = plan_of(column, allowed_unfit=Decimal(allowed))
    said = reading_statement(plan)
    limits = values_in(R.STOPS_AT, said)
    percent = limits[0]["share"].removesuffix(" %") if limits else "0"
    assert Decimal(percent) == 100 * Decimal(allowed)
    # Of a share above 0 one answer may always be outside.
    one_is_fine = bool(limits)
    assert is_said(R.STOPS_AT_ANY, said) != one_is_fine
    for rows, unfit in product((10, 40, 100), (0, 1, 2, 3, 5, 6)):
        table = table_from_texts({"q": ["5"] * (rows - unfit) + ["99"] * unfit}, name="t.csv")
        problems = check_table(plan, table)
        refused = 100 * unfit > Decimal(percent) * rows and not (one_is_fine and unfit == 1)
        assert any(p.severity == "error" for p in problems) == refused
        sentences = [p.message for p in problems if p.code in {"answers_unfit", "too_many_unfit"}]
        assert len(sentences) == (unfit > 0)
        for sentence in sentences:
            values = sentence.values
            assert (values["answers"], values["unfit"], values["unread"]) == (rows, unfit, 0)
            assert values.get("most") == (f"{percent} %" if refused else None)


@pytest.mark.parametrize("weighted", [False, True])
def test_that_weights_are_said_where_there_are_some(weighted: bool) -> None:
    columns = (column_of(MECHANISMS[0], 0, "1"), KEPT, *((WEIGHT,) if weighted else ()))
    report = report_of(released_by(plan_of(*columns)))
    (facts,) = report.parameters.attributes
    margins = [estimate.error_95 for estimate in report.results.attributes[0].estimates]
    assert facts.error_95 == pytest.approx(max(margins))
    assert (R.WEIGHTED(name="wt") in report.results.post_processing) == weighted
    rule = report.reproduction.rules[0].rule
    assert (R.WEIGHTED_BY(name="wt") in rule) == is_said(R.WEIGHTED_ERROR, rule) == weighted
    assert report.results.weights == ("wt" if weighted else "")
