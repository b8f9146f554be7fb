"""What pictures of several answers and of numbers are asked for: frozen values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt

from dpdesk.designs import Design
from dpdesk.designs.behaviour import Evasion
from dpdesk.designs.estimator_law import EstimatorTheory
from dpdesk.designs.number_design import NumberDesign, TrueNumbers
from dpdesk.designs.several_answers import (
    SeveralDesign,
    SharesTheory,
    share_variances,
    shares_theory,
)
from dpdesk.engine.simulate.numbers import MeansOutcomes, number_theory, simulate_numbers
from dpdesk.engine.simulate.several import SharesOutcomes, simulate_several
from dpdesk.mechanisms import normal_quantile
from dpdesk.preview.request import REMEMBERED
from dpdesk.preview.survey.request import REPETITIONS


@dataclass(frozen=True, slots=True)
class SeveralRequest:
    """A question with several answers, one of which is looked at.

    Attributes:
        design: The design, with its parameters.
        shares: The supposed true shares of the answers; their sum is 1.
        respondents: Number of respondents, at least 2.
        looked: Number of the answer that is looked at, from 0.
        instead: Number of the answer that those give who hide it.
        deny: Share of the holders of that answer who give the other one.
        careless: Share of all respondents who answer at random.
        repetitions: Number of hypothetical surveys.
        seed: Seed of the generator.
        confidence: Coverage of the intervals.
    """

    design: SeveralDesign
    shares: tuple[float, ...]
    respondents: int
    looked: int = 0
    instead: int = 1
    deny: float = 0.0
    careless: float = 0.0
    repetitions: int = REPETITIONS
    seed: int = 1
    confidence: float = 0.95

    @property
    def evasion(self) -> Evasion:
        """How many respondents do not follow the instruction."""
        return Evasion(self.looked, self.instead, self.deny, self.careless)

    @property
    def theory(self) -> SharesTheory:
        """Means and errors of all estimates, by theory."""
        return shares_theory(self.design, self.shares, self.respondents, self.evasion)

    @property
    def parts(self) -> tuple[float, float]:
        """N times the variance of the share looked at: the sampling's part and the device's."""
        sampling, privacy = share_variances(self.design, self.shares)
        return float(sampling[self.looked]), float(privacy[self.looked])

    @property
    def epsilon(self) -> float:
        """The privacy loss of the design."""
        return self.design.loss.epsilon

    def outcomes(self) -> SharesOutcomes:
        """Returns seeded hypothetical surveys; they do not depend on what is looked at.

        Raises:
            ParameterError: The survey cannot be held.
        """
        # Without anybody who hides an answer, which one it would be draws nothing anew.
        hidden = (self.looked, self.instead) if self.deny else (0, 1)
        return _shares(replace(self, looked=hidden[0], instead=hidden[1]))

    def of(self, design: Design) -> SeveralRequest:
        """The same people asked by another design."""
        return replace(self, design=design)  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class NumberRequest:
    """A question whose answer is a number.

    Attributes:
        design: The design, with its parameters and the bounds of true answers.
        mean: The supposed mean of the true answers.
        deviation: Their supposed standard deviation.
        respondents: Number of respondents, at least 2.
        understating: Share of the respondents who act as if the least number were theirs.
        repetitions: Number of hypothetical surveys.
        seed: Seed of the generator.
        confidence: Coverage of the intervals.
    """

    design: NumberDesign
    mean: float
    deviation: float
    respondents: int
    understating: float = 0.0
    repetitions: int = REPETITIONS
    seed: int = 1
    confidence: float = 0.95

    @property
    def true(self) -> TrueNumbers:
        """The law of the numbers that respondents act upon."""
        design = self.design
        return TrueNumbers(self.mean, self.deviation, design.lower, design.upper, self.understating)

    @property
    def theory(self) -> EstimatorTheory:
        """Mean and error of the estimate, by theory."""
        return number_theory(self.design, self.true, self.respondents)

    @property
    def parts(self) -> tuple[float, float]:
        """N times the variance of the mean: the sampling's part and the device's."""
        self.true  # noqa: B018 - refuses a mean and a deviation that no law has
        return self.design.planned_variance(self.mean, self.deviation**2)

    @property
    def epsilon(self) -> float:
        """The privacy loss of the design."""
        return self.design.loss.epsilon

    def outcomes(self) -> MeansOutcomes:
        """Returns seeded hypothetical surveys.

        Raises:
            ParameterError: The survey cannot be held.
        """
        return _means(self)

    def of(self, design: Design) -> NumberRequest:
        """The same people asked by another design."""
        return replace(self, design=design)  # type: ignore[arg-type]


FurtherRequest = SeveralRequest | NumberRequest


def margin_of(request: FurtherRequest) -> float:
    """Returns the half-width of the interval, everybody following the instruction.

    A share between 0 and 1 for several answers, in the answers' unit for numbers.
    """
    return normal_quantile(request.confidence) * sqrt(sum(request.parts) / request.respondents)


@lru_cache(maxsize=REMEMBERED)
def _shares(request: SeveralRequest) -> SharesOutcomes:
    return simulate_several(
        request.design,
        request.shares,
        request.respondents,
        request.repetitions,
        request.seed,
        request.evasion,
        request.confidence,
    )


@lru_cache(maxsize=REMEMBERED)
def _means(request: NumberRequest) -> MeansOutcomes:
    return simulate_numbers(
        request.design,
        request.true,
        request.respondents,
        request.repetitions,
        request.seed,
        request.confidence,
    )
