"""Small randomized mechanisms whose laws are written down in full, in Fractions."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement, product

Table = tuple[Hashable, ...]
Law = Mapping[Hashable, Fraction]

LN2 = Decimal(2).ln()
"""With epsilons in multiples of ln 2 every factor e^epsilon is a power of 2."""


def randomized_response(growth: int | Fraction) -> tuple[Law, Law]:
    """The laws of the report under "yes" and "no"; growth = e^epsilon."""
    lie = 1 / Fraction(1 + growth)
    truth = 1 - lie
    return {"yes": truth, "no": lie}, {"yes": lie, "no": truth}


def joint(*laws: Law) -> Law:
    """The law of independent reports together."""
    whole = {}
    for outcome in product(*laws):
        chance = Fraction(1)
        for law, report in zip(laws, outcome, strict=True):
            chance *= law[report]
        whole[outcome] = chance
    return whole


def side_by_side(p: Law, q: Law) -> tuple[list[Fraction], list[Fraction]]:
    """Both laws over the outcomes of either."""
    outcomes = sorted(set(p) | set(q), key=repr)
    return [p.get(y, Fraction(0)) for y in outcomes], [q.get(y, Fraction(0)) for y in outcomes]


def noisy_count(true: int, most: int, growth: int) -> Law:
    """The truncated geometric law on 0..most: two counts that differ by 1 have ratio `growth`.

    Ghosh, Roughgarden & Sundararajan 2012: geometric noise, what lies outside put on the ends.
    """
    alpha = Fraction(1, growth)
    inside = (1 - alpha) / (1 + alpha)
    law = {y: inside * alpha ** abs(y - true) for y in range(1, most)}
    law[0] = alpha**true / (1 + alpha)
    law[most] = alpha ** (most - true) / (1 + alpha)
    return law


def tables(rows: tuple[Hashable, ...], most: int) -> list[Table]:
    """Every table of up to `most` of these rows, whatever the order."""
    return [
        table for size in range(most + 1) for table in combinations_with_replacement(rows, size)
    ]


def neighbours(
    rows: tuple[Hashable, ...], most: int, relation: str
) -> Iterator[tuple[Table, Table]]:
    """Every ordered pair of neighbouring tables of up to `most` rows."""
    known = tables(rows, most)
    for table in known:
        for place in range(len(table)):
            rest = table[:place] + table[place + 1 :]
            if relation == "add_remove":
                yield table, rest
                yield rest, table
            else:
                for row in rows:
                    yield table, (*rest, row)


def worst_ratio(
    mechanism: Callable[[Table], Law], pairs: Iterator[tuple[Table, Table]]
) -> Fraction:
    """The largest ratio of chances of any outcome over pairs of tables."""
    worst = Fraction(0)
    for one, other in pairs:
        p, q = mechanism(one), mechanism(other)
        worst = max(worst, *(p[y] / q[y] for y in p))
    return worst
