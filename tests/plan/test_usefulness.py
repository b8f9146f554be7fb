"""Verdicts on what a release will be worth: known cases, the rule, and remedies that keep word."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, Decimal
from math import exp, sqrt

import pytest

from dpdesk.cost import format_epsilon
from dpdesk.domains import AnyDomain, Categorical, Integer, OptionSet
from dpdesk.mechanisms import EVERY_ANSWER, Sampling
from dpdesk.plan import (
    ColumnPlan,
    MissingPolicy,
    Plan,
    check,
    choose_best,
    errors_of,
    protect_unassigned,
    resplit,
    total_epsilon,
)
from dpdesk.plan.checks.statistics import check_statistics
from dpdesk.plan.checks.strategy import check_strategy
from dpdesk.plan.filter_question import AskedIf
from dpdesk.plan.joint_errors import joint_cell
from dpdesk.plan.release_usefulness import usefulness_of_records, usefulness_of_statistics
from dpdesk.plan.remedies import cheapest_remedy, remedies
from dpdesk.plan.statistics import Statistics
from dpdesk.plan.texts import T
from dpdesk.plan.usefulness import usefulness_of, usefulness_of_column
from dpdesk.plan.verdicts import verdict_of
from dpdesk.preview import request_for
from dpdesk.queries.condition import Condition
from dpdesk.queries.phrase import parse_query
from tests.plan.plans import DETAILS, mechanism

Z = 1.959963984540054


def categories(size: int) -> Categorical:
    return Categorical(values=tuple(f"c{number}" for number in range(size)))


def column(name: str, domain: AnyDomain, **more: object) -> ColumnPlan:
    return ColumnPlan(name=name, kind=domain.kinds[0], domain=domain, confirmed=True, **more)


def plan_of(*sizes: int, respondents: int | None, total: str) -> Plan:
    columns = tuple(column(f"q{number}", categories(k)) for number, k in enumerate(sizes))
    plan = Plan(details=DETAILS, columns=columns, respondents=respondents)
    return protect_unassigned(plan, Decimal(total))


def adult() -> Plan:
    """The ten attributes of the Adult census, 45,222 records, epsilon 4 in all."""
    plan = plan_of(7, 16, 7, 14, 6, 5, 2, 41, 2, respondents=45_222, total="4")
    plan = plan.with_columns((*plan.columns, column("age", Integer(lower=17, upper=90))))
    return protect_unassigned(plan, Decimal(4))


def test_that_adult_at_a_total_of_4_is_not_useful() -> None:
    found = usefulness_of_records(adult())
    assert found.verdict == "coarse"
    education = found.by_name["q1"]
    assert education.error == pytest.approx(4.3, abs=0.05)
    assert education.size == pytest.approx(100 / 16)
    assert education.verdict == "coarse"
    assert found.by_name["q7"].verdict == "useless", "41 countries at 0.4"


def test_that_200_columns_at_a_total_of_8_are_useless() -> None:
    found = usefulness_of_records(plan_of(*[2] * 200, respondents=1000, total="8"))
    assert found.verdict == "useless"
    # Warner's design at epsilon 0.04: standard error sqrt(E) / (E - 1) / sqrt(n), and sampling.
    ratio = exp(0.04)
    error = 100 * Z * sqrt((ratio / (ratio - 1) ** 2 + 0.25) / 1000)
    assert found.by_name["q0"].error == pytest.approx(error)
    assert error > 150


def test_that_two_categories_of_30000_records_at_epsilon_1_are_useful() -> None:
    found = usefulness_of_records(plan_of(2, respondents=30_000, total="1"))
    assert found.verdict == "useful"
    assert found.by_name["q0"].error == pytest.approx(1.2, abs=0.1)


@pytest.mark.parametrize(
    ("error", "verdict"),
    [(2.0, "useful"), (2.001, "coarse"), (6.0, "coarse"), (6.001, "useless")],
)
def test_that_a_third_of_the_size_is_useful_and_more_than_all_of_it_is_useless(
    error: float, verdict: str
) -> None:
    assert verdict_of(error, 6.0) == verdict


def test_that_the_size_of_a_share_is_itself_or_half_a_standard_deviation() -> None:
    for size in (2, 4, 5, 6, 16):
        found = usefulness_of(mechanism("grr", "1"), categories(size), EVERY_ANSWER, 1000)
        assert found is not None
        share = 1 / size
        assert found.size == pytest.approx(100 * min(share, sqrt(share * (1 - share)) / 2))
        assert found.is_itself == (size >= 5)


def test_that_a_mean_is_compared_with_half_a_standard_deviation_of_even_answers() -> None:
    ages = Integer(lower=17, upper=90, unit="years")
    found = usefulness_of(mechanism("duchi", "1"), ages, EVERY_ANSWER, 100_000)
    assert found is not None
    values = range(17, 91)
    mean = sum(values) / len(values)
    spread = sqrt(sum((v - mean) ** 2 for v in values) / len(values))
    assert found.size == pytest.approx(spread / 2)
    assert (found.unit, found.verdict) == ("years", "useful")
    few = usefulness_of(mechanism("duchi", "0.05"), ages, EVERY_ANSWER, 1000)
    assert few is not None
    assert few.verdict == "useless"


def test_that_the_share_who_answered_is_looked_at_where_it_is_the_worse() -> None:
    ages = Integer(lower=17, upper=90)
    missing = MissingPolicy(policy="protect", supposed_share=Decimal("0.01"))
    one = column("age", ages, role="protect", mechanism=mechanism("duchi", "2"), missing=missing)
    found = usefulness_of_column(one, EVERY_ANSWER, 2000)
    assert found is not None
    assert found.what == "the share who answered, if 1 % did not answer"
    assert found.unit == "pp"
    usual = one.changed(missing=MissingPolicy(policy="protect"))
    mean = usefulness_of_column(usual, EVERY_ANSWER, 2000)
    assert mean is not None


def test_that_the_error_of_the_share_who_answered_is_that_of_its_scores() -> None:
    ages = Integer(lower=0, upper=9)
    missing = MissingPolicy(policy="protect", supposed_share=Decimal("0.01"))
    one = column("age", ages, role="protect", mechanism=mechanism("duchi", "2"), missing=missing)
    found = usefulness_of_column(one, EVERY_ANSWER, 500)
    domain = one.effective_domain
    assert found is not None
    assert domain is not None
    forecast = mechanism("duchi", "2").forecast(domain)
    scores, share = forecast.scores.answered, 0.01  # type: ignore[attr-defined]
    p, q = forecast.scores.p, forecast.scores.q  # type: ignore[attr-defined]
    none = (1 - share) * q + share * p
    mean = none * scores[-1] + (1 - none) * scores[0]
    assert mean == pytest.approx(1 - share)
    variance = none * scores[-1] ** 2 + (1 - none) * scores[0] ** 2 - mean**2
    assert found.error == pytest.approx(100 * Z * sqrt(variance / 500))


def test_that_too_few_respondents_are_named_as_the_cause() -> None:
    few = usefulness_of(mechanism("grr", "20"), categories(16), EVERY_ANSWER, 30)
    assert few is not None
    assert few.is_of_few_respondents
    assert few.reason.id == "plan.reason-too-few"
    noisy = usefulness_of(mechanism("grr", "0.4"), categories(16), EVERY_ANSWER, 45_222)
    assert noisy is not None
    assert not noisy.is_of_few_respondents


def test_that_a_plan_without_a_number_of_respondents_says_how_many_it_supposes() -> None:
    plan = plan_of(16, respondents=None, total="0.1")
    (problem,) = check(plan)
    assert (problem.code, problem.severity) == ("useless", "warning")
    assert problem.message.values["rating"].values["respondents"] == 1000


def test_that_a_check_warns_once_for_each_verdict_and_names_the_worst_first() -> None:
    problems = {problem.code: problem for problem in check(adult())}
    assert set(problems) == {"useless", "coarse", "no_prevalence"}
    assert problems["useless"].message.values["name"] == "q7"
    values = problems["coarse"].message.values
    assert (values["bad"], values["all"], values["worst"]) == (2, 10, "q1")
    assert values["names"].startswith("q1 (± 4.3 pp), q3 (± ")
    assert "epsilon 4 to get ± 0.92 pp" in problems["coarse"].remedy
    assert errors_of(check(adult())) == ()


def test_that_two_coarse_attributes_have_a_remedy_each() -> None:
    plan = plan_of(16, 20, respondents=4_000, total="3")
    (problem,) = (problem for problem in check(plan) if problem.code == "coarse")
    assert (problem.message.values["bad"], problem.message.values["all"]) == (2, 2)
    # The first one helps the worst, and what it does for both; the other has its own.
    assert "of 2 variables useful." in problem.remedy
    assert "For q0: " in problem.remedy


def test_that_nothing_is_warned_of_where_everything_is_useful() -> None:
    assert check(plan_of(4, 3, respondents=100_000, total="4")) == ()


def test_that_every_remedy_gives_the_error_that_it_states() -> None:
    plan = adult()
    kinds = {remedy.kind: remedy for remedy in remedies(plan, plan.column("q1"))}
    assert set(kinds) == {"strategy", "merge", "fewer", "epsilon", "respondents"}
    assert all(remedy.gives.verdict == "useful" for remedy in kinds.values()), (
        "each reaches a useful error here"
    )

    sampled = choose_best(resplit(plan.with_fields(strategy="smp"), Decimal(4)))
    assert kinds["strategy"].gives == usefulness_of_column(
        sampled.column("q1"), Sampling("smp", 10), 45_222
    )

    merged = plan.with_column("q1", domain=categories(8))
    merged = choose_best(merged)
    assert kinds["merge"].action == T.MERGE(categories=16, fewer=8)
    assert usefulness_of_records(merged).by_name["q1"] == kinds["merge"].gives

    kept = ("q1", "q3", "q0", "q2")
    fewer = plan.with_columns(
        tuple(c if c.name in kept else c.changed(role="drop") for c in plan.columns)
    )
    assert kinds["fewer"].action == T.FEWER(fewer=4, variables=10, total="4")
    fewer = choose_best(resplit(fewer, Decimal(4)))
    assert usefulness_of_records(fewer).by_name["q1"] == kinds["fewer"].gives

    asked = plan.with_fields(respondents=10**7)
    assert usefulness_of_records(asked).by_name["q1"].verdict == "useful"


def test_that_a_larger_epsilon_is_the_least_of_two_digits_and_its_cost_is_the_whole_records() -> (
    None
):
    plan = plan_of(16, 16, respondents=45_222, total="0.8")
    found = next(r for r in remedies(plan, plan.column("q0"), ("q0", "q1")) if r.kind == "epsilon")
    epsilon = Decimal(found.action.values["epsilon"])
    for tried, verdict in ((epsilon, "useful"), (epsilon - Decimal("0.01"), "coarse")):
        larger = choose_best(
            resplit(plan.with_fields(budget=2 * tried)),
        )
        assert usefulness_of_records(larger).by_name["q0"].verdict == verdict
    assert found.action.values["whole"] == str(2 * epsilon)


@pytest.mark.parametrize("name", ["q0", "q1"])
def test_that_a_larger_epsilon_adds_up_from_what_each_attribute_has(name: str) -> None:
    plan = plan_of(16, 16, 2, respondents=1_000, total="1")
    for one, own in (("q0", "0.2"), ("q1", "1.5"), ("q2", "3.3333")):
        plan = plan.with_column(one, mechanism=mechanism("grr", own), locked=True)
    found = next(r for r in remedies(plan, plan.column(name), ("q0", "q1")) if r.kind == "epsilon")
    epsilon = Decimal(found.action.values["epsilon"])
    assert Decimal("1.5") < epsilon < 10
    # The exact sum has four decimals more than a proposal of two digits; it is rounded up.
    whole = (2 * epsilon + Decimal("3.3333")).quantize(Decimal("0.1"), ROUND_CEILING)
    assert (found.action.values["count"], found.action.values["whole"]) == (
        2,
        format_epsilon(whole),
    )


@pytest.mark.parametrize("policy", ["blank", "category"])
def test_that_one_answer_is_proposed_only_where_the_strategy_takes_the_plan(policy: str) -> None:
    value = "(no answer)" if policy == "category" else ""
    plan = adult()
    plan = plan.with_column("q2", missing=MissingPolicy(policy=policy, value=value))
    errors = errors_of(check_strategy(plan.with_fields(strategy="smp")))
    offered = "strategy" in {remedy.kind for remedy in remedies(plan, plan.column("q1"))}
    assert offered == (not errors) == (policy == "category")


@pytest.mark.parametrize(
    ("size", "fewest"), [(120, 40), (16, 6), (13, 5), (6, 5), (5, None), (3, None)]
)
def test_that_merging_leaves_a_third_of_the_categories_and_five(size, fewest) -> None:
    # At this epsilon not even two categories would be useful.
    plan = plan_of(size, respondents=100, total="0.05")
    merges = [r.action for r in remedies(plan, plan.column("q0")) if r.kind == "merge"]
    assert merges == ([] if fewest is None else [T.MERGE(categories=size, fewer=fewest)])


def test_that_more_respondents_are_no_remedy_once_there_are_data() -> None:
    plan = plan_of(16, respondents=300, total="1")
    assert "respondents" in {r.kind for r in remedies(plan, plan.column("q0"))}
    from dpdesk.data.reading import Reading

    collected = plan.with_fields(reading=Reading())
    assert "respondents" not in {r.kind for r in remedies(collected, plan.column("q0"))}


def test_that_the_cheapest_remedy_of_200_columns_is_fewer_of_them() -> None:
    plan = plan_of(*[2] * 200, respondents=1000, total="8")
    best = cheapest_remedy(plan, "q0", alike=[c.name for c in plan.columns])
    assert best is not None
    assert best.kind == "fewer"
    number = best.action.values["fewer"]
    split = plan_of(*[2] * number, respondents=1000, total="8")
    assert usefulness_of_records(split).verdict == "useful"
    more = plan_of(*[2] * (number + 1), respondents=1000, total="8")
    assert usefulness_of_records(more).verdict != "useful"
    assert total_epsilon(split) == 8


def test_that_fewer_attributes_at_the_same_total_do_not_exceed_it() -> None:
    plan = plan_of(*[2] * 7, respondents=22_000, total="1")
    fewer = next(r for r in remedies(plan, plan.column("q6")) if r.kind == "fewer")
    assert fewer.action == T.FEWER(fewer=6, variables=7, total="1")

    def worth(epsilon: str) -> float:
        own = mechanism("warner", epsilon)
        found = usefulness_of(own, categories(2), EVERY_ANSWER, 22_000)
        assert found is not None
        return found.error

    # A sixth is 0.16666...: six times 0.1667 would be 1.0002.
    assert fewer.gives.error == worth("0.1666")
    assert worth("0.1666") > worth("0.1667")


def test_that_what_dropped_columns_leave_of_the_budget_is_split_before_more_is_asked() -> None:
    plan = plan_of(*[2] * 40, respondents=20_000, total="4").with_fields(budget=Decimal(4))
    left = plan.with_columns(
        (*plan.columns[:4], *(c.changed(role="drop") for c in plan.columns[4:]))
    )
    assert total_epsilon(left) == Decimal("0.4")
    best = cheapest_remedy(left, "q0", alike=["q0", "q1", "q2", "q3"])
    assert best is not None
    assert best.kind == "budget"
    assert best.action == T.WHOLE_BUDGET(total="4")
    assert best.gives == usefulness_of_records(choose_best(resplit(left))).by_name["q0"]
    assert best.gives.verdict == "useful"
    # A locked attribute keeps what it has, and a budget that is used up is not split again.
    locked = left.with_column("q0", locked=True)
    for used in (resplit(left), locked):
        assert "budget" not in {r.kind for r in remedies(used, used.column("q0"))}


def test_that_one_answer_and_fewer_attributes_go_together_where_neither_is_enough() -> None:
    plan = plan_of(*[16] * 60, respondents=20_000, total="4")
    best = cheapest_remedy(plan, "q0", alike=[c.name for c in plan.columns])
    assert best is not None
    assert best.kind == "fewer"
    assert best.action.id == "plan.fewer-drawn"
    number = best.action.values["fewer"]

    def worth(many: int, strategy: str) -> str:
        some = plan_of(*[16] * many, respondents=20_000, total="4")
        drawn = choose_best(resplit(some.with_fields(strategy=strategy), Decimal(4)))
        return usefulness_of_records(drawn).by_name["q0"].verdict

    assert (worth(number, "smp"), worth(number + 1, "smp")) == ("useful", "coarse")
    assert worth(number, "spl") != "useful"
    assert number > 1


def test_that_one_answer_is_proposed_where_it_makes_most_attributes_useful() -> None:
    # For the worst by itself, most of the others would have to go.
    plan = plan_of(*[4] * 24, 60, respondents=20_000, total="4")
    worst = cheapest_remedy(plan, "q24", alike=[c.name for c in plan.columns])
    assert worst is not None
    assert worst.kind == "fewer"
    (problem,) = (p for p in check(plan) if p.code == "useless")
    assert "24 of 25 " in problem.remedy
    drawn = choose_best(resplit(plan.with_fields(strategy="smp"), Decimal(4)))
    assert len(usefulness_of_records(drawn).named("useful")) == 24
    # With tables in mind, one answer is of no use.
    for_tables = next(p for p in check(plan.with_fields(purpose="tables")) if p.code == "useless")
    assert T.ONE_ANSWER(total="4") not in for_tables.remedy


def statistics_plan(*phrases: str, rows: int, epsilon: str) -> Plan:
    queries = tuple(parse_query(phrase, epsilon=Decimal(epsilon)) for phrase in phrases)
    columns = (
        column("region", categories(20)),
        column("age", Integer(lower=0, upper=99)),
        column("media", OptionSet(values=("TV", "Web"))),
    )
    asked = Statistics().with_queries(queries)
    return Plan(details=DETAILS, columns=columns, respondents=rows, statistics=asked)


@pytest.mark.parametrize(
    ("phrase", "rows", "epsilon", "verdict"),
    [
        ("count by region", 10_000, "1", "useful"),
        ("count by region", 100, "1", "coarse"),
        ("count by region", 40, "1", "useless"),
        ("mean of age", 10_000, "1", "useful"),
        ("mean of age", 10, "0.1", "useless"),
        ("median of age", 10_000, "1", "useful"),
        ("median of age", 20, "0.1", "useless"),
        ("sum of age", 10_000, "1", "useful"),
        ("share with age at least 50", 10_000, "1", "useful"),
        ("share with age at least 50 by region", 200, "0.2", "useless"),
        ("share with media has TV", 10_000, "1", "useful"),
        ("count where media has TV", 20, "0.1", "useless"),
        ("most frequent of region", 10_000, "1", "useful"),
        ("most frequent of region", 100, "0.1", "useless"),
    ],
)
def test_that_a_statistic_is_judged_by_its_noise_against_what_it_counts(
    phrase: str, rows: int, epsilon: str, verdict: str
) -> None:
    found = usefulness_of_statistics(statistics_plan(phrase, rows=rows, epsilon=epsilon))
    assert found.by_name[0].verdict == verdict, found.by_name[0].reason


def test_that_the_count_of_a_group_is_compared_with_its_rows() -> None:
    plan = statistics_plan("count by region", rows=400, epsilon="1")
    found = usefulness_of_statistics(plan).by_name[0]
    assert found.what == "a count of about 20 rows"
    assert found.size == pytest.approx(20)
    plan = statistics_plan("count where age at least 50", rows=400, epsilon="1")
    assert usefulness_of_statistics(plan).by_name[0].what == "a count of about 200 rows"


def test_that_statistics_without_use_are_warned_of() -> None:
    plan = statistics_plan("count by region", "mean of age", rows=40, epsilon="1")
    found = {problem.code: problem for problem in check_statistics(plan)}
    values = found["useless"].message.values
    assert (values["name"], values["rating"].id) == ("count of rows by region", "plan.too-noisy")
    assert T.EPSILON_ALONE(epsilon="3.7", whole="4.7") in found["useless"].remedy
    assert found["useless"].path == "statistics.usefulness"


def test_that_who_stays_blank_makes_no_report_in_verdict_preview_and_remedy() -> None:
    half = MissingPolicy(policy="blank", supposed_share=Decimal("0.5"))
    one = column("q", categories(5), role="protect", mechanism=mechanism("grr", "1"), missing=half)
    found = usefulness_of_column(one, EVERY_ANSWER, 1000)
    answered = usefulness_of_column(one.changed(missing=MissingPolicy()), EVERY_ANSWER, 500)
    request = request_for(one, 1000)
    assert found is not None
    assert answered is not None
    assert request is not None
    assert found.error == answered.error
    assert found.error == pytest.approx(100 * Z * request.accuracy.total)
    plan = Plan(details=DETAILS, columns=(one,), respondents=1000)
    people = next(r for r in remedies(plan, one) if r.kind == "respondents")
    asked = people.action.values["people"]
    enough = usefulness_of_column(one, EVERY_ANSWER, asked)
    assert enough is not None
    assert enough.error == pytest.approx(people.gives.error, rel=1e-3)
    assert enough.error == pytest.approx(enough.size / 3, rel=1e-3)


def test_that_a_cell_of_a_table_counts_who_answered_both_questions() -> None:
    half = MissingPolicy(policy="blank", supposed_share=Decimal("0.5"))
    plan = plan_of(4, 4, respondents=4000, total="4")
    blank = plan.with_columns(tuple(c.changed(missing=half) for c in plan.columns))
    quarter = joint_cell(plan.with_fields(respondents=1000))
    found = joint_cell(blank)
    assert quarter is not None
    assert found is not None
    assert found.error == pytest.approx(quarter.error)


@pytest.mark.parametrize("policy", ["blank", "protect"])
def test_that_a_verdict_says_what_share_of_missing_answers_it_supposes(policy: str) -> None:
    rule = MissingPolicy(policy=policy, supposed_share=Decimal("0.25"))
    ages = Integer(lower=17, upper=90, unit="years")
    one = column("age", ages, role="protect", mechanism=mechanism("duchi", "2"), missing=rule)
    found = usefulness_of_column(one, EVERY_ANSWER, 1000)
    assert found is not None
    assert "on the mean, if 25 % did not answer" in found.reason
    routed = rule.changed(asked=AskedIf(any_of=(Condition(column="works", values=("yes",)),)))
    found = usefulness_of_column(one.changed(missing=routed), EVERY_ANSWER, 1000)
    assert found is not None
    assert "if 50 % were not asked and 25 % of the others did not" in found.reason


def test_that_the_reason_says_that_a_mean_is_compared_with_the_declared_bounds() -> None:
    ages = Integer(lower=17, upper=90, unit="years")
    found = usefulness_of(mechanism("duchi", "1"), ages, EVERY_ANSWER, 1000)
    assert found is not None
    assert found.of_bounds
    assert found.brief.id == "plan.worth-difference"
    share = usefulness_of(mechanism("grr", "1"), categories(4), EVERY_ANSWER, 1000)
    assert share is not None
    assert not share.of_bounds


def test_that_of_numbers_it_is_said_whether_the_mean_or_the_share_answered_is_off() -> None:
    """Percentage points of the one and years of the other stand in one sentence."""
    policy = MissingPolicy(policy="protect", supposed_share=Decimal("0.02"))
    age, income = Integer(lower=18, upper=99, unit="years"), Integer(lower=0, upper=90)
    columns = (
        column("age", age),
        column("income", income, missing=policy),
        column("mood", categories(9)),
    )
    plan = Plan(details=DETAILS, columns=columns, respondents=900)
    (problem, *_) = (p for p in check(protect_unassigned(plan, Decimal("0.6"))) if ":" in p.message)
    said = problem.message.replace("\u00a0", " ")
    assert re.search(r"age \(mean ± \S+ years\)", said)
    assert re.search(r"income \((share answered ± \S+ pp|mean ± \S+)\)", said)
    assert "mood (more than ± 50 pp)" in said
