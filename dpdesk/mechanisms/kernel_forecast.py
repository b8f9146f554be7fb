"""Preview of noise within the bounds, whose mean is unbiased through the inverse channel."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from dpdesk.mechanisms.base import Floats
from dpdesk.mechanisms.mean import MeanForecast


class Kernel(Protocol):
    """A channel Pr[y | x] = k(x, y) / Z_x on m points with k symmetric, in floating point."""

    @property
    def size(self) -> int:
        """Number of grid points, m."""

    def normalisers(self) -> Floats:
        """Returns Z_x, shape (m,)."""

    def row(self, code: int) -> Floats:
        """Returns Pr[y | x = code], shape (m,)."""

    def expected(self, values: Floats) -> Floats:
        """Returns E[values(Y) | x] for every x, shape (m,)."""

    def unbiased(self, target: Floats) -> Floats:
        """Returns phi with E[phi(Y) | x] = target(x), shape (m,)."""


class KernelForecast(MeanForecast):
    """Preview of noise that is kept within the bounds."""

    def __init__(self, span: float, kernel: Kernel, truthful: float) -> None:
        """Takes the channel.

        Args:
            span: Width of the interval, in the attribute's unit.
            kernel: The channel.
            truthful: Share of reports that are the true grid point, for answers spread evenly.
        """
        super().__init__(kernel.size, span)
        self.kernel = kernel
        self.truthful = truthful
        position = np.linspace(0.0, 1.0, kernel.size)
        phi = kernel.unbiased(position)
        self._noise = np.maximum(kernel.expected(phi * phi) - position**2, 0.0)
        self._phi = phi

    @property
    def positions(self) -> Floats:
        """The grid."""
        return np.linspace(0.0, self.span, self.size)

    @property
    def worth(self) -> Floats:
        """The inverse channel's numbers."""
        return self.span * self._phi

    @property
    def noise_variances(self) -> Floats:
        """Variance of the inverse channel's numbers."""
        return self.span**2 * self._noise

    def probabilities(self, code: int) -> Floats:
        """Returns Pr[y | x], shape (m,)."""
        return self.kernel.row(code)

    def report_law(self) -> tuple[Floats, Floats, float]:
        """Returns the inverse channel's numbers and their chances, without the whole table."""
        # The kernel is symmetric but for its normalisers: the sum over true answers of k(x, y)
        # / Z_x is the expectation of 1/Z, put back on the scale of a law.
        normalisers = self.kernel.normalisers()
        chances = self.kernel.expected(1 / normalisers) * normalisers
        return self.worth, chances / chances.sum(), self.span / 2
