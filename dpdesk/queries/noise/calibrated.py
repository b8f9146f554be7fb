"""Calibrated noise: it is drawn, and its errors are known before a release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import erfc, exp, expm1, log, pi, sinh, sqrt, tanh
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.composition import Loss, Noise
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Floats
from dpdesk.queries.noise.kinds import INTEGER_KINDS, NoiseKind
from dpdesk.queries.noise.law import ContinuousLaw, DiscreteGaussianLaw, IntegerLaw, NoiseLaw
from dpdesk.queries.noise.measurement import add_noise, require_reach
from dpdesk.queries.noise.staircase import StaircaseLaw, staircase_law
from dpdesk.queries.sensitivity import Sensitivity
from dpdesk.queries.texts import T
from dpdesk.randomness import SystemWords


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
        return exp(-distance / self.scale)

    def reach(self, tail: float) -> float:
        return -self.scale * log(tail)

    def chances(self, points: NDArray[Any]) -> Floats:
        distances = np.abs(np.asarray(points, dtype=np.float64))
        return np.asarray(np.exp(-distances / self.scale) / (2 * self.scale))


class GeometricLaw(IntegerLaw):
    """P(N = k) = (1 - r) / (1 + r) r^|k| with r = e^(-1/scale).

    The chances under tables l1 steps apart differ by a factor of at most e^(l1/scale) (Ghosh,
    Roughgarden & Sundararajan 2009).
    """

    def __init__(self, scale: float) -> None:
        """Takes the scale in steps."""
        self.scale = scale
        # 2r / (1 - r)^2 without the difference of equal numbers.
        self.variance = 1 / (2 * sinh(1 / (2 * scale)) ** 2)

    def tail_beyond(self, distance: int) -> float:
        return 2 * exp(-(distance + 1) / self.scale) / (1 + exp(-1 / self.scale))

    def chances(self, points: NDArray[Any]) -> Floats:
        falls = np.exp(-np.abs(np.asarray(points, dtype=np.float64)) / self.scale)
        return np.asarray(tanh(1 / (2 * self.scale)) * falls)


class GaussianLaw(ContinuousLaw):
    """The normal law; the scale is its standard deviation, in steps."""

    def __init__(self, scale: float) -> None:
        """Takes the scale in steps."""
        self.scale = scale
        self.variance = scale * scale

    def tail(self, distance: float) -> float:
        return erfc(distance / (self.scale * sqrt(2)))

    def reach(self, tail: float) -> float:
        return -self.scale * NormalDist().inv_cdf(tail / 2)

    def chances(self, points: NDArray[Any]) -> Floats:
        ratios = np.asarray(points, dtype=np.float64) / self.scale
        return np.asarray(np.exp(-ratios * ratios / 2) / (self.scale * sqrt(2 * pi)))


@dataclass(frozen=True)
class CalibratedNoise:
    """Independent noise for the numbers of one part, in steps of its grid.

    Attributes:
        kind: Which noise.
        sensitivity: Of the part that it is for.
        size: Number of coordinates of the part.
        scale: Of the law, in steps: r = e^(-1/scale), the mean distance of Laplace noise, the
            standard deviation of Gaussian noise. For staircase noise, that of the discrete
            Laplace noise of the same loss.
        epsilon: What was asked for.
        epsilon_run: What is run, at most `epsilon`: OpenDP's map of the sensitivity, rounded up at
            the 15th decimal; for Gaussian noise the exact loss at delta, for staircase noise that
            of its certificate.
        delta: Of (epsilon, delta); 0 for kinds that need none.
        rho: Of zero-concentrated differential privacy, rounded up at the 15th significant digit;
            None for kinds that promise a pure epsilon.
    """

    kind: NoiseKind
    sensitivity: Sensitivity
    size: int
    scale: float
    epsilon: Decimal
    epsilon_run: Decimal
    delta: Decimal = Decimal(0)
    rho: Decimal | None = None

    @property
    def whole(self) -> bool:
        """Whether the noise is whole grid steps."""
        return self.kind in INTEGER_KINDS

    def loss(self, name: str, *, unit: str, relation: str) -> Loss:
        """Returns the loss of numbers that a curator releases with this noise.

        Args:
            name: What is released.
            unit: Whom the sensitivity was derived for, as `PrivacyCost.unit`.
            relation: Which neighbours it was derived for, as `PrivacyCost.relation`.
        """
        law = Noise(self.kind, self.scale, self.sensitivity, self.size)
        return Loss(name, self.epsilon, self.delta, self.rho, law, unit=unit, relation=relation)

    def draw(self, values: Sequence[int]) -> list[int] | list[float]:
        """Returns exact answers with fresh noise, all in one call of OpenDP.

        Args:
            values: Exact answers in steps; whole numbers, as many as `size`.

        Returns:
            Whole numbers for kinds that are `whole`, otherwise floating point.

        Raises:
            ParameterError: There are not as many values, or one is so large that its noise would
                not be exact.
        """
        exact = [int(value) for value in values]
        if len(exact) != self.size:
            raise ParameterError(T.OTHER_SIZE())
        require_reach(exact, self.kind)
        if isinstance(self._law, StaircaseLaw):
            return [value + self._law.draw(SystemWords()) for value in exact]
        return add_noise(self.kind, self.scale, exact)

    @cached_property
    def _law(self) -> NoiseLaw:
        if self.kind == "staircase":
            return staircase_law(self.sensitivity.l1, self.epsilon)
        return LAWS[self.kind](self.scale)

    @property
    def variance(self) -> float:
        """Of one coordinate, in squared steps."""
        return self._law.variance

    def half_width(self, confidence: float = 0.95) -> float:
        """Returns the smallest h with P(|noise| <= h) >= confidence, of one coordinate, in steps.

        Raises:
            ParameterError: The confidence is not between 0 and 1.
        """
        return self._law.reach(1 - require_confidence(confidence))

    def simultaneous_half_width(self, confidence: float = 0.95, size: int | None = None) -> float:
        """Returns the smallest h within which all coordinates stay together, in steps.

        Exact, because coordinates have independent noise: P(|noise| <= h)^size >= confidence.

        Args:
            confidence: Chance that none of the coordinates is farther off.
            size: Number of coordinates; those of the part when not given.

        Raises:
            ParameterError: The confidence is not between 0 and 1, or the size not positive.
        """
        size = self.size if size is None else size
        if size < 1:
            raise ParameterError(T.EMPTY_PART())
        return self._law.reach(-expm1(log(require_confidence(confidence)) / size))

    def tail(self, distance: float) -> float:
        """Returns P(|noise| > distance), of one coordinate, distance >= 0 in steps."""
        return self._law.tail(distance)

    def probability(self, k: int) -> float:
        """Returns the chance that the noise of one coordinate is k, rounded to whole steps."""
        return self._law.probability(k)

    def cumulative(self, x: float) -> float:
        """Returns P(noise <= x), of one coordinate."""
        return self._law.cumulative(x)

    def quantile(self, share: float) -> float:
        """Returns the smallest x with P(noise <= x) >= share, in steps.

        Raises:
            ParameterError: The share is not between 0 and 1.
        """
        return self._law.quantile(require_confidence(share))

    def law(self, points: NDArray[Any]) -> Floats:
        """Returns the law at the given points, for a picture of it.

        Args:
            points: In steps, any shape; whole numbers for kinds that are `whole`.

        Returns:
            Chances for kinds that are `whole`, otherwise densities per step; same shape.
        """
        return self._law.chances(points)


LAWS: dict[NoiseKind, type[GeometricLaw | LaplaceLaw | DiscreteGaussianLaw | GaussianLaw]] = {
    "geometric": GeometricLaw,
    "laplace": LaplaceLaw,
    "discrete_gaussian": DiscreteGaussianLaw,
    "gaussian": GaussianLaw,
}
"""Laws that a scale alone determines."""


def require_confidence(share: float) -> float:
    """Refuses a confidence, or a share, that is not between 0 and 1.

    Raises:
        ParameterError: It is not.
    """
    if not 0 < share < 1:
        raise ParameterError(T.CONFIDENCE())
    return share
