"""Domains of numbers that hold given numbers on a grid of moderate size."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from dpdesk.domains import Integer, Real

GRID_POINTS = 2_000
"""Most points of a suggested grid: finer than any survey resolves, small enough to draw."""

_FINEST = 9
_STEPS = (1, 2, 5)


def integer_domain(lower: float, upper: float) -> Integer:
    """Whole numbers from `lower` to `upper`; a step of 1, 2, 5, 10, … if they are too many.

    Bounds move outwards to multiples of the step.
    """
    step = _step(Decimal(lower), Decimal(upper), Decimal(1))
    first, last = _outward(Decimal(lower), Decimal(upper), step)
    return Integer(lower=int(first), upper=int(last), step=int(step))


def real_domain(lower: float, upper: float, decimals: int) -> Real:
    """Numbers from `lower` to `upper`, bounds moved outwards to multiples of the resolution.

    Args:
        lower: The least number, below `upper`.
        upper: The greatest number.
        decimals: Digits after the decimal mark of the numbers; the resolution is never finer.
    """
    finest = Decimal(1).scaleb(-min(decimals, _FINEST))
    low, high = Decimal(repr(lower)), Decimal(repr(upper))
    step = _step(low, high, finest)
    first, last = _outward(low, high, step)
    return Real(lower=_plain(first), upper=_plain(last), resolution=_plain(step))


def _step(lower: Decimal, upper: Decimal, finest: Decimal) -> Decimal:
    step, scale = finest, finest
    while True:
        for factor in _STEPS:
            step = scale * factor
            first, last = _outward(lower, upper, step)
            if (last - first) / step < GRID_POINTS:
                return step
        scale *= 10


def _outward(lower: Decimal, upper: Decimal, step: Decimal) -> tuple[Decimal, Decimal]:
    first = (lower / step).to_integral_value(ROUND_FLOOR) * step
    last = (upper / step).to_integral_value(ROUND_CEILING) * step
    return first, last


def _plain(number: Decimal) -> Decimal:
    """The same number without digits that only the arithmetic left behind, such as 500.00."""
    short = number.normalize()
    return short.quantize(Decimal(1)) if int(short.as_tuple().exponent) > 0 else short
