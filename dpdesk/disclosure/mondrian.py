"""Mondrian: boxes of like records, cut in two as long as both halves fulfil what is asked.

LeFevre, DeWitt & Ramakrishnan (2006). A part of the records is cut at the median of the column in
which it is widest; where that is not allowed, of the next one. A cut is strict if equal values stay
on one side; relaxed, those at the median go to both, in the order of the file. No record is left
out. Cells are given as the box that the cuts leave, which reaches to the next one, and not as the
least and the greatest value of its records: these would be values of single respondents.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from dpdesk.disclosure.classes import CodedColumn, mixed_radix
from dpdesk.disclosure.coarsened import Coarsened
from dpdesk.disclosure.coarsening import Report
from dpdesk.disclosure.diversity import cells_of, distances, entropies
from dpdesk.disclosure.hierarchies import ALL
from dpdesk.disclosure.information_loss import CoarseColumn
from dpdesk.disclosure.levelled import LevelledColumn
from dpdesk.disclosure.requirement import CLOSE, Requirement
from dpdesk.disclosure.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Counts

Places = NDArray[np.int64]
Box = tuple[Places, Places, Places]
"""Places of its records, and the least and the greatest value of each column."""


def mondrian(
    columns: Sequence[LevelledColumn],
    sensitive: Sequence[CodedColumn],
    rows: int,
    requirement: Requirement,
    *,
    relaxed: bool = False,
    report: Report = lambda stage, done: None,
) -> Coarsened:
    """Returns the file in boxes that fulfil a requirement.

    Args:
        columns: The quasi-identifiers, in an order.
        sensitive: The sensitive columns.
        rows: Number of records.
        requirement: What every box has to fulfil; nothing is left out.
        relaxed: Whether records of the median go to both sides.
        report: Receives progress; may raise to stop.

    Raises:
        ParameterError: A column has no order or missing cells, or no box fulfils the requirement.
    """
    requirement.check(rows, sensitive)
    for column in columns:
        _require_order(column)
    fulfils = _judge(sensitive, rows, requirement)
    everybody = np.arange(rows)
    if not fulfils(everybody):
        raise ParameterError(T.ENTROPY_UNREACHED(l=f"{requirement.l_entropy:g}"))
    codes = np.array([column.codes for column in columns], dtype=np.int64)
    highest = np.array([column.values - 1 for column in columns])
    lower, upper = np.zeros_like(codes), np.zeros_like(codes)
    parts: list[Box] = [(everybody, np.zeros(len(columns), dtype=np.int64), highest)]
    done = steps = 0
    while parts:
        part = parts.pop()
        halves: list[Box] = []
        if len(part[0]) >= 2 * requirement.k:
            halves = _halves(codes, part, highest, fulfils, relaxed=relaxed)
        if halves:
            parts += halves
        else:
            places, low, high = part
            lower[:, places], upper[:, places] = low[:, None], high[:, None]
            done += len(places)
        steps += 1
        if steps % 64 == 0:
            report("Cutting boxes", done / rows)
    coarse = tuple(
        _in_boxes(column, low, high)
        for column, low, high in zip(columns, lower, upper, strict=True)
    )
    return Coarsened(coarse, tuple(sensitive), np.ones(rows, np.bool_), requirement, None)


def _require_order(column: LevelledColumn) -> None:
    if column.missing >= 0:
        gaps = int(column.counts[column.missing])
        raise ParameterError(T.GAPS_IN_ORDER(count=gaps, column=column.name))
    if not column.is_ordered and column.values > 2:
        raise ParameterError(T.NO_ORDER(column=column.name))


def _halves(
    codes: Places,
    part: Box,
    highest: Places,
    fulfils: Callable[[Places], bool],
    *,
    relaxed: bool,
) -> list[Box]:
    """Returns both halves of a box by the first cut that is allowed; none if no cut is."""
    own = codes[:, part[0]]
    widths = (own.max(axis=1) - own.min(axis=1)) / np.maximum(highest, 1)
    for column in np.argsort(-widths, kind="stable"):
        if widths[column] <= 0:
            break
        for left, right in _cuts(own[column], relaxed=relaxed):
            if fulfils(part[0][left]) and fulfils(part[0][right]):
                return _cut(part, int(column), own[column], left, right)
    return []


def _cut(part: Box, column: int, values: Places, left: Places, right: Places) -> list[Box]:
    """Returns both sides of a cut; the second box begins behind the first one, if it can."""
    places, low, high = part
    end, start = int(values[left].max()), int(values[right].min())
    first, second = high.copy(), low.copy()
    first[column], second[column] = end, min(start, end + 1)
    return [(places[left], low, first), (places[right], second, high)]


def _cuts(values: Places, *, relaxed: bool) -> list[tuple[Places, Places]]:
    """Returns the positions of both sides of each cut that is tried, the most even one first."""
    order = np.argsort(values, kind="stable")
    half = len(values) // 2
    if relaxed:
        return [(order[:half], order[half:])]
    ordered = values[order]
    after = int(np.searchsorted(ordered, ordered[half], side="left"))
    beyond = int(np.searchsorted(ordered, ordered[half], side="right"))
    ends = sorted({after, beyond} - {0, len(values)}, key=lambda end: abs(end - half))
    return [(order[:end], order[end:]) for end in ends]


def _judge(
    sensitive: Sequence[CodedColumn], rows: int, requirement: Requirement
) -> Callable[[Places], bool]:
    """Returns what says whether records fulfil a requirement as one class."""
    told = [
        (column.codes, column.levels, column.counts / rows, column.is_ordered)
        for column in (sensitive if requirement.needs_sensitive else ())
    ]

    def fulfils(places: Places) -> bool:
        if len(places) < requirement.k:
            return False
        size: Counts = np.array([len(places)])
        for codes, levels, shares, is_ordered in told:
            cells = cells_of(np.zeros_like(places), codes[places], levels)
            if cells.distinct[0] < requirement.l_distinct:
                return False
            if entropies(cells, size)[0] < np.log(requirement.l_entropy) - CLOSE:
                return False
            if requirement.t is not None:
                distance = distances(cells, size, is_ordered=is_ordered, shares=shares)[0]
                if distance > requirement.t + CLOSE:
                    return False
        return True

    return fulfils


def _in_boxes(column: LevelledColumn, lower: Places, upper: Places) -> CoarseColumn:
    ends = [CodedColumn("", end, column.values) for end in (lower, upper)]
    keys, _ = mixed_radix(ends, len(lower))
    boxes, codes = np.unique(keys, return_inverse=True)
    texts = column.labels[0]
    labels, members = [], []
    for low, high in zip(*np.divmod(boxes, column.values), strict=True):
        if low == high:
            labels.append(texts[low])
        elif high - low == column.values - 1:
            labels.append(ALL)
        else:
            labels.append(f"{texts[low]} to {texts[high]}")
        members.append(np.arange(low, high + 1))
    return CoarseColumn(column.name, codes, tuple(labels), tuple(members), column.at(0))
