"""Supposed surveys: a design, what is true of the people, how many are asked and who follows it.

There is one class for each quantity that a survey can estimate: a share of carriers, the shares of
several answers, a mean. They are frozen values, so that what is computed of them is cached, and
pictures, figures and plans ask all of them the same. Estimates are in the unit of the question:
shares between 0 and 1, or numbers as they are said.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from math import sqrt
from typing import Any, ClassVar, Self

import numpy as np

from dpdesk.designs import Design, YesNoDesign
from dpdesk.designs.base import Departure
from dpdesk.designs.behaviour import SHARE_OF, Behaviour, Evasion
from dpdesk.designs.beliefs import belief_table, beliefs_after
from dpdesk.designs.estimator_law import (
    EstimatorTheory,
    HeldSurvey,
    SurveyOutcomes,
    estimator_theory,
    exact_outcomes,
    has_exact_law,
)
from dpdesk.designs.number_design import NumberDesign, TrueNumbers
from dpdesk.designs.people import Mean, People, Share, Shares
from dpdesk.designs.planning import Sample
from dpdesk.designs.several_answers import (
    SeveralDesign,
    SharesTheory,
    share_variances,
    shares_theory,
)
from dpdesk.engine.simulate.surveys import (
    SharesOutcomes,
    number_theory,
    simulate_numbers,
    simulate_several,
    simulate_surveys,
)
from dpdesk.numbers.arrays import Floats
from dpdesk.preview.request import CACHED_VIEWS

REPETITIONS = 1_000
"""Surveys that are drawn where not all outcomes are gone through."""

_LARGEST_LATTICE = 10**12
"""Respondents beyond which the steps between estimates are lost in rounding."""

_simulated_several = lru_cache(maxsize=CACHED_VIEWS)(simulate_several)
_simulated_numbers = lru_cache(maxsize=CACHED_VIEWS)(simulate_numbers)


@dataclass(frozen=True, slots=True)
class QuantityResult:
    """What a survey comes to for one of the quantities that it estimates, in their unit.

    Attributes:
        truth: The true value.
        departures: Share of the respondents who depart in each way.
        parts: N times the variance of the estimate: the sampling's part and the device's.
        beliefs: Lowest and highest belief after an answer; None where a number is said.
        outcomes: The estimates of hypothetical surveys.
    """

    truth: float
    departures: Mapping[Departure, float]
    parts: tuple[float, float]
    beliefs: tuple[float, float] | None
    outcomes: SurveyOutcomes


class SupposedSurvey(ABC):
    """A survey that could be held, whatever is asked.

    What is computed of one that cannot be held is refused with a `ParameterError`.
    """

    design: Design
    respondents: int
    repetitions: int
    seed: int
    confidence: float

    countable: ClassVar[bool] = False
    """Whether the outcomes of a small survey are few enough to go through all of them."""
    scale: ClassVar[float] = 100.0
    """What an estimate is multiplied by to be shown: shares are shown in per cent."""

    @property
    def truth(self) -> float:
        """The true value of what is estimated."""
        return self.people.value

    @property
    @abstractmethod
    def theory(self) -> EstimatorTheory:
        """Mean and error of the estimate, by theory."""

    @cached_property
    def shown_theory(self) -> EstimatorTheory:
        """The same as it is shown: in per cent, or in the unit of the numbers."""
        return EstimatorTheory(self.scale * self.theory.mean, self.scale * self.theory.error)

    @property
    @abstractmethod
    def people(self) -> People:
        """What is supposed of the people whom planning asks."""

    @property
    def sample(self) -> Sample:
        """The survey as it is planned, everybody following the instruction."""
        return Sample(self.design, self.people, self.respondents, self.confidence)

    @property
    def parts(self) -> tuple[float, float]:
        """N times the variance that the interval rests on: the sampling's part and the device's.

        Everybody follows the instruction.
        """
        return self.sample.variance.sampling, max(self.sample.variance.privacy, 0.0)

    @property
    def departures(self) -> dict[Departure, float]:
        """The share of respondents who depart in each way that changes answers of the design."""
        return {way: getattr(self, SHARE_OF[way]) for way in self.design.departures}

    @property
    def all_follow(self) -> bool:
        """Whether everybody is supposed to follow the instruction."""
        return not any(self.departures.values())

    @property
    def direct_theory(self) -> EstimatorTheory:
        """The same of direct, truthful answers, as it is shown.

        Raises:
            ParameterError: What is supposed is impossible.
        """
        error = self.scale * sqrt(self.parts[0] / self.respondents)
        return EstimatorTheory(self.scale * self.truth, error)

    def check(self) -> None:
        """Refuses a survey that cannot be held.

        Raises:
            ParameterError: It cannot.
        """
        _ = self.theory

    def results(self) -> tuple[QuantityResult, ...]:
        """Returns what the survey comes to for everything that it estimates."""
        return (
            QuantityResult(
                self.truth, self.departures, self.parts, self._beliefs(), self.outcomes()
            ),
        )

    def _beliefs(self) -> tuple[float, float] | None:
        """Lowest and highest belief after an answer; None where answers are not listed."""
        return None

    @property
    def lattice(self) -> tuple[float, float]:
        """An estimate that is possible, and the step to the next one; 0 where there is no one."""
        return 0.0, 0.0

    @property
    def can_be_exact(self) -> bool:
        """Whether the outcomes are few enough to go through all of them."""
        return False

    @property
    def is_exact(self) -> bool:
        """Whether all outcomes are gone through: nothing is drawn then."""
        return False

    @abstractmethod
    def outcomes(self) -> SurveyOutcomes:
        """Returns the estimates of hypothetical surveys."""

    @property
    def epsilon(self) -> float:
        """The privacy loss of the design; infinite where an answer is a proof."""
        return self.design.loss.epsilon

    @property
    def quantile(self) -> float:
        """Half-width of an interval in standard errors."""
        return self.sample.quantile

    @property
    def margin(self) -> float:
        """Half-width of the interval, everybody following the instruction."""
        return self.sample.margin

    def asked_by(self, design: Design) -> Self:
        """The same people asked by another design of the same quantity."""
        return self.changed(design=design)

    def at_epsilon(self, epsilon: float) -> Self:
        """The same people asked by the design at another epsilon.

        Raises:
            ParameterError: The epsilon decides nothing, or the design cannot have it.
        """
        return self.asked_by(self.design.at_epsilon(epsilon))

    def least_variances(self, epsilons: Floats) -> Floats | None:
        """N times the variance of the best design at each epsilon; None where it is not known."""
        return None

    def moved_from(self, other: SupposedSurvey) -> frozenset[str]:
        """Names of the fields that differ from another survey and move its error or its truth."""
        drawing = {"seed", "repetitions", "simulated", "confidence"}
        known = {each.name for each in fields(self)} - drawing  # type: ignore[arg-type]
        return frozenset(n for n in known if getattr(self, n) != getattr(other, n))

    def changed(self, **changes: Any) -> Self:
        """This survey with some fields changed."""
        return replace(self, **changes)  # type: ignore[type-var]


@dataclass(frozen=True)
class SupposedShare(SupposedSurvey):
    """A question answered with yes or no.

    Attributes:
        design: The design, with its parameters.
        prevalence: The true share of carriers, between 0 and 1.
        respondents: Number of respondents, at least 2 for each group of the design.
        repetitions: Number of hypothetical surveys that a picture shows.
        seed: Seed of the generator.
        deny: Share of the carriers who deny whatever the device says.
        refuse: Share of the non-carriers who never say yes, even when the device orders it.
        careless: Share of all respondents who answer at random.
        confidence: Coverage of the intervals.
        simulated: Whether surveys are drawn even where all outcomes could be gone through.
    """

    design: YesNoDesign
    prevalence: float
    respondents: int
    repetitions: int = REPETITIONS
    seed: int = 1
    deny: float = 0.0
    refuse: float = 0.0
    careless: float = 0.0
    confidence: float = 0.95
    simulated: bool = False

    countable = True

    @property
    def behaviour(self) -> Behaviour:
        """How many respondents do not follow the device."""
        return Behaviour(self.deny, self.refuse, self.careless)

    @property
    def held(self) -> HeldSurvey:
        """The survey as it is held once."""
        return HeldSurvey(
            self.design, self.prevalence, self.respondents, self.behaviour, self.confidence
        )

    @cached_property
    def theory(self) -> EstimatorTheory:
        return estimator_theory(self.held)

    @property
    def people(self) -> Share:
        return Share(self.prevalence)

    def least_variances(self, epsilons: Floats) -> Floats:
        # x / (x - 1)^2 = 1 / (4 sinh^2(epsilon / 2)), without overflow for any epsilon.
        sampling = self.prevalence * (1 - self.prevalence)
        return np.asarray(sampling + 1 / (2 * np.sinh(epsilons / 2)) ** 2)

    def _beliefs(self) -> tuple[float, float]:
        """In a carrier."""
        beliefs = [after.belief for after in beliefs_after(self.design, self.prevalence)]
        return min(beliefs), max(beliefs)

    @property
    def lattice(self) -> tuple[float, float]:
        if self.design.group_count > 1:
            return 0.0, 0.0
        found = self.design.estimates(np.array([[0.0], [1.0]]), (self.respondents,)).estimate
        return float(found[0]), abs(float(found[1] - found[0]))

    @property
    def can_be_exact(self) -> bool:
        return has_exact_law(self.design, self.respondents)

    @property
    def is_exact(self) -> bool:
        return not self.simulated and self.can_be_exact

    def outcomes(self) -> SurveyOutcomes:
        if self.is_exact:
            return exact_outcomes(self.held)
        return simulate_surveys(self.held, self.repetitions, self.seed)


@dataclass(frozen=True)
class SupposedShares(SupposedSurvey):
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
    def shares_theory(self) -> SharesTheory:
        """Means and errors of the estimates of all shares, by theory."""
        return shares_theory(self.design, self.shares, self.respondents, self.evasion)

    @cached_property
    def theory(self) -> EstimatorTheory:
        return self._theory_of(self.looked)

    def _theory_of(self, answer: int) -> EstimatorTheory:
        found = self.shares_theory
        return EstimatorTheory(float(found.means[answer]), float(found.errors[answer]))

    @property
    def people(self) -> Shares:
        return Shares(self.shares, self.looked)

    @property
    def lattice(self) -> tuple[float, float]:
        if self.respondents > _LARGEST_LATTICE:
            return 0.0, 0.0
        scores = self.design.scores(self.looked)
        if len(np.unique(np.round(scores, 12))) != 2:
            return 0.0, 0.0
        return float(scores.min()), float(np.ptp(scores)) / self.respondents

    def results(self) -> tuple[QuantityResult, ...]:
        sampling, privacy = share_variances(self.design, self.shares)
        table = belief_table(self.design, self.shares)
        return tuple(
            QuantityResult(
                share,
                {**self.departures, "denial": self.deny if index == self.looked else 0.0},
                (float(sampling[index]), float(privacy[index])),
                (table.lowering(index).beliefs[index], table.raising(index).beliefs[index]),
                self._outcomes_of(index),
            )
            for index, share in enumerate(self.shares)
        )

    def all_outcomes(self) -> SharesOutcomes:
        """Returns seeded hypothetical surveys with the estimates of all shares.

        They do not depend on which answer is looked at.
        """
        # Without anybody who hides an answer, which one it would be draws nothing anew.
        hidden = (self.looked, self.instead) if self.deny else (0, 1)
        evasion = self.changed(looked=hidden[0], instead=hidden[1]).evasion
        survey = self.design, self.shares, self.respondents, self.repetitions, self.seed
        return _simulated_several(*survey, evasion, self.confidence)

    def outcomes(self) -> SurveyOutcomes:
        return self._outcomes_of(self.looked)

    def _outcomes_of(self, answer: int) -> SurveyOutcomes:
        found = self.all_outcomes()
        return SurveyOutcomes(
            seed=found.seed,
            truth=self.shares[answer],
            estimates=found.estimates[:, answer],
            chances=None,
            covered=found.covered[:, answer],
            theory=self._theory_of(answer),
        )


@dataclass(frozen=True)
class SupposedMean(SupposedSurvey):
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

    scale = 1.0

    @property
    def true(self) -> TrueNumbers:
        """The law of the numbers that respondents act upon."""
        design = self.design
        return TrueNumbers(self.mean, self.deviation, design.lower, design.upper, self.understating)

    @cached_property
    def theory(self) -> EstimatorTheory:
        return number_theory(self.design, self.true, self.respondents)

    @property
    def people(self) -> Mean:
        return Mean(self.mean, self.deviation)

    def outcomes(self) -> SurveyOutcomes:
        survey = self.design, self.true, self.respondents, self.repetitions, self.seed
        return _simulated_numbers(*survey, self.confidence)
