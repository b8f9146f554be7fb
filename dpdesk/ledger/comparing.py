"""A new table, prepared to be compared with any number of known files.

What is computed from it (its rows by some of its columns, the order of a column, combinations of
answers) is cached as long as the table, since known files of one survey need the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.ledger.fingerprint import CodedColumn, CodedTable, Codes, Short, Words, scrambled
from dpdesk.ledger.sketch import (
    Combinations,
    FileSketch,
    SampledColumn,
    few_answers,
    smallest_windows,
)

_CONTROLS = 20_000
"""Rows of the new table from which the level of chance is read."""

_KEPT_WORDS = 1 << 24
"""Rows of the new table that are cached at a time, by whichever columns: 128 MB."""

_COPIES_MOST = 4
_COPIED = 0.9
_WINDOWS = 4_096
_COMBINATIONS_MOST = 1 << 14

_NAMED_OVERLAP = 0.02
_UNNAMED_OVERLAP = 0.8
_UNNAMED_DISTANCE = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class RowCounts:
    """The rows of a table by some of its columns.

    Attributes:
        rows: Digests of the distinct rows, sorted.
        controls: How often the row of each control row occurs.
        copies: How many times the table has every row: 1, or more where the file was doubled.
    """

    rows: Words
    controls: NDArray[np.int64]
    copies: int

    def has(self, wanted: Words) -> NDArray[np.bool_]:
        """Returns which rows occur."""
        places = np.minimum(np.searchsorted(self.rows, wanted), self.rows.size - 1)
        found: NDArray[np.bool_] = self.rows[places] == wanted
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A column of a known file and its counterpart in the new table.

    Attributes:
        known: Position in the known file.
        new: Position in the new table.
        codes: For each sampled row the code of its answer in the new column, or -1.
        found: Share of the sampled rows whose answer occurs in the new column.
    """

    known: int
    new: int
    codes: Codes
    found: float


class Compared:
    """A new table with its cached intermediate results.

    Args:
        table: The table.
        tick: Called now and then; may raise to stop.
    """

    def __init__(self, table: CodedTable, tick: Callable[[], None]) -> None:
        self.table = table
        self.tick = tick
        self.controls = table.sample(_CONTROLS)
        self._tagged = [_tagged(column, i) for i, column in enumerate(table.columns)]
        self._by_name = {column.name: i for i, column in enumerate(table.columns)}
        self._answers: dict[int, tuple[Short, NDArray[np.int64]]] = {}
        self._rows: OrderedDict[tuple[int, ...], RowCounts] = OrderedDict()
        self._windows: dict[tuple[int, int], Words] = {}
        self._joint: dict[tuple[int, ...], Combinations | None] = {}
        self._columns_of: dict[int, list[int]] | None = None
        self._copies = 0

    @property
    def copies(self) -> int:
        """How many times the table has every row: more than 1 if the file was duplicated."""
        if not self._copies:
            compared = tuple(i for i, c in enumerate(self.table.columns) if not c.is_serial)
            self._copies = self.rows_by(compared).copies if compared else 1
        return self._copies

    def rows_by(self, columns: tuple[int, ...]) -> RowCounts:
        """Returns the rows by some of the columns, given by their positions in order."""
        known = self._rows.get(columns)
        if known is not None:
            self._rows.move_to_end(columns)
            return known
        self.tick()
        total = np.zeros(self.table.rows, dtype=np.uint64)
        for number in columns:
            total += self._tagged[number][self.table.columns[number].codes]
        rows, counts = np.unique(total, return_counts=True)
        controls = counts[np.searchsorted(rows, total[self.controls])]
        found = RowCounts(rows, controls, _copies(counts))
        self._rows[columns] = found
        if len(self._rows) > max(_KEPT_WORDS // self.table.rows, 4):
            self._rows.popitem(last=False)
        return found

    def let_go(self) -> None:
        """Frees large arrays, which are recomputed when needed."""
        self._rows.clear()
        self._windows.clear()
        self._joint.clear()

    def known_rows(self, matches: tuple[Match, ...]) -> tuple[Words, NDArray[np.bool_]]:
        """Returns the sampled rows of a known file as rows of the new table.

        Returns:
            Their digests, and which of them have only answers that occur in the new table.
        """
        total = np.zeros(matches[0].codes.size, dtype=np.uint64)
        possible = np.ones(total.size, dtype=np.bool_)
        for match in matches:
            total += self._tagged[match.new][match.codes]
            possible &= match.codes >= 0
        return total, possible

    def combinations(self, columns: tuple[int, ...]) -> Combinations | None:
        """Returns the combinations of answers to some questions; None if there are too many."""
        if columns not in self._joint:
            self.tick()
            self._joint[columns] = self._crossed(columns)
        return self._joint[columns]

    def windows(self, column: int, length: int) -> Words:
        """Returns the smallest digests of the windows of a column."""
        if (column, length) not in self._windows:
            self.tick()
            coded, found = self.table.columns[column], np.empty(0, dtype=np.uint64)
            if few_answers(coded) and coded.codes.size >= 2 * length:
                found = smallest_windows(coded, length, _WINDOWS)
            self._windows[column, length] = found
        return self._windows[column, length]

    def matches(self, known: FileSketch) -> tuple[Match, ...]:
        """Finds the columns of a known file in the new table: by name, else by their answers."""
        found, taken, unnamed = [], set(), []
        for number, column in enumerate(known.columns):
            place = self._by_name.get(column.name)
            if place is None or place in taken:
                unnamed.append(number)
                continue
            taken.add(place)
            match = self._match(number, column, place)
            if match.found >= _NAMED_OVERLAP:
                found.append(match)
        free = {i for i in range(len(self.table.columns)) if i not in taken}
        for number in unnamed:
            if not free:
                break
            best = self._alike(number, known.columns[number], free)
            if best is not None:
                free.discard(best.new)
                found.append(best)
        return tuple(sorted(found, key=lambda match: match.new))

    def _match(self, number: int, column: SampledColumn, place: int) -> Match:
        answers, positions = self._sorted_answers(place)
        at = np.minimum(np.searchsorted(answers, column.answers), answers.size - 1)
        code_of = np.where(answers[at] == column.answers, positions[at], -1).astype(np.int32)
        codes = code_of[column.codes]
        return Match(number, place, codes, float(np.mean(codes >= 0)))

    def _alike(self, number: int, column: SampledColumn, free: set[int]) -> Match | None:
        """Finds a renamed column: one that has the answers nearly as often."""
        if column.answers.size < 2:
            return None
        shares = np.bincount(column.codes, minlength=column.answers.size) / column.codes.size
        usual = int(column.answers[shares.argmax()])
        best, least = None, _UNNAMED_DISTANCE
        for place in self._having(usual):
            if place not in free:
                continue
            match = self._match(number, column, place)
            if match.found < _UNNAMED_OVERLAP:
                continue
            coded = self.table.columns[place]
            answers, positions = self._sorted_answers(place)
            at = np.minimum(np.searchsorted(answers, column.answers), answers.size - 1)
            others = np.where(
                answers[at] == column.answers, coded.counts[positions[at]] / coded.codes.size, 0.0
            )
            distance = float(np.abs(shares - others).max())
            if distance < least:
                best, least = match, distance
        return best

    def _having(self, answer: int) -> list[int]:
        """Returns the columns that have an answer."""
        if self._columns_of is None:
            self._columns_of = {}
            for number in range(len(self.table.columns)):
                for each in self._sorted_answers(number)[0].tolist():
                    self._columns_of.setdefault(each, []).append(number)
        return self._columns_of.get(answer, [])

    def _sorted_answers(self, number: int) -> tuple[Short, NDArray[np.int64]]:
        if number not in self._answers:
            short = self.table.columns[number].short
            positions = np.argsort(short)
            self._answers[number] = (short[positions], positions)
        return self._answers[number]

    def _crossed(self, columns: tuple[int, ...]) -> Combinations | None:
        whole: Combinations | None = None
        for number in columns:
            column = self.table.columns[number]
            size = column.digests.size * (1 if whole is None else whole.counts.size)
            if size > _COMBINATIONS_MOST:
                return None
            whole = Combinations.of(column) if whole is None else whole.crossed(column)
        return whole


def _tagged(column: CodedColumn, number: int) -> Words:
    """Returns digests of answers with their questions; their sums are digests of rows."""
    return scrambled(column.digests + np.uint64((number * 0x9E3779B97F4A7C15 + 1) % 2**64))


def _copies(counts: NDArray[np.int64]) -> int:
    whole = counts.sum()
    for copies in range(_COPIES_MOST, 1, -1):
        if counts[counts % copies == 0].sum() >= _COPIED * whole:
            return copies
    return 1
