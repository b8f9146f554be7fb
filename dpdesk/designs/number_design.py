"""Designs for a question whose answer is a number: the mean follows from the mean reported.

True answers are supposed to follow a beta law between the bounds, which a mean and a standard
deviation decide; every moment of it is a ratio of polynomials.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import comb, inf, isfinite, sqrt
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

import numpy as np
from pydantic import Field

from dpdesk.designs.base import Departure, Design, Quantity
from dpdesk.designs.devices import ANY_DEVICE, DeviceChoice, Sketch, unseen
from dpdesk.designs.instructions import Instruction, Practice
from dpdesk.designs.law import PrivacyLoss, plan_epsilon
from dpdesk.designs.texts import T
from dpdesk.errors import InputError, ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import PlainDigits, rounded_up
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import normal_quantile

if TYPE_CHECKING:
    from dpdesk.mechanisms import Mechanism

_LARGEST = 1e12
LARGEST_SCALE = 0.5
"""Smallest scale of a multiplier's logarithm at which the multiplier has no finite variance."""
SCALE_MARGIN = 1e-9
"""Relative margin on a scale, so that rounding never takes epsilon above the one asked for."""
_ORDERS = range(1, 5)
_LEAST_DEVIATION = 1e-6

Real = Annotated[float, Field(allow_inf_nan=False, ge=-_LARGEST, le=_LARGEST), PlainDigits]
"""A number in the unit of the answer."""


@dataclass(frozen=True, slots=True)
class NumberLoss(PrivacyLoss):
    """What a number that is said discloses.

    Attributes:
        delta: Largest chance that the epsilon does not hold (with an infinite one: that an answer
            discloses anything); 0 if it always holds.
        sentence: Both in words.
    """

    delta: float
    sentence: str


@dataclass(frozen=True, slots=True)
class NumberEstimate:
    """An unbiased estimate of the mean of the true answers, in their unit.

    Attributes:
        estimate: The mean.
        standard_error: Its standard error.
        sampling_error: The part that direct questions would have had.
        privacy_error: The part that the device adds.
        lower, upper: Ends of the normal interval.
        spread: Estimated standard deviation of the true answers; 0 where the device hides it.
    """

    estimate: float
    standard_error: float
    sampling_error: float
    privacy_error: float
    lower: float
    upper: float
    spread: float


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
        if not self.lower < self.mean < self.upper:
            raise ParameterError(T.BAD_MEAN())
        largest = sqrt((self.mean - self.lower) * (self.upper - self.mean))
        # Below it floating point cannot distinguish the law from a single point.
        least = _LEAST_DEVIATION * self.width
        if not least < self.deviation < largest:
            raise ParameterError(T.BAD_DEVIATION(least=f"{least:.6g}", most=f"{largest:.6g}"))
        if not 0 <= self.understating <= 1:
            raise ParameterError(T.NO_SHARE(what="share who do not follow the device"))

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


@dataclass(frozen=True, slots=True)
class DrawnLaw:
    """The law of the number that a device draws, which is added to the true one or multiplies it.

    Attributes:
        noise: Laplace's law or a uniform one; of a multiplier "laplace" is its logarithm's law.
        scale: Scale of Laplace's law, or half the width of the uniform one.
        center: Mean of a number that is added; a multiplier is uniform around 1, and its logarithm
            around 0.
        multiplies: Whether the true number is multiplied; else the drawn one is added.
        truth: Chance that the true number itself is said.
    """

    noise: Literal["laplace", "uniform"]
    scale: float
    center: float = 0.0
    multiplies: bool = False
    truth: float = 0.0

    @property
    def variance(self) -> float:
        """Variance of a number that is added."""
        return 2 * self.scale**2 if self.noise == "laplace" else self.scale**2 / 3

    @property
    def relative_variance(self) -> float:
        """Variance of what the true number is multiplied by, over its squared mean."""
        return max(self.power(2) / self.power(1) ** 2 - 1, 0.0)

    def check(self) -> None:
        """Refuses a multiplier from which no mean can be estimated.

        Raises:
            ParameterError: It has no variance, or could be 0 or negative.
        """
        if not self.multiplies:
            return
        if self.noise == "uniform" and self.scale >= 1:
            raise ParameterError(T.BAD_MULTIPLIER())
        if self.noise == "laplace" and self.scale >= LARGEST_SCALE:
            raise ParameterError(T.NO_VARIANCE())

    def applied(self, true: Floats, drawn: Floats) -> Floats:
        """Returns what respondents say, given true numbers and the numbers drawn for them."""
        return np.asarray(true * drawn if self.multiplies else true + drawn)

    def reported(self, true: CentralMoments, raw: Sequence[float], unit: float) -> CentralMoments:
        """Returns the moments of what is said, in a unit.

        Args:
            true: Moments of the numbers that respondents act upon, in the unit.
            raw: The means of their first four powers.
            unit: The unit, in that of the answer.
        """
        if self.multiplies:
            return _central(*(a * self.power(k) for k, a in enumerate(raw, start=1)))
        variance = self.variance / unit**2
        fourth = (24 if self.noise == "laplace" else 1 / 5) * (self.scale / unit) ** 4
        return CentralMoments(
            true.mean + self.center / unit,
            true.variance + variance,
            true.third,
            true.fourth + 6 * true.variance * variance + fourth,
        )

    def power(self, order: int) -> float:
        """Returns the mean of a power of what the true number is multiplied by; may be infinite."""
        if self.noise == "laplace":
            # E S^k = E exp(k L) = 1 / (1 - k^2 b^2).
            square = (order * self.scale) ** 2
            drawn = 1 / (1 - square) if square < 1 else inf
        else:
            even = range(0, order + 1, 2)
            drawn = sum(comb(order, j) * self.scale**j / (j + 1) for j in even)
        return self.truth + (1 - self.truth) * drawn if self.truth else drawn


class NumberDesign(Design):
    """A design for a number whose true value lies between two bounds that anybody may know."""

    quantity: ClassVar[Quantity] = "mean"
    departures: ClassVar[tuple[Departure, ...]] = ("understatement",)
    no_device: ClassVar[str] = N_("No device has this law; a program draws it.")

    lower: Annotated[Real, Field(description="least true answer possible")]
    upper: Annotated[Real, Field(description="largest true answer possible")]

    @property
    @abstractmethod
    def drawn_law(self) -> DrawnLaw:
        """The law of the number that the device draws, and what is done with it."""

    def check(self) -> None:
        """Refuses parameters that make no device.

        Raises:
            ParameterError: The bounds are not in order, or no mean can be estimated with this
            device.
        """
        self._check_bounds()
        self.drawn_law.check()

    def _check_bounds(self) -> None:
        if self.lower >= self.upper:
            raise ParameterError(T.BAD_BOUNDS())

    @property
    def shift_and_factor(self) -> tuple[float, float]:
        """What is subtracted from an answer, and the divisor, for its unbiased score.

        Raises:
            ParameterError: The parameters make no device.
        """
        self.check()
        law = self.drawn_law
        return (0.0, law.power(1)) if law.multiplies else (law.center, 1.0)

    def noise_variance(self, mean: float, square: float) -> float:
        """Returns the device's part in the variance of a score.

        Of a multiplier n times the variance of the mean is sigma^2 + r (sigma^2 + mu^2), with r
        its relative variance (Eichhorn and Hayre 1983).

        Args:
            mean: Mean of the true answers.
            square: Mean of their squares.
        """
        self.check()
        law = self.drawn_law
        return law.relative_variance * square if law.multiplies else law.variance

    def true_variance(self, mean: float, score_variance: float) -> float:
        """Returns the variance of the true answers; it may come out negative.

        Args:
            mean: Mean of the scores.
            score_variance: Variance of the scores.
        """
        law = self.drawn_law
        if not law.multiplies:
            return score_variance - law.variance
        relative = law.relative_variance
        return (score_variance - relative * mean**2) / (1 + relative)

    @property
    @abstractmethod
    def loss(self) -> NumberLoss:
        """Epsilon and delta."""

    @classmethod
    @abstractmethod
    def between(cls, lower: float, upper: float) -> Self:
        """Returns the usual design for true numbers between two bounds."""

    def _in_plan(self) -> tuple[Mechanism, str]:
        from dpdesk.mechanisms.unbounded_noise import Laplace

        law = self.drawn_law
        if law.multiplies or law.truth or law.noise != "laplace":
            raise ParameterError(T.NO_MULTIPLYING())
        return Laplace(epsilon=plan_epsilon(self.loss.epsilon * (1 + 1e-9))), ""

    @classmethod
    def example(cls) -> Self:
        return cls.between(10, 15)

    def instructions(
        self, question: str = "", others: Sequence[str] = (), choice: DeviceChoice = ANY_DEVICE
    ) -> tuple[Instruction]:
        self.check()
        found = self._instruction(question.strip() or T.QUESTION(), self._choice(choice))
        return (replace(found, rehearsed=(self._rehearsal,), sketched=self._sketch),)

    @abstractmethod
    def _instruction(self, question: str, choice: DeviceChoice) -> Instruction:
        """What is done with the number that the device draws."""

    @property
    def _rehearsal(self) -> Practice:
        """The example as what respondents practise with."""
        true, shown, said = self._example
        return Practice(T.SUPPOSE_NUMBER(true=true, shown=shown), (T.YOU_SAY(said=said),))

    @property
    def _sketch(self) -> Sketch:
        """The example as a picture."""
        true, shown, said = self._example
        sign = "×" if self.drawn_law.multiplies else "+"
        return Sketch((((true, sign, shown), T.SAY(answer=said)),))

    @property
    def _example(self) -> tuple[str, str, str]:
        """A true number, a drawn one, and what is said then, all of few digits."""
        law, true = self.drawn_law, rounded_up((self.lower + self.upper) / 2, 2)
        if law.multiplies:
            shown = 1 + rounded_up(law.scale / 2, 1)
        else:
            shown = law.center + rounded_up(law.scale, 1)
        said = float(law.applied(np.array(true), np.array(shown)))
        return f"{true:,.10g}", f"{shown:,.10g}", f"{said:,.10g}"

    @property
    def width(self) -> float:
        """The range of the true answers.

        Raises:
            ParameterError: The bounds are not in order.
        """
        self._check_bounds()
        return self.upper - self.lower

    def scores(self, answers: Floats) -> Floats:
        """Returns the unbiased score of each answer, of the same shape."""
        shift, factor = self.shift_and_factor
        return np.asarray((answers - shift) / factor)

    def planned_variance(self, mean: float, variance: float) -> tuple[float, float]:
        """Returns n times the variance of the mean: the sampling's part and the device's.

        Args:
            mean: Mean of the true answers.
            variance: Their variance.
        """
        return variance, self.noise_variance(mean, variance + mean**2)

    def estimate(
        self, mean: float, variance: float, respondents: int, confidence: float = 0.95
    ) -> NumberEstimate:
        """Returns the mean of the true answers.

        Args:
            mean: Mean of what was said.
            variance: Its variance, with n - 1.
            respondents: Number of respondents, n.
            confidence: Coverage of the interval.

        Raises:
            InputError: There are fewer than 2 respondents, or the variance is negative.
        """
        if respondents < 2:  # a variance needs two
            raise InputError(T.FEW_RESPONDENTS())
        if not (abs(mean) <= _LARGEST and 0 <= variance <= _LARGEST**2):
            raise InputError(T.MEAN_RANGE(mean=f"{_LARGEST:g}", variance=f"{_LARGEST**2:g}"))
        shift, factor = self.shift_and_factor
        value, spread = (mean - shift) / factor, variance / factor**2
        true = min(max(self.true_variance(value, spread), 0.0), spread)
        error = sqrt(spread / respondents)
        half = normal_quantile(confidence) * error
        return NumberEstimate(
            estimate=value,
            standard_error=error,
            sampling_error=sqrt(true / respondents),
            privacy_error=sqrt((spread - true) / respondents),
            lower=value - half,
            upper=value + half,
            spread=sqrt(true),
        )


def report_moments(design: NumberDesign, true: TrueNumbers) -> CentralMoments:
    """Returns the moments of what one respondent says.

    Raises:
        ParameterError: The parameters make no device.
    """
    design.check()
    # In units of the largest number, so that powers neither underflow nor overflow.
    unit = max(abs(true.lower), abs(true.upper))
    raw = [true.moment(order) / unit**order for order in _ORDERS]
    found = design.drawn_law.reported(_central(*raw), raw, unit)
    return CentralMoments(
        found.mean * unit, found.variance * unit**2, found.third * unit**3, found.fourth * unit**4
    )


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


def draw_a_number(question: str, law: str, then: Sequence[str]) -> Instruction:
    """Returns the instruction of a device that draws a number.

    Args:
        question: The question.
        law: The law of the number, in words.
        then: What is done with it, as sentences.
    """
    return Instruction(
        "",
        T.NUMBER_TOOL(law=law),
        (("", question),),
        (unseen(T.LET_DRAW_NUMBER()), *then),
        T.NUMBER_SECRET(),
    )
