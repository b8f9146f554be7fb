"""Noise that is kept within the bounds, on a public grid: bounded Laplace and bounded staircase.

The mean is unbiased through the inverse of the channel.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property, lru_cache
from math import expm1, log1p
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel import DenseLaw, GeometricKernel, geometric_weights
from dpdesk.channel.dense import DENSE_MAX
from dpdesk.channel.staircase import StaircaseKernel, staircase_loss, staircase_weights
from dpdesk.i18n import N_, Message, in_a_row
from dpdesk.mechanisms.base import Tick
from dpdesk.mechanisms.mean import BoundMean, Grid, MeanForecast
from dpdesk.mechanisms.numeric import NumericMechanism
from dpdesk.mechanisms.texts import T
from dpdesk.numbers.arrays import Codes, Floats


class Kernel(Protocol):
    """A channel Pr[y | x] = k(x, y) / Z_x on m points with k symmetric, in floating point."""

    @property
    def size(self) -> int:
        """Number of grid points, m."""

    def normalisers(self) -> Floats:
        """Returns Z_x, shape (m,)."""

    def row(self, code: int) -> Floats:
        """Returns Pr[y | x = code], shape (m,)."""

    def largest(self) -> Floats:
        """Returns the largest chance of each report under any x, shape (m,)."""

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
        return np.linspace(0.0, self.span, self.size)

    @property
    def worth(self) -> Floats:
        return self.span * self._phi

    @property
    def noise_variances(self) -> Floats:
        return self.span**2 * self._noise

    @cached_property
    def most_likely(self) -> Floats:
        return self.kernel.largest()

    def probabilities(self, code: int) -> Floats:
        return self.kernel.row(code)

    def report_law(self) -> tuple[Floats, Floats, float]:
        # The kernel is symmetric but for its normalisers: the sum over true answers of k(x, y)
        # / Z_x is the expectation of 1/Z, put back on the scale of a law.
        normalisers = self.kernel.normalisers()
        chances = self.kernel.expected(1 / normalisers) * normalisers
        return self.worth, chances / chances.sum(), self.span / 2


class BoundBounded(BoundMean):
    """Bounded noise on a domain: the integer table that is run, and its inverse."""

    mechanism: BoundedNoise

    def __init__(self, mechanism: BoundedNoise, domain: Grid, tick: Tick | None) -> None:
        """Builds the table.

        Args:
            mechanism: The parameters.
            domain: Numbers on a grid.
            tick: Called now and then; may raise to stop the work.
        """
        law = DenseLaw(mechanism.weights(domain.size, tick), tick)
        kernel, position = mechanism.kernel(domain.size), np.linspace(0.0, 1.0, domain.size)
        worth = domain.span * kernel.unbiased(position)
        square_worth = domain.span**2 * kernel.unbiased(position**2)
        super().__init__(mechanism, domain, law, domain.texts, worth, square_worth)

    @property
    def places(self) -> Floats:
        return np.linspace(0.0, self._span, self.size)

    def report_moments(self, codes: Codes) -> Floats:
        kernel = self.mechanism.kernel(self.size)
        moments = (kernel.expected(self.places**power)[codes] for power in (1, 2))
        return np.stack((*moments,), axis=-1)

    def parameters(self) -> dict[str, float]:
        constant = self.mechanism.preview(self.domain).noise_constant
        return self.mechanism.numbers(self.domain) | {"n_var_star": constant}

    def estimation_rule(self, weighted: str) -> str:
        mean = T.BOUNDED_MEAN_RULE(weighted=weighted, size=str(self.size))
        return in_a_row((mean, self.mechanism.phi(self.size)))


class BoundedNoise(NumericMechanism):
    """What bounded Laplace and bounded staircase noise share: only the channel differs."""

    most_points = DENSE_MAX
    oracle = BoundBounded

    @abstractmethod
    def kernel(self, size: int) -> Kernel:
        """Returns the channel on m = `size` points in floating point."""

    @abstractmethod
    def weights(self, size: int, tick: Tick | None) -> NDArray[np.uint64]:
        """Returns the channel as integers, shape (m, m); `tick` is called now and then."""

    @abstractmethod
    def truthful(self, size: int) -> float:
        """Returns the share of true reports, for answers spread evenly over m = `size` points."""

    @abstractmethod
    def numbers(self, grid: Grid) -> dict[str, float]:
        """Returns what shapes the noise, for a report."""

    @abstractmethod
    def phi(self, size: int) -> Message:
        """Returns in words and symbols which number phi each of m = `size` points is worth."""

    def preview(self, grid: Grid) -> KernelForecast:
        return _forecast(self, grid.size, grid.span)


@lru_cache(maxsize=256)
def _forecast(noise: BoundedNoise, size: int, span: float) -> KernelForecast:
    return KernelForecast(span, noise.kernel(size), noise.truthful(size))


class BoundedLaplace(BoundedNoise):
    """Laplace noise of scale W/eps, conditioned on the public interval, on its grid."""

    short = "Bounded Laplace"
    title = N_("Bounded Laplace noise")
    summary = N_("The report is a number of the grid, near answers being likelier than far ones.")
    reference = "Holohan, Antonatos, Braghin & Mac Aonghusa 2020; Couchot 2023"
    in_its_favour = N_("Bounded Laplace keeps reports within the range, at a price in the mean.")

    kind: Literal["bounded_laplace"] = "bounded_laplace"

    def kernel(self, size: int) -> GeometricKernel:
        return GeometricKernel.at(size, float(self.epsilon))

    def weights(self, size: int, tick: Tick | None) -> NDArray[np.uint64]:
        return geometric_weights(size, self.epsilon, tick)

    def truthful(self, size: int) -> float:
        return float((1 / self.kernel(size).normalisers()).mean())

    def numbers(self, grid: Grid) -> dict[str, float]:
        return {"scale": grid.span / float(self.epsilon)}

    def phi(self, size: int) -> Message:
        return T.LAPLACE_PHI(r=repr(self.kernel(size).ratio))


class BoundedStaircase(BoundedNoise):
    """Staircase noise of period W, the interval's width, conditioned on the interval.

    It is calibrated so that its loss on the grid is exactly epsilon.
    """

    short = "Bounded staircase"
    title = N_("Bounded staircase noise")
    summary = N_("The report is a number of the grid, those around the answer being likelier.")
    reference = "Geng, Kairouz, Oh & Viswanath 2015; Couchot 2023"

    kind: Literal["bounded_staircase"] = "bounded_staircase"

    def kernel(self, size: int) -> StaircaseKernel:
        return _least_noise(size, float(self.epsilon))

    def weights(self, size: int, tick: Tick | None) -> NDArray[np.uint64]:
        return staircase_weights(size, self.kernel(size).width, self.epsilon, tick)

    def truthful(self, size: int) -> float:
        kernel = self.kernel(size)
        return float(((1 + kernel.rise) / kernel.normalisers()).mean())

    def numbers(self, grid: Grid) -> dict[str, float]:
        # `naive_loss` is that of a staircase of the same step whose own epsilon is the nominal one.
        kernel = self.kernel(grid.size)
        return {
            "eps0": log1p(kernel.rise),
            "gamma": kernel.width / (grid.size - 1),
            "naive_loss": staircase_loss(grid.size, kernel.width, expm1(float(self.epsilon))),
        }

    def phi(self, size: int) -> Message:
        kernel = self.kernel(size)
        return T.STAIRCASE_PHI(g=str(kernel.width), u=repr(kernel.rise), size=str(size))


@lru_cache(maxsize=256)
def _least_noise(size: int, epsilon: float) -> StaircaseKernel:
    return StaircaseKernel.least_noise(size, epsilon)
