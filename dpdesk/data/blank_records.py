"""Records without any answer, and forms that were never filled: they are no respondents.

A spreadsheet that once held more rows writes them as lines of delimiters, and every program that
reads such a file hands them on. Programs that hold surveys write a record when it is opened, with
its number, its time and boxes that nobody could tick. So both are left out of a table of any
format, by what stands in the record alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.spool import chunked_values
from dpdesk.data.survey_platforms import NOT_FILLED, platform_named
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.data.texts import T
from dpdesk.numbers.arrays import pieces_of


def drop_blank_records(table: SurveyTable) -> SurveyTable:
    """Returns a table without the records that hold no answer, and says how many there were.

    With a single column of answers, an empty cell is an answer that was not given. A note stays.
    """
    table = _without_blank(_without_unfilled(table))
    last = [column.text(table.rows - 1).strip() for column in table.columns if table.rows]
    is_note = len(last) > 2 and sum(map(bool, last)) == 1 and " " in "".join(last)
    return replace(table, notices=(*table.notices, *[T.NOTE_BELOW()] * is_note))


def _without_blank(table: SurveyTable) -> SurveyTable:
    said, no_said = table.described, ColumnDescription()
    columns = [c for c in table.columns if not said.get(c.name, no_said).is_record]
    # Most files have a column of few texts in which no cell is empty.
    columns.sort(key=lambda column: column.distinct_count)
    if len(columns) < 2 or not all(column.blank.any() for column in columns):
        return table
    blanks = [column.blank for column in columns]
    is_blank = chunked_values(_all_of(columns, blanks, table.rows), np.dtype(np.bool_))
    blank = int(np.count_nonzero(is_blank))
    if not blank:
        return table
    return replace(
        table,
        columns=tuple(_without(column, is_blank) for column in table.columns),
        rows=table.rows - blank,
        notices=(*table.notices, T.BLANK_ROWS(count=blank)),
    )


def _without_unfilled(table: SurveyTable) -> SurveyTable:
    """Returns a table in which boxes of a form that was never filled are no answers, but empty.

    The form is not complete, and nothing is filled or ticked in it.
    """
    if not table.reading.platform:
        return table
    found = {column.name: column for column in table.columns}
    boxes = {name: one.unticked for one in table.declared for name in one.columns}
    forms = 0
    for state, names in platform_named(table.reading.platform).forms(table.names).items():
        own = [found[name] for name in names]
        empty = [column.blank | column.among(boxes.get(column.name, ())) for column in own]
        columns, flags = [found[state], *own], [found[state].among(NOT_FILLED), *empty]
        unfilled = chunked_values(_all_of(columns, flags, table.rows), np.dtype(np.bool_))
        if own and unfilled.any():
            forms += int(np.count_nonzero(unfilled))
            found |= {c.name: _emptied(c, unfilled) for c in own if c.name in boxes}
    if not forms:
        return table
    emptied = tuple(found[name] for name in table.names)
    notices = (*table.notices, T.UNFILLED_FORMS(count=forms))
    return replace(table, columns=emptied, notices=notices)


def _all_of(columns: Sequence[TextColumn], flags: Sequence[Flags], rows: int) -> Iterator[Flags]:
    """Yields of which rows, some after the other, every cell is flagged in its column."""
    for some in pieces_of(rows):
        held = flags[0][columns[0].codes[some]]
        for column, flag in zip(columns[1:], flags[1:], strict=True):
            if not held.any():
                break
            held &= flag[column.codes[some]]
        yield held


def _without(column: TextColumn, left_out: Flags) -> TextColumn:
    kept = (column.codes[some][~left_out[some]] for some in pieces_of(column.rows))
    codes = chunked_values(kept, column.codes.dtype, column.name)
    return TextColumn(column.name, codes, column.dictionary)


def _emptied(column: TextColumn, rows: Flags) -> TextColumn:
    """Returns a column of few texts with empty cells in some rows."""
    texts = [*column.distinct, ""]
    empty = texts.index("")
    codes = column.codes_by(np.arange(len(texts)), len(texts)).copy()
    codes[rows] = empty
    return TextColumn(column.name, codes, pa.array(texts[: max(empty + 1, len(texts) - 1)]))
