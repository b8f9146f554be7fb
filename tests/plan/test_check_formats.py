"""Formats that cannot hold the records of a plan are told by every check, with what to do."""

import numpy as np
import pyarrow as pa
import pytest

from dpdesk.data.formats.excel_writer import COLUMNS_MOST, ROWS_MOST
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import Categorical
from dpdesk.plan import Plan, check, check_table
from dpdesk.plan.checks.synthesis import check_synthesis, check_synthesis_table
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.problem import Problem
from tests.plan.plans import mechanism


def _asked(values: tuple[str, ...], kind: str = "grr") -> ColumnPlan:
    return ColumnPlan(
        name="vote",
        kind="nominal",
        role="protect",
        domain=Categorical(values=values),
        provenance="declared",
        confirmed=True,
        mechanism=mechanism(kind, "1"),
    )


def _told(problems: tuple[Problem, ...]) -> list[str]:
    found = [problem for problem in problems if problem.code == "format_unfit"]
    assert all(problem.path == "formats" and problem.severity == "error" for problem in found)
    return [str(problem) for problem in found]


@pytest.mark.parametrize("formats", [("sav",), ("zsav",), ("dta",), ("xlsx",), ("feather",)])
def test_that_a_plan_which_fits_has_no_such_problem(formats: tuple[str, ...]) -> None:
    plan = Plan(columns=(_asked(("a", "b")),), formats=formats)
    assert not _told(check(plan))
    assert not _told(check_synthesis(plan))


def test_that_one_column_for_each_category_may_be_too_many() -> None:
    values = tuple(map(str, range(COLUMNS_MOST + 1)))
    plan = Plan(columns=(_asked(values, "oue"),), formats=("xlsx",))
    assert _told(check(plan)) == [
        "records.xlsx cannot be written: a sheet has at most 16,384 columns, and these are 16,385. "
        "Choose mechanisms that release one column each, drop columns, or release without .xlsx."
    ]
    # Synthetic rows have one column for each question.
    assert not _told(check_synthesis(plan))


def test_that_answers_which_a_program_takes_for_one_are_told() -> None:
    plan = Plan(columns=(_asked(("yes", "yes ")),), formats=("sav", "dta"))
    told = "records.sav cannot be written: two answers of vote differ in blanks at their end alone."
    for problems in (check(plan), check_synthesis(plan)):
        (found,) = _told(problems)
        assert found.startswith(told)


def _table(rows: int, text: str) -> SurveyTable:
    codes = np.zeros(rows, dtype=np.int32)
    columns = (
        TextColumn("vote", codes, pa.array(["a"])),
        TextColumn("note", codes, pa.array([text])),
    )
    return SurveyTable(columns, rows, Reading(), "survey.csv")


def test_that_kept_texts_and_rows_of_the_data_are_told() -> None:
    note = ColumnPlan(name="note", kind="nominal", role="keep", keep_confirmed=True)
    plan = Plan(columns=(_asked(("a", "b")), note), formats=("dta", "xlsx"))
    assert not _told(check(plan))
    assert not _told(check_table(plan, _table(10, "short")))
    (found,) = _told(check_table(plan, _table(10, "long" * 1000)))
    assert found.startswith("records.dta cannot be written: note has an answer of more than 2,045")
    (found,) = _told(check_table(plan, _table(ROWS_MOST, "short")))
    assert found == (
        "records.xlsx cannot be written: a sheet has room for 1,048,575 records, and these are "
        "1,048,576. Release fewer records, or release without .xlsx."
    )
    (found,) = _told(check_synthesis_table(plan, _table(ROWS_MOST - 5, "short")))
    assert "a sheet has room for 1,048,575 records" in found
