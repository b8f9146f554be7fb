"""The rows of each person of a table: in their order, and joined into one.

Who has which rows is found in one pass, without sorting. To join them, four bytes are held in
memory for each person and joined row, and one joined column at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.data.encoding import UNREADABLE
from dpdesk.data.joined_rows import JoinedRows
from dpdesk.data.spool import chunked_values, scratch
from dpdesk.data.table import Flags, SurveyTable, TextColumn
from dpdesk.errors import InputError
from dpdesk.numbers.arrays import pieces_of

Numbers = npt.NDArray[np.int64]
Rows = npt.NDArray[np.int32]
"""Numbers of rows from 0; -1 for none."""


def ranked_rows(persons: TextColumn, pieces: Iterable[slice]) -> Iterator[tuple[slice, Numbers]]:
    """Yields rows, piece by piece, and how many rows of the same person come before each.

    Args:
        persons: The person of each row.
        pieces: All rows, in their order.
    """
    # There may be as many persons as rows.
    before = scratch(persons.distinct_count, np.dtype(np.int32), persons.name)
    for some in pieces:
        whose = persons.codes[some].astype(np.int64)
        order = np.argsort(whose, kind="stable")
        found, starts, counts = np.unique(whose[order], return_index=True, return_counts=True)
        rank = np.empty(whose.size, dtype=np.int64)
        rank[order] = np.arange(whose.size) - np.repeat(starts, counts)
        yield some, rank + before[whose]
        before[found] += counts.astype(np.int32)


def join_rows(table: SurveyTable, joining: JoinedRows) -> SurveyTable:
    """Returns a table with one row for each person, in the order of their first rows.

    Rows that name no person are left out: they could be anybody's.

    Args:
        table: The table, with its questions joined.
        joining: Which rows are one person's.

    Raises:
        InputError: The table lacks a column that is named.
    """
    persons = _persons(table, joining)
    nobody = _names_nobody(persons, table)
    row_of = scratch(persons.distinct_count * joining.most, np.dtype(np.int32), persons.name)
    row_of = row_of.reshape(-1, joining.most)
    for some, rank in ranked_rows(persons, pieces_of(persons.rows)):
        whose = persons.codes[some]
        own = np.flatnonzero((rank < joining.most) & ~nobody[whose])
        row_of[whose[own], rank[own]] = own + some.start + 1
    people = np.flatnonzero(row_of[:, 0])
    row_of = row_of[people[np.argsort(row_of[people, 0])]] - 1
    made, columns, described = joining.columns_of(table.names), [], dict(table.described)
    for column in table.columns:
        names = made[column.name]
        if names == (column.name,):
            columns.append(_taken(column, _first_answered(column, row_of), column.name))
            continue
        columns += [_taken(column, rows, name) for name, rows in zip(names, row_of.T, strict=True)]
        if column.name in described:
            described |= dict.fromkeys(names, described.pop(column.name))
    more = int(np.count_nonzero(persons.counts[~nobody] > joining.most))
    said = (
        f"The first {joining.most} rows of a person are joined; {more:,} of {len(row_of):,} people "
        "have more."
    )
    return replace(
        table,
        columns=tuple(columns),
        rows=len(row_of),
        described=described,
        notices=(*table.notices, *([said] if more else [])),
    )


def suggest_joining(table: SurveyTable, by: str, most: int) -> JoinedRows:
    """Suggests how the rows of each person are joined: which columns they have once.

    Those are the columns in which the answers of each person do not differ; an empty cell is none.
    This looks at the answers: it is for a person to confirm.

    Args:
        table: The table, its rows not joined.
        by: The column that names the person of each row.
        most: Most rows of a person that are joined.

    Raises:
        InputError: The table lacks this column.
    """
    joining = JoinedRows(by=by, most=most)
    persons = _persons(table, joining)
    nobody = _names_nobody(persons, table)
    same = (c.name for c in table.columns if c is not persons and _is_same(c, persons, nobody))
    return joining.model_copy(update={"same": tuple(same)})


def _persons(table: SurveyTable, joining: JoinedRows) -> TextColumn:
    for name in (joining.by, *joining.same):
        if name not in table.names:
            raise InputError(
                f"{table.name} has no column {name}, by which rows are joined.",
                column=name,
                remedy="Open the file that the plan was made for, or correct --join-rows.",
            )
    return table.column(joining.by)


def _names_nobody(persons: TextColumn, table: SurveyTable) -> Flags:
    blank: Flags = persons.blank | persons.among(table.reading.missing)
    return blank | persons.holding(UNREADABLE)


def _is_same(column: TextColumn, persons: TextColumn, nobody: Flags) -> bool:
    """Whether no person has two different answers in a column."""
    first = scratch(persons.distinct_count, np.dtype(np.int32), persons.name)
    for some in pieces_of(column.rows):
        answers, whose = column.codes[some], persons.codes[some]
        own = np.flatnonzero(~column.blank[answers] & ~nobody[whose])
        answers, whose = answers[own].astype(np.int32) + 1, whose[own]
        found, places = np.unique(whose, return_index=True)
        is_new = first[found] == 0
        first[found[is_new]] = answers[places[is_new]]
        if np.any(first[whose] != answers):
            return False
    return True


def _first_answered(column: TextColumn, row_of: Rows) -> Rows:
    """Returns the first row of each person in which the column has an answer."""
    rows: Rows = row_of[:, 0].copy()
    for later in row_of.T[1:]:
        is_blank = column.blank[column.codes[rows]] & (later >= 0)
        rows[is_blank] = later[is_blank]
    return rows


def _taken(column: TextColumn, rows: Rows, name: str) -> TextColumn:
    """Returns the answers of some rows, an empty cell for none, on disk where they are many."""
    pieces = []
    for some in pieces_of(len(rows)):
        codes = pa.array(column.codes[rows[some]], mask=rows[some] < 0)
        pieces.append(column.dictionary.take(codes).fill_null("").dictionary_encode())
    kind = pa.dictionary(pa.int32(), column.dictionary.type)
    taken = TextColumn.from_chunks(name, pa.chunked_array(pieces, type=kind))
    return TextColumn(
        name, chunked_values(taken.chunks(), taken.codes.dtype, name), taken.dictionary
    )
