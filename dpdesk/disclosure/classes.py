"""Classes: the records that are equal on some columns, and how many they are.

A column is an array of codes. The codes of several columns become one number in a mixed radix
before anything is sorted or counted, so that a million records and eight columns take a fraction
of a second. Where the product of the radices would leave 63 bits, the numbers so far are ranked
first, which leaves at most as many as there are records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Counts, Floats

Codes = NDArray[np.integer]

_LARGEST = 2**62
_COUNTED_MOST = 1 << 22
"""Up to so many different numbers are counted in a table, whatever the number of records."""
_PATTERNS_MOST = 1_000
"""Most combinations of missing cells that are compared; the time grows with their square."""


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
        return np.bincount(self.codes, minlength=self.levels).astype(np.int64, copy=False)

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
        self._keys, self._radix = mixed_radix(columns, rows)

    @cached_property
    def sizes(self) -> Counts:
        """Number of records of each class, f; shape (classes,), in the order of `of_row`."""
        if _is_countable(self._radix, self.rows):
            counts = np.bincount(self._keys, minlength=1)
            return counts[counts > 0].astype(np.int64, copy=False)
        return _run_lengths(np.sort(self._keys))

    @cached_property
    def of_row(self) -> NDArray[np.int64]:
        """The class of each record; shape (n,)."""
        return _ranked(self._keys, self._radix)

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
        return int(np.count_nonzero(self.sizes == 1))

    def rows_below(self, k: int) -> int:
        """Number of records in classes of fewer than k records."""
        return int(self.sizes[self.sizes < k].sum())

    def sums(self, weights: Floats) -> Floats:
        """The sum of the weights in each class, an estimate of F; shape (classes,)."""
        sums = np.bincount(self.of_row, weights=weights, minlength=self.count)
        return sums.astype(np.float64, copy=False)


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
            raise OverflowError("More records than 63 bits can number.")
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


def _run_lengths(ordered: NDArray[np.int64]) -> Counts:
    """Returns how often each number of a sorted array occurs."""
    if not len(ordered):
        return np.zeros(0, dtype=np.int64)
    ends = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    return np.diff(ends, prepend=0, append=len(ordered)).astype(np.int64, copy=False)


def frequencies_matching_missing(columns: Sequence[CodedColumn], rows: int) -> Counts:
    """Returns how many records each record cannot be told from, if a missing cell matches any.

    Two records match if on every column they are equal or one of them is missing (Templ, Kowarik &
    Meindl 2015, section 2.2). This is no equivalence: a may match b, and b match c, while a and c
    differ. So there are frequencies, and no classes. Records are grouped by which of their cells
    are missing; two groups are compared on the columns that both have.

    Args:
        columns: The columns.
        rows: Number of records.

    Returns:
        The frequencies, each record itself included; shape (rows,).

    Raises:
        ParameterError: There are too many groups to compare each with each.
    """
    gaps = [
        CodedColumn(column.name, (column.codes == column.missing).astype(np.int64), 2)
        for column in columns
    ]
    pattern = Classes(gaps, rows)
    if pattern.count > _PATTERNS_MOST:
        raise ParameterError(
            f"Cells are missing in {pattern.count:,} different combinations of columns; more than "
            f"{_PATTERNS_MOST:,} cannot be compared with each other.",
            remedy="Take missing cells as a value of their own, or name fewer columns.",
        )
    groups = [np.flatnonzero(pattern.of_row == group) for group in range(pattern.count)]
    has = [
        frozenset(
            place
            for place, column in enumerate(columns)
            if column.codes[group[0]] != column.missing
        )
        for group in groups
    ]
    found = np.zeros(rows, dtype=np.int64)
    for one, own in zip(groups, has, strict=True):
        for other, its in zip(groups, has, strict=True):
            shared = [columns[place] for place in sorted(own & its)]
            both = np.concatenate([one, other])
            part = [CodedColumn(c.name, c.codes[both], c.levels) for c in shared]
            classes = Classes(part, len(both))
            there = np.bincount(classes.of_row[len(one) :], minlength=classes.count)
            found[one] += there[classes.of_row[: len(one)]]
    return found
