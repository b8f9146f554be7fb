"""What designs share whose respondents multiply: the moments of the multiplier.

With E S = theta and Var S = g^2 the mean z / theta is unbiased, and n times its variance is
sigma^2 + (g / theta)^2 (sigma^2 + mu^2) (Eichhorn and Hayre 1983).
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from math import inf, log
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.number_design import NumberDesign, Real
from dpdesk.errors import ParameterError


@dataclass(frozen=True, slots=True)
class Multiplier:
    """Mean and mean square of a multiplier."""

    mean: float
    square: float

    @property
    def relative_variance(self) -> float:
        """Variance divided by the square of the mean."""
        return max(self.square / self.mean**2 - 1, 0.0)


class MultiplyingDesign(NumberDesign):
    """A design whose answer is the true one times a number that the device draws."""

    noise: Annotated[
        Literal["laplace", "uniform"],
        Field(description="law of the multiplier: its logarithm is Laplace's, or it is uniform"),
    ] = "laplace"
    scale: Annotated[
        Real,
        Field(
            gt=0,
            description="scale of the logarithm, less than 1/2; or half the width of the uniform "
            "law around 1, less than 1",
        ),
    ]

    @property
    @abstractmethod
    def applied(self) -> Multiplier:
        """Moments of what the true answer is multiplied by, all told."""

    @property
    def drawn(self) -> Multiplier:
        """Moments of the multiplier that the device draws.

        Raises:
            ParameterError: It has no variance, or could be negative.
        """
        self.width  # noqa: B018 - refuses bounds that are not in order
        if self.noise == "uniform":
            if self.scale >= 1:
                raise ParameterError(
                    "The multiplier could be 0 or negative.", remedy="Choose a scale below 1."
                )
            return Multiplier(1.0, 1 + self.scale**2 / 3)
        if self.scale >= 0.5:
            raise ParameterError(
                "With this scale the multiplier has no variance, so that no number of respondents "
                "would do.",
                remedy="Choose a scale below 0.5.",
            )
        # E S^k = E exp(k L) = 1 / (1 - k^2 b^2).
        return Multiplier(1 / (1 - self.scale**2), 1 / (1 - 4 * self.scale**2))

    @property
    def shift_and_factor(self) -> tuple[float, float]:
        """The answer is divided by the mean multiplier."""
        return 0.0, self.applied.mean

    def noise_variance(self, mean: float, square: float) -> float:
        """The relative variance of the multiplier times the mean square of the true answers."""
        return self.applied.relative_variance * square

    def true_variance(self, mean: float, score_variance: float) -> float:
        """Solves score variance = sigma^2 + r (sigma^2 + mu^2) for sigma^2."""
        relative = self.applied.relative_variance
        return (score_variance - relative * mean**2) / (1 + relative)

    @property
    def drawn_loss(self) -> tuple[float, float]:
        """Epsilon and delta of the multiplier alone; the true answers are positive or all is lost.

        Laplace: ln(U / L) / b. Uniform: the chance of an answer that one end of the range allows
        and the other does not.
        """
        width = self.width
        if self.lower <= 0:
            return inf, 1.0
        if self.noise == "laplace":
            return log(self.upper / self.lower) / self.scale, 0.0
        lost = (1 - self.scale) * width / self.lower, (1 + self.scale) * width / self.upper
        return inf, min(max(lost) / (2 * self.scale), 1.0)
