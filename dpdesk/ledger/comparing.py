"""A new table, compared with known files: does it have their rows more often than by chance?

What is computed from the new table (its rows by some of its columns, the order of a column,
combinations of answers) is cached as long as the table, since known files of one survey need the
same. The rows of a long table are not: they are looked through again, in pieces.

Other people of the same kind give the same answers too. How often is estimated from the new table
itself: a row of somebody else is found in it as often as its own rows occur again in it (Good 1953,
by Turing's argument: 1 - (rows that occur once) / rows). If the known file holds only some kinds of
people, it is estimated from the rows of those kinds.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from dpdesk.numbers.arrays import Codes

_CONTROLS = 20_000
"""Rows of the new table from which the level of chance is read."""

_KEPT_ROWS = 1 << 20
"""Rows of the longest table whose rows are sorted and cached; those of a longer one are looked
through, so that the memory does not grow with the table."""

_KEPT_WORDS = 1 << 23
"""Rows of the new table that are cached at a time, by whichever columns: 64 MB."""

_FLAGS = 1 << 20
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
        is_short = self.table.rows <= _KEPT_ROWS
        occurrences = self._sorted_rows(columns) if is_short else partial(self._passed, columns)
        controls = occurrences(self._digests(columns, self.controls))
        found = RowCounts(occurrences, controls, _copies(controls))
        self._rows[columns] = found
        if is_short and len(self._rows) > max(_KEPT_WORDS // self.table.rows, 4):
            self._rows.popitem(last=False)
        return found

    def _digests(self, columns: tuple[int, ...], rows: slice | NDArray[np.int64]) -> Words:
        """Returns the digests of some rows by some of the columns."""
        first, *others = columns
        total = self._tagged[first][self.table.columns[first].codes(rows)]
        for number in others:
            total += self._tagged[number][self.table.columns[number].codes(rows)]
        return total

    def _sorted_rows(self, columns: tuple[int, ...]) -> Callable[[Words], NDArray[np.int64]]:
        """Sorts all rows; what it returns looks up how often some of them occur."""
        rows, counts = np.unique(self._digests(columns, slice(None)), return_counts=True)

        def occurrences(wanted: Words) -> NDArray[np.int64]:
            places = np.minimum(np.searchsorted(rows, wanted), rows.size - 1)
            return np.where(rows[places] == wanted, counts[places], 0)

        return occurrences

    def _passed(self, columns: tuple[int, ...], wanted: Words) -> NDArray[np.int64]:
        """Looks through all rows and counts how often some occur."""
        distinct, place_of = np.unique(wanted, return_inverse=True)
        counts = np.zeros(distinct.size, dtype=np.int64)
        # Most rows are none of these, which a part of their digests tells.
        part, flags = np.uint64(_FLAGS - 1), np.zeros(_FLAGS, dtype=np.bool_)
        flags[distinct & part] = True
        for piece in hashed_pieces(self.table.rows):
            self.tick()
            rows = self._digests(columns, piece)
            rows = rows[flags[rows & part]]
            places = np.minimum(np.searchsorted(distinct, rows), distinct.size - 1)
            counts += np.bincount(places[distinct[places] == rows], minlength=distinct.size)
        return counts[place_of]

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
                answers[at] == column.answers, coded.counts[positions[at]] / coded.rows, 0.0
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


def _tagged(column: CodedColumn, number: int) -> Words:
    """Returns digests of answers with their questions; their sums are digests of rows."""
    return scrambled(column.digests + np.uint64((number * 0x9E3779B97F4A7C15 + 1) % 2**64))


def _copies(controls: NDArray[np.int64]) -> int:
    """Returns how many times a table has every row, from how often control rows occur."""
    for copies in range(_COPIES_MOST, 1, -1):
        if np.mean(controls % copies == 0) >= _COPIED:
            return copies
    return 1


_LEAST_EVIDENCE = 25.0
"""Twice the log-likelihood ratio against chance, after subtracting three standard errors."""

_ERRORS = 3.0
_LEAST_SHARE = 0.2
"""Share of the rows of one of the two files that the other one must have."""

_LEAST_OF_SAMPLE = 0.004
_STRATUM = 10
_QUESTIONS = 4
_KEPT_SHARE = 0.8
_ANSWERS_MOST, _KINDS_MOST = 1_000, 64
_LEFT_OUT_MOST = 40
_CELLS = 30_000_000
"""Cells of the new table that may be read again without one or two of its columns."""


@dataclass(frozen=True, slots=True)
class CommonRows:
    """Comparison of the rows that two files have in common.

    Attributes:
        of_known: Share of the rows of the known file that the new one has, beyond chance.
        of_new: Share of the rows of the new file that the known one has, beyond chance.
        evidence: Twice the log-likelihood ratio against the level of chance.
        columns: Number of columns compared.
    """

    of_known: float
    of_new: float
    evidence: float
    columns: int

    @property
    def counts(self) -> bool:
        """Whether they share more rows than chance explains, and more than a few."""
        share = max(self.of_known, self.of_new)
        is_large = share >= _LEAST_SHARE and self.of_known >= _LEAST_OF_SAMPLE
        return is_large and self.evidence >= _LEAST_EVIDENCE


@dataclass(frozen=True, slots=True, eq=False)
class _Strata:
    """Kinds of people within which chance is the same.

    Attributes:
        controls: The kind of each control row of the new table.
        sampled: The kind of each sampled row of the known file.
        is_compared: Whether the new table has enough people of a sampled row's kind.
        count: A number above those of all kinds.
    """

    controls: NDArray[np.int64]
    sampled: NDArray[np.int64]
    is_compared: NDArray[np.bool_]
    count: int


def common_rows(new: Compared, known: FileSketch, matches: tuple[Match, ...]) -> CommonRows | None:
    """Looks up the sampled rows of a known file by the columns that both files have.

    A column of the same name may have been changed: so the columns are also tried without those
    whose answers are partly unknown, and without each one or two of them.

    Args:
        new: The new table.
        known: The known file.
        matches: The matching columns.

    Returns:
        The best comparison that counts, or None.
    """
    distinctive = tuple(
        match
        for match in matches
        if not new.table.columns[match.new].is_serial and not known.columns[match.known].is_serial
    )
    if not distinctive:
        return None
    strata = _strata(new, distinctive)
    whole = (
        distinctive,
        tuple(match for match in distinctive if match.found > 1 - _LEAST_SHARE / 2),
    )
    results = [_looked_up(new, known, some, strata) for some in dict.fromkeys(whole) if some]
    counting = [common for common in results if common.counts]
    if not counting:
        for some in _left_out(distinctive, new.table.rows):
            common = _looked_up(new, known, some, strata)
            if common.counts:
                return common
    return max(counting, key=lambda common: common.evidence, default=None)


def _left_out(matches: tuple[Match, ...], rows: int) -> list[tuple[Match, ...]]:
    """Returns the columns without each one and, as far as time allows, without each two."""
    size = len(matches)
    if not 2 < size <= _LEFT_OUT_MOST:
        return []
    every = range(size)
    gone = [{i} for i in every] + [{i, j} for i in every for j in range(i) if size > 3]
    most = max(_CELLS // (rows * size), size)
    return [tuple(matches[i] for i in every if i not in out) for out in gone[:most]]


def _looked_up(
    new: Compared, known: FileSketch, matches: tuple[Match, ...], strata: _Strata
) -> CommonRows:
    by = new.rows_by(tuple(match.new for match in matches))
    rows, possible = new.known_rows(matches)
    hit = ((by.occurrences(rows) > 0) & possible)[strata.is_compared]
    if not hit.size:
        return CommonRows(0.0, 0.0, 0.0, len(matches))
    by_chance, error = _chance(by, new.copies, strata)
    expected = min(by_chance + _ERRORS * error + new.copies / new.table.rows, 1.0)
    share = float(hit.mean())
    evidence = 2 * hit.size * _divergence(share, expected) if share > expected else 0.0
    beyond = max((share - by_chance) / (1 - by_chance), 0.0) if by_chance < 1 else 0.0
    of_known = beyond * hit.size / strata.is_compared.size
    of_new = min(of_known * known.rows * new.copies / new.table.rows, 1.0)
    return CommonRows(of_known, of_new, evidence, len(matches))


def _chance(by: RowCounts, copies: int, strata: _Strata) -> tuple[float, float]:
    """Returns the share of rows of other people that the new table has, and its standard error."""
    count = strata.count
    # In a table that has every row twice, a row that occurs twice is one person.
    is_single, is_double = by.controls <= copies, by.controls <= 2 * copies
    each = np.bincount(strata.controls, minlength=count) / copies
    singles = np.bincount(strata.controls, is_single, count) / copies
    doubles = np.bincount(strata.controls, is_double & ~is_single, count) / copies
    share = (each - singles + 0.5) / (each + 1)
    sampled = strata.sampled[strata.is_compared]
    weights = np.bincount(sampled, minlength=count) / sampled.size
    squared = weights**2 @ _variance(singles, doubles, each)
    return float(weights @ share), math.sqrt(float(squared))


def _variance(once: Any, twice: Any, size: Any) -> Any:
    """Returns the variance of Good's estimate: (N1 (1 - N1 / n) + 2 N2) / n^2 (Esty 1983)."""
    return (once * (1 - once / np.maximum(size, 1)) + 2 * twice + 1) / (size + 1) ** 2


def _strata(new: Compared, matches: tuple[Match, ...]) -> _Strata:
    """Divides people by the questions in whose answers the known file differs most."""
    differing = [(d, match) for match in matches if (d := _difference(new, match)) > 0]
    differing.sort(key=lambda pair: -pair[0])
    controls = np.zeros(new.controls.size, dtype=np.int64)
    sampled = np.zeros(matches[0].codes.size, dtype=np.int64)
    strata = _grouped(new, controls, sampled)
    for _, match in differing[:_QUESTIONS]:
        column = new.table.columns[match.new]
        finer = _grouped(
            new,
            strata.controls * column.digests.size + column.codes(new.controls),
            np.where(
                (match.codes < 0) | ~strata.is_compared,
                -1,
                strata.sampled * column.digests.size + match.codes,
            ),
        )
        is_first = strata.count == 1
        if is_first or finer.is_compared.mean() >= _KEPT_SHARE * strata.is_compared.mean():
            strata = finer
    return strata


def _grouped(new: Compared, controls: NDArray[np.int64], sampled: NDArray[np.int64]) -> _Strata:
    """Numbers the kinds of people that the new table has; others are not compared."""
    kinds, numbers, sizes = np.unique(controls, return_inverse=True, return_counts=True)
    places = np.minimum(np.searchsorted(kinds, sampled), kinds.size - 1)
    is_large = sizes >= min(_STRATUM, new.table.rows // 2)
    is_compared = (kinds[places] == sampled) & is_large[places]
    return _Strata(numbers, places, is_compared, kinds.size)


def _difference(new: Compared, match: Match) -> float:
    """Returns how far the answers to a question are from those in the new table.

    Returns:
        Half the sum of the differences of shares; 0 if chance can explain them, or if the question
        has too many answers to distinguish kinds of people.
    """
    column = new.table.columns[match.new]
    size = column.digests.size
    if not 2 <= size <= _ANSWERS_MOST:
        return 0.0
    seen = np.bincount(match.codes + 1, minlength=size + 1)
    here = np.concatenate([[0], column.counts])
    if size > _KINDS_MOST and (here >= _STRATUM) @ seen < seen.sum() / 2:
        return 0.0
    each = 1 / seen.sum() + 1 / here.sum()
    usual = np.maximum((seen + here) / (seen.sum() + here.sum()), 1e-12)
    differences = seen / seen.sum() - here / here.sum()
    statistic = float((differences**2 / usual).sum() / each)
    is_chance = statistic <= size + _ERRORS * math.sqrt(2 * size)
    return 0.0 if is_chance else float(np.abs(differences).sum() / 2)


def _divergence(share: float, expected: float) -> float:
    """Returns the Kullback-Leibler divergence of two chances, in nats."""
    divergence = share * math.log(share / expected) if share else 0.0
    if share < 1:
        divergence += (1 - share) * math.log((1 - share) / (1 - expected)) if expected < 1 else 0.0
    return divergence
