"""The rows of a table that count: at most so many of each respondent, the first ones of the file.

Which of their rows count depends on nobody else's, so that a respondent moves no more than their
own. Nothing but a bit is held of each row.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dpdesk.data.spool import Codes, chunked_values, scratch
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.numbers.arrays import Flags
from dpdesk.numbers.row_bits import RowBits
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import unknown_respondents
from dpdesk.plan.model import Plan


class CountedRows(RowBits):
    """Which rows of a table count."""

    def of(self, codes: Codes, name: str) -> Codes:
        """Returns the codes of the rows that count, on disk where they take much room.

        Args:
            codes: The code of each row.
            name: Name of their column.
        """
        return chunked_values((codes[rows][own] for rows, own in self.flags()), codes.dtype, name)


def bounded_rows(column: TextColumn, unknown: Flags, most: int) -> CountedRows:
    """Returns the rows that count: the first `most` of each respondent.

    Rows without a respondent are left out: they could be anybody's.

    Args:
        column: The respondent of each row.
        unknown: Which of its texts identify no respondent, shape (distinct_count,).
        most: Most rows of a respondent that count.
    """
    found = CountedRows(column.rows)
    # There may be as many respondents as rows.
    before = scratch(column.distinct_count, np.dtype(np.int32), column.name)
    for rows in found.pieces():
        whose = column.codes[rows].astype(np.int64)
        order = np.argsort(whose, kind="stable")
        people, starts, counts = np.unique(whose[order], return_index=True, return_counts=True)
        place = np.empty(whose.size, dtype=np.int64)
        place[order] = np.arange(whose.size) - np.repeat(starts, counts)
        found.put(rows, (place + before[whose] < most) & ~unknown[whose])
        before[people] += counts.astype(np.int32)
    return found


def rows_that_count(table: SurveyTable, plan: Plan) -> CountedRows | None:
    """Returns which rows count by the plan's unit; None for all.

    Args:
        table: The survey.
        plan: The plan.
    """
    unit = plan.statistics.unit
    if not unit.respondent_column:
        return None
    column = table.column(unit.respondent_column)
    # A published plan of records names it, and has no such column.
    named = (one for one in plan.columns if one.name == unit.respondent_column)
    identified = next(named, ColumnPlan(name=unit.respondent_column, kind="identifier"))
    unknown = unknown_respondents(identified, column, table.reading)
    return bounded_rows(column, unknown, unit.rows_per_respondent)


def counted_table(table: SurveyTable, plan: Plan) -> SurveyTable:
    """Returns the table of the rows that count, with the columns that records are made of.

    Args:
        table: The survey.
        plan: The plan.
    """
    kept = rows_that_count(table, plan)
    if kept is None:
        return table
    own = [table.column(column.name) for column in (*plan.protected, *plan.kept)]
    columns = tuple(TextColumn(c.name, kept.of(c.codes, c.name), c.dictionary) for c in own)
    return replace(table, columns=columns, rows=kept.count, source=None)
