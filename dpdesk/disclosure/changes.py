"""What becomes of the risk if a column is left out, given in bands, merged or protected.

Everything is computed on the records. A column that is protected is no quasi-identifier any longer:
what is released of it cannot be looked up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import floor, log10
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.spool import chunked_values
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.disclosure.measure import Frequencies, Groups, Others, Report, RiskQuestion
from dpdesk.numbers.arrays import Flags, Floats, pieces_of

ChangeKind = Literal["drop", "bands", "merge", "protect"]

_BANDS_MOST = 10
_NUMBERS_LEAST = 13
"""A scale of fewer numbers is given in categories."""
RARE = 0.05
"""Categories of a smaller share are rare: of all records here, of those who answered in levels."""
_CATEGORIES_LEAST = 4


@dataclass(frozen=True)
class Coarser:
    """A column with fewer values.

    Attributes:
        column: Its codes.
        kind: Bands of numbers, or rare categories merged.
        width: Width of a band; 0 for categories.
        merged: How many values became fewer; the number of merged categories.
        moved: Records whose value is no longer exact.
    """

    column: CodedColumn
    kind: Literal["bands", "merge"]
    width: float
    merged: int
    moved: int


@dataclass(frozen=True)
class Change:
    """One thing that can be done to one column, and who stands out then.

    Attributes:
        kind: What is done.
        column: To which column.
        groups: Who stands out afterwards.
        coarser: How the column is made coarser, for bands and merged categories.
        distinct: Number of values that the column has before.
    """

    kind: ChangeKind
    column: str
    groups: Groups
    distinct: int
    coarser: Coarser | None = None


def changes(
    question: RiskQuestion, report: Report = lambda stage, done: None
) -> tuple[Change, ...]:
    """Returns what each change of one column does, those that leave the fewest alone first.

    Args:
        question: The quasi-identifiers and records.
        report: Receives progress.
    """
    found: list[Change] = []
    columns = question.quasi_identifiers
    for done, (place, others) in enumerate(question.without_each()):
        report("What would help", done / len(columns))
        found += _of_column(question, columns[place], others)
    found.sort(key=lambda one: (one.groups.unique_rows, one.groups.rows_below))
    return tuple(found)


def _of_column(question: RiskQuestion, column: CodedColumn, others: Others) -> Iterator[Change]:
    yield Change("drop", column.name, others.groups, column.occurring)
    yield Change("protect", column.name, others.groups, column.occurring)
    coarser = in_bands(column) or rare_merged(column)
    if coarser is not None:
        both = Frequencies((*others.columns, coarser.column), question.rows, question.missing)
        after = both.groups(question.threshold)
        yield Change(coarser.kind, column.name, after, column.occurring, coarser)


def in_bands(column: CodedColumn) -> Coarser | None:
    """Returns a column of many numbers in at most ten bands of a round width, or None."""
    if column.numbers is None or column.occurring < _NUMBERS_LEAST:
        return None
    numbers = column.numbers
    lowest, highest, largest = np.inf, -np.inf, -np.inf
    for some in pieces_of(column.levels):
        present = numbers[some][column.counts[some] > 0]
        # Both pass over NaN, which a missing cell stands for.
        lowest = np.fmin.reduce(present, initial=lowest)
        highest = np.fmax.reduce(present, initial=highest)
        largest = np.fmax.reduce(numbers[some], initial=largest)
    width = _round_width(float(highest - lowest) / _BANDS_MOST)
    first = floor(lowest / width)
    missing = int(np.floor(largest / width) - first) + 1

    def bands(some: slice) -> Floats:
        found = np.floor(numbers[some] / width) - first
        return np.where(np.isnan(found), missing, found)

    coarse = _recoded(column, bands, missing + 1, missing if column.missing >= 0 else -1)
    moved = len(column.codes) - (int(column.counts[column.missing]) if column.missing >= 0 else 0)
    return Coarser(coarse, "bands", width, column.occurring - coarse.occurring, moved)


def _round_width(least: float) -> float:
    """Returns the smallest of 1, 2, 5, 10, 20 ... that is not below a number."""
    power = 10.0 ** floor(log10(least))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least * (1 - 1e-9))


def rare_merged(column: CodedColumn) -> Coarser | None:
    """Returns a column whose categories of less than 5 % each are one, or None."""
    total = int(column.counts.sum())

    def is_rare(some: slice) -> Flags:
        counts = column.counts[some]
        rare = (counts > 0) & (counts < RARE * total)
        if some.start <= column.missing < some.stop:
            rare[column.missing - some.start] = False
        return rare

    merged, moved, first = 0, 0, column.levels
    for some in pieces_of(column.levels):
        rare = is_rare(some)
        merged += int(np.count_nonzero(rare))
        moved += int(column.counts[some][rare].sum())
        if rare.any():
            first = min(first, some.start + int(rare.argmax()))
    if column.occurring < _CATEGORIES_LEAST or merged < 2:
        return None

    def codes(some: slice) -> NDArray[np.int64]:
        return np.where(is_rare(some), first, np.arange(some.start, some.stop))

    coarse = _recoded(column, codes, column.levels, column.missing)
    return Coarser(coarse, "merge", 0.0, merged, moved)


def _recoded(
    column: CodedColumn, code_of: Callable[[slice], NDArray[Any]], levels: int, missing: int
) -> CodedColumn:
    """Returns a column with other codes; `code_of` tells what some of its codes become."""
    pieces = map(code_of, pieces_of(column.levels))
    codes = chunked_values(pieces, np.dtype(np.int64), column.name)
    return column.recoded(codes, levels, missing)
