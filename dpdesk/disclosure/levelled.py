"""A column of records with the levels of a hierarchy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import Flags, TextColumn
from dpdesk.disclosure.changes import RARE
from dpdesk.disclosure.classes import CodedColumn
from dpdesk.disclosure.hierarchies import Hierarchy, merged
from dpdesk.disclosure.texts import T
from dpdesk.errors import ParameterError

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LevelledColumn:
    """A column of records with its levels.

    Attributes:
        name: Its name.
        codes: The value of each record, a position in `labels[0]`; shape (n,).
        maps: For each level from 0 on the code of each value, shape (values,).
        labels: For each level the text of each code.
        is_ordered: Whether the values are in their order.
        missing: The value that is a missing cell; -1 if there is none.
        hierarchy: Where the levels come from.
    """

    name: str
    codes: NDArray[np.integer]
    maps: tuple[Places, ...]
    labels: tuple[tuple[str, ...], ...]
    is_ordered: bool
    missing: int
    hierarchy: Hierarchy

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.maps) - 1

    @property
    def values(self) -> int:
        """Number of values that the column can have."""
        return len(self.maps[0])

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """How often each value occurs; shape (values,)."""
        return np.bincount(self.codes, minlength=self.values).astype(np.int64, copy=False)

    def step(self, finer: int, coarser: int) -> Places:
        """Returns the code on the coarser level of each code on the finer one."""
        found = np.zeros(len(self.labels[finer]), dtype=np.int64)
        found[self.maps[finer]] = self.maps[coarser]
        return found

    def at(self, level: int) -> CodedColumn:
        """Returns the column on a level."""
        labels = self.labels[level]
        codes = self.maps[level][self.codes]
        missing = -1 if self.missing < 0 else int(self.maps[level][self.missing])
        if missing >= 0 and labels[missing] != "":
            missing = -1
        return CodedColumn(self.name, codes, len(labels), missing=missing)


_OTHER = "other"


def rare_merged_levels(column: LevelledColumn) -> Hierarchy | None:
    """Returns levels that merge the rare values of a column, and then all of them.

    Rare is what less than 5 % of those gave who answered.

    Args:
        column: A column of categories.

    Returns:
        The levels, which follow from the records; None where fewer than two values are rare, or
        all are, and for intervals of numbers.
    """
    if column.hierarchy.has_intervals:
        return None
    values, counts = column.labels[0], column.counts
    asked = [place for place in range(len(values)) if place != column.missing]
    total = int(counts[asked].sum())
    rare = [values[place] for place in asked if counts[place] < RARE * total]
    if not 1 < len(rare) < len(asked):
        return None
    label = _OTHER
    while label in values:
        label += " answers"
    listed = [values[place] for place in asked]
    return merged(column.name, listed, dict.fromkeys(rare, label), from_data=True)


def levelled(
    hierarchy: Hierarchy, column: TextColumn, decimal: str, missing: Flags
) -> LevelledColumn:
    """Returns a column of records with the levels of a hierarchy.

    A missing cell that the hierarchy does not list stays missing, and is told from the rest up to
    a level that has a single label.

    Args:
        hierarchy: The levels.
        column: The records.
        decimal: Decimal mark of its numbers.
        missing: Which of its distinct texts mean "no answer".

    Raises:
        ParameterError: It holds values that the hierarchy does not list; none of them is named.
    """
    given = column.counts > 0
    key_of = _keys_of(hierarchy, column, decimal)
    lacking = given & (key_of < 0) & ~missing
    if lacking.any():
        rows = column.rows_with(lacking)
        raise ParameterError(T.UNLISTED(count=rows, column=column.name))
    gaps = given & missing & (key_of < 0)
    if hierarchy.has_intervals:
        texts, keys, value_of, ordered = _values_in_intervals(hierarchy, column, decimal, key_of)
    else:
        texts, keys = list(hierarchy.keys), np.arange(len(hierarchy.keys))
        value_of = key_of
        ordered = hierarchy.is_ordered or not np.isnan(hierarchy.numbers()[0]).any()
    place = -1
    if gaps.any():
        place = len(texts)
        texts.append("")
        value_of = np.where(gaps, place, value_of)
    maps, labels = _levels(hierarchy, keys, texts, has_missing=place >= 0)
    codes = np.maximum(value_of, 0)[column.codes]
    return LevelledColumn(column.name, codes, maps, labels, ordered, place, hierarchy)


def _keys_of(hierarchy: Hierarchy, column: TextColumn, decimal: str) -> Places:
    """Returns the key of each distinct text, -1 for none; shape (distinct,)."""
    listed = {key: place for place, key in enumerate(hierarchy.keys)}
    stripped = {key.strip(): place for key, place in reversed(listed.items())}
    found = np.array(
        [listed.get(text, stripped.get(text.strip(), -1)) for text in column.distinct],
        dtype=np.int64,
    )
    lower, upper, open_above = hierarchy.numbers()
    order = np.argsort(lower)
    order = order[~np.isnan(lower[order])]
    if not len(order):
        return found
    numbers = column.numbers(decimal)
    place = np.searchsorted(lower[order], numbers.values, side="right") - 1
    key = order[np.maximum(place, 0)]
    inside = np.where(open_above[key], numbers.values < upper[key], numbers.values <= upper[key])
    by_number = numbers.is_number & (place >= 0) & inside
    return np.where((found < 0) & by_number, key, found)


def _values_in_intervals(
    hierarchy: Hierarchy, column: TextColumn, decimal: str, key_of: Places
) -> tuple[list[str], Places, Places, bool]:
    """Returns texts and keys of the values that occur, the value of each text, and if in order."""
    numbers = column.numbers(decimal)
    known = (key_of >= 0) & (column.counts > 0)
    is_number = known & numbers.is_number
    different, rank = np.unique(numbers.values[is_number], return_inverse=True)
    value_of = np.full(len(key_of), -1, dtype=np.int64)
    value_of[is_number] = rank
    others = np.flatnonzero(known & ~numbers.is_number)
    value_of[others] = len(different) + np.arange(len(others))
    texts = [f"{number:.15g}" for number in different.tolist()]
    texts += [column.distinct[place] for place in others.tolist()]
    keys = np.zeros(len(texts), dtype=np.int64)
    keys[value_of[known]] = key_of[known]
    return texts, keys, value_of, not len(others)


def _levels(
    hierarchy: Hierarchy, keys: Places, texts: list[str], *, has_missing: bool
) -> tuple[tuple[Places, ...], tuple[tuple[str, ...], ...]]:
    maps, labels = [np.arange(len(texts))], [tuple(texts)]
    for level in hierarchy.labels:
        different = list(dict.fromkeys(level))
        place_of = {label: place for place, label in enumerate(different)}
        codes = np.array([place_of[label] for label in level], dtype=np.int64)[keys]
        if has_missing:
            # A level that tells nothing apart hides a missing cell too.
            alone = 0 if len(different) == 1 else len(different)
            codes = np.append(codes, alone)
            if alone:
                different.append("")
        maps.append(codes)
        labels.append(tuple(different))
    return tuple(maps), tuple(labels)
