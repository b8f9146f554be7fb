"""What a picture of a survey is asked for: a frozen value, so that its answer is remembered."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.designs import YesNoDesign
from dpdesk.designs.behaviour import Behaviour
from dpdesk.designs.estimator_law import (
    EstimatorTheory,
    SurveyOutcomes,
    estimator_theory,
    exact_outcomes,
    has_exact_law,
)
from dpdesk.engine.simulate.surveys import simulate_surveys
from dpdesk.mechanisms import normal_quantile

REPETITIONS = 1_000
"""Surveys that are drawn where not all outcomes are gone through."""


@dataclass(frozen=True, slots=True)
class SurveyRequest:
    """A design, a true share and a number of respondents.

    Attributes:
        design: The design, with its parameters.
        prevalence: The true share of carriers, between 0 and 1.
        respondents: Number of respondents, at least 2 for each group of the design.
        repetitions: Number of hypothetical surveys that the picture shows.
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

    @property
    def behaviour(self) -> Behaviour:
        """How many respondents do not follow the device."""
        return Behaviour(self.deny, self.refuse, self.careless)

    @property
    def theory(self) -> EstimatorTheory:
        """Mean and error of the estimate, by theory."""
        return estimator_theory(self.design, self.prevalence, self.respondents, self.behaviour)

    @property
    def quantile(self) -> float:
        """Half-width of an interval in standard errors."""
        return normal_quantile(self.confidence)

    def outcomes(self) -> SurveyOutcomes:
        """Returns all outcomes where they are few, else those of seeded hypothetical surveys.

        Raises:
            ParameterError: The survey cannot be held.
        """
        where = (self.design, self.prevalence, self.respondents)
        if not self.simulated and has_exact_law(self.design, self.respondents):
            return exact_outcomes(*where, self.behaviour, self.confidence)
        return simulate_surveys(
            *where, self.repetitions, self.seed, self.behaviour, self.confidence
        )
