"""The laws of noise: chances, errors and quantiles of each, all from its tail.

All laws here are symmetric about 0 and fall with the distance from it, so P(|N| > h) says
everything. Laws count in steps of the part's grid. That of discrete Gaussian noise is summed term
by term, or by the Euler-Maclaurin formula.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import ceil, erfc, exp, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers.arrays import Floats


class NoiseLaw(ABC):
    """A symmetric law of noise.

    Attributes:
        variance: In squared steps.
    """

    variance: float

    @abstractmethod
    def tail(self, distance: float) -> float:
        """Returns P(|N| > distance), distance >= 0."""

    @abstractmethod
    def reach(self, tail: float) -> float:
        """Returns the smallest h with P(|N| > h) <= tail, 0 < tail < 1."""

    @abstractmethod
    def chances(self, points: NDArray[Any]) -> Floats:
        """Returns the chance of each whole number, or the density at each point; same shape."""

    @abstractmethod
    def probability(self, k: int) -> float:
        """Returns the chance that the noise is k, rounded to whole numbers if it is not one."""

    @abstractmethod
    def cumulative(self, x: float) -> float:
        """Returns P(N <= x)."""

    @abstractmethod
    def quantile(self, share: float) -> float:
        """Returns the smallest x with P(N <= x) >= share, 0 < share < 1."""


class IntegerLaw(NoiseLaw):
    """A symmetric law on the whole numbers."""

    @abstractmethod
    def tail_beyond(self, distance: int) -> float:
        """Returns P(|N| > distance), a whole number of at least 0."""

    def tail(self, distance: float) -> float:
        return self.tail_beyond(int(distance))

    def reach(self, tail: float) -> int:
        if self.tail_beyond(0) <= tail:
            return 0
        above, within = 0, 1
        while self.tail_beyond(within) > tail:
            above, within = within, 2 * within
        while within - above > 1:
            middle = (above + within) // 2
            if self.tail_beyond(middle) > tail:
                above = middle
            else:
                within = middle
        return within

    def probability(self, k: int) -> float:
        return float(self.chances(np.array([k], dtype=np.float64))[0])

    def cumulative(self, x: float) -> float:
        k = int(np.floor(x))
        return 1 - self.tail_beyond(k) / 2 if k >= 0 else self.tail_beyond(-k - 1) / 2

    def quantile(self, share: float) -> int:
        if share > self.tail_beyond(0) / 2:
            return self.reach(min(2 * (1 - share), 1.0))
        # P(N <= -m) is half the tail beyond m - 1: the largest m at which it is not too little.
        beyond = self.reach(2 * share)
        return -beyond if self.tail_beyond(beyond) < 2 * share else -beyond - 1


class ContinuousLaw(NoiseLaw):
    """A symmetric law on the real numbers."""

    def probability(self, k: int) -> float:
        if k == 0:
            return 1 - self.tail(0.5)
        return (self.tail(abs(k) - 0.5) - self.tail(abs(k) + 0.5)) / 2

    def cumulative(self, x: float) -> float:
        return 1 - self.tail(x) / 2 if x >= 0 else self.tail(-x) / 2

    def quantile(self, share: float) -> float:
        if share == 1 / 2:
            return 0.0
        return self.reach(2 * (1 - share)) if share > 1 / 2 else -self.reach(2 * share)


# From here on the Euler-Maclaurin formula with one correction errs by less than 1e-11 of the tail
# within 9 scales, and sums of more terms would make the window noticeably slower.
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
        if self._tails is not None:
            return float(self._tails[distance]) if distance < self._tails.size else 0.0
        ratio = (distance + 0.5) / self.scale
        slope = ratio * exp(-ratio * ratio / 2) / self.scale
        beyond = self._total / 2 * erfc(ratio / sqrt(2)) - slope / 24
        return 2 * beyond / self._total

    def chances(self, points: NDArray[Any]) -> Floats:
        ratios = np.asarray(points, dtype=np.float64) / self.scale
        return np.asarray(np.exp(-ratios * ratios / 2) / self._total)
