"""Sentences of a report of statistics, for every relation, unit, noise and kind of query."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from itertools import product
from math import erf, exp, sqrt
from typing import get_args

import pytest

from dpdesk.composition.texts import T
from dpdesk.domains import Categorical, Integer
from dpdesk.engine import untracked
from dpdesk.engine.statistics import release_statistics
from dpdesk.i18n import Text
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, PlanDetails
from dpdesk.plan.statistics import Statistics
from dpdesk.queries import QUERIES, PrivacyUnit
from dpdesk.queries.noise import NOISE_KINDS
from dpdesk.queries.phrase import parse_query
from dpdesk.queries.texts import T as QueriesT
from dpdesk.queries.unit import Relation
from dpdesk.reports.checklist.texts import T as Checks
from dpdesk.reports.statistics.public import (
    StatisticsReport,
    statistics_report,
    statistics_report_html,
)
from dpdesk.reports.texts import T as R
from tests.reports.asked import asked_plan, asked_table
from tests.reports.cases import IDENTITY
from tests.reports.true_numbers import is_rounded_up, number, numbers_after, only, texts_in
from tests.texts import is_said, only_said, values_in

RELATIONS = get_args(Relation)
GAUSSIAN = {kind for kind in NOISE_KINDS if "gaussian" in kind}
NAMES = {
    "geometric": "discrete Laplace noise",
    "laplace": "Laplace noise",
    "discrete_gaussian": "discrete Gaussian noise",
    "gaussian": "Gaussian noise",
    "staircase": "staircase noise",
}
UNITS = [
    PrivacyUnit(relation=relation, respondent_column=column, rows_per_respondent=rows)
    for relation, column, rows in product(RELATIONS, ("", "id"), (1, 3))
    if column or rows == 1 or relation == "add_remove"
]
ONE_OF_EACH = (
    "count where region is north",
    "share with sex is f by region",
    "mean of age",
    "sum of age",
    "standard deviation of age",
    "quantiles 0.25, 0.5 of age",
    "histogram of age",
    "the 2 most frequent of region",
)


def plan_of_noise(noise: str, unit: PrivacyUnit, **more) -> Plan:
    """A query of every kind with a noise; those of several numbers have no staircase."""
    phrases = ONE_OF_EACH if noise != "staircase" else ("count where sex is f", "sum of age")
    delta = "1e-7" if noise in GAUSSIAN else "0"
    queries = tuple(
        parse_query(phrase, epsilon=Decimal("0.3"), noise=noise, delta=Decimal(delta))
        for phrase in phrases
    )
    plan = asked_plan(unit)
    fields = {"queries": queries, "unit": unit} | more
    return plan.with_fields(statistics=Statistics(**fields))


def report_of(plan: Plan) -> StatisticsReport:
    return statistics_report(release_statistics(asked_table(), plan, untracked()), IDENTITY)


def chosen(of: dict[str, bool], text: str) -> bool:
    return only(list(of), [phrase for phrase, holds in of.items() if holds], text)


def reason(report: StatisticsReport, question: Text) -> tuple[str, str]:
    (found,) = [
        (check.answer, check.reason)
        for group in report.checklist
        for check in group.checks
        if check.question == question()
    ]
    return found


CASES = [(noise, unit) for noise in NOISE_KINDS for unit in UNITS]
Case = tuple[str, PrivacyUnit, Plan, StatisticsReport]


@pytest.fixture(
    scope="module",
    params=CASES,
    ids=lambda case: (
        f"{case[0]}, {case[1].relation}, {case[1].respondent_column or '-'}, "
        f"{case[1].rows_per_respondent}"
    ),
)
def case(request) -> Case:
    noise, unit = request.param
    plan = plan_of_noise(noise, unit, budget=Decimal(3))
    return noise, unit, plan, report_of(plan)


def test_that_one_of_each_is_of_every_kind_of_the_registry() -> None:
    assert {type(parse_query(phrase)) for phrase in ONE_OF_EACH} == set(QUERIES)
    assert set(NAMES) == set(NOISE_KINDS)


def test_that_the_guarantee_is_of_the_units_change_and_of_the_sum(case: Case) -> None:
    noise, unit, plan, report = case
    sentence = report.guarantee.sentence
    queries = plan.statistics.queries
    epsilon = 0.3 * len(queries)
    measured = 6 if noise != "staircase" else 2
    delta = measured * 1e-7 if noise in GAUSSIAN else 0
    fails = delta > 0
    (promise,) = values_in(R.CENTRAL_DELTA if fails else R.CENTRAL, sentence)
    assert float(promise["epsilon"]) == pytest.approx(epsilon)
    assert promise.get("delta") == (f"{measured}e-7" if fails else None)
    (bound,) = values_in(R.RATIO_OF_TABLES_DELTA if fails else R.RATIO_OF_TABLES, sentence)
    assert is_rounded_up(number(bound["ratio"]), exp(epsilon), 0.0101 * exp(epsilon))
    assert ("δ" in sentence) == fails
    assert float(report.guarantee.delta) == pytest.approx(delta)
    several = unit.rows_per_respondent > 1
    adds = unit.relation == "add_remove"
    words = {
        "one respondent, one row": not several,
        "one respondent, at most 3 rows": several,
        "add or remove one respondent": adds,
        "replace one respondent's answers by any others": not adds,
    }
    assert chosen(words, sentence)
    assert chosen(words, f"{report.guarantee.unit}; {report.guarantee.neighbours}")
    assert chosen(words, reason(report, Checks.ASKS_UNIT)[1].replace("One", "one", 1))


def test_that_rows_are_said_to_be_bounded_and_public_as_they_are(case: Case) -> None:
    _, unit, _, report = case
    several, named = unit.rows_per_respondent > 1, bool(unit.respondent_column)
    assert chosen(
        {
            QueriesT.FIRST_ROWS(column="id", count=1): named and not several,
            QueriesT.FIRST_ROWS(column="id", count=3): named and several,
            QueriesT.PROMISED(): several and not named,
            QueriesT.TAKEN(): not several and not named,
        },
        report.guarantee.enforcement,
    )
    answer, why = reason(report, Checks.ASKS_ENFORCED)
    assert answer == ("yes" if named else "unknown")
    assert why == report.guarantee.enforcement
    # Their number follows from that of the respondents where each has one row and stays.
    public = unit.relation == "replace" and not several
    facts = report.guarantee.not_protected
    assert (R.ROWS_PUBLIC(rows=60) in facts) == public == is_said(R.ROWS_PUBLIC, facts)
    assert report.guarantee.rows == (60 if public else None)


def test_that_the_risk_is_that_of_the_loss_and_of_the_relation(case: Case) -> None:
    noise, unit, plan, report = case
    epsilon, sentence = 0.3 * len(plan.statistics.queries), report.risk.sentence
    assert float(report.risk.epsilon) == pytest.approx(epsilon)
    odds = exp(epsilon)
    text = R.ODDS_OF_MEMBER if unit.relation == "add_remove" else R.ODDS_OF_RECORD
    assert only_said((R.ODDS_OF_MEMBER, R.ODDS_OF_RECORD), sentence) == [text]
    (draws,) = values_in(text, sentence)
    assert (float(draws["often"]), float(draws["seldom"])) == pytest.approx(
        (100 * odds / (1 + odds), 100 / (1 + odds)), abs=0.51
    )
    delta = "6e-7" if noise in GAUSSIAN else ""
    assert values_in(R.BEYOND_DELTA, sentence) == ([{"delta": delta}] if delta else [])
    for belief in report.risk.beliefs:
        assert belief.after == pytest.approx(
            belief.before * odds / (belief.before * odds + 1 - belief.before)
        )
    for members, group in zip((2, 3, 4, 5), report.groups, strict=True):
        assert (group.members, float(group.epsilon)) == (members, pytest.approx(members * epsilon))
        steps = sum(exp(epsilon * step) for step in range(members))
        assert float(group.delta) == pytest.approx(float(delta or 0) * steps, rel=1e-9)
        whole = exp(members * epsilon)
        assert is_rounded_up(number(group.likelihood_ratio), whole, 0.0102 * whole)


def test_that_the_budget_and_the_tree_add_up(case: Case) -> None:
    noise, _, plan, report = case
    asked = Decimal("0.3") * len(plan.statistics.queries)
    assert R.SPENDS(epsilon=f"{asked.normalize():f}") in report.budget
    left = Decimal(3) - asked
    assert R.LIMIT(limit="3", left=f"{left.normalize():f}") in report.budget
    assert R.NO_LIMIT() not in report.budget
    run = sum(query.epsilon_run for query in report.queries)
    assert asked - Decimal("1e-5") < run <= asked
    check_node(report.composition)
    # What is composed are the bounds that the parts were calibrated to.
    assert run <= Decimal(report.composition["epsilon"]) <= asked
    deltas = 6 if noise in GAUSSIAN else 0
    # Parts of a query share its delta, and the share is rounded down.
    assert float(report.composition["delta"]) == pytest.approx(deltas * 1e-7, rel=1e-9)
    assert (report.accounting is not None) == (noise in GAUSSIAN)


def test_that_the_accountant_says_the_least_route_that_keeps_delta() -> None:
    for delta in ("1e-5", "1e-7"):
        plan = plan_of_noise("gaussian", PrivacyUnit(), delta=Decimal(delta))
        found = report_of(plan).accounting
        assert found is not None
        routes = {route["route"]: route for route in found["routes"]}
        total = sum(len(query.parts) or len(query.results) for query in report_of(plan).queries)
        # Two quantiles are two choices, the two most frequent are one.
        assert found["explanation"].startswith(f"{total - 1} losses: ε = ")
        basic = routes["basic"]
        assert (float(basic["epsilon"]), float(basic["delta"])) == pytest.approx((2.4, 6e-7))
        fitting = [r for r in found["routes"] if float(r["delta"]) <= float(delta)]
        least = min(fitting, key=lambda r: float(r["epsilon"]), default=basic)
        assert found["least"] == least["route"]
        lead, *rest = found["explanation"].split(". ", 1)
        assert f"ε = {least['epsilon']} at δ = {least['delta']} by " in lead
        assert str(T.NO_ROUTE(delta=delta)) not in found["explanation"]
        for route in found["routes"]:
            if route is not least:
                assert f"ε = {route['epsilon']} at δ = {route['delta']} by " in " ".join(rest)


def test_that_a_sum_that_fails_too_often_is_not_called_the_least() -> None:
    query = parse_query("sum of age", epsilon=Decimal("0.3"), noise="gaussian", delta="1e-7")
    for delta, keeps in (("1e-6", True), ("1e-7", True), ("1e-8", False)):
        plan = asked_plan().with_fields(
            statistics=Statistics(queries=(query,), delta=Decimal(delta))
        )
        found = report_of(plan).accounting
        assert found is not None
        least = next(route for route in found["routes"] if route["route"] == found["least"])
        assert float(least["delta"]) <= float(delta)
        assert found["explanation"].startswith(f"1 loss: ε = {least['epsilon']} at δ = ")
        assert (float(least["epsilon"]) <= 0.3) == keeps


def check_node(node: dict) -> None:
    """A node costs the sum of its parts, and says so."""
    if not node["parts"]:
        assert node["explanation"].startswith(f"{node['title']}: {node['epsilon']}")
        return
    parts = [Decimal(part["epsilon"]) for part in node["parts"]]
    assert Decimal(node["epsilon"]) == sum(parts)
    said = node["explanation"].removeprefix(f"{node['title']}: ").split(";")[0].rstrip(".")
    terms, _, total = said.partition(" = ")
    assert Decimal(total) == sum(parts)
    added = [term.split(" × ") for term in terms.split(" + ")]
    assert sum(Decimal(t[-1]) * (int(t[0]) if len(t) == 2 else 1) for t in added) == sum(parts)
    for part in node["parts"]:
        check_node(part)


def test_that_each_query_says_its_noise_and_its_loss(case: Case) -> None:
    noise, _, plan, report = case
    html = statistics_report_html(report)
    for query, facts in zip(plan.statistics.queries, report.queries, strict=True):
        chooses = query.kind in {"quantile", "most_common"}
        assert facts.noise == ("permute_and_flip" if chooses else noise)
        assert float(facts.epsilon_asked) == 0.3
        assert 0.3 - 1e-5 < float(facts.epsilon_run) <= 0.3
        fails = noise in GAUSSIAN and not chooses
        assert float(facts.delta) == pytest.approx(1e-7 if fails else 0, rel=1e-9)
        assert bool(facts.assurance) == chooses == (not facts.parts)
        assert all((result.lower is None) == chooses for result in facts.results)
        assert len(facts.results) == {"quantile": 2, "most_common": 2, "histogram": 10,
                                      "share": 3}.get(query.kind, 1)  # fmt: skip
    others = [name for kind, name in NAMES.items() if kind != noise]
    assert f", {NAMES[noise]}." in html
    assert not any(f", {name}." in html for name in others)
    assert (", a choice by permute-and-flip." in html) == (noise != "staircase")
    kept = reason(report, Checks.ASKS_KEPT)[1]
    assert (Checks.STAIRCASE_EXACT() in kept) == (noise == "staircase")
    assert (Checks.GAUSSIAN_SCALE() in kept) == (noise in GAUSSIAN)


def test_that_the_page_gives_the_confidence_of_its_intervals() -> None:
    unit = PrivacyUnit()
    for confidence, text in (("0.95", "95"), ("0.995", "99.5"), ("0.8", "80"), ("0.999", "99.9")):
        plan = plan_of_noise("geometric", unit, confidence=Decimal(confidence))
        report = report_of(plan)
        assert f"with {text} % confidence, from the noise alone" in statistics_report_html(report)
        for query in report.queries:
            if query.assurance:
                assert f"{text} %" in query.assurance


def test_that_no_limit_and_a_justification_are_told_as_they_are() -> None:
    plan = plan_of_noise("laplace", PrivacyUnit())
    report = report_of(plan)
    assert R.NO_LIMIT() in report.budget
    assert not is_said(R.LIMIT, report.budget)
    assert reason(report, Checks.ASKS_REASONS)[0] == "no"
    told = report_of(plan.with_fields(details=PlanDetails(justification="Small.")))
    assert reason(told, Checks.ASKS_REASONS)[0] == "yes"


@pytest.mark.parametrize("provenance", ["declared", "codebook", "suggested"])
@pytest.mark.parametrize("policy", ["none", "category", "value"])
def test_that_declared_columns_are_told_as_they_were_declared(provenance: str, policy: str) -> None:
    missing = {"none": MissingPolicy(), "category": MissingPolicy(policy="category", value="?"),
               "value": MissingPolicy(policy="value", value="f")}[policy]  # fmt: skip
    columns = (
        ColumnPlan(name="id", kind="identifier"),
        ColumnPlan(name="sex", kind="nominal", domain=Categorical(values=("f", "m")),
                   confirmed=True, provenance=provenance, missing=missing),
        ColumnPlan(name="age", kind="integer", confirmed=True,
                   domain=Integer(lower=18, upper=80, unit="years")),
    )  # fmt: skip
    queries = (parse_query("count by sex"), parse_query("mean of age"))
    report = report_of(Plan(columns=columns, statistics=Statistics(queries=queries)))
    sex, age = report.columns
    assert sex.missing == {"none": "left out", "category": "a category of its own, ?",
                           "value": "taken as f"}[policy]  # fmt: skip
    assert sex.provenance == {"declared": "declared", "codebook": "taken from a codebook",
                              "suggested": R.CONFIRMED(source="read off the data"),
                              }[provenance]  # fmt: skip
    assert sex.domain == ("f, m, ?" if policy == "category" else "f, m")
    assert (age.domain, age.missing) == ("numbers from 18 to 80 years in steps of 1", "left out")
    read_off = provenance == "suggested"
    assert reason(report, Checks.ASKS_DOMAINS) == (
        ("no", Checks.READ_OFF(names="“sex”")) if read_off else ("yes", Checks.DOMAINS_DECLARED())
    )
    assert reason(report, Checks.ASKS_MISSING) == ("yes", Checks.MISSING_IN_QUERIES())


@pytest.mark.parametrize("size", [12, 13, 40])
def test_that_many_categories_are_counted(size: int) -> None:
    domain = Categorical(values=tuple(f"c{i}" for i in range(size)))
    columns = (
        ColumnPlan(name="id", kind="identifier"),
        ColumnPlan(name="region", kind="nominal", domain=domain, confirmed=True),
    )
    statistics = Statistics(queries=(parse_query("most frequent region"),))
    plan = Plan(columns=columns, statistics=statistics, allowed_unfit=Decimal(1))
    (told,) = report_of(plan).columns
    assert told.domain == (f"{size} categories" if size > 12 else ", ".join(domain.values))


def test_that_outcomes_beyond_what_delta_allows_are_as_rare_as_is_said() -> None:
    # The privacy loss of Gaussian noise of scale s and sensitivity 1 is normal, with mean
    # 1/(2 s^2) and variance 1/s^2; delta = P(Z > e) - e^e P(Z' < -e) (Balle & Wang 2018).
    def above(x: float) -> float:
        return (1 - erf(x / sqrt(2))) / 2

    sentence = report_of(plan_of_noise("gaussian", PrivacyUnit())).risk.sentence
    assert is_said(R.BEYOND_DELTA, sentence)
    (times,) = numbers_after("probability up to ", sentence)
    # For any mechanism: delta >= P(Z > e + 1) (1 - 1/e).
    assert 1 / (1 - exp(-1)) <= times < 1 / (1 - exp(-1)) + 0.05
    for scale, epsilon in product((0.5, 1.0, 3.0), (0.1, 0.5, 2.0)):
        delta = above(epsilon * scale - 1 / (2 * scale)) - exp(epsilon) * above(
            epsilon * scale + 1 / (2 * scale)
        )
        assert above((epsilon + 1) * scale - 1 / (2 * scale)) <= times * delta + 1e-15


def test_that_a_report_of_statistics_speaks_of_no_local_mechanism(case: Case) -> None:
    report = case[3].model_copy(update={"known_limits": ()})
    texts = " ".join(texts_in(report.model_dump(mode="json")))
    assert "local model" not in texts
    assert "randomized by itself" not in texts


def test_that_what_is_composed_of_choices_prints_the_epsilons_that_were_asked() -> None:
    queries = (
        parse_query("most frequent region", epsilon=Decimal("6.6666")),
        parse_query("median of age", epsilon=Decimal("3.3333")),
        parse_query("count where sex is f", epsilon=Decimal("30.0001")),
    )
    plan = asked_plan(UNITS[0]).with_fields(statistics=Statistics(unit=UNITS[0], queries=queries))
    report = report_of(plan)
    assert report.queries[0].epsilon_run < Decimal("6.6666"), "less by a last digit"
    told = json.dumps(report.composition)
    assert "6.6666 + 3.3333 + 30.0001 = 40" in told
    assert "99999" not in told


def test_that_unused_weights_are_told_by_their_name_and_only_where_there_are_some() -> None:
    plan = plan_of_noise("laplace", PrivacyUnit())
    released = release_statistics(asked_table(), plan, untracked())
    for weights, said in (("pweight", R.WEIGHTS_UNUSED(names="pweight")), ("", "")):
        weighted = replace(released, unused_weights=weights)
        assert statistics_report(weighted, IDENTITY).weighting == said
