"""The law of discrete Laplace noise, also called two-sided geometric."""

from __future__ import annotations

from math import exp, sinh, tanh
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.queries.noise.law import Floats, IntegerLaw


class GeometricLaw(IntegerLaw):
    """P(N = k) = (1 - r) / (1 + r) r^|k| with r = e^(-1/scale).

    Neighbours l1 steps apart see chances that differ by at most e^(l1/scale) (Ghosh, Roughgarden
    & Sundararajan 2009).
    """

    def __init__(self, scale: float) -> None:
        """Takes the scale in steps."""
        self.scale = scale
        # 2r / (1 - r)^2 without the difference of equal numbers.
        self.variance = 1 / (2 * sinh(1 / (2 * scale)) ** 2)

    def tail_beyond(self, distance: int) -> float:
        """Returns P(|N| > distance) = 2 r^(distance + 1) / (1 + r)."""
        return 2 * exp(-(distance + 1) / self.scale) / (1 + exp(-1 / self.scale))

    def chances(self, points: NDArray[Any]) -> Floats:
        """Returns the chance of each whole number, same shape."""
        falls = np.exp(-np.abs(np.asarray(points, dtype=np.float64)) / self.scale)
        return np.asarray(tanh(1 / (2 * self.scale)) * falls)
