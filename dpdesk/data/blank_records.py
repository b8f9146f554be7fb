"""Records without any answer, which are no respondents.

A spreadsheet that once held more rows writes them as lines of delimiters, and every program that
reads such a file hands them on. So they are left out of a table of any format, of which one record
alone decides: its cells are all empty.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from dpdesk.data.spool import chunked_values
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.numbers.arrays import pieces_of


def drop_blank_records(table: SurveyTable) -> SurveyTable:
    """Returns a table without the records whose cells are all empty, and says how many there were.

    With a single column, an empty cell is an answer that was not given.
    """
    if len(table.columns) == 1:
        return table
    # Most files have a column of few texts in which no cell is empty.
    columns = sorted(table.columns, key=lambda column: column.distinct_count)
    if not all(column.blank.any() for column in columns):
        return table
    is_blank = chunked_values(_blank_rows(columns, table.rows), np.dtype(np.bool_))
    blank = int(np.count_nonzero(is_blank))
    if not blank:
        return table
    said = "1 row without any answer was" if blank == 1 else f"{blank:,} rows without answers were"
    return replace(
        table,
        columns=tuple(_without(column, is_blank) for column in table.columns),
        rows=table.rows - blank,
        notices=(*table.notices, f"{said} left out: all cells are empty."),
    )


def _blank_rows(columns: list[TextColumn], rows: int) -> Iterator[Flags]:
    for some in pieces_of(rows):
        blank = columns[0].blank[columns[0].codes[some]]
        for column in columns[1:]:
            if not blank.any():
                break
            blank &= column.blank[column.codes[some]]
        yield blank


def _without(column: TextColumn, left_out: Flags) -> TextColumn:
    kept = (column.codes[some][~left_out[some]] for some in pieces_of(column.rows))
    codes = chunked_values(kept, column.codes.dtype, column.name)
    return TextColumn(column.name, codes, column.dictionary)
