"""What becomes of the risk if a column is left out, given in bands, merged or protected.

Everything is computed on the records. A column that is protected is no quasi-identifier any longer:
what is released of it cannot be looked up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, log10
from typing import Literal

import numpy as np

from dpdesk.disclosure.classes import CodedColumn
from dpdesk.disclosure.measure import Frequencies, Groups, Others, Report, RiskQuestion

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
    present = numbers[(column.counts > 0) & ~np.isnan(numbers)]
    lowest, highest = float(present.min()), float(present.max())
    width = _round_width((highest - lowest) / _BANDS_MOST)
    bands = np.floor(numbers / width) - floor(lowest / width)
    missing = int(np.nanmax(bands)) + 1
    code_of = np.where(np.isnan(bands), missing, bands).astype(np.int64)
    coarse = column.recoded(code_of, missing + 1, missing if column.missing >= 0 else -1)
    moved = len(column.codes) - (int(column.counts[column.missing]) if column.missing >= 0 else 0)
    return Coarser(coarse, "bands", width, column.occurring - coarse.occurring, moved)


def _round_width(least: float) -> float:
    """Returns the smallest of 1, 2, 5, 10, 20 ... that is not below a number."""
    power = 10.0 ** floor(log10(least))
    return next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least * (1 - 1e-9))


def rare_merged(column: CodedColumn) -> Coarser | None:
    """Returns a column whose categories of less than 5 % each are one, or None."""
    total = int(column.counts.sum())
    rare = (column.counts > 0) & (column.counts < RARE * total)
    if column.missing >= 0:
        rare[column.missing] = False
    merged = int(np.count_nonzero(rare))
    if column.occurring < _CATEGORIES_LEAST or merged < 2:
        return None
    code_of = np.arange(column.levels)
    code_of[rare] = int(np.flatnonzero(rare)[0])
    coarse = column.recoded(code_of, column.levels, column.missing)
    return Coarser(coarse, "merge", 0.0, merged, int(column.counts[rare].sum()))
