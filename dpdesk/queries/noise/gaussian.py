"""The law of Gaussian noise."""

from __future__ import annotations

from math import erfc, pi, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.queries.noise.law import ContinuousLaw, Floats


class GaussianLaw(ContinuousLaw):
    """The normal law; the scale is its standard deviation, in steps."""

    def __init__(self, scale: float) -> None:
        """Takes the scale in steps."""
        self.scale = scale
        self.variance = scale * scale

    def tail(self, distance: float) -> float:
        """Returns P(|N| > distance)."""
        return erfc(distance / (self.scale * sqrt(2)))

    def reach(self, tail: float) -> float:
        """Returns the h with P(|N| > h) = tail."""
        return -self.scale * NormalDist().inv_cdf(tail / 2)

    def chances(self, points: NDArray[Any]) -> Floats:
        """Returns the density at each point, per step, same shape."""
        ratios = np.asarray(points, dtype=np.float64) / self.scale
        return np.asarray(np.exp(-ratios * ratios / 2) / (self.scale * sqrt(2 * pi)))
