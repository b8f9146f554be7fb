"""Checks whether the records of a plan fit the formats that they are to be written in.

What a format cannot hold is its own knowledge. Here it is asked before anything is drawn: of what
the plan says alone, and of the records and texts that data add.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dpdesk.data.record_files import record_files, unfit_files
from dpdesk.data.table import SurveyTable
from dpdesk.data.written_column import WrittenColumn
from dpdesk.errors import ParameterError
from dpdesk.plan.kept_texts import as_kept
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem
from dpdesk.plan.record_columns import kept_columns, planned_columns

FORMATS_PATH = "formats"
"""The place of the formats in a plan."""


def check_formats(plan: Plan) -> Iterator[Problem]:
    """Yields a problem for each format that cannot hold what the plan says of its records."""
    if plan.formats:
        yield from check_fit(plan, [one for c in plan.columns for one in planned_columns(c)], 0)


def check_formats_of(plan: Plan, table: SurveyTable) -> Iterator[Problem]:
    """Yields a problem for each format that has no room for the records, or for kept texts."""
    if not plan.formats or any(column.name not in table.names for column in plan.kept):
        return
    try:
        released = as_kept(table, plan)
    except ParameterError:
        # That answers have no level is a problem of their column.
        return
    yield from check_fit(plan, kept_columns(plan, released), table.rows)


def check_fit(plan: Plan, columns: Sequence[WrittenColumn], rows: int) -> Iterator[Problem]:
    """Yields a problem for each format of a plan that cannot hold some records.

    Args:
        plan: The plan.
        columns: What is said of the columns; texts that are not known may be left out.
        rows: Number of records; 0 where it is not known.
    """
    for refusal in unfit_files(record_files(plan.formats), columns, rows):
        yield Problem(FORMATS_PATH, "error", refusal, "format_unfit", refusal.remedy)
