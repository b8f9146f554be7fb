"""Intervals of variances from noisy sums, without the waste of one width for every sum.

In half steps d from the middle of the bounds let S be the sum of d, Q that of 2 d^2 - R^2 and N the
number of rows; m = S/N and v = Q/(2N) + R^2/2 - m^2 are the true mean and variance. For noisy sums
s, q, n

    q/2 - 2 m s + n (m^2 + R^2/2 - v) = A/2 - 2 m B + c C,    c = m^2 + R^2/2 - v,

with A, B, C the noises of q, s, n: at the true m and v the left side is noise alone. A variance is
kept where for some mean that the noise leaves open the left side is within the width of the right
one. A tenth of the doubt goes to the mean, about which the left side is nearly flat.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import numpy as np

from dpdesk.queries.combined import (
    Floats,
    Sizes,
    combined_sizes,
    quotient_intervals,
    sizes_of,
    width_of_sizes,
    widths_between,
)
from dpdesk.queries.noise import CalibratedNoise

_DOUBT_OF_MEAN = 0.1
# Weights are rounded up to so many parts of their range, so that cells share their widths.
_WEIGHTS = 64
_ROUNDS = 4


@dataclass(frozen=True)
class Spread:
    """How variances follow from noisy sums.

    Attributes:
        reach: R, the distance of a bound from the middle, in half steps.
        first: Noise of the sums of distances.
        second: Noise of the sums of squares.
        count: Noise of the numbers of rows; None where they are public.
        confidence: Coverage of each interval.
    """

    reach: float
    first: CalibratedNoise
    second: CalibratedNoise
    count: CalibratedNoise | None
    confidence: float

    def intervals(self, s: Floats, q: Floats, n: Floats) -> tuple[Floats, Floats]:
        """Returns the ends of each variance in squared half steps, within 0 to R^2.

        Args:
            s: Noisy sums of distances, shape (cells,).
            q: Noisy sums of squares, same shape.
            n: Noisy or public numbers of rows, same shape.
        """
        lows, highs = self._means(s, n)
        cells = zip(*(x.tolist() for x in (s, q, n, lows, highs)), strict=True)
        ends = np.array([self._one(*cell) for cell in cells]).reshape(-1, 2)
        return ends[:, 0], ends[:, 1]

    def _means(self, s: Floats, n: Floats) -> tuple[Floats, Floats]:
        """The means that the noise leaves open, in half steps."""
        level, reach = 1 - _DOUBT_OF_MEAN * (1 - self.confidence), self.reach
        if self.count is None:
            half = self.first.half_width(level)
            return np.clip((s - half) / n, -reach, reach), np.clip((s + half) / n, -reach, reach)
        weights = ((1.0, -reach), (1.0, reach))
        shares, widths = widths_between(self.first, self.count, weights, level)
        return quotient_intervals(s, n, reach * (2 * shares - 1), widths)

    def _one(
        self, s: float, q: float, n: float, m_low: float, m_high: float
    ) -> tuple[float, float]:
        square = self.reach**2
        if n <= 0:
            return 0.0, square
        m_most = max(abs(m_low), abs(m_high))
        m_least = 0.0 if m_low <= 0 <= m_high else min(abs(m_low), abs(m_high))
        # As a function of the mean a parabola with its lowest point at s / n.
        flat = min(max(s / n, m_low), m_high)
        least = _about(s, q, n, flat, square)
        most = max(_about(s, q, n, m, square) for m in (m_low, m_high))
        low, high = 0.0, square - m_least**2
        half = 0.0
        # A smaller range of variances has a smaller width, and that again a smaller range.
        for _ in range(_ROUNDS):
            farthest = max(abs(m_most**2 + square / 2 - low), abs(m_least**2 + square / 2 - high))
            half = self._width(m_most, farthest) / n
            low, high = max(least - half, low), min(most + half, high)
            if low > high:
                break
        if low <= high:
            return low, high
        # The noise leaves no variance that can be: the nearest one, and as far as the noise goes.
        return (0.0, min(half, square)) if most < square / 2 else (max(square - half, 0.0), square)

    def _width(self, mean: float, rows: float) -> float:
        """Width of A/2 - 2 m B + c C for all means and weights of C up to these."""
        square = self.reach**2
        level = 1 - (1 - _DOUBT_OF_MEAN) * (1 - self.confidence)
        m = ceil(mean / self.reach * _WEIGHTS) / _WEIGHTS
        c = 0.0 if self.count is None else ceil(rows / square * _WEIGHTS) / _WEIGHTS
        return _width(self, m * self.reach, c * square, level)


@lru_cache(maxsize=4096)
def _width(spread: Spread, mean: float, rows: float, level: float) -> float:
    others: Sizes = sizes_of(spread.first)
    at = 2 * mean
    if spread.count is not None:
        others = combined_sizes(others, at, sizes_of(spread.count), rows)
        at = 1.0
    return width_of_sizes(sizes_of(spread.second), 0.5, others, at, level)


def _about(s: float, q: float, n: float, mean: float, square: float) -> float:
    """The mean of (d - m)^2 from noisy sums: the variance where m is the mean."""
    return (q / 2 - 2 * mean * s) / n + mean**2 + square / 2
