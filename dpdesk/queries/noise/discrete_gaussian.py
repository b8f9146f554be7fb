"""The law of discrete Gaussian noise, summed term by term or by the Euler-Maclaurin formula."""

from __future__ import annotations

from math import ceil, erfc, exp, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.queries.noise.law import Floats, IntegerLaw

# From here on the Euler-Maclaurin formula with one correction errs by less than 1e-11 of the tail
# within 9 scales, and sums of more terms would be felt in the window.
_SUM_SCALE_MAX = 1_000.0
# e^(-38^2 / 2) = 2e-314: all that lies farther out than 38 scales is less than 1e-309.
_REACH = 38


class DiscreteGaussianLaw(IntegerLaw):
    """P(N = k) proportional to e^(-k^2 / (2 scale^2)) (Canonne, Kamath & Steinke 2020).

    Up to a scale of 1,000 steps the chances are summed from the smallest on; the terms left out,
    beyond 38 scales, are below the integral of their curve, which is less than 1e-309. For larger
    scales sum_{k > h} f(k) = int_{h+1/2} f + f'(h + 1/2) / 24; the next term, with the third
    derivative, is about 0.0012 (h / scale^2)^4 of the tail. The normaliser is scale sqrt(2 pi), up
    to e^(-2 pi^2 scale^2) of it (Poisson summation).
    """

    def __init__(self, scale: float) -> None:
        """Takes the scale in steps; it is a little above the standard deviation."""
        self.scale = scale
        self._tails: Floats | None = None
        if scale > _SUM_SCALE_MAX:
            self._total = scale * sqrt(2 * pi)
            self.variance = scale * scale
            return
        k = np.arange(ceil(_REACH * scale) + 2, dtype=np.float64)
        falls = np.exp(-((k / scale) ** 2) / 2)
        # sums[h] is the sum over k >= h, small terms first.
        sums = np.cumsum(falls[::-1])[::-1]
        self._total = float(2 * sums[1] + 1)
        self._tails = 2 * sums[1:] / self._total
        self.variance = float(2 * (k * k * falls).sum() / self._total)

    def tail_beyond(self, distance: int) -> float:
        """Returns P(|N| > distance)."""
        if self._tails is not None:
            return float(self._tails[distance]) if distance < self._tails.size else 0.0
        ratio = (distance + 0.5) / self.scale
        slope = ratio * exp(-ratio * ratio / 2) / self.scale
        beyond = self._total / 2 * erfc(ratio / sqrt(2)) - slope / 24
        return 2 * beyond / self._total

    def chances(self, points: NDArray[Any]) -> Floats:
        """Returns the chance of each whole number, same shape."""
        ratios = np.asarray(points, dtype=np.float64) / self.scale
        return np.asarray(np.exp(-ratios * ratios / 2) / self._total)
