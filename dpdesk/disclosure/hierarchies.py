"""Hierarchies: how the values of a column become coarser, level after level.

Level 0 is the value as it is. On every further level values have a common label: intervals of
numbers, merged categories, the beginning of a code, or `*` for all of them. What is equal on one
level is equal on the next, without which a coarser level could tell more than a finer one.

Instead of a single number a key may be an interval such as `[20, 25)`, which holds the numbers from
20 to below 25. An empty key is the missing cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpdesk.disclosure.texts import T
from dpdesk.domains import AnyDomain, Integer, NumericDomain, OptionSet, parse_typed
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Floats

ALL = "*"
"""The label of a level that does not tell values apart."""

CALENDAR_MOST = 50_000
"""Most dates of which every one is listed with its month and year: a century of days."""

LISTED_MOST = 10_000
"""Of a longer scale of numbers intervals are listed, and not the numbers."""

_INTERVALS_FIRST = 20
_INTERVALS_LAST = 3
_INTERVAL = re.compile(r"\[ *([^\[\], ]+) *, *([^\[\], ]+) *([\])])")
_CODE = re.compile(r"[A-Za-z]*[0-9][A-Za-z0-9]*")
_CODE_LEAST = 3
_OR_MORE = " or more"
"""A label is a cell of the file, the same in every language."""
_ON_GRID = 1e-6
"""Share of a step by which a number may miss its place on the grid: decimals are not exact."""


@dataclass(frozen=True)
class Hierarchy:
    """The levels of one column.

    Attributes:
        column: Its name.
        keys: Its values, or intervals of numbers, in their order.
        labels: For each level from 1 on the label of each key.
        from_data: Whether the levels follow from the records, and not from what is declared.
        is_ordered: Whether the keys are categories in their order; numbers are in any case.
    """

    column: str
    keys: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...]
    from_data: bool = False
    is_ordered: bool = False

    def __post_init__(self) -> None:
        if not self.labels or not self.keys or {*map(len, self.labels)} != {len(self.keys)}:
            raise ParameterError(T.NOT_ALL_LABELLED(column=self.column))
        if len(set(self.keys)) < len(self.keys):
            raise ParameterError(T.VALUE_TWICE(column=self.column))
        for number, level in enumerate(self.labels, start=1):
            empty = sum(not label.strip() for label in level)
            if empty:
                raise ParameterError(T.NO_LABEL(count=empty, column=self.column, level=number))
        for number, (finer, coarser) in enumerate(pairwise(self.labels), start=2):
            above: dict[str, str] = {}
            for row, (one, other) in enumerate(zip(finer, coarser, strict=True), start=1):
                if above.setdefault(one, other) != other:
                    said = T.LEVEL_SEPARATES(level=number, column=self.column, row=row)
                    raise ParameterError(said)

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.labels)

    def numbers(self) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """The least and the upper number of each key, and whether the upper one is excluded.

        NaN where a key is no number.
        """
        lower, upper = np.full(len(self.keys), np.nan), np.full(len(self.keys), np.nan)
        open_above = np.zeros(len(self.keys), dtype=np.bool_)
        for place, key in enumerate(self.keys):
            match = _INTERVAL.fullmatch(key.strip())
            first = parse_typed(match[1] if match else key)
            last = parse_typed(match[2]) if match else first
            if first is not None and last is not None:
                lower[place], upper[place] = first, last
                open_above[place] = match is not None and match[3] == ")"
        return lower, upper, open_above

    def lacks(self, domain: AnyDomain) -> int:
        """Returns how many values of a domain it does not list; 0 where these cannot be counted.

        Args:
            domain: What the column can hold.
        """
        if isinstance(domain, OptionSet):
            return 0
        lower, upper, open_above = self.numbers()
        if not isinstance(domain, NumericDomain) or not domain.in_digits:
            listed = {key.strip() for key in self.keys}
            numbers = set(lower[lower == upper].tolist())
            return sum(
                value.strip() not in listed and parse_typed(value) not in numbers
                for value in domain.texts
            )
        first, step = float(domain.grid_lower), float(domain.grid_step)
        given = ~np.isnan(lower)
        # Positions on the grid; what lies on the end of an open interval is not in it.
        start = np.ceil((lower[given] - first) / step - _ON_GRID)
        end = (upper[given] - first) / step
        end = np.where(open_above[given], np.ceil(end - _ON_GRID) - 1, np.floor(end + _ON_GRID))
        covered, reached = 0, 0.0
        for one, other in sorted(zip(start.tolist(), end.tolist(), strict=True)):
            beyond = min(other, domain.size - 1) + 1
            covered += max(int(beyond - max(one, reached)), 0)
            reached = max(reached, beyond)
        return domain.size - covered

    @cached_property
    def has_intervals(self) -> bool:
        """Whether a key is an interval of numbers."""
        return any(_INTERVAL.fullmatch(key.strip()) for key in self.keys)


def suggested_hierarchy(
    column: str, domain: AnyDomain, *, is_ordinal: bool = False, from_data: bool = False
) -> Hierarchy:
    """Returns levels that follow from what a column can hold, the last one being `*`.

    Dates get their month, quarter, year and decade. Numbers get intervals of a round width, about
    twenty and then half as many on each level; pairs
    of neighbours are merged where categories are in an order; codes of one length lose their last
    letter; other categories are told apart or not at all.

    Args:
        column: Its name.
        domain: What it can hold.
        is_ordinal: Whether its categories are in their order.
        from_data: Whether the domain was read off the records.
    """
    if isinstance(domain, NumericDomain) and domain.coarser_levels:
        if domain.size > CALENDAR_MOST:
            raise ParameterError(T.MANY_DATES(column=column, most=CALENDAR_MOST))
        levels = _with_all(column, domain.texts, domain.coarser_levels, from_data=from_data)
        return replace(levels, is_ordered=True)
    if isinstance(domain, NumericDomain):
        return by_widths(column, domain, _round_widths(domain), from_data=from_data)
    if isinstance(domain, OptionSet):
        raise ParameterError(T.SEVERAL_ANSWERS(column=column))
    values = domain.values
    if is_ordinal:
        return in_groups(column, values, from_data=from_data)
    if _are_codes(values):
        lengths = range(len(values[0]) - 1, 0, -1)
        return by_prefix(column, values, lengths, from_data=from_data)
    return _with_all(column, values, [], from_data=from_data)


def by_widths(
    column: str,
    domain: AnyDomain,
    widths: Sequence[float],
    lowest: float | None = None,
    highest: float | None = None,
    *,
    from_data: bool = False,
) -> Hierarchy:
    """Returns a level of intervals for each width, then `*`.

    Args:
        column: Its name.
        domain: The numbers that it can hold; listed one by one if they are few.
        widths: Width of the intervals of each level, each a multiple of the one before; intervals
            begin at multiples of the width.
        lowest: Numbers below it are one group on every level (bottom coding).
        highest: Numbers from it on are one group on every level (top coding).
        from_data: Whether the domain was read off the records.

    Raises:
        ParameterError: The column holds no numbers, or the widths are not multiples.
    """
    if not isinstance(domain, NumericDomain) or not domain.in_digits:
        raise ParameterError(T.NO_NUMBERS(column=column))
    bad = any(not _divides(one, other) for one, other in pairwise(widths))
    if not widths or min(widths) <= 0 or bad:
        raise ParameterError(T.BAD_WIDTHS(column=column))
    first, last = float(domain.grid_lower), float(domain.grid_upper)
    whole = isinstance(domain, Integer) and domain.step == 1
    words = _Interval(first, last, lowest, highest, whole=whole)
    if whole and domain.size <= LISTED_MOST:
        points = [float(value) for value in domain.values]
        keys = list(domain.texts)
    else:
        ends = _ends(first, last, widths[0], (lowest, highest))
        points = [start for start, _ in pairwise(ends)]
        keys = [f"[{a:.15g}, {b:.15g})" for a, b in pairwise(ends)]
        keys[-1] = keys[-1][:-1] + "]"
    levels = [tuple(words.of(point, width) for point in points) for width in widths]
    return _with_all(column, keys, levels, from_data=from_data)


def by_prefix(
    column: str, values: Sequence[str], kept: Iterable[int], *, from_data: bool = False
) -> Hierarchy:
    """Returns levels that keep the beginning of a code: 13053, 1305*, 130**; then `*`.

    Args:
        column: Its name.
        values: The codes.
        kept: How many letters each level keeps, fewer and fewer.
        from_data: Whether the codes were read off the records.
    """
    longest = max(map(len, values))
    levels = [
        tuple(value[:length] + "*" * (longest - length) for value in values)
        for length in kept
        if 0 < length < longest
    ]
    return _with_all(column, values, levels, from_data=from_data)


def in_groups(
    column: str, values: Sequence[str], sizes: Sequence[int] = (), *, from_data: bool = False
) -> Hierarchy:
    """Returns levels that merge neighbours of an order, then `*`.

    Args:
        column: Its name.
        values: The categories in their order.
        sizes: How many categories are one on each level; 2, 4, 8 ... if empty.
        from_data: Whether the categories were read off the records.
    """
    if not sizes:
        sizes = [2**power for power in range(1, 20) if 2 ** (power + 1) < 2 * len(values) - 1]
    levels = []
    for size in sizes:
        label: dict[str, str] = {}
        for start in range(0, len(values), size):
            group = values[start : start + size]
            label |= dict.fromkeys(group, " to ".join(dict.fromkeys((group[0], group[-1]))))
        levels.append(tuple(label[value] for value in values))
    found = _with_all(column, values, levels, from_data=from_data)
    return replace(found, is_ordered=True)


def merged(
    column: str, values: Sequence[str], *levels: Mapping[str, str], from_data: bool = False
) -> Hierarchy:
    """Returns levels that merge categories; each names the label of what it merges, the rest stays.

    Args:
        column: Its name.
        values: Its categories.
        *levels: For each level the label of values of the level before.
        from_data: Whether the categories were read off the records.
    """
    found: list[tuple[str, ...]] = []
    before = tuple(values)
    for level in levels:
        before = tuple(level.get(label, label) for label in before)
        found.append(before)
    return _with_all(column, values, found, from_data=from_data)


def _with_all(
    column: str,
    keys: Sequence[str],
    levels: Iterable[tuple[str, ...]],
    *,
    from_data: bool,
) -> Hierarchy:
    """Returns a hierarchy of the levels that merge something, with `*` above them."""
    kept: list[tuple[str, ...]] = []
    # An interval holds many values: the level that names it merges something.
    groups = 2 * len(keys) if any(map(_INTERVAL.fullmatch, keys)) else len(keys)
    for level in levels:
        different = len(set(level))
        if 1 < different < groups:
            kept.append(level)
            groups = different
    return Hierarchy(column, tuple(keys), (*kept, (ALL,) * len(keys)), from_data)


def _are_codes(values: Sequence[str]) -> bool:
    lengths = set(map(len, values))
    same = len(lengths) == 1 and min(lengths) >= _CODE_LEAST
    return same and all(_CODE.fullmatch(value) for value in values)


def _divides(one: float, other: float) -> bool:
    times = other / one if one > 0 else 0.5
    return times >= 2 - 1e-9 and abs(times - round(times)) < 1e-9


def _round_widths(domain: NumericDomain) -> list[float]:
    span, step = float(domain.grid_upper - domain.grid_lower), float(domain.grid_step)
    least = max(span / _INTERVALS_FIRST, 2 * step)
    power = 10.0 ** np.floor(np.log10(least))
    width = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least * (1 - 1e-9))
    widths = [width]
    while span / (2 * widths[-1]) >= _INTERVALS_LAST - 1:
        widths.append(2 * widths[-1])
    return widths


def _ends(first: float, last: float, width: float, codings: Iterable[float | None]) -> list[float]:
    start = np.floor(first / width)
    count = int(np.floor(last / width) - start) + 1
    if count > LISTED_MOST:
        raise ParameterError(T.MANY_INTERVALS(width=f"{width:g}", most=LISTED_MOST))
    ends = {float((start + i) * width) for i in range(count + 1)}
    ends |= {coding for coding in codings if coding is not None and first < coding < last}
    return sorted({min(max(end, first), last) for end in ends})


@dataclass(frozen=True)
class _Interval:
    """Words of intervals within the bounds of a column.

    Attributes:
        first, last: The least and the greatest number.
        lowest: Numbers below it are one group.
        highest: Numbers from it on are one group.
        whole: Whether numbers are whole, so that an interval is named by its first and last one.
    """

    first: float
    last: float
    lowest: float | None
    highest: float | None
    whole: bool

    def of(self, number: float, width: float) -> str:
        """Returns the label of a number's interval of some width."""
        if self.lowest is not None and number < self.lowest:
            return f"below {self.lowest:.15g}"
        if self.highest is not None and number >= self.highest:
            return f"{self.highest:.15g}{_OR_MORE}"
        start = float(np.floor(number / width + 1e-9)) * width
        end = start + width
        low = max(start, self.first, -np.inf if self.lowest is None else self.lowest)
        top = min(end, np.inf if self.highest is None else self.highest)
        if self.whole:
            high = min(top - 1, self.last)
            return f"{low:.15g}" if low == high else f"{low:.15g} to {high:.15g}"
        return f"[{low:.15g}, {min(top, self.last):.15g}{']' if top >= self.last else ')'}"
