"""Classes: the records that are equal on some columns, and how many they are.

A column is an array of codes. The codes of several columns become one number in a mixed radix
before anything is sorted or counted, so that a million records and eight columns take a fraction
of a second. Where the product of the radices would leave 63 bits, the numbers so far are ranked
first, which leaves at most as many as there are records. Records beyond the first million are
looked at by the million, and classes beyond some millions are on the disk, as the codes are: what
is in memory then grows neither with the number of records nor with that of classes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.spool import Spool, chunked_values, code_type, counted_codes
from dpdesk.disclosure.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers import arrays
from dpdesk.numbers.arrays import Counts, Floats, RowNumbers, may_wait, pieces_of

Codes = NDArray[np.integer]

_SORTED_MOST = 1 << 20
"""Different numbers that are sorted together; more of them are sorted on the disk."""

_SUMMED_MOST = 1 << 22
"""Classes whose weights are summed together; of more, the records are looked at again."""

_LARGEST = 2**62
_COUNTED_MOST = 1 << 22
"""Up to so many different numbers are counted in a table, whatever the number of records."""
_PATTERNS_MOST = 1_000
"""Most combinations of missing cells that are compared; the time grows with their square."""


_Tally = tuple[NDArray[np.int64], Counts]
"""Different numbers in their order, and how often each occurs."""

_NONE: _Tally = (np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """One column of the records as codes.

    Attributes:
        name: Its name.
        codes: Code of each record, from 0 on; shape (n,).
        levels: Number of codes; some may not occur.
        missing: The code of a missing cell; -1 if there is none.
        numbers: The number that each code stands for, NaN for what is not a number; shape
            (levels,). None where the column does not hold numbers.
        is_ordered: Whether the codes are in the order of what they stand for.
    """

    name: str
    codes: Codes
    levels: int
    missing: int = -1
    numbers: Floats | None = None
    is_ordered: bool = False

    @cached_property
    def counts(self) -> Counts:
        """How often each code occurs; shape (levels,)."""
        chunks = (self.codes[rows] for rows in pieces_of(len(self.codes)))
        return counted_codes(chunks, self.levels, self.name)

    def recoded(self, code_of: NDArray[np.integer], levels: int, missing: int = -1) -> CodedColumn:
        """Returns the column with other codes, on disk where they take much room.

        Args:
            code_of: What each code becomes, shape (levels,); none is below 0.
            levels: Number of codes that there are then.
            missing: The code of a missing cell; -1 if there is none.
        """
        chunks = (code_of[self.codes[rows]] for rows in pieces_of(len(self.codes)))
        codes = chunked_values(chunks, code_type(levels), self.name)
        return CodedColumn(self.name, codes, levels, missing)

    @property
    def most_frequent(self) -> int:
        """The code of the most frequent answer; a missing cell is none, however many there are."""
        counts, behind = self.counts, self.missing + 1
        # The first one of several, as of all codes at once.
        parts = [(0, counts[: max(self.missing, 0)]), (behind, counts[behind:])]
        codes = [start + int(part.argmax()) for start, part in parts if part.size]
        return max(codes, key=counts.__getitem__, default=0)

    @property
    def occurring(self) -> int:
        """How many of its codes occur."""
        return int(np.count_nonzero(self.counts))


class Classes:
    """The classes of records that are equal on all of some columns.

    Args:
        columns: The columns; without any, all records are one class.
        rows: Number of records.
    """

    def __init__(self, columns: Sequence[CodedColumn], rows: int) -> None:
        self.rows = rows
        is_one_piece = rows <= arrays.ROWS_TOGETHER
        self._columns = tuple(columns) if is_one_piece else _within_radix(columns, rows)

    @cached_property
    def _numbers(self) -> tuple[NDArray[np.int64], int]:
        return mixed_radix(self._columns, self.rows)

    @cached_property
    def _tally(self) -> _Tally:
        """The number of each class and its size, in their order."""
        if self.rows <= arrays.ROWS_TOGETHER:
            return counted(*self._numbers)
        return _merged(self._parts())

    def _parts(self) -> Iterator[tuple[NDArray[np.int64], int]]:
        for rows in pieces_of(self.rows):
            part = [CodedColumn(c.name, c.codes[rows], c.levels) for c in self._columns]
            yield mixed_radix(part, rows.stop - rows.start)

    @property
    def keys(self) -> NDArray[np.int64]:
        """The codes of each class as one number: those of the last column count singly."""
        return self._tally[0]

    @property
    def sizes(self) -> Counts:
        """Number of records of each class, f; shape (classes,), in the order of `of_row`."""
        return self._tally[1]

    @cached_property
    def of_row(self) -> NDArray[np.int64]:
        """The class of each record; shape (n,)."""
        if self.rows <= arrays.ROWS_TOGETHER:
            return _ranked(*self._numbers)
        return self.as_column.codes.astype(np.int64)

    @cached_property
    def as_column(self) -> CodedColumn:
        """The class of each record as a column, on disk where it takes much room."""
        kind = code_type(self.count)
        if self.rows <= arrays.ROWS_TOGETHER:
            return CodedColumn("", self.of_row.astype(kind), self.count)
        ranks = (np.searchsorted(self.keys, numbers) for numbers, _ in self._parts())
        return CodedColumn("", chunked_values(ranks, kind), self.count)

    @property
    def alone(self) -> NDArray[np.int64]:
        """The records that are the only one of their class, in their order."""
        found = (
            rows.start + np.flatnonzero(self.sizes[self.as_column.codes[rows]] == 1)
            for rows in pieces_of(self.rows)
        )
        return chunked_values(found, np.dtype(np.int64))

    @cached_property
    def frequency(self) -> Counts:
        """Number of records in the class of each record, itself included; shape (n,)."""
        return self.sizes[self.of_row]

    @property
    def count(self) -> int:
        """Number of classes."""
        return len(self.sizes)

    @property
    def k(self) -> int:
        """Size of the smallest class; 0 without records."""
        return int(self.sizes.min()) if self.rows else 0

    @property
    def unique_rows(self) -> int:
        """Number of records that are the only one of their class: sample uniques."""
        return self.rows_below(2)

    def rows_below(self, k: int) -> int:
        """Number of records in classes of fewer than k records."""
        parts = (self.sizes[some] for some in pieces_of(self.count))
        return sum(int(sizes[sizes < k].sum()) for sizes in parts)

    def sums(self, weights: RowNumbers) -> Iterator[tuple[Counts, Floats]]:
        """Yields the sizes of some classes, and the sum of the weights in each, an estimate of F.

        Args:
            weights: The weight of each record.

        Yields:
            Shape (some,) each; in order all classes.
        """
        for some in pieces_of(self.count, _SUMMED_MOST):
            size = some.stop - some.start
            sums = np.zeros(size)
            for rows in pieces_of(self.rows):
                codes, own = self.as_column.codes[rows], weights[rows]
                if size < self.count:
                    inside = (codes >= some.start) & (codes < some.stop)
                    codes, own = codes[inside] - some.start, own[inside]
                sums += np.bincount(codes, weights=own, minlength=size)
            yield self.sizes[some], sums

    def code_of_each(self, column: CodedColumn) -> Codes:
        """Returns the code of each class in one of the columns that it is of, shape (classes,)."""
        found: Codes = np.zeros(self.count, dtype=column.codes.dtype)
        for rows in pieces_of(self.rows):
            found[self.as_column.codes[rows]] = column.codes[rows]
        return found


def _within_radix(columns: Sequence[CodedColumn], rows: int) -> tuple[CodedColumn, ...]:
    """Joins the first columns until one number holds the codes of all."""
    left = list(columns)
    while prod(max(column.levels, 1) for column in left) > _LARGEST:
        # No more codes than records: two columns of that always fit.
        left = [c if c.levels <= rows else Classes([c], rows).as_column for c in left]
        fits = [prod(max(c.levels, 1) for c in left[: n + 1]) <= _LARGEST for n in range(len(left))]
        count = sum(fits)
        left[:count] = [Classes(left[:count], rows).as_column]
    return tuple(left)


def _merged(parts: Iterable[tuple[NDArray[np.int64], int]]) -> _Tally:
    """Counts the different numbers of all parts together; many of them on the disk."""
    found: list[_Tally] = [_NONE]
    sorted_runs: list[_Tally] = []
    waiting = 0
    for numbers, radix in parts:
        found.append(counted(numbers, radix))
        waiting += len(found[-1][0])
        if not may_wait(waiting, len(found[0][0]), arrays.ROWS_TOGETHER):
            found, waiting = [_summed(found)], 0
        if len(found[0][0]) > _SORTED_MOST:
            sorted_runs.append(_laid_down(found))
            found = [_NONE]
    if not sorted_runs:
        return _summed(found)
    return _laid_down(_merged_runs([*sorted_runs, _summed(found)]))


def _merged_runs(runs: Sequence[_Tally]) -> Iterator[_Tally]:
    """Yields the different numbers of some runs in their order, each of which is in its order.

    Every so many numbers of each run are looked at to find where to cut all of them, so that what
    lies between two cuts is little.
    """
    step = max(1, _SORTED_MOST // (2 * len(runs)))
    marks = np.sort(np.concatenate([keys[::step] for keys, _ in runs]))
    cuts = np.unique(marks[len(runs) :: len(runs)])
    places = [np.concatenate([[0], np.searchsorted(keys, cuts), [len(keys)]]) for keys, _ in runs]
    for number in range(len(cuts) + 1):
        between = [slice(*own[number : number + 2].tolist()) for own in places]
        yield _summed([(k[own], c[own]) for (k, c), own in zip(runs, between, strict=True)])


def _laid_down(tallies: Iterable[_Tally]) -> _Tally:
    """Returns numbers and counts, one piece after the other, on the disk where they are many."""
    whole = np.dtype(np.int64)
    with closing(Spool(2)) as spool:
        for keys, counts in tallies:
            spool.append(0, keys)
            spool.append(1, counts)
        keys, counts = spool.finish([whole, whole])
    return keys, counts


def _summed(parts: Sequence[_Tally]) -> _Tally:
    keys = np.concatenate([own for own, _ in parts])
    if not keys.size:
        return _NONE
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    counts = np.concatenate([times for _, times in parts])[order]
    return keys[starts], np.add.reduceat(counts, starts)


def mixed_radix(columns: Sequence[CodedColumn], rows: int) -> tuple[NDArray[np.int64], int]:
    """Returns one number per record that is equal where all its codes are, and a bound on it.

    Args:
        columns: The columns.
        rows: Number of records.

    Returns:
        The numbers, shape (rows,), and the radix that all of them lie below.
    """
    keys = np.zeros(rows, dtype=np.int64)
    radix = 1
    for column in columns:
        levels = max(column.levels, 1)
        if radix * levels > _LARGEST:
            keys = _ranked(keys, radix)
            radix = int(keys.max(initial=-1)) + 1
        if radix * levels > _LARGEST:
            raise OverflowError(radix * levels)
        keys *= levels
        keys += column.codes
        radix *= levels
    return keys, radix


def _is_countable(radix: int, rows: int) -> bool:
    return radix <= max(_COUNTED_MOST, 4 * rows)


def _ranked(keys: NDArray[np.int64], radix: int) -> NDArray[np.int64]:
    """Returns the rank of each number among the different ones, in their order."""
    if not len(keys):
        return keys
    if _is_countable(radix, len(keys)):
        occurs = np.bincount(keys, minlength=1) > 0
        rank = np.cumsum(occurs, dtype=np.int64) - 1
        return rank[keys]
    order = np.argsort(keys)
    ordered = keys[order]
    starts = np.empty(len(keys), dtype=np.bool_)
    starts[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=starts[1:])
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[order] = np.cumsum(starts, dtype=np.int64) - 1
    return ranks


def counted(
    keys: NDArray[np.int64], radix: int, counts: Counts | None = None
) -> tuple[NDArray[np.int64], Counts]:
    """Returns the different numbers in their order, and how often each occurs.

    Args:
        keys: The numbers.
        radix: A bound that all of them lie below.
        counts: How often each one counts; once if None.
    """
    if _is_countable(radix, len(keys)):
        every = np.bincount(keys, weights=counts)
        different = np.flatnonzero(every)
        return different, every[different].astype(np.int64, copy=False)
    if counts is None:
        return np.unique(keys, return_counts=True)
    different, rank = np.unique(keys, return_inverse=True)
    return different, np.bincount(rank, weights=counts).astype(np.int64)


def frequencies_matching_missing(
    columns: Sequence[CodedColumn], rows: int
) -> tuple[Counts, Counts]:
    """Returns how many records each record cannot be told from, if a missing cell matches any.

    Two records match if on every column they are equal or one of them is missing (Templ, Kowarik &
    Meindl 2015, section 2.2). This is no equivalence: a may match b, and b match c, while a and c
    differ. So there are frequencies, and no classes. What is equal in every cell has one frequency,
    and is looked at once. It is grouped by which of its cells are missing; two groups are compared
    on the columns that both have.

    Args:
        columns: The columns.
        rows: Number of records.

    Returns:
        The frequencies, each record itself included, and of how many equal records each is.

    Raises:
        ParameterError: There are too many groups to compare each with each.
    """
    equal = Classes(columns, rows)
    alike = [CodedColumn(c.name, equal.code_of_each(c), c.levels, c.missing) for c in columns]
    sizes = equal.sizes
    gaps = [CodedColumn(c.name, (c.codes == c.missing).astype(np.int64), 2) for c in alike]
    pattern = Classes(gaps, equal.count)
    if pattern.count > _PATTERNS_MOST:
        raise ParameterError(T.MISSING_PATTERNS(patterns=pattern.count, most=_PATTERNS_MOST))
    groups = [np.flatnonzero(pattern.of_row == group) for group in range(pattern.count)]
    has = [
        frozenset(
            place for place, column in enumerate(alike) if column.codes[group[0]] != column.missing
        )
        for group in groups
    ]
    found = np.zeros(equal.count, dtype=np.int64)
    for one, own in zip(groups, has, strict=True):
        for other, its in zip(groups, has, strict=True):
            shared = [alike[place] for place in sorted(own & its)]
            both = np.concatenate([one, other])
            part = [CodedColumn(c.name, c.codes[both], c.levels) for c in shared]
            classes = Classes(part, len(both))
            own_class = classes.of_row
            # Exact: floats hold whole numbers up to 2^53.
            there = np.bincount(own_class[len(one) :], sizes[other], classes.count)
            found[one] += there.astype(np.int64)[own_class[: len(one)]]
    return found, sizes
