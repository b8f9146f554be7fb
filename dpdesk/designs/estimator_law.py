"""The law of an estimate: its mean and error by theory, and every outcome where there are few."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

import numpy as np

from dpdesk.designs.behaviour import (
    COMPLIANT,
    AnswerLaw,
    Behaviour,
    answer_laws,
    group_sizes,
    joint_covariance,
)
from dpdesk.designs.law import require_share
from dpdesk.designs.texts import T
from dpdesk.designs.yes_no import YesNoDesign
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Flags, Floats

EXACT_MAX = 5_000
"""Largest sum of the answers for which every outcome is enumerated."""

RESPONDENTS_MAX = 10**15
_STEP = 1e-4


@dataclass(frozen=True, slots=True)
class EstimatorTheory:
    """Mean and error of an estimate, by theory.

    Attributes:
        mean: Expected estimate.
        error: Its standard deviation.
    """

    mean: float
    error: float


@dataclass(frozen=True, slots=True, eq=False)
class SurveyOutcomes:
    """Estimates of many surveys with one design, simulated or enumerated.

    Attributes:
        seed: Seed of the generator, which gives the same surveys again; None if all outcomes are
            enumerated.
        truth: The true share of carriers, or the true mean.
        estimates: Not truncated, shape (m,).
        chances: Chance of each outcome, shape (m,), their sum 1; None for simulated surveys, which
            have equal weights.
        covered: Whether the interval of each holds the truth.
        theory: Mean and error by theory.
        bounds: Ends of the possible values; an estimate outside of them is counted. For a share the
            lower end alone.
    """

    seed: int | None
    truth: float
    estimates: Floats
    chances: Floats | None
    covered: Flags
    theory: EstimatorTheory
    bounds: tuple[float, float] = (0.0, inf)

    @property
    def exact(self) -> bool:
        """Whether these are all outcomes with their chances, rather than simulated surveys."""
        return self.chances is not None

    def average(self, values: Floats | Flags) -> float:
        """Returns the mean of one number per outcome, shape (m,)."""
        if self.chances is None:
            return float(values.mean())
        return float(self.chances @ values)

    @property
    def planned_error(self) -> float:
        """The standard error by theory."""
        return self.theory.error

    @property
    def mean(self) -> float:
        """Mean of the estimates."""
        return self.average(self.estimates)

    @property
    def bias(self) -> float:
        """Mean of the estimates less the truth."""
        return self.mean - self.truth

    @property
    def spread(self) -> float:
        """Standard deviation of the estimates."""
        size = self.estimates.size
        variance = self.average((self.estimates - self.mean) ** 2)
        if self.exact:
            return sqrt(variance)
        return sqrt(variance * size / (size - 1)) if size > 1 else 0.0

    @property
    def coverage(self) -> float:
        """Share of the intervals that hold the truth."""
        # Rounding must not show a share above 1.
        return min(self.average(self.covered), 1.0)

    @property
    def beyond(self) -> float:
        """Share of the estimates outside of the bounds."""
        least, largest = self.bounds
        outside = (self.estimates < least) | (self.estimates > largest)
        return min(self.average(outside), 1.0)


@dataclass(frozen=True, slots=True)
class HeldSurvey:
    """A survey with a yes-no design, as it is held once.

    Attributes:
        design: The design; the respondents are split evenly over its groups.
        prevalence: The true share of carriers.
        respondents: Number of respondents, at least 2 for each group.
        behaviour: Shares of respondents who do not follow the device.
        confidence: Coverage of the intervals.
    """

    design: YesNoDesign
    prevalence: float
    respondents: int
    behaviour: Behaviour = COMPLIANT
    confidence: float = 0.95

    def check(self) -> None:
        """Refuses an impossible survey.

        Raises:
            ParameterError: The true share is not between 0 and 1, or there are too few respondents,
                or too many.
        """
        if not 0 <= self.prevalence <= 1:
            raise ParameterError(T.NO_SHARE(what="true share"))
        require_respondents(self.respondents, self.design.group_count)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of respondents of each group."""
        return group_sizes(self.design, self.respondents)

    @property
    def laws(self) -> tuple[AnswerLaw, ...]:
        """The law of what one respondent of each group adds to its count."""
        return answer_laws(self.design, self.prevalence, self.behaviour)

    def covered(self, lower: Floats, upper: Floats) -> Flags:
        """Returns which intervals hold the true share."""
        return np.asarray((lower <= self.prevalence) & (self.prevalence <= upper))


def require_respondents(respondents: int, groups: int = 1) -> None:
    """Refuses a survey of too few respondents, or of so many that sums lose exactness.

    Args:
        respondents: Number of respondents.
        groups: How many groups they are split into.

    Raises:
        ParameterError: There are too few, or too many.
    """
    if respondents > RESPONDENTS_MAX:
        raise ParameterError(T.MANY_RESPONDENTS(most=RESPONDENTS_MAX))
    if respondents < 2 * groups:
        raise ParameterError(T.FEW_RESPONDENTS())


def estimator_theory(survey: HeldSurvey) -> EstimatorTheory:
    """Returns mean and error of the estimate.

    Exact where the estimate is linear in the counts; by the delta method where it is corrected by
    an anchor.

    Raises:
        ParameterError: The survey is impossible, or nobody attends to an anchored question.
    """
    survey.check()
    design, sizes, laws = survey.design, survey.sizes, survey.laws
    means = np.array([law.mean for law in laws])
    steps = _STEP * np.eye(len(laws))
    # The step stays within the possible answers: at a share of 0 or 1 it goes one way only.
    above = np.minimum(means + steps, [max(law.worth) for law in laws])
    below = np.maximum(means - steps, [min(law.worth) for law in laws])
    around = np.concatenate([means[np.newaxis], above, below])
    values = design.estimates(around * np.array(sizes), sizes).estimate
    if not np.isfinite(values).all():
        raise ParameterError(T.NO_ONE_ATTENDS())
    slopes = (values[1 : len(laws) + 1] - values[len(laws) + 1 :]) / np.diag(above - below)
    variance = sum(
        float(slope) ** 2 * law.variance / size
        for slope, law, size in zip(slopes, laws, sizes, strict=True)
    )
    if design.same_respondents:
        joint = joint_covariance(laws, survey.behaviour)
        variance += 2 * float(slopes[0] * slopes[1]) * joint / survey.respondents
    return EstimatorTheory(float(values[0]), sqrt(max(variance, 0.0)))


def has_exact_law(design: YesNoDesign, respondents: int) -> bool:
    """Returns whether all outcomes can be enumerated: one group, and small sums."""
    return design.group_count == 1 and respondents * design.largest_answer <= EXACT_MAX


def exact_outcomes(survey: HeldSurvey) -> SurveyOutcomes:
    """Enumerates every sum of answers that a survey can have, with its chance.

    Chances have an absolute error of about 1e-15, whatever their size.

    Raises:
        ParameterError: The survey is impossible.
    """
    require_share(survey.confidence, "confidence")
    theory = estimator_theory(survey)
    (law,) = survey.laws
    chances = _law_of_sum(law, survey.respondents)
    totals = np.arange(len(chances), dtype=np.float64)[:, np.newaxis]
    found = survey.design.estimates(totals, (survey.respondents,), survey.confidence)
    possible = chances > 0
    return SurveyOutcomes(
        seed=None,
        truth=survey.prevalence,
        estimates=found.estimate[possible],
        chances=chances[possible],
        covered=survey.covered(found.lower, found.upper)[possible],
        theory=theory,
    )


def _law_of_sum(law: AnswerLaw, respondents: int) -> Floats:
    """The law of the sum of the answers, from 0 up: the n-th power of its Fourier transform."""
    size = respondents * max(law.worth) + 1
    one = np.zeros(size)
    for worth, chance in zip(law.worth, law.chances, strict=True):
        one[worth] += chance
    length = 1 << (size - 1).bit_length()
    power = np.fft.irfft(np.fft.rfft(one, length) ** respondents, length)[:size]
    # Rounding errors in place of chances that are nearly 0.
    chances = np.where(power > np.finfo(np.float64).eps, power, 0.0)
    return np.asarray(chances / chances.sum())
