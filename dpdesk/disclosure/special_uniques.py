"""Special uniques: which few columns already make a record the only one of its kind.

A set of columns is a minimal unique set of a record if the record is alone on it, and on none of
its parts (Elliot, Manning & Ford 2002; SUDA2: Manning, Haglin & Keane 2008). The fewer columns, and
the more such sets, the easier a record is found by somebody who knows only some of them.

Among many columns most unique records are alone only on more of them than can be tried, and SUDA
gives them all 0. A second part of the score, below 1, orders these, and records of equal sets: how
rare the answers of a record are, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from math import comb, floor, prod

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.spool import Spool, chunked_values, scratch
from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.numbers.arrays import Floats, pieces_of
from dpdesk.numbers.row_bits import RowBits

DEPTH = 4
"""Most columns of a set that is looked at."""

_SETS_MOST = 5_000
"""Of many columns smaller sets are looked at, until they are no more than this."""

_Places = tuple[int, ...]
"""Columns of a set, by their places."""


@dataclass(frozen=True)
class UniqueSet:
    """A set of columns that is minimal for some records.

    Attributes:
        columns: Names of the columns.
        rows: For how many records it is a minimal unique set.
    """

    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class RiskyRecord:
    """A record that is alone on all columns.

    Attributes:
        row: Its position in the file, from 0.
        suda: Its SUDA score: 0, or a whole number.
        rarity: The share of the records that answered differently, on average over the columns; at
            least 0 and below 1.
        sets: The smallest sets of columns that it is alone on, those of fewest columns first; none
            where it takes more columns than were tried.
    """

    row: int
    suda: float
    rarity: float
    sets: tuple[tuple[str, ...], ...]

    @property
    def score(self) -> float:
        """What records are ordered by: the SUDA score, and among equal ones the rarity."""
        return self.suda + self.rarity

    @property
    def score_text(self) -> str:
        """The score, cut so that a rarity near 1 does not become a whole number: "210.433"."""
        return f"{floor(1000 * self.score) / 1000:,.3f}"

    @property
    def sets_text(self) -> str:
        """The sets on one line, such as "age + sex; region"; empty without any."""
        return "; ".join(map(" + ".join, self.sets))


@dataclass(frozen=True, eq=False)
class SpecialUniques:
    """The minimal unique sets of all records.

    Attributes:
        depth: Most columns of a set that was looked at.
        rows: The records that are alone on all columns, in the order of the file; shape (u,).
        scores: SUDA score of each of those: the sum over its sets of the product of (d - i) for i
            from the size of the set to m, d being the number of columns and m the smaller of the
            depth and d - 1; the set of all d columns adds 0; shape (u,).
        rarities: The share of the records that answered differently from each, on average over the
            columns; shape (u,).
        sets: The sets that are minimal for somebody, those of most records first.
        contributions: The part of the sum of all scores that comes from sets with a column, for
            each column in its order.
    """

    depth: int
    rows: NDArray[np.int64]
    scores: Floats
    rarities: Floats
    sets: tuple[UniqueSet, ...]
    contributions: tuple[float, ...]
    _alone_on: Mapping[_Places, RowBits]
    _names: tuple[str, ...]

    def riskiest(self, most: int) -> tuple[RiskyRecord, ...]:
        """Returns the records of the highest scores.

        Args:
            most: How many records.
        """
        chosen = np.zeros(0, dtype=np.int64)
        for some in pieces_of(len(self.rows)):
            places = np.append(chosen, np.arange(some.start, some.stop))
            riskier = (-self.rarities[places], -self.scores[places])
            chosen = places[np.lexsort((self.rows[places], *riskier))][:most]
        found: dict[int, list[tuple[str, ...]]] = {int(place): [] for place in chosen}
        place_of = {name: place for place, name in enumerate(self._names)}
        for one in self.sets:
            columns = tuple(place_of[name] for name in one.columns)
            for place in chosen[self._is_minimal(columns, chosen)].tolist():
                found[place].append(one.columns)
        return tuple(
            RiskyRecord(
                int(self.rows[place]),
                float(self.scores[place]),
                float(self.rarities[place]),
                tuple(sorted(sets, key=len)),
            )
            for place, sets in found.items()
        )

    def _is_minimal(self, columns: _Places, places: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Returns for which of some records a set is minimal."""

        def is_alone(on: _Places) -> NDArray[np.bool_]:
            bits = self._alone_on.get(on)
            return np.zeros(len(places), dtype=np.bool_) if bits is None else bits.at(places)

        parts = [is_alone(part) for part in combinations(columns, len(columns) - 1)]
        return np.asarray(is_alone(columns) & ~np.logical_or.reduce(parts))


def sets_looked_at(columns: int, depth: int = DEPTH) -> tuple[int, int]:
    """Returns the most columns of a set that is looked at, and how many sets that makes."""
    total = 0
    for size in range(1, min(depth, columns) + 1):
        more = comb(columns, size)
        if size > 1 and total + more > _SETS_MOST:
            return size - 1, total
        total += more
    return min(depth, columns), total


def special_uniques(
    columns: Sequence[CodedColumn],
    rows: int,
    depth: int = DEPTH,
    tick: Callable[[float], object] = lambda done: None,
) -> SpecialUniques:
    """Returns the minimal unique sets of all records.

    A record that is alone on a set is alone on all columns: only those are looked at.

    Args:
        columns: The quasi-identifiers.
        rows: Number of records.
        depth: Most columns of a set.
        tick: Called with the share done before each set; may raise to stop.
    """
    alone = Classes(columns, rows).alone
    depth, total = sets_looked_at(len(columns), depth)
    scores = scratch(len(alone), np.dtype(np.float64))
    parts = np.zeros(len(columns))
    sets: list[UniqueSet] = []
    found: dict[_Places, RowBits] = {}
    done = 0
    for size in range(1, depth + 1) if len(alone) else ():
        worth = _worth(size, len(columns), depth)
        here: list[_Places] = []
        # Of a level as one: each file that is mapped is one of the few that may be open.
        with closing(Spool(1)) as level:
            for chosen in combinations(range(len(columns)), size):
                tick(done / total)
                done += 1
                already = _alone_on_any(combinations(chosen, size - 1), found, len(alone))
                now = already
                if already.count < len(alone):
                    more = _alone_on([columns[place] for place in chosen], rows, alone)
                    now = RowBits(len(alone), already.bits | more.bits)
                    minimal = RowBits(len(alone), now.bits & ~already.bits)
                    count = minimal.count
                    if count:
                        sets.append(UniqueSet(tuple(columns[p].name for p in chosen), count))
                        parts[list(chosen)] += worth * count
                        for some, flags in minimal.flags():
                            scores[some] += worth * flags
                if now.bits.any():
                    level.append(0, now.bits)
                    here.append(chosen)
            (bits,) = level.finish([np.dtype(np.uint8)])
        each = bits.reshape(len(here), -(-len(alone) // 8))
        found |= {on: RowBits(len(alone), own) for on, own in zip(here, each, strict=True)}
    sets.sort(key=lambda one: -one.rows)
    whole = scores.sum()
    return SpecialUniques(
        depth=depth,
        rows=alone,
        scores=scores,
        rarities=_rarities(columns, alone, rows),
        sets=tuple(sets),
        contributions=tuple((parts / whole).tolist() if whole else [0.0] * len(columns)),
        _alone_on=found,
        _names=tuple(column.name for column in columns),
    )


def _alone_on_any(sets: Iterator[_Places], found: Mapping[_Places, RowBits], count: int) -> RowBits:
    """Returns which records are alone on any of some sets that were looked at."""
    either = RowBits(count)
    for one in sets:
        if one in found:
            either.bits |= found[one].bits
    return either


def _alone_on(columns: Sequence[CodedColumn], rows: int, alone: NDArray[np.int64]) -> RowBits:
    """Returns which of some records are alone on some columns."""
    classes = Classes(columns, rows)
    codes = classes.as_column.codes
    found = RowBits(len(alone))
    for some in found.pieces():
        found.put(some, classes.sizes[codes[alone[some]]] == 1)
    return found


def _rarities(columns: Sequence[CodedColumn], alone: NDArray[np.int64], rows: int) -> Floats:
    def of_some() -> Iterator[Floats]:
        for some in pieces_of(len(alone)):
            others = np.zeros(some.stop - some.start)
            for column in columns:
                others += rows - column.counts[column.codes[alone[some]]]
            yield others / (max(rows, 1) * max(len(columns), 1))

    return chunked_values(of_some(), np.dtype(np.float64))


def _worth(size: int, columns: int, depth: int) -> float:
    if size == columns:
        return 0.0
    return float(prod(columns - i for i in range(size, min(depth, columns - 1) + 1)))
