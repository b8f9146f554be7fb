"""Staircase noise on the public grid, without bounds: the least noise for its epsilon."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from dpdesk.channel.rounding import SCALE_BITS, scaled_power
from dpdesk.channel.shift import SHIFT_GRID_MAX
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import Tick
from dpdesk.mechanisms.mean import Grid, NumericMechanism
from dpdesk.mechanisms.unbounded import BoundUnbounded, UnboundedForecast

Optimize = Literal["variance", "error"]
"""What the width of the steps makes smallest: the noise's variance or its mean absolute value."""


class Staircase(NumericMechanism):
    """Noise whose chance falls in steps, once in every width W of the interval.

    Counted in steps of the grid, D to the interval: p(d) is proportional to e^(-k eps) for
    k D <= |d| < k D + g and to e^(-(k+1) eps) up to (k+1) D. The width g of the upper step is
    that of the grid which makes the noise smallest; gamma is g / D.
    """

    short = "Staircase"
    title = N_("Staircase noise")
    summary = N_("The report is the answer plus noise in steps, and may lie far outside the range.")
    reference = "Geng, Kairouz, Oh & Viswanath 2015; Geng & Viswanath 2016"
    most_points = SHIFT_GRID_MAX

    kind: Literal["staircase"] = "staircase"
    optimize: Annotated[
        Optimize,
        Field(
            title="Minimize",
            description="What the width of the steps makes smallest: the variance of the noise, "
            "for a mean, or its mean absolute value, for single reports.",
        ),
    ] = "variance"

    def bound(self, grid: Grid, tick: Tick | None) -> BoundUnbounded:
        """Returns staircase noise on a grid, its integer table certified."""
        width = grid.size - 1
        upper = best_step(width, self.epsilon, self.optimize)
        period = [1 << SCALE_BITS] * upper
        period += [scaled_power(-Fraction(self.epsilon))] * (width - upper)
        return BoundUnbounded(self, grid, period, {"gamma": upper / width}, tick)

    def preview(self, grid: Grid) -> UnboundedForecast:
        """Returns the preview."""
        return _forecast(grid.size, grid.span, self.epsilon, self.optimize)


@lru_cache(maxsize=32)
def _forecast(size: int, span: float, epsilon: Decimal, optimize: Optimize) -> UnboundedForecast:
    upper = best_step(size - 1, epsilon, optimize)
    period = np.where(np.arange(size - 1) < upper, 1.0, np.exp(-float(epsilon)))
    return UnboundedForecast(size, span, float(epsilon), period)


@lru_cache(maxsize=256)
def best_step(width: int, epsilon: Decimal, optimize: Optimize) -> int:
    """Returns g, from 1 to D, that makes the noise smallest.

    In the limit of a fine grid g / D is gamma of Geng et al. 2015: 1 / (1 + e^(eps/2)) for the
    absolute value, and -b/(1-b) + (b - 2b^2 + 2b^4 - b^5)^(1/3) / (2^(1/3) (1-b)^2), b = e^-eps,
    for the variance.

    Args:
        width: D, number of steps of the interval.
        epsilon: The loss.
        optimize: What is to be smallest.
    """
    # Correctly rounded, so that every machine finds the same step.
    fall = float(Fraction(scaled_power(-Fraction(epsilon)), 1 << SCALE_BITS))
    rest = 1 - fall
    g = np.arange(1.0, width + 1)
    # Sums over a period of 1, a and a^2, weighted by 1 for a < g and by `fall` beyond.
    zeros = fall * width + rest * g
    ones = (fall * width * (width - 1) + rest * g * (g - 1)) / 2
    squares = (fall * width * (width - 1) * (2 * width - 1) + rest * g * (g - 1) * (2 * g - 1)) / 6
    if optimize == "error":
        size = width * zeros * fall / rest**2 + ones / rest
    else:
        size = width**2 * zeros * fall * (1 + fall) / rest**3
        size += 2 * width * ones * fall / rest**2 + squares / rest
    return int((size / (2 * zeros / rest - 1)).argmin()) + 1
