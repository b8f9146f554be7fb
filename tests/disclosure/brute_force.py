"""The definitions word by word, on lists of cells."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import exp, log, prod

Rows = Sequence[tuple[int, ...]]


def groups_of(rows: Rows) -> dict[tuple[int, ...], list[int]]:
    """The places of the rows of each class."""
    found: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        found[row].append(place)
    return dict(found)


def frequencies_of_any(rows: Rows, missing: int) -> list[int]:
    """How many rows each row matches, if a missing cell matches any."""
    return [
        sum(
            all(a == b or missing in (a, b) for a, b in zip(one, other, strict=True))
            for other in rows
        )
        for one in rows
    ]


def diversity_of(rows: Rows, sensitive: Sequence[int]) -> dict[str, float | None]:
    """l, c, alpha and both distances, over the values 0, 1, 2 ... that occur."""
    whole, n = Counter(sensitive), len(sensitive)
    values = sorted(whole)
    found: list[Counter[int]] = [
        Counter(sensitive[place] for place in places) for places in groups_of(rows).values()
    ]
    sizes = [group.total() for group in found]
    pairs = list(zip(found, sizes, strict=True))
    l_distinct = min(len(group) for group in found)
    nominal, ordered = Fraction(0), Fraction(0)
    for group, size in pairs:
        gaps = [Fraction(group[v], size) - Fraction(whole[v], n) for v in values]
        nominal = max(nominal, sum((abs(gap) for gap in gaps), Fraction(0)) / 2)
        if len(values) > 1:
            sums = [sum(gaps[: i + 1], Fraction(0)) for i in range(len(values))]
            ordered = max(ordered, sum(map(abs, sums), Fraction(0)) / (len(values) - 1))
    c = None
    if l_distinct > 1:
        ranked = [sorted(group.values(), reverse=True) for group in found]
        c = max(r[0] / sum(r[l_distinct - 1 :]) for r in ranked)
    return {
        "l_distinct": l_distinct,
        "l_entropy": min(
            exp(-sum(count / size * log(count / size) for count in group.values()))
            for group, size in pairs
        ),
        "recursive_c": c,
        "alpha": max(max(group.values()) / size for group, size in pairs),
        "nominal": float(nominal),
        "ordered": float(ordered),
        "rows_disclosed": sum(size for group, size in pairs if len(group) == 1),
    }


def minimal_unique_sets(rows: Rows, depth: int) -> dict[int, set[tuple[int, ...]]]:
    """The minimal unique sets of each row that is alone, by its place."""
    columns = range(len(rows[0]))
    found: dict[int, set[tuple[int, ...]]] = {}
    for place, row in enumerate(rows):
        if rows.count(row) > 1:
            continue
        sets: set[tuple[int, ...]] = set()
        for size in range(1, depth + 1):
            for chosen in combinations(columns, size):
                part = [tuple(other[i] for i in chosen) for other in rows]
                smaller = any(set(one) <= set(chosen) for one in sets)
                if not smaller and part.count(part[place]) == 1:
                    sets.add(chosen)
        found[place] = sets
    return found


def suda_score(sets: set[tuple[int, ...]], columns: int, depth: int) -> float:
    """The sum over the sets of the product of (d - i), i from their size to min(depth, d - 1)."""
    return float(
        sum(
            prod(columns - i for i in range(len(one), min(depth, columns - 1) + 1))
            for one in sets
            if len(one) < columns
        )
    )
