"""Special uniques: which few columns already make a record the only one of its kind.

A set of columns is a minimal unique set of a record if the record is alone on it, and on none of
its parts (Elliot, Manning & Ford 2002; SUDA2: Manning, Haglin & Keane 2008). The fewer columns, and
the more such sets, the easier a record is found by somebody who knows only some of them.

Among many columns most unique records are alone only on more of them than can be tried, and SUDA
gives them all 0. A second part of the score, below 1, orders these, and records of equal sets: how
rare the answers of a record are, one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb, floor, prod

import numpy as np
from numpy.typing import NDArray

from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.numbers.arrays import Floats

DEPTH = 4
"""Most columns of a set that is looked at."""

_SETS_MOST = 5_000
"""Of many columns smaller sets are looked at, until they are no more than this."""


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
        of_rows: For each of those the places in `rows` of its records.
        contributions: The part of the sum of all scores that comes from sets with a column, for
            each column in its order.
    """

    depth: int
    rows: NDArray[np.int64]
    scores: Floats
    rarities: Floats
    sets: tuple[UniqueSet, ...]
    of_rows: tuple[NDArray[np.int64], ...]
    contributions: tuple[float, ...]

    def riskiest(self, most: int) -> tuple[RiskyRecord, ...]:
        """Returns the records of the highest scores.

        Args:
            most: How many records.
        """
        chosen = np.lexsort((self.rows, -self.rarities, -self.scores))[:most]
        found: dict[int, list[tuple[str, ...]]] = {int(place): [] for place in chosen}
        for one, places in zip(self.sets, self.of_rows, strict=True):
            for place in places[np.isin(places, chosen)].tolist():
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
    scores = np.zeros(len(alone))
    parts = np.zeros(len(columns))
    found: list[tuple[UniqueSet, NDArray[np.int64]]] = []
    below: dict[tuple[int, ...], NDArray[np.bool_]] = {}
    done = 0
    for size in range(1, depth + 1) if len(alone) else ():
        here: dict[tuple[int, ...], NDArray[np.bool_]] = {}
        worth = _worth(size, len(columns), depth)
        for chosen in combinations(range(len(columns)), size):
            tick(done / total)
            done += 1
            known = [below[part] for part in combinations(chosen, size - 1) if part in below]
            already = np.logical_or.reduce(known) if known else np.zeros(len(alone), np.bool_)
            if already.all():
                here[chosen] = already
                continue
            classes = Classes([columns[place] for place in chosen], rows)
            minimal = (classes.sizes[classes.as_column.codes[alone]] == 1) & ~already
            if (already | minimal).any():
                here[chosen] = already | minimal
            places = np.flatnonzero(minimal)
            if len(places):
                names = tuple(columns[place].name for place in chosen)
                found.append((UniqueSet(names, len(places)), places))
                scores[places] += worth
                parts[list(chosen)] += worth * len(places)
        below = here
    found.sort(key=lambda one: -one[0].rows)
    whole = scores.sum()
    return SpecialUniques(
        depth=depth,
        rows=alone,
        scores=scores,
        rarities=_rarities(columns, alone, rows),
        sets=tuple(one for one, _ in found),
        of_rows=tuple(places for _, places in found),
        contributions=tuple((parts / whole).tolist() if whole else [0.0] * len(columns)),
    )


def _rarities(columns: Sequence[CodedColumn], alone: NDArray[np.int64], rows: int) -> Floats:
    others = np.zeros(len(alone))
    for column in columns:
        others += rows - column.counts[column.codes[alone]]
    return np.asarray(others / (max(rows, 1) * max(len(columns), 1)))


def _worth(size: int, columns: int, depth: int) -> float:
    if size == columns:
        return 0.0
    return float(prod(columns - i for i in range(size, min(depth, columns - 1) + 1)))
