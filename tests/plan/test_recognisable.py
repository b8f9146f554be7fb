"""What a plan keeps as it is makes respondents recognisable: its check, its release, its report."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from dpdesk.data.read_file import load
from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.disclosure.texts import T
from dpdesk.domains import Categorical
from dpdesk.engine import untracked
from dpdesk.engine.sanitize import sanitize
from dpdesk.estimation import released_from_file
from dpdesk.mechanisms import mechanism_named
from dpdesk.plan import Plan, Problem, check_table
from dpdesk.plan.checks.table import AnswerChecks
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.draft import draft_table
from dpdesk.plan.recognisable import kept_of
from dpdesk.reports.respondent_page import page_of_records
from dpdesk.reports.risk import risk_reading

ROWS = 60


def kept(name: str, kind: str = "nominal") -> ColumnPlan:
    return ColumnPlan(name=name, kind=kind, role="keep", keep_confirmed=True)  # type: ignore[arg-type]


def plan_of(*columns: ColumnPlan) -> Plan:
    answer = ColumnPlan(
        name="answer",
        kind="binary",
        domain=Categorical(values=("no", "yes")),
        confirmed=True,
        role="protect",
        mechanism=mechanism_named("grr")(epsilon=Decimal(1)),  # type: ignore[call-arg]
    )
    return Plan(columns=(answer, *columns), respondents=ROWS)


def survey() -> SurveyTable:
    """Age in pairs, sex that tells one pair apart, and a weight that differs for everybody."""
    rows = range(ROWS)
    return table_from_texts(
        {
            "answer": ["yes" if row % 3 else "no" for row in rows],
            "age": [str(20 + row // 2) for row in rows],
            "sex": ["f" if row == 7 else "m" for row in rows],
            "region": ["north" if row % 2 else "south" for row in rows],
            "wt": [f"1.{row:02}" for row in rows],
        }
    )


def told(plan: Plan, table: SurveyTable) -> Problem | None:
    return next((p for p in check_table(plan, table) if p.code == "recognisable"), None)


def test_that_a_check_says_how_many_are_unique_on_what_is_kept() -> None:
    problem = told(plan_of(kept("age"), kept("sex")), survey())
    assert problem is not None
    assert problem.severity == "warning"
    assert "“age” and “sex”: 2 of 60" in problem.message


def test_that_small_groups_are_told_where_nobody_is_alone() -> None:
    problem = told(plan_of(kept("age")), survey())
    assert problem is not None
    assert T.KEPT_BELOW(count=60, rows=60, others=4) in problem.message


@pytest.mark.parametrize("columns", [(), (kept("region"),), (kept("wt", "weight"),)])
def test_that_large_groups_and_weights_are_no_problem(columns: tuple[ColumnPlan, ...]) -> None:
    assert told(plan_of(*columns), survey()) is None


def test_that_a_check_is_cached_until_the_kept_columns_change() -> None:
    table, answers = survey(), AnswerChecks()
    first = answers.recognisable(plan_of(kept("age"), kept("sex")), table)
    again = answers.recognisable(plan_of(kept("age"), kept("sex")), table)
    assert first is again
    assert answers.recognisable(plan_of(kept("age")), table) != first
    assert answers.recognisable(plan_of(), table) == ()


def test_that_the_release_and_who_reads_its_records_count_the_same(tmp_path: Path) -> None:
    dropped = ColumnPlan(name="region", kind="nominal", role="drop")
    plan, table = plan_of(kept("age"), kept("sex"), dropped, kept("wt", "weight")), survey()
    plan = plan.with_fields(reading=table.reading, reading_confirmed=True)
    released = sanitize(table, plan, tmp_path, untracked())
    assert released.kept == kept_of(plan, table.column, ROWS)
    assert released_from_file(tmp_path, plan).kept == released.kept
    report = risk_reading(released).kept
    assert report is not None
    assert (report.records, report.unique_records, report.records_in_groups_below_5) == (60, 2, 60)
    assert report.columns == ("age", "sex")
    page = page_of_records(released, (), None)
    assert any(T.KEPT_UNIQUE(count=2, rows=60) in line for line in page.not_hidden)


def test_that_real_data_say_it_in_the_words_of_the_report(shared_data: Path) -> None:
    table = load(shared_data / "adult.csv")
    plan = draft_table(table)
    names = ("age", "education", "race", "sex")
    for name in names:
        plan = plan.with_column(name, role="keep", keep_confirmed=True)
    problem = told(plan, table)
    assert problem is not None
    assert T.KEPT_UNIQUE(count=1276, rows=45_222) in problem.message
