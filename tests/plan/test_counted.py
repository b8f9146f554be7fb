"""Errors and verdicts before a release are those of the file: its weights, its missing answers."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.engine.jobs import untracked
from dpdesk.engine.statistics import release_statistics
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import ColumnPlan, MissingPolicy, Plan, check_table, mechanism_at
from dpdesk.plan.checks.reading import check_fit
from dpdesk.plan.checks.statistics import (
    check_statistics,
    check_statistics_table,
    require_answerable,
)
from dpdesk.plan.checks.synthesis import check_synthesis_table
from dpdesk.plan.encoding import encode_column
from dpdesk.plan.given_answers import (
    GivenAnswers,
    given_answers,
    weights_in,
    with_counts,
    with_counts_of,
    without_counts,
)
from dpdesk.plan.joint_errors import joint_cell
from dpdesk.plan.outlook import outlook, outlook_of
from dpdesk.plan.release_usefulness import (
    usefulness_of_records,
    usefulness_of_statistic,
    usefulness_of_statistics,
    usefulness_of_synthesis,
)
from dpdesk.plan.statistics import Statistics
from dpdesk.plan.usefulness import usefulness_of_column
from dpdesk.preview import figures, request_for
from dpdesk.preview.central import query_request
from dpdesk.queries.phrase import parse_query

ROWS = 2000


def protected(name: str, kind: str, domain: object, mechanism: str, **more: object) -> ColumnPlan:
    law = mechanism_named(mechanism)(epsilon=Decimal(1))
    return ColumnPlan(
        name=name, kind=kind, domain=domain, confirmed=True, role="protect", mechanism=law, **more
    )


SEX = protected("sex", "binary", Categorical(values=("f", "m")), "warner")
AGE = protected("age", "integer", Integer(lower=18, upper=89), "duchi")
CIGARETTES = protected(
    "cigs", "integer", Integer(lower=0, upper=40), "duchi", missing=MissingPolicy(policy="protect")
)
WEIGHT = ColumnPlan(name="weight", kind="weight", role="keep", keep_confirmed=True)
PLAN = Plan(respondents=ROWS, columns=(SEX, AGE, CIGARETTES, WEIGHT))


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> SurveyTable:
    path: Path = tmp_path_factory.mktemp("counted") / "survey.csv"
    rows = [
        f"{'fm'[i % 2]},{18 + i % 72},{i % 41 if i % 4 == 0 else ''},{4 if i % 3 == 0 else 1}"
        for i in range(ROWS)
    ]
    path.write_text("\n".join(["sex,age,cigs,weight", *rows]), encoding="utf-8")
    return load(path)


def test_that_the_weights_make_every_error_larger_by_the_root_of_their_design_effect(table) -> None:
    weights = np.where(np.arange(ROWS) % 3 == 0, 4.0, 1.0)
    effect = ROWS * float((weights**2).sum()) / float(weights.sum()) ** 2
    judged = with_counts_of(PLAN, table)
    for name in ("sex", "age"):
        # The same answers by weight, of as many respondents without any.
        alike = judged.column(name)._counted
        same = PLAN.column(name).with_counts(replace(alike, worth=1.0))
        plain = usefulness_of_column(same, PLAN.sampling, ROWS)
        weighted = usefulness_of_column(judged.column(name), judged.sampling, ROWS)
        assert weighted.error / plain.error == pytest.approx(effect**0.5, rel=1e-3)
        assert weighted.unprotected / plain.unprotected == pytest.approx(effect**0.5, rel=1e-3)
        # The tile of the window says the same number.
        request = request_for(judged.column(name), judged.respondents, sampling=judged.sampling)
        assert figures(request).error == pytest.approx(weighted.error, rel=1e-9)
        found = usefulness_of_records(judged).by_name[name]
        assert found.error == weighted.error
    two = (SEX, AGE.changed(name="sex2", kind="binary", domain=SEX.domain, mechanism=SEX.mechanism))
    cell = joint_cell(PLAN.with_columns((*two, WEIGHT)))
    counted = [column.with_counts(judged.column("sex")._counted) for column in two]
    larger = joint_cell(PLAN.with_columns((*counted, WEIGHT)))
    assert larger.error / cell.error == pytest.approx(effect**0.5, rel=1e-3)


def test_that_dropped_weights_count_for_nothing(table) -> None:
    without = PLAN.with_column("weight", role="drop")
    assert with_counts_of(without, table).column("sex").worth == 1
    # Counts that were made while they were kept go with them.
    again = with_counts_of(with_counts_of(PLAN, table).with_column("weight", role="drop"), table)
    assert again.column("sex").worth == 1


def test_that_errors_go_by_the_share_of_missing_answers_of_the_file(table) -> None:
    judged = with_counts_of(PLAN.with_column("weight", role="drop"), table)
    request = request_for(judged.column("cigs"), ROWS, sampling=judged.sampling)
    assert request.domain.missing_share == pytest.approx(0.75)
    supposed = request_for(PLAN.column("cigs"), ROWS, sampling=PLAN.sampling)
    assert figures(request).error > 2 * figures(supposed).error
    # The law that is run is that of the plan.
    assert judged.column("cigs").effective_domain.missing_share == pytest.approx(0.1)


def test_that_counts_are_no_decision(table) -> None:
    judged = with_counts_of(PLAN, table)
    assert judged == PLAN
    assert judged.model_dump_json() == PLAN.model_dump_json()
    other = judged.with_column("sex", mechanism=mechanism_named("warner")(epsilon=Decimal(2)))
    assert other.column("sex").worth == judged.column("sex").worth < 1
    assert other.column("age").changed(missing=MissingPolicy(policy="protect")).worth == 1
    assert with_counts_of(judged, table) is judged


@pytest.mark.parametrize("strategy", ["spl", "smp"])
def test_that_a_card_of_a_strategy_judges_as_the_plan_that_it_gives(table, strategy) -> None:
    """By weights and missing answers of the file, and not by what the plan supposes."""
    judged = with_counts_of(PLAN.with_fields(budget=Decimal(3)), table)
    card = outlook(judged, strategy)
    read_again = Plan.model_validate_json(card.plan.model_dump_json())
    taken = usefulness_of_records(with_counts_of(read_again, table)).by_name
    assert card.usefulness.by_name == taken
    supposed = outlook(PLAN.with_fields(budget=Decimal(3)), strategy).usefulness.by_name
    assert all(taken[name].error > 1.1 * supposed[name].error for name in taken)


def test_that_the_card_of_a_plan_as_it_is_keeps_its_mechanisms(table) -> None:
    poor = mechanism_named("bounded_laplace")(epsilon=Decimal(1))
    judged = with_counts_of(PLAN.with_column("age", mechanism=poor), table)
    assert outlook_of(judged).usefulness == usefulness_of_records(judged)
    best = outlook(judged, "spl").usefulness.by_name["age"]
    assert best.error < outlook_of(judged).usefulness.by_name["age"].error


def test_that_only_the_columns_that_an_edit_changes_are_looked_at_again(table) -> None:
    """As the window does at every step of a slider."""
    weight = weights_in(table, "weight")
    asked: list[str] = []

    def of(column: ColumnPlan) -> GivenAnswers:
        asked.append(column.name)
        texts = table.column(column.name)
        return given_answers(column, texts, table.reading, weight)

    query = parse_query("mean of age by sex", epsilon=Decimal(1))
    before = with_counts(PLAN, of, ROWS)
    edits = {
        "step": before.with_column("age", mechanism=mechanism_named("duchi")(epsilon=Decimal(2))),
        "missing": before.with_column("cigs", missing=MissingPolicy(policy="blank")),
        "weight": before.with_column("weight", role="drop"),
        "fewer": before.with_columns(before.columns[1:]),
        "groups": before.with_fields(statistics=Statistics(queries=(query,))),
        "nothing": before.with_fields(shuffle=False),
    }
    looked_at = {"step": ["age"], "missing": ["cigs"], "nothing": []}
    looked_at["weight"] = ["sex", "age", "cigs"]
    for name, plan in edits.items():
        asked.clear()
        found = with_counts(plan, of, ROWS, before)
        if name in looked_at:
            assert asked == looked_at[name]
        whole = with_counts(plan, of, ROWS)
        for one, other in zip(found.columns, whole.columns, strict=True):
            assert one.worth == other.worth
            assert one.judged_missing == other.judged_missing
            assert one.judged_numbers == other.judged_numbers
            shares = [None if c.groups is None else c.groups.shares for c in (one, other)]
            assert shares[0] == shares[1]
    assert edits["weight"].column("sex").worth < 1


def test_that_the_column_of_a_mean_that_is_asked_for_is_counted(table) -> None:
    """It may be one that is dropped from the records, and that no other verdict goes by."""
    texts = table.column("age")
    count, mean = (parse_query(words, epsilon=Decimal(1)) for words in ("count", "mean of age"))
    dropped = Plan(
        respondents=ROWS,
        columns=(SEX, AGE.changed(role="drop")),
        statistics=Statistics(queries=(count,)),
    )

    def of(column: ColumnPlan) -> GivenAnswers:
        return given_answers(column, table.column(column.name), table.reading)

    before = with_counts(dropped, of, ROWS)
    assert before.column("age").judged_numbers is None
    both = before.with_fields(statistics=Statistics(queries=(count, mean)))
    asked = with_counts(both, of, ROWS, before)
    ages = np.array([float(text) for text in texts.distinct])
    assert asked.column("age").judged_numbers == pytest.approx(moments(ages, texts.counts))
    # It is forgotten with the statistic.
    assert with_counts(dropped, of, ROWS, asked).column("age").judged_numbers is None


def test_that_a_step_of_epsilon_keeps_the_domain_and_another_file_does_not(table) -> None:
    """Views tell by the domain itself whether a column differs in epsilon alone."""
    sex = SEX.changed(missing=MissingPolicy(policy="category", value="none"))
    plan = PLAN.with_columns((sex, AGE, CIGARETTES, WEIGHT))
    for judged in (plan, with_counts_of(plan, table)):
        for name in ("sex", "cigs"):
            column = judged.column(name)
            before = column.judged_domain
            assert column.judged_domain is before
            step = column.changed(mechanism=mechanism_at(column.mechanism, Decimal(2)))
            assert step.judged_domain is before
            assert step.effective_domain is column.effective_domain
            assert step.changed(missing=MissingPolicy()).judged_domain is not before
    cigarettes = with_counts_of(plan, table).column("cigs")
    assert cigarettes.judged_domain.missing_share == pytest.approx(0.75, rel=1e-3)
    assert cigarettes.with_counts(None).judged_domain.missing_share == pytest.approx(0.1)
    copied = cigarettes.model_copy(update={"missing": CIGARETTES.missing})
    assert copied.judged_domain.missing_share == pytest.approx(0.1)


def test_that_who_did_not_answer_gave_no_answer_that_could_fit(table) -> None:
    narrow = CIGARETTES.changed(domain=Integer(lower=0, upper=39))
    texts = table.column("cigs")
    encoded = encode_column(narrow, texts, table.reading)
    assert encoded.missing == 3 * ROWS // 4
    # 12 of 500 answers, but only 0.6 % of the rows.
    assert 0.01 * ROWS > encoded.unfit > 0.01 * ROWS / 4
    (problem,) = check_fit(narrow, encoded, ROWS, Decimal("0.01"))
    assert problem.code == "too_many_unfit"
    values = problem.message.values
    assert (values["answers"], values["unfit"]) == (ROWS // 4, encoded.unfit)
    plan = PLAN.with_columns((SEX, AGE, narrow, WEIGHT))
    assert any(p.code == "too_many_unfit" for p in check_table(plan, table))


def test_that_the_error_of_an_average_by_group_is_that_of_the_files_groups() -> None:
    """Of three groups one has 80 % of the rows: none is a third of them."""
    sizes = {"a": 1600, "b": 300, "c": 100}
    group = [name for name, count in sizes.items() for _ in range(count)]
    table = table_from_texts({"age": ["40"] * ROWS, "group": group})
    columns = (
        AGE,
        protected("group", "nominal", Categorical(values=tuple("abcd")), "grr"),
    )
    query = parse_query("mean of age by group", epsilon=Decimal(1))
    plan = Plan(respondents=ROWS, columns=columns, statistics=Statistics(queries=(query,)))
    # Without the file groups are supposed to be equal, and that is said.
    public, asked = usefulness_of_statistic(plan, 0), query_request(plan, 0)
    assert public is not None
    assert asked is not None
    assert "if groups are equally large" in public.reason
    assert asked.rows_of_cell == ROWS // 4
    assert asked.errors_by_group is None
    # How many of a group meet a condition is not counted, but how many of all rows do.
    some = parse_query("mean of age by group where age >= 60", epsilon=Decimal(1))
    filtered = with_counts_of(plan.with_fields(statistics=Statistics(queries=(some,))), table)
    judged, asked = usefulness_of_statistic(filtered, 0), query_request(filtered, 0)
    assert judged is not None
    assert asked is not None
    assert "if groups are equally large" in judged.reason
    assert asked.rows_of_cell == 1
    assert asked.errors_by_group is None
    judged = with_counts_of(plan, table)
    assert judged == plan
    # Of two groups the middle one is the smaller, and none that is not there.
    two = table_from_texts({"age": ["40"] * ROWS, "group": ["a"] * 1900 + ["b"] * 100})
    (smallest, middle, _) = with_counts_of(plan, two).column("group").groups.shares
    assert (smallest, middle) == (0.05, 0.05)
    private, request = usefulness_of_statistic(judged, 0), query_request(judged, 0)
    assert private is not None
    assert request is not None
    assert "in a group of middle size" in private.reason
    assert request.rows_of_cell == sizes["b"]
    assert private.error == request.error.half_width
    released = release_statistics(table, plan.with_columns(columns), untracked())
    found = {one.key: (one.upper - one.lower) / 2 for one in released.results[0].statistics}
    assert request.errors_by_group is not None
    for told, name in zip((private.error, *request.errors_by_group), "bac", strict=True):
        # What is said holds at a bound, where it is widest.
        assert 0.6 * told < found[name,] < 1.15 * told


def test_that_verdicts_are_about_the_rows_of_the_file_and_not_about_the_respondents_supposed() -> (
    None
):
    people = 50
    table = table_from_texts({"sex": ["f", "m"] * (people // 2)})
    query = parse_query("mean of age by sex", epsilon=Decimal(1))
    statistics = Statistics(queries=(query,))
    for stated in (ROWS, None):
        plan = Plan(respondents=stated, columns=(SEX, AGE), statistics=statistics)
        known = plan.with_fields(respondents=people)
        judged = with_counts_of(plan, table)
        assert judged == plan
        assert judged.respondents == stated
        assert judged.judged_respondents == people
        # An edit keeps it.
        assert judged.with_fields(shuffle=False).judged_respondents == people
        assert judged.with_column("sex", note="x").judged_respondents == people
        for worth in (usefulness_of_records, usefulness_of_synthesis):
            by_file, stated_so = (worth(one).by_name for one in (judged, known))
            assert by_file.keys() == stated_so.keys()
            # Half of the file are women, as is supposed of it without one.
            assert {n: (u.error, u.verdict) for n, u in by_file.items()} == {
                n: (u.error, u.verdict) for n, u in stated_so.items()
            }
            assert worth(judged).respondents == people
            assert not worth(judged).is_supposed
        assert query_request(judged, 0).rows == people
        assert usefulness_of_statistics(judged).respondents == people
        # A release publishes nothing of it.
        assert without_counts(judged).judged_respondents == stated
        assert without_counts(judged).column("sex").groups is None


def test_that_a_check_tells_of_a_file_with_other_rows_than_the_plan_supposes() -> None:
    table = table_from_texts({"sex": ["f", "m"] * 25})
    plan = Plan(
        respondents=ROWS,
        columns=(SEX,),
        statistics=Statistics(queries=(parse_query("count", epsilon=Decimal(1)),)),
    )
    for check in (check_table, check_statistics_table, check_synthesis_table):
        (problem,) = (p for p in check(plan, table) if p.code == "respondents_differ")
        assert problem.severity == "warning"
        assert problem.message.values == {"supposed": 2000, "rows": 50}
        for right in (50, None):
            found = check(plan.with_fields(respondents=right), table)
            assert all(p.code != "respondents_differ" for p in found)


def test_that_what_stops_a_release_judges_by_the_file_as_the_check_does() -> None:
    """In a group of middle size are 100 of 2,000 rows, and the plan states no number of them."""
    columns = {"sex": ["f"] * 1900 + ["m"] * 100, "age": ["40"] * ROWS}
    table = table_from_texts(columns)
    query = parse_query("mean of age by sex; epsilon=0.01")
    plan = Plan(
        reading=table.reading,
        reading_confirmed=True,
        columns=(SEX, AGE),
        statistics=Statistics(queries=(query,)),
    )
    warned = {problem.message for problem in require_answerable(plan, table)}
    judged = {problem.message for problem in check_statistics(with_counts_of(plan, table))}
    assert judged <= warned
    (told,) = (said for said in warned if said.id == "plan.checks.worth")
    assert told.values["rating"].id == "plan.too-noisy"
    assert "in a group of middle size" in told


def test_that_the_mean_of_a_file_is_weighted_and_leaves_out_missing_answers(table) -> None:
    weights = np.where(np.arange(ROWS) % 3 == 0, 4.0, 1.0)
    ages = 18 + np.arange(ROWS) % 72
    given = np.arange(ROWS) % 4 == 0
    judged = with_counts_of(PLAN, table)
    assert judged.column("sex").judged_numbers is None
    assert judged.column("age").judged_numbers == pytest.approx(moments(ages, weights))
    cigarettes = (np.arange(ROWS) % 41)[given]
    assert judged.column("cigs").judged_numbers == pytest.approx(
        moments(cigarettes, weights[given])
    )
    assert without_counts(judged).column("age").judged_numbers is None


def moments(numbers: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    mean = np.average(numbers, weights=weights)
    return mean, np.sqrt(np.average((numbers - mean) ** 2, weights=weights))


@pytest.mark.parametrize(
    "phrase", ["median of age", "quantiles 0.1, 0.9 of age", "mean of age", "variance of age"]
)
def test_that_a_preview_is_of_the_rows_that_meet_the_conditions(phrase: str) -> None:
    """Two of 100 smoke, half are 60; conditions are taken as independent."""
    table = table_from_texts(
        {"age": ["40", "60"] * 500, "smokes": ["yes", *["no"] * 48, ""] * 20, "sex": ["f"] * 1000}
    )
    smokes = ColumnPlan(name="smokes", kind="nominal", domain=Categorical(values=("no", "yes")))
    sex = ColumnPlan(name="sex", kind="nominal", domain=Categorical(values=("f", "m")))
    known = smokes.changed(expected=("9", "1"))
    conditions = (" where smokes is yes", " where smokes is yes and age at least 50")
    whole = parse_query(phrase, epsilon=Decimal(1))
    for where, share in zip(conditions, (0.02, 0.01), strict=True):
        query = parse_query(phrase + where, epsilon=Decimal(1))
        plan = Plan(
            respondents=1000,
            columns=(AGE, smokes, sex),
            statistics=Statistics(queries=(query,)),
        )
        alone = Plan(
            respondents=round(1000 * share),
            columns=(AGE, smokes, sex),
            statistics=Statistics(queries=(whole,)),
        )
        asked, few = query_request(with_counts_of(plan, table), 0), query_request(alone, 0)
        assert asked is not None
        assert few is not None
        assert asked.rows_of_cell == round(1000 * share)
        assert asked.error.half_width == few.error.half_width
        judged = usefulness_of_statistic(with_counts_of(plan, table), 0)
        assert judged is not None
        assert judged.error == few.error.half_width
        # Without a file answers are as expected, else even.
        for column, supposed in ((known, 0.1), (smokes, 0.5)):
            planned = query_request(plan.with_columns((AGE, column, sex)), 0)
            assert planned is not None
            ages = 1.0 if share == 0.02 else query.where[1].expected_share(AGE.domain)
            assert planned.rows_of_cell == int(1000 * supposed * ages + 1e-9)
