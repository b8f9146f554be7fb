"""The law of Laplace noise."""

from __future__ import annotations

from math import exp, log
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.queries.noise.law import ContinuousLaw, Floats


class LaplaceLaw(ContinuousLaw):
    """Density e^(-|x|/scale) / (2 scale).

    OpenDP draws it on a grid of 2^-1074 and rounds the sum to the nearest floating-point number,
    which no figure here can tell from the density.
    """

    def __init__(self, scale: float) -> None:
        """Takes the scale in steps."""
        self.scale = scale
        self.variance = 2 * scale * scale

    def tail(self, distance: float) -> float:
        """Returns P(|N| > distance) = e^(-distance/scale)."""
        return exp(-distance / self.scale)

    def reach(self, tail: float) -> float:
        """Returns the h with P(|N| > h) = tail."""
        return -self.scale * log(tail)

    def chances(self, points: NDArray[Any]) -> Floats:
        """Returns the density at each point, per step, same shape."""
        distances = np.abs(np.asarray(points, dtype=np.float64))
        return np.asarray(np.exp(-distances / self.scale) / (2 * self.scale))
