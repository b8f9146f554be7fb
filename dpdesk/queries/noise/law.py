"""What every law of noise answers: chances, errors and quantiles, all from its tail.

All laws here are symmetric about 0 and fall with the distance from it, so P(|N| > h) says
everything. Laws count in steps of the part's grid.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


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
        """Returns P(|N| > distance), distance >= 0."""
        return self.tail_beyond(int(distance))

    def reach(self, tail: float) -> int:
        """Returns the smallest whole h with P(|N| > h) <= tail, 0 < tail < 1."""
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
        """Returns the chance that the noise is k."""
        return float(self.chances(np.array([k], dtype=np.float64))[0])

    def cumulative(self, x: float) -> float:
        """Returns P(N <= x)."""
        k = int(np.floor(x))
        return 1 - self.tail_beyond(k) / 2 if k >= 0 else self.tail_beyond(-k - 1) / 2

    def quantile(self, share: float) -> int:
        """Returns the smallest whole k with P(N <= k) >= share, 0 < share < 1."""
        if share > self.tail_beyond(0) / 2:
            return self.reach(min(2 * (1 - share), 1.0))
        # P(N <= -m) is half the tail beyond m - 1: the largest m at which it is not too little.
        beyond = self.reach(2 * share)
        return -beyond if self.tail_beyond(beyond) < 2 * share else -beyond - 1


class ContinuousLaw(NoiseLaw):
    """A symmetric law on the real numbers."""

    def probability(self, k: int) -> float:
        """Returns the chance that the noise, rounded to whole numbers, is k."""
        if k == 0:
            return 1 - self.tail(0.5)
        return (self.tail(abs(k) - 0.5) - self.tail(abs(k) + 0.5)) / 2

    def cumulative(self, x: float) -> float:
        """Returns P(N <= x)."""
        return 1 - self.tail(x) / 2 if x >= 0 else self.tail(-x) / 2

    def quantile(self, share: float) -> float:
        """Returns the x with P(N <= x) = share, 0 < share < 1."""
        if share == 1 / 2:
            return 0.0
        return self.reach(2 * (1 - share)) if share > 1 / 2 else -self.reach(2 * share)
