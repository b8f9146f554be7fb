"""Small randomized mechanisms whose laws are written down in full, in Fractions."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import product

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
