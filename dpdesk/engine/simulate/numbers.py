"""Surveys that are not held, of a question whose answer is a number.

Of few respondents everybody is drawn. Of many, mean and variance of what is said are drawn from
the normal law with their exact means, errors and covariance, so that the cost does not depend on
the number of respondents.
"""

from __future__ import annotations

from math import isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.estimator_law import EstimatorTheory, SurveyOutcomes, require_respondents
from dpdesk.designs.number_design import (
    CentralMoments,
    DrawnLaw,
    NumberDesign,
    TrueNumbers,
    said_moments,
)
from dpdesk.designs.planning import require_share
from dpdesk.engine.simulate.surveys import REPETITIONS_MAX
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import normal_quantile

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

ONE_BY_ONE = 100_000
"""Respondents of all surveys together up to which everybody is drawn."""


def draws_everybody(respondents: int, repetitions: int) -> bool:
    """Returns whether every respondent of every survey is drawn, or moments of many at once."""
    return respondents * repetitions <= ONE_BY_ONE


def number_theory(design: NumberDesign, true: TrueNumbers, respondents: int) -> EstimatorTheory:
    """Returns mean and error of the estimated mean, exactly.

    Raises:
        ParameterError: The survey cannot be held.
    """
    require_respondents(respondents)
    said = said_moments(design, true)
    shift, factor = design.shift_and_factor
    return EstimatorTheory(
        (said.mean - shift) / factor, sqrt(said.variance / respondents) / abs(factor)
    )


def simulate_numbers(
    design: NumberDesign,
    true: TrueNumbers,
    respondents: int,
    repetitions: int,
    seed: int,
    confidence: float = 0.95,
) -> SurveyOutcomes:
    """Holds a survey many times, its respondents drawn anew each time.

    Args:
        design: The design.
        true: The law of the true answers.
        respondents: Number of respondents of each survey, at least 2.
        repetitions: Number of surveys.
        seed: Seed of the generator.
        confidence: Coverage of the intervals, which are normal ones.

    Raises:
        ParameterError: A number is impossible.
    """
    require_share(confidence, "confidence")
    theory = number_theory(design, true, respondents)
    if not 1 <= repetitions <= REPETITIONS_MAX:
        raise ParameterError(
            "The number of repetitions must lie between 1 and 1,000,000.",
            remedy="Type another number.",
        )
    generator = np.random.Generator(np.random.PCG64(seed))
    if draws_everybody(respondents, repetitions):
        said = draw_said(generator, design, draw_true(generator, true, (repetitions, respondents)))
        means, variances = said.mean(axis=1), said.var(axis=1, ddof=1)
    else:
        moments = said_moments(design, true)
        means, variances = _many(generator, moments, respondents, repetitions)
    shift, factor = design.shift_and_factor
    estimates = (means - shift) / factor
    half = normal_quantile(confidence) * np.sqrt(variances / respondents) / abs(factor)
    return SurveyOutcomes(
        seed=seed,
        truth=true.mean,
        estimates=estimates,
        chances=None,
        covered=np.abs(estimates - true.mean) <= half,
        theory=theory,
        bounds=(true.lower, true.upper),
    )


def draw_true(
    generator: np.random.Generator, true: TrueNumbers, size: int | tuple[int, ...]
) -> Floats:
    """Draws the numbers that respondents act upon: the true ones, or the least of who understates.

    Args:
        generator: The source of chance.
        true: Their law.
        size: Shape of what is drawn.
    """
    drawn = true.lower + true.width * generator.beta(*true.shape, size=size)
    if not true.understating:
        return np.asarray(drawn)
    return np.where(generator.random(size) < true.understating, true.lower, drawn)


def draw_said(generator: np.random.Generator, design: NumberDesign, true: Floats) -> Floats:
    """Draws what is said by those who act upon these numbers, of the same shape."""
    law = design.drawn_law
    said = law.applied(true, draw_device(generator, law, true.shape))
    if law.truth:
        return np.where(generator.random(true.shape) < law.truth, true, said)
    return said


def draw_device(generator: np.random.Generator, law: DrawnLaw, size: tuple[int, ...]) -> Floats:
    """Draws the numbers that the device shows, which are added or multiplied by."""
    middle = 0.0 if law.multiplies else law.center
    if law.noise == "laplace":
        drawn = generator.laplace(middle, law.scale, size)
        return np.asarray(np.exp(drawn) if law.multiplies else drawn)
    middle = 1.0 if law.multiplies else law.center
    return middle + law.scale * generator.uniform(-1.0, 1.0, size)


def _many(
    generator: np.random.Generator, said: CentralMoments, respondents: int, repetitions: int
) -> tuple[Floats, Floats]:
    """Draws mean and variance of what many respondents say, shape (repetitions,) each.

    Cov(mean, s^2) = mu3 / n and Var s^2 = (mu4 - (n-3)/(n-1) sigma^4) / n. Where a heavy tail
    leaves s^2 without an error, it is taken to be sigma^2.
    """
    n, spread = respondents, sqrt(said.variance)
    first, second = generator.standard_normal((2, repetitions))
    means = said.mean + spread / sqrt(n) * first
    if not isfinite(said.fourth) or not spread:
        return means, np.full(repetitions, said.variance)
    along = said.third / spread / sqrt(n)
    across = (said.fourth - (n - 3) / (n - 1) * said.variance**2) / n - along**2
    variances = said.variance + along * first + sqrt(max(across, 0.0)) * second
    return means, np.maximum(variances, 0.0)
