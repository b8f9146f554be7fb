"""The bounded geometric (discrete Laplace) channel in floating point, and its inverse."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

import numpy as np

from dpdesk.numbers.arrays import Floats


@dataclass(frozen=True, slots=True)
class GeometricKernel:
    """The bounded geometric channel on m points: Pr[y | x] = r^|x-y| / Z_x.

    Attributes:
        size: Number of grid points, m.
        ratio: r = e^(-eps / (m - 1)).
    """

    size: int
    ratio: float

    @classmethod
    def at(cls, size: int, epsilon: float) -> GeometricKernel:
        """Returns the kernel whose loss is exactly epsilon, the ends being the worst pair."""
        return cls(size, exp(-epsilon / (size - 1)))

    def normalisers(self) -> Floats:
        """Returns Z_x, shape (m,): two geometric series that share the point x."""
        x = np.arange(self.size)
        decay = np.log(self.ratio)
        # expm1 keeps the digits where r is close to 1.
        left = -np.expm1(decay * (x + 1)) / -np.expm1(decay)
        right = -np.expm1(decay * (self.size - x)) / -np.expm1(decay)
        return np.asarray(left + right - 1)

    def row(self, code: int) -> Floats:
        """Returns Pr[y | x = code], shape (m,)."""
        weights = self.ratio ** np.abs(np.arange(self.size) - code, dtype=np.float64)
        return np.asarray(weights / weights.sum())

    def largest(self) -> Floats:
        """Returns the largest chance of each report under any x, shape (m,).

        That of the answers on one side is the largest of r^-x / Z_x so far, times r^y.
        """
        rise = np.arange(self.size) * -np.log(self.ratio)
        logs = np.log(self.normalisers())
        left = np.maximum.accumulate(rise - logs) - rise
        return np.asarray(np.exp(np.maximum(left, left[::-1])))

    def expected(self, values: Floats) -> Floats:
        """Returns E[values(Y) | x] for every x, shape (m,).

        The sums of values(y) r^(x-y) to the left and to the right are first-order recursions;
        each is summed by doubling (Hillis and Steele 1986), a few array operations instead of m.
        """
        forward, backward = values.copy(), values[::-1].copy()
        reach, power = 1, self.ratio
        while reach < self.size:
            for sums in (forward, backward):
                sums[reach:] += power * sums[:-reach]
            reach, power = 2 * reach, power * power
        return np.asarray((forward + backward[::-1] - values) / self.normalisers())

    def matrix(self) -> Floats:
        """Returns the whole channel, shape (m, m)."""
        y = np.arange(self.size)
        weights = self.ratio ** np.abs(y[:, None] - y[None, :], dtype=np.float64)
        return np.asarray(weights / self.normalisers()[:, None])

    def unbiased(self, target: Floats) -> Floats:
        """Returns phi with E[phi(Y) | x] = target(x), shape (m,).

        The kernel r^|x-y| has a tridiagonal inverse: 1/(1-r^2) times 1, 1+r^2, ..., 1+r^2, 1 on
        the diagonal and -r beside it (Kac, Murdock & Szego 1953).
        """
        r = self.ratio
        scaled = self.normalisers() * target
        phi = (1 + r * r) * scaled
        phi[[0, -1]] = scaled[[0, -1]]
        phi[1:] -= r * scaled[:-1]
        phi[:-1] -= r * scaled[1:]
        return np.asarray(phi / -np.expm1(2 * np.log(r)))
