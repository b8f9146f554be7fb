"""Grids of numbers that are suggested: bounds on round numbers, and a step that is fine enough."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal

from pydantic import ValidationError

from dpdesk.domains import AnyGrid, Date, Integer, Real
from dpdesk.errors import ParameterError

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
    # -0.3 moves up to -0, which nobody writes.
    return first + 0, last + 0


def _plain(number: Decimal) -> Decimal:
    """The same number without the trailing zeros of the arithmetic, as in 500.00."""
    short = number.normalize()
    return short.quantize(Decimal(1)) if int(short.as_tuple().exponent) > 0 else short


_ROUNDER_PARTS = 10
"""A rounder bound is a multiple of 1, 2 or 5 times a power of ten, about a tenth of the range."""


def rounder_bounds(domain: AnyGrid) -> AnyGrid | None:
    """Returns the domain with bounds moved outwards to rounder numbers; None where they are round.

    The least and the greatest answer of a file are answers of single respondents. Rounder bounds
    tell less of them, and hold more than the file does. The grid becomes coarser only where it
    would have more points than a suggested one has.
    """
    if isinstance(domain, Date):
        return domain.rounder()
    lower, upper = domain.grid_lower, domain.grid_upper
    rough, scale = (upper - lower) / _ROUNDER_PARTS, Decimal(1).scaleb(-_FINEST)
    while scale * 10 <= rough:
        scale *= 10
    step = next(scale * factor for factor in (*_STEPS, 10) if scale * factor >= rough)
    step = max(step, domain.grid_step)
    if lower % domain.grid_step or step % domain.grid_step:
        # Other bounds would move the grid off the answers, such as 3, 10, 17.
        return None
    first, last = _outward(lower, upper, step)
    if (first, last) == (lower, upper):
        return None
    grid = max(domain.grid_step, _step(first, last, domain.grid_step))
    try:
        if isinstance(domain, Integer):
            whole = {"lower": int(first), "upper": int(last), "step": int(grid)}
            return Integer.model_validate(domain.model_dump() | whole)
        real = {"lower": _plain(first), "upper": _plain(last), "resolution": _plain(grid)}
        return Real.model_validate(domain.model_dump() | real)
    except (ValidationError, ParameterError):
        return None
