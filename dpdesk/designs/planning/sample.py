"""A sample that is planned: people asked through a design, and how exact the estimate will be.

With V = pi (1 - pi) + V_R (`People.variance`), an estimate from n respondents has the standard
error sqrt(V / n). In a population of N the finite correction touches the sampling part only: the
device adds its noise however many of the people are asked. Weights that vary multiply both by
Kish's design effect, 1 + cv^2 (Kish 1965, Survey Sampling).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil, inf, sqrt

from dpdesk.designs.base import Design
from dpdesk.designs.law import require_share
from dpdesk.designs.people import People
from dpdesk.designs.planning.texts import T
from dpdesk.designs.yes_no import PlannedVariance
from dpdesk.errors import ParameterError
from dpdesk.i18n import Text
from dpdesk.numbers.intervals import normal_quantile

LARGEST_SAMPLE = 10**15
"""More respondents than there are people in any population."""
_LARGEST_CV = 1000
_ROUNDING = 1 - 1e-12


@dataclass(frozen=True)
class Sample:
    """A survey that is planned. A plan is a sample in which what was to be found is filled in.

    Attributes:
        design: The design, with its parameters.
        people: What is supposed of the people.
        respondents: Number of respondents, at least 2.
        confidence: Coverage of the interval.
        population: Number of people, for a simple random sample of them; None for many.
        weights_cv: Coefficient of variation of the respondents' weights.
    """

    design: Design
    people: People
    respondents: int = 2
    confidence: float = 0.95
    population: int | None = None
    weights_cv: float = 0.0

    def asked_by(self, design: Design) -> Sample:
        """Returns the same sample asked through another design."""
        return replace(self, design=design)

    def of(self, respondents: int) -> Sample:
        """Returns a sample of another size."""
        return replace(self, respondents=respondents)

    def check(self) -> None:
        """Refuses a sample that cannot be.

        Raises:
            ParameterError: A number is impossible.
        """
        self.people.check()
        self.margin  # noqa: B018 - refuses every other number

    @property
    def quantile(self) -> float:
        """Half-width of the interval in standard errors."""
        return normal_quantile(require_share(self.confidence, "confidence"))

    @property
    def variance(self) -> PlannedVariance:
        """N times the variance of the estimate, in a large population, unweighted."""
        return self.people.variance(self.design)

    @property
    def margin(self) -> float:
        """Half-width of the interval, in the unit of what is estimated.

        Raises:
            ParameterError: A number is impossible.
        """
        return self.quantile * self.error_of(self.variance)

    @property
    def margin_of_sums(self) -> float | None:
        """The margin where only sums of answers are kept; None where these tell as much.

        Raises:
            ParameterError: A number is impossible.
        """
        if not self.design.error_is_bound:
            return None
        return self.quantile * self.error_of(self.people.interval_variance(self.design))

    @property
    def direct_margin(self) -> float:
        """The margin of direct, truthful answers.

        Raises:
            ParameterError: A number is impossible.
        """
        return self.quantile * self.error_of(PlannedVariance(self.variance.sampling, 0.0))

    @property
    def design_effect(self) -> float:
        """Respondents needed, as a multiple of those for direct questions; may be infinite."""
        variance, weighted = self.variance, kish_effect(self.weights_cv, self.population)
        return weighted * variance.total / variance.sampling if variance.sampling else inf

    @property
    def effective_respondents(self) -> float:
        """Number of direct, truthful answers that tell as much."""
        return self.respondents / self.design_effect

    def error_of(self, variance: PlannedVariance) -> float:
        """Returns the standard error that a variance gives, in the population and with weights.

        Args:
            variance: N times the variance, in a large population, unweighted.

        Raises:
            ParameterError: A number is impossible.
        """
        sampling = variance.sampling
        if self.respondents < 2:
            raise ParameterError(T.FEW_RESPONDENTS())
        weighted = kish_effect(self.weights_cv, self.population)
        if self.population is not None:
            sampling *= finite_correction(self.respondents, self.population)
        return sqrt(weighted * (sampling + variance.privacy) / self.respondents)


@contextmanager
def numbered(text: Text, number: int) -> Iterator[None]:
    """Says of which stratum or question a number is impossible.

    Args:
        text: The sentence, with a {number} and the {problem}.
        number: The number of the stratum or question, from 1.

    Raises:
        ParameterError: The one that was raised within, in that sentence.
    """
    try:
        yield
    except ParameterError as error:
        message = text(number=number, problem=error.message)
        raise ParameterError(message, remedy=error.remedy) from None


def respondents_for_margin(sample: Sample, margin: float) -> Sample:
    """Returns the sample with the least number of respondents whose interval is no wider.

    n = (S^2 + V_R) / ((margin / z)^2 + S^2 / N), with S^2 = N pi (1 - pi) / (N - 1).

    Args:
        sample: The sample; its respondents do not matter.
        margin: Half-width of the interval, in the unit of what is estimated.

    Raises:
        ParameterError: A number is impossible, or the whole population is not enough.
    """
    sample.people.check()
    sample.people.require_margin(margin)
    return respondents_for_error(sample, margin / sample.quantile)


def respondents_for_error(sample: Sample, error: float) -> Sample:
    """Returns the sample with the least number of respondents whose standard error is no larger.

    Nothing is asked of the people or of the error: what a sample that is supposed has, another
    design can have as well.

    Args:
        sample: The sample; its respondents do not matter.
        error: The standard error, in the unit of what is estimated.

    Raises:
        ParameterError: A number is impossible, or the whole population is not enough.
    """
    variance, population = sample.variance, sample.population
    target = error**2
    effect = kish_effect(sample.weights_cv, population)
    if population is None:
        needed = effect * variance.total / target if target else inf
    else:
        spread = variance.sampling * _people(population) / (population - 1)
        needed = (spread + variance.privacy) / (target + spread / population)
        if ceil(needed * _ROUNDING) > population:
            raise ParameterError(T.NOISE_ALONE(people=population))
    if not needed * _ROUNDING <= LARGEST_SAMPLE:
        raise ParameterError(T.TOO_MANY_NEEDED())
    return sample.of(max(ceil(needed * _ROUNDING), 2))


def kish_effect(weights_cv: float, population: int | None = None) -> float:
    """Returns Kish's design effect of weights: 1 + cv^2.

    Args:
        weights_cv: Their coefficient of variation: standard deviation over mean.
        population: Number of people, where the sample is a simple random one of them.

    Raises:
        ParameterError: It is negative, or a simple random sample is weighted.
    """
    if not 0 <= weights_cv <= _LARGEST_CV:
        raise ParameterError(T.BAD_VARIATION(most=_LARGEST_CV))
    if weights_cv and population is not None:
        raise ParameterError(T.WEIGHTED_POPULATION())
    return 1 + weights_cv**2


def finite_correction(respondents: int, population: int) -> float:
    """Returns what is left of the sampling variance in a finite population: (N - n) / (N - 1).

    Raises:
        ParameterError: There are more respondents than people.
    """
    if respondents > _people(population):
        raise ParameterError(T.MORE_THAN_PEOPLE())
    return (population - respondents) / (population - 1)


def _people(population: int) -> int:
    if population < 2:
        raise ParameterError(T.FEW_PEOPLE())
    return population
