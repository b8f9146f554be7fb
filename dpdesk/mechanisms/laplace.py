"""Laplace noise on the public grid, without bounds."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Literal

import numpy as np

from dpdesk.channel.rounding import SCALE_BITS, scaled_power
from dpdesk.channel.shift import SHIFT_GRID_MAX
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import Tick
from dpdesk.mechanisms.mean import Grid, NumericMechanism
from dpdesk.mechanisms.unbounded import BoundUnbounded, UnboundedForecast


class Laplace(NumericMechanism):
    """Two-sided geometric noise of scale W/eps, W being the interval's width, on its grid."""

    short = "Laplace"
    title = N_("Laplace noise")
    summary = N_("The report is the answer plus noise, and may lie far outside the range.")
    reference = "Dwork, McSherry, Nissim & Smith 2006; Ghosh, Roughgarden & Sundararajan 2012"
    most_points = SHIFT_GRID_MAX

    kind: Literal["laplace"] = "laplace"

    def bound(self, grid: Grid, tick: Tick | None) -> BoundUnbounded:
        """Returns Laplace noise on a grid, its integer table certified."""
        scale = grid.span / float(self.epsilon)
        period = _period(grid.size - 1, Fraction(self.epsilon))
        return BoundUnbounded(self, grid, period, {"scale": scale}, tick)

    def preview(self, grid: Grid) -> UnboundedForecast:
        """Returns the preview."""
        return _forecast(grid.size, grid.span, float(self.epsilon))


@lru_cache(maxsize=32)
def _forecast(size: int, span: float, epsilon: float) -> UnboundedForecast:
    period = np.exp(-epsilon / (size - 1) * np.arange(size - 1))
    return UnboundedForecast(size, span, epsilon, period)


def _period(width: int, epsilon: Fraction) -> list[int]:
    """Returns e^(-eps d / D) for d = 0 .. D-1, as integers over 2^224."""
    ratio = scaled_power(-epsilon / width)
    powers = [1 << SCALE_BITS]
    for _ in range(width - 1):
        # Each product is short by less than 2^-224: nothing that weights of 64 bits could show.
        powers.append(powers[-1] * ratio >> SCALE_BITS)
    return powers
