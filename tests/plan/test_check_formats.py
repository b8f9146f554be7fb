"""Formats that cannot hold the records of a plan are told by every check, with what to do."""

import numpy as np
import pyarrow as pa
import pytest

from dpdesk.data.formats.excel_writer import COLUMNS_MOST, ROWS_MOST
from dpdesk.data.formats.stata_writer import TEXT_BYTES
from dpdesk.data.formats.texts import T
from dpdesk.data.reading import Reading
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.domains import Categorical
from dpdesk.i18n import Message
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
    assert all(problem.remedy for problem in found)
    return [problem.message for problem in found]


@pytest.mark.parametrize("formats", [("sav",), ("zsav",), ("dta",), ("xlsx",), ("feather",)])
def test_that_a_plan_which_fits_has_no_such_problem(formats: tuple[str, ...]) -> None:
    plan = Plan(columns=(_asked(("a", "b")),), formats=formats)
    assert not _told(check(plan))
    assert not _told(check_synthesis(plan))


def test_that_one_column_for_each_category_may_be_too_many() -> None:
    values = tuple(map(str, range(COLUMNS_MOST + 1)))
    plan = Plan(columns=(_asked(values, "oue"),), formats=("xlsx",))
    most, file = COLUMNS_MOST, "records.xlsx"
    assert _told(check(plan)) == [T.COLUMNS_DO_NOT_FIT(file=file, most=most, columns=most + 1)]
    # Synthetic rows have one column for each question.
    assert not _told(check_synthesis(plan))


def test_that_answers_which_a_program_takes_for_one_are_told() -> None:
    plan = Plan(columns=(_asked(("yes", "yes ")),), formats=("sav", "dta"))
    for problems in (check(plan), check_synthesis(plan)):
        assert _told(problems) == [T.BLANKS_AT_END(column="vote", file="records.sav")]


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
    too_long = T.LONG_TEXT(column="note", most=TEXT_BYTES, file="records.dta")
    assert _told(check_table(plan, _table(10, "long" * 1000))) == [too_long]
    most, file = ROWS_MOST - 1, "records.xlsx"
    too_many = T.RECORDS_DO_NOT_FIT(file=file, most=most, records=ROWS_MOST)
    assert _told(check_table(plan, _table(ROWS_MOST, "short"))) == [too_many]
    (found,) = _told(check_synthesis_table(plan, _table(ROWS_MOST - 5, "short")))
    assert isinstance(found, Message)
    assert found.text is T.RECORDS_DO_NOT_FIT
