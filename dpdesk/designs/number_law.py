"""The law of true numbers that a designer supposes, and the moments of what is said.

True answers are supposed to follow a beta law between the bounds, which a mean and a standard
deviation decide; every moment of it is a ratio of polynomials.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, sqrt

from dpdesk.designs.additive import Additive
from dpdesk.designs.bar_lev import BarLev
from dpdesk.designs.multiplying import MultiplyingDesign
from dpdesk.designs.number_design import NumberDesign
from dpdesk.errors import ParameterError

_ORDERS = range(1, 5)
_LEAST_DEVIATION = 1e-6


@dataclass(frozen=True, slots=True)
class TrueNumbers:
    """A beta law between two bounds, and how many respondents understate.

    Attributes:
        mean: Mean of the true answers.
        deviation: Their standard deviation.
        lower, upper: The bounds.
        understating: Share of the respondents who act as if the least number were theirs.
    """

    mean: float
    deviation: float
    lower: float
    upper: float
    understating: float = 0.0

    def __post_init__(self) -> None:
        """Refuses what no law between the bounds can have.

        Raises:
            ParameterError: A number is impossible.
        """
        if not self.lower < self.mean < self.upper:
            raise ParameterError(
                "The supposed mean does not lie between the bounds.",
                remedy="Correct the mean or the bounds.",
            )
        largest = sqrt((self.mean - self.lower) * (self.upper - self.mean))
        # Below it the law is a point for all that floats can tell.
        least = _LEAST_DEVIATION * self.width
        if not least < self.deviation < largest:
            raise ParameterError(
                "No answers between these bounds have this standard deviation.",
                remedy=f"With this mean, type a number above {least:.6g} and below {largest:.6g}.",
            )
        if not 0 <= self.understating <= 1:
            raise ParameterError(
                "Shares of respondents who do not follow the device lie between 0 and 1.",
                remedy="Type a number such as 0.1.",
            )

    @property
    def width(self) -> float:
        """The range of the answers."""
        return self.upper - self.lower

    @property
    def shape(self) -> tuple[float, float]:
        """The two parameters of the beta law."""
        part = (self.mean - self.lower) / self.width
        both = part * (1 - part) / (self.deviation / self.width) ** 2 - 1
        return part * both, (1 - part) * both

    def moment(self, order: int) -> float:
        """Returns the mean of the number's power that respondents act upon."""
        first, second = self.shape
        # Powers of u in [0, 1], then those of lower + width u.
        powers = [1.0]
        for k in range(order):
            powers.append(powers[-1] * (first + k) / (first + second + k))
        total, choose = 0.0, 1.0
        for k, power in enumerate(powers):
            total += choose * self.lower ** (order - k) * self.width**k * power
            choose = choose * (order - k) / (k + 1)
        return (1 - self.understating) * total + self.understating * self.lower**order


@dataclass(frozen=True, slots=True)
class CentralMoments:
    """Mean and central moments; the higher ones are infinite where there are none."""

    mean: float
    variance: float
    third: float
    fourth: float


def said_moments(design: NumberDesign, true: TrueNumbers) -> CentralMoments:
    """Returns the moments of what one respondent says.

    Raises:
        ParameterError: The parameters make no device.
    """
    design.shift_and_factor  # noqa: B018 - refuses a device that is none
    # In units of the largest number, so that powers neither vanish nor overflow.
    unit = max(abs(true.lower), abs(true.upper))
    raw = [true.moment(order) / unit**order for order in _ORDERS]
    if isinstance(design, Additive):
        own = _central(*raw)
        variance, fourth = _added(design, unit)
        found = CentralMoments(
            own.mean + design.center / unit,
            own.variance + variance,
            own.third,
            own.fourth + 6 * own.variance * variance + fourth,
        )
    else:
        assert isinstance(design, MultiplyingDesign)  # noqa: S101 - the one kind that is left
        powers = [multiplier_moment(design, order) for order in _ORDERS]
        found = _central(*(a * b for a, b in zip(raw, powers, strict=True)))
    return CentralMoments(
        found.mean * unit, found.variance * unit**2, found.third * unit**3, found.fourth * unit**4
    )


def multiplier_moment(design: MultiplyingDesign, order: int) -> float:
    """Returns the mean of the power of what the true answer is multiplied by; may be infinite."""
    if design.noise == "laplace":
        square = (order * design.scale) ** 2
        drawn = 1 / (1 - square) if square < 1 else inf
    else:
        a, k = design.scale, order + 1
        drawn = ((1 + a) ** k - (1 - a) ** k) / (2 * a * k)
    if isinstance(design, BarLev):
        p = float(design.truth)
        return p + (1 - p) * drawn
    return drawn


def _added(design: Additive, unit: float) -> tuple[float, float]:
    """Second and fourth central moment of the number that is added."""
    scale = design.scale / unit
    if design.noise == "laplace":
        return 2 * scale**2, 24 * scale**4
    return scale**2 / 3, scale**4 / 5


def _central(first: float, second: float, third: float, fourth: float) -> CentralMoments:
    variance = max(second - first**2, 0.0)
    if not isfinite(third):
        return CentralMoments(first, variance, inf, inf)
    skew = third - 3 * first * second + 2 * first**3
    if not isfinite(fourth):
        return CentralMoments(first, variance, skew, inf)
    return CentralMoments(
        first,
        variance,
        skew,
        max(fourth - 4 * first * third + 6 * first**2 * second - 3 * first**4, variance**2),
    )
