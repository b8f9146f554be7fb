"""Integer weights of the bounded staircase channel (see `staircase_kernel` for its law)."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL
from dpdesk.channel.rounding import SCALE_BITS, padding
from dpdesk.channel.staircase_kernel import near_the_rival
from dpdesk.cost import exp_lower

_DIGITS = Context(prec=90)


def staircase_weights(
    size: int, width: int, epsilon: Decimal, tick: Callable[[], None] | None = None
) -> NDArray[np.uint64]:
    """Returns the integer law of the calibrated bounded staircase.

    The rows are rounded as by `rounded_rows`, once for each of their two levels.

    Args:
        size: Number of grid points, m >= 2.
        width: g, from 1 to m - 1.
        epsilon: The loss on the grid.
        tick: Called once per row; may raise to stop the work.

    Returns:
        Weights, shape (m, m), row x for the true value x; each row sums to 2^64.
    """
    far, near = 1 << SCALE_BITS, _near_level(size, width, epsilon)
    c = padding(epsilon)
    spread = WORD_TOTAL - size * c
    points = np.arange(size)
    weights = np.empty((size, size), dtype=np.uint64)
    for x in range((size + 1) // 2):
        if tick is not None:
            tick()
        is_near = np.abs(points - x) < width
        count = int(is_near.sum())
        total = (size - count) * far + count * near
        (low, low_rest), (high, high_rest) = (divmod(spread * v, total) for v in (far, near))
        row = np.where(is_near, np.uint64(high + c), np.uint64(low + c))
        missing = spread - (size - count) * low - count * high
        # Single units go where more was cut off.
        order = np.argsort(is_near == (low_rest > high_rest), kind="stable")
        row[order[:missing]] += np.uint64(1)
        weights[x] = row
        # The channel is symmetric under reversal of the grid, so half of the rows suffice.
        weights[size - 1 - x] = row[::-1]
    return weights


def _near_level(size: int, width: int, epsilon: Decimal) -> int:
    """Returns 1 + u as an integer over 2^224, u a little below the root of its equation."""
    growth = exp_lower(epsilon)
    rival = near_the_rival(size, width)
    # Each step in the context of 90 digits: operators would round to 28.
    ratio = _DIGITS.divide(Decimal(growth.numerator), Decimal(growth.denominator))
    slope = _DIGITS.fma(ratio, Decimal(-width), Decimal(rival + size))
    over = _DIGITS.multiply(_DIGITS.subtract(ratio, Decimal(1)), Decimal(4 * rival * size))
    root = _DIGITS.sqrt(_DIGITS.fma(slope, slope, over))
    rise = _DIGITS.divide(_DIGITS.subtract(root, slope), Decimal(2 * rival))
    one = 1 << SCALE_BITS
    return one + int(_DIGITS.multiply(rise, Decimal(one)))
