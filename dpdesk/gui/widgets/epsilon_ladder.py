"""The values that the slider of epsilon stops at: exact decimals with two or three digits."""

from __future__ import annotations

import bisect
import math
from decimal import Decimal

POSITIONS = 1000
"""Positions of the slider; equal distances are equal ratios."""

LADDER_MIN = Decimal("0.01")
LADDER_MAX = Decimal(20)

_SPAN = math.log(float(LADDER_MAX / LADDER_MIN))


def _rungs() -> tuple[Decimal, ...]:
    """0.010 … 0.099, 0.10 … 0.99, 1.00 … 4.95 by 0.05, 5.0 … 20.0 by 0.1."""
    stretches = (("0.010", "0.1", "0.001"), ("0.1", "1", "0.01"), ("1", "5", "0.05"))
    rungs: list[Decimal] = []
    for start, stop, step in stretches:
        rung = Decimal(start)
        while rung < Decimal(stop):
            rungs.append(rung)
            rung += Decimal(step)
    rungs.extend(Decimal(tenth) / 10 for tenth in range(50, 201))
    return tuple(rungs)


RUNGS = _rungs()


def rung_at(position: int) -> Decimal:
    """The rung nearest to a position of the slider, 0 to `POSITIONS`."""
    wanted = float(LADDER_MIN) * math.exp(position / POSITIONS * _SPAN)
    index = bisect.bisect_left(RUNGS, Decimal(wanted))
    near = RUNGS[max(index - 1, 0) : index + 1]
    # Nearest by ratio, since that is what the slider shows.
    return min(near, key=lambda rung: abs(math.log(float(rung) / wanted)))


def position_of(epsilon: Decimal) -> int:
    """The position that shows an epsilon; outside the ladder it is the nearer end."""
    inside = min(max(epsilon, LADDER_MIN), LADDER_MAX)
    return round(math.log(float(inside / LADDER_MIN)) / _SPAN * POSITIONS)


def neighbour(epsilon: Decimal, steps: int) -> Decimal:
    """The rung that lies this many steps above (or, negative, below) an epsilon."""
    if steps >= 0:
        index = bisect.bisect_right(RUNGS, epsilon) - 1 + steps
    else:
        index = bisect.bisect_left(RUNGS, epsilon) + steps
    return RUNGS[min(max(index, 0), len(RUNGS) - 1)]
