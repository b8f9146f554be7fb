"""From a margin to a number of respondents, and back.

With V = pi (1 - pi) + V_R (`Design.planned_variance`), an estimate from n respondents has the
standard error sqrt(V / n). In a population of N the finite correction touches the sampling part
only: the device adds its noise however many of the people are asked. Weights that vary multiply
both by Kish's design effect, 1 + cv^2 (Kish 1965, Survey Sampling).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist

from dpdesk.designs.yes_no import YesNoDesign
from dpdesk.errors import ParameterError

NORMAL = NormalDist()
"""The standard normal distribution."""
LARGEST_SAMPLE = 10**15
"""More respondents than there are people in any population."""
SMALLEST_SHARE = 1e-9
"""Smallest share, and smallest distance from 1: squares and ratios of it stay within floats."""
_LARGEST_CV = 1e3


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """A number of respondents and what it gives.

    Attributes:
        respondents: Number of respondents.
        margin: Half-width of the interval.
        design_effect: Respondents needed, as a multiple of those for direct questions.
        effective_respondents: Number of direct, truthful answers that tell as much.
    """

    respondents: int
    margin: float
    design_effect: float
    effective_respondents: float


def require_share(value: float, what: str) -> float:
    """Returns a share if it lies strictly between 0 and 1, by `SMALLEST_SHARE` at least.

    Raises:
        ParameterError: It does not.
    """
    if not SMALLEST_SHARE <= value <= 1 - SMALLEST_SHARE:
        raise ParameterError(
            f"The {what} must lie between 0 and 1, at least {SMALLEST_SHARE:g} from both.",
            remedy="Type a number such as 0.1.",
        )
    return value


def respondents_for_margin(
    design: YesNoDesign,
    prevalence: float,
    margin: float,
    confidence: float = 0.95,
    population: int | None = None,
    weights_cv: float = 0.0,
) -> SamplePlan:
    """Returns the least number of respondents whose interval is no wider than wanted.

    n = (S^2 + V_R) / ((margin / z)^2 + S^2 / N), with S^2 = N pi (1 - pi) / (N - 1).

    Args:
        design: The design.
        prevalence: The expected share of carriers.
        margin: Half-width of the interval.
        confidence: Coverage of the interval.
        population: Number of people, for a simple random sample of them; None for many.
        weights_cv: Coefficient of variation of the respondents' weights.

    Raises:
        ParameterError: A number is impossible, or the whole population is not enough.
    """
    variance = design.planned_variance(require_share(prevalence, "expected share"))
    target = (require_share(margin, "margin") / z_of(confidence)) ** 2
    effect = kish_effect(weights_cv, population)
    if population is None:
        needed = ceil(effect * variance.total / target * (1 - 1e-12))
    else:
        spread = variance.sampling * _people(population) / (population - 1)
        needed = ceil((spread + variance.privacy) / (target + spread / population) * (1 - 1e-12))
        if needed > population:
            raise ParameterError(
                f"Even with all {population:,} people asked, the device's own noise leaves a "
                "wider margin.",
                remedy="Accept a wider margin, or a larger epsilon.",
            )
    if needed > LARGEST_SAMPLE:
        raise ParameterError(
            "No survey has as many respondents as this margin needs.",
            remedy="Accept a wider margin, or a larger epsilon.",
        )
    return plan_of_sample(design, prevalence, max(needed, 2), confidence, population, weights_cv)


def plan_of_sample(
    design: YesNoDesign,
    prevalence: float,
    respondents: int,
    confidence: float = 0.95,
    population: int | None = None,
    weights_cv: float = 0.0,
) -> SamplePlan:
    """Returns the margin that a number of respondents gives.

    Args:
        design: The design.
        prevalence: The expected share of carriers.
        respondents: Number of respondents.
        confidence: Coverage of the interval.
        population: Number of people, for a simple random sample of them; None for many.
        weights_cv: Coefficient of variation of the respondents' weights.

    Raises:
        ParameterError: A number is impossible.
    """
    error = planned_error(design, prevalence, respondents, population, weights_cv)
    variance = design.planned_variance(prevalence)
    effect = kish_effect(weights_cv) * variance.total / variance.sampling
    return SamplePlan(
        respondents=respondents,
        margin=z_of(confidence) * error,
        design_effect=effect,
        effective_respondents=respondents / effect,
    )


def planned_error(
    design: YesNoDesign,
    prevalence: float,
    respondents: int,
    population: int | None = None,
    weights_cv: float = 0.0,
) -> float:
    """Returns the standard error that a number of respondents gives.

    The arguments are those of `plan_of_sample`.

    Raises:
        ParameterError: A number is impossible.
    """
    variance = design.planned_variance(require_share(prevalence, "expected share"))
    if respondents < 2:
        raise ParameterError("A survey has at least 2 respondents.", remedy="Type a larger number.")
    sampling, weighted = variance.sampling, kish_effect(weights_cv, population)
    if population is not None:
        sampling *= finite_correction(respondents, population)
    return sqrt(weighted * (sampling + variance.privacy) / respondents)


def kish_effect(weights_cv: float, population: int | None = None) -> float:
    """Returns Kish's design effect of weights: 1 + cv^2.

    Args:
        weights_cv: Their coefficient of variation: standard deviation over mean.
        population: Number of people, where the sample is a simple random one of them.

    Raises:
        ParameterError: It is negative, or a simple random sample is weighted.
    """
    if not 0 <= weights_cv <= _LARGEST_CV:
        raise ParameterError(
            "The coefficient of variation of the weights must be from 0 to 1,000.",
            remedy="Divide the weights' standard deviation by their mean.",
        )
    if weights_cv and population is not None:
        raise ParameterError(
            "The correction for a finite population is for a simple random sample, in which all "
            "weights are equal.",
            remedy="Leave out the size of the population, or the weights.",
        )
    return 1 + weights_cv**2


def finite_correction(respondents: int, population: int) -> float:
    """Returns what is left of the sampling variance in a finite population: (N - n) / (N - 1).

    Raises:
        ParameterError: There are more respondents than people.
    """
    if respondents > _people(population):
        raise ParameterError(
            "There are more respondents than people in the population.",
            remedy="Type fewer respondents, or the right population.",
        )
    return (population - respondents) / (population - 1)


def z_of(confidence: float) -> float:
    """Returns the half-width of an interval in standard errors."""
    return NORMAL.inv_cdf((1 + require_share(confidence, "confidence")) / 2)


def _people(population: int) -> int:
    if population < 2:
        raise ParameterError(
            "A population has at least 2 people.", remedy="Type the size of the population."
        )
    return population
