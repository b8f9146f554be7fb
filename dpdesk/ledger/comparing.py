"""A new table as known files are compared with it: its rows, orders and combinations of answers.

What is computed from the new table (its rows by some of its columns, the order of a column,
combinations of answers) is cached as long as the table, since known files of one survey need the
same. The rows of a long table are not: they are looked through again, in pieces.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from math import prod

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.spool import chunked_values, scratch
from dpdesk.ledger.fingerprint import (
    CodedColumn,
    CodedTable,
    Short,
    Words,
    hashed_pieces,
    scrambled,
)
from dpdesk.ledger.sketch import (
    Combinations,
    FileSketch,
    SampledColumn,
    few_answers,
    smallest_windows,
)
from dpdesk.numbers.arrays import Codes, pieces_of

_CONTROLS = 20_000
"""Rows of the new table from which the level of chance is read."""

_KEPT_ROWS = 1 << 18
"""Rows of the longest table whose rows are sorted and cached; those of a longer one are looked
through, so that the memory does not grow with the table."""

_KEPT_WORDS = 1 << 23
"""Rows of the new table that are cached at a time, by whichever columns: 64 MB."""

_FLAGS = 8
_HALF = np.uint64(32)
_AT_ONCE = 4
"""Lists of rows that are looked up in one pass, a megabyte each."""
_NO_WORDS: Words = np.empty(0, dtype=np.uint64)
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
        occurrences: Returns how often each of some rows, given by digests, occurs.
        controls: How often the row of each control row occurs.
        copies: How many times the table has every row: 1, or more where the file was doubled.
    """

    occurrences: Callable[[Words], NDArray[np.int64]]
    controls: NDArray[np.int64]
    copies: int


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
        self._answers: dict[int, Words] = {}
        self._rows: OrderedDict[tuple[int, ...], RowCounts] = OrderedDict()
        self._found: dict[tuple[int, ...], dict[bytes, NDArray[np.int64]]] = {}
        self._windows: dict[tuple[int, int], Words] = {}
        self._joint: dict[tuple[int, ...], Combinations | None] = {}
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
        if not self._is_listed(columns):
            self.look_through([(columns, _NO_WORDS)])
            return self._rows[columns]
        occurrences = _counted(*self._listed(columns))
        controls = occurrences(self._digests(columns, self.controls))
        found = RowCounts(occurrences, controls, _copies(controls))
        self._rows[columns] = found
        is_short = self.table.rows <= _KEPT_ROWS
        if is_short and len(self._rows) > max(_KEPT_WORDS // self.table.rows, 4):
            self._rows.popitem(last=False)
        return found

    def look_through(self, asked: Iterable[tuple[tuple[int, ...], Words]]) -> None:
        """Makes ready what will be asked of `rows_by`, in few passes over all rows of a long table.

        Args:
            asked: Columns, and the digests of rows by them that will be looked up.
        """
        new = [
            (columns, rows)
            for columns, rows in asked
            if not self._is_listed(columns)
            and (columns not in self._rows or rows.tobytes() not in self._found[columns])
        ]
        for start in range(0, len(new), _AT_ONCE):
            self._pass(new[start : start + _AT_ONCE])

    def _pass(self, asked: Sequence[tuple[tuple[int, ...], Words]]) -> None:
        seekers = [
            _Sought(
                rows
                if columns in self._rows
                else np.concatenate([rows, self._digests(columns, self.controls)])
            )
            for columns, rows in asked
        ]
        every = {number for columns, _ in asked for number in columns}
        for piece in hashed_pieces(self.table.rows):
            self.tick()
            tags = {n: self._tagged[n][self.table.columns[n].codes(piece)] for n in every}
            whole = _sum(tags.values())
            for (columns, _), sought in zip(asked, seekers, strict=True):
                others = every.difference(columns)
                if len(others) < len(columns):
                    sought.count(whole - _sum(tags[n] for n in others) if others else whole)
                else:
                    sought.count(_sum(tags[n] for n in columns))
        for (columns, rows), sought in zip(asked, seekers, strict=True):
            if columns not in self._rows:
                controls, found = sought.counts[rows.size :], partial(self._looked_up, columns)
                self._rows[columns] = RowCounts(found, controls, _copies(controls))
            self._found.setdefault(columns, {})[rows.tobytes()] = sought.counts[: rows.size]

    def _looked_up(self, columns: tuple[int, ...], rows: Words) -> NDArray[np.int64]:
        """How often some rows occur in a long table."""
        self.look_through([(columns, rows)])
        return self._found[columns][rows.tobytes()]

    def _are_few(self, columns: tuple[int, ...]) -> bool:
        sizes = (self.table.columns[number].digests.size for number in columns)
        return prod(sizes) <= _COMBINATIONS_MOST

    def _is_listed(self, columns: tuple[int, ...]) -> bool:
        """Whether a list of the distinct rows by some columns fits in memory."""
        return self.table.rows <= _KEPT_ROWS or self._are_few(columns)

    def _listed(self, columns: tuple[int, ...]) -> tuple[Words, NDArray[np.int64]]:
        """Returns the distinct rows by some columns, sorted, and how often each occurs."""
        if not self._are_few(columns):
            return np.unique(self._digests(columns, slice(None)), return_counts=True)
        coded = [self.table.columns[number] for number in columns]
        shape = tuple(column.digests.size for column in coded)
        counts = np.zeros(prod(shape), dtype=np.int64)
        for piece in hashed_pieces(self.table.rows):
            codes = np.ravel_multi_index([column.codes(piece) for column in coded], shape)
            counts += np.bincount(codes, minlength=counts.size)
        occurring = np.flatnonzero(counts)
        answers = np.unravel_index(occurring, shape)
        rows = _sum(self._tagged[n][own] for n, own in zip(columns, answers, strict=True))
        order = np.argsort(rows)
        return rows[order], counts[occurring[order]]

    def _digests(self, columns: tuple[int, ...], rows: slice | NDArray[np.int64]) -> Words:
        """Returns the digests of some rows by some of the columns."""
        return _sum(self._tagged[n][self.table.columns[n].codes(rows)] for n in columns)

    def let_go(self) -> None:
        """Frees large arrays, which are recomputed when needed."""
        self._rows.clear()
        self._found.clear()
        self._windows.clear()
        self._joint.clear()

    def known_rows(self, matches: tuple[Match, ...]) -> tuple[Words, NDArray[np.bool_]]:
        """Returns the sampled rows of a known file as rows of the new table.

        Returns:
            Their digests, and which of them have only answers that occur in the new table.
        """
        possible = np.logical_and.reduce([match.codes >= 0 for match in matches])
        return _sum(self._tagged[match.new][match.codes] for match in matches), possible

    def combinations(self, columns: tuple[int, ...]) -> Combinations | None:
        """Returns the combinations of answers to some questions; None if there are too many."""
        if columns not in self._joint:
            self.tick()
            coded = [self.table.columns[number] for number in columns]
            self._joint[columns] = Combinations.of_all(coded, _COMBINATIONS_MOST)
        return self._joint[columns]

    def windows(self, column: int, length: int) -> Words:
        """Returns the smallest digests of the windows of a column."""
        if (column, length) not in self._windows:
            self.tick()
            coded, found = self.table.columns[column], np.empty(0, dtype=np.uint64)
            if few_answers(coded) and coded.rows >= 2 * length:
                found = smallest_windows(coded, length, _WINDOWS)
            self._windows[column, length] = found
        return self._windows[column, length]

    def matches(self, known: FileSketch) -> tuple[Match, ...]:
        """Finds the columns of a known file in the new table: by name, else by their answers."""
        found, taken, unnamed = [], set(), []
        for number, column in enumerate(known.columns):
            place = self._by_name.get(column.name)
            if place is None or place in taken:
                # One in which all answers are the same is like any other.
                if column.answers.size > 1:
                    unnamed.append(number)
                continue
            taken.add(place)
            match = self._match(number, column, place)
            if match.found >= _NAMED_OVERLAP:
                found.append(match)
        free = {i for i in range(len(self.table.columns)) if i not in taken}
        for number, having in self._having(known, unnamed, sorted(free)):
            best = self._alike(number, known.columns[number], [i for i in having if i in free])
            if best is not None:
                free.discard(best.new)
                found.append(best)
        return tuple(sorted(found, key=lambda match: match.new))

    def _match(self, number: int, column: SampledColumn, place: int) -> Match:
        codes = self._places(place, column.answers)[column.codes]
        return Match(number, place, codes, float(np.mean(codes >= 0)))

    def _alike(self, number: int, column: SampledColumn, places: Iterable[int]) -> Match | None:
        """Finds a renamed column among some: one that has the answers nearly as often."""
        shares = column.counts / column.codes.size
        best, least = None, _UNNAMED_DISTANCE
        for place in places:
            match = self._match(number, column, place)
            if match.found < _UNNAMED_OVERLAP:
                continue
            coded = self.table.columns[place]
            its = self._places(place, column.answers)
            others = np.where(its >= 0, coded.counts[its] / coded.rows, 0.0)
            distance = float(np.abs(shares - others).max())
            if distance < least:
                best, least = match, distance
        return best

    def _having(
        self, known: FileSketch, numbers: Sequence[int], places: Sequence[int]
    ) -> Iterator[tuple[int, list[int]]]:
        """Yields some columns of a known file, and those of the table with their usual answer."""
        if not numbers or not places:
            return
        columns = [known.columns[number] for number in numbers]
        usual = np.array([c.answers[c.counts.argmax()] for c in columns], dtype=np.uint32)
        has = np.stack([self._places(place, usual) >= 0 for place in places])
        for number, own in zip(numbers, has.T, strict=True):
            yield number, [places[i] for i in np.flatnonzero(own).tolist()]

    def _places(self, number: int, answers: Short) -> Codes:
        """Returns the positions of some answers among those of a column; -1 for no such answer."""
        if number not in self._answers:
            column = self.table.columns[number]
            # Digest and position in one word, so that they are sorted together, and in place.
            packed: Words = scratch(column.digests.size, np.dtype(np.uint64))
            for some in pieces_of(packed.size):
                positions = np.arange(some.start, some.stop, dtype=np.uint64)
                packed[some] = (column.short(some).astype(np.uint64) << _HALF) | positions
            packed.sort()
            self._answers[number] = packed
        packed = self._answers[number]
        at = np.searchsorted(packed, answers.astype(np.uint64) << _HALF)
        found = packed[np.minimum(at, packed.size - 1)]
        is_there = (found >> _HALF) == answers
        return np.where(is_there, found.astype(np.uint32), -1).astype(np.int32)


def _counted(rows: Words, counts: NDArray[np.int64]) -> Callable[[Words], NDArray[np.int64]]:
    """Returns what says how often any rows occur, from sorted ones."""

    def occurrences(wanted: Words) -> NDArray[np.int64]:
        places = np.minimum(np.searchsorted(rows, wanted), rows.size - 1)
        return np.where(rows[places] == wanted, counts[places], 0)

    return occurrences


class _Sought:
    """Some rows, and how often they occur among those that were looked at.

    Args:
        rows: Their digests.
    """

    def __init__(self, rows: Words) -> None:
        self._distinct, self._place_of = np.unique(rows, return_inverse=True)
        self._counts = np.zeros(self._distinct.size, dtype=np.int64)
        # Most rows are none of these, which either half of their digests tells.
        flags = 1 << (_FLAGS * self._distinct.size).bit_length()
        self._part = np.uint64(flags - 1)
        self._first, self._second = (np.zeros(flags, dtype=np.bool_) for _ in range(2))
        self._first[self._distinct & self._part] = True
        self._second[(self._distinct >> _HALF) & self._part] = True

    def count(self, rows: Words) -> None:
        """Counts rows of the table."""
        rows = rows[self._first[rows & self._part]]
        rows = rows[self._second[(rows >> _HALF) & self._part]]
        places = np.minimum(np.searchsorted(self._distinct, rows), self._distinct.size - 1)
        met = places[self._distinct[places] == rows]
        self._counts += np.bincount(met, minlength=self._distinct.size)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each row occurred, in the order in which they were given."""
        return self._counts[self._place_of]


def _sum(tags: Iterable[Words]) -> Words:
    """Adds words up, modulo 2^64; of at least one column."""
    each = iter(tags)
    total = next(each).copy()
    for more in each:
        total += more
    return total


def _tagged(column: CodedColumn, number: int) -> Words:
    """Returns digests of answers with their questions; their sums are digests of rows."""
    tag = np.uint64((number * 0x9E3779B97F4A7C15 + 1) % 2**64)
    pieces = pieces_of(column.digests.size)
    return chunked_values((scrambled(column.digests[some] + tag) for some in pieces), tag.dtype)


def _copies(controls: NDArray[np.int64]) -> int:
    """Returns how many times a table has every row, from how often control rows occur."""
    for copies in range(_COPIES_MOST, 1, -1):
        if np.mean(controls % copies == 0) >= _COPIED:
            return copies
    return 1
