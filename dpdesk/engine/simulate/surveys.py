"""Simulated surveys: the estimates that a design would give, over many repetitions.

Answers are drawn as counts of each group, so the cost does not depend on the number of respondents.
If the answer is a number, every respondent of a small survey is drawn; of a large one, the mean and
variance of the answers are drawn from the normal law with their exact means, errors and covariance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite, sqrt

import numpy as np

from dpdesk.designs.behaviour import (
    NONE_EVADES,
    AnswerLaw,
    Evasion,
    entered,
)
from dpdesk.designs.estimator_law import (
    EstimatorTheory,
    HeldSurvey,
    SurveyOutcomes,
    estimator_theory,
    require_respondents,
)
from dpdesk.designs.number_design import (
    CentralMoments,
    DrawnLaw,
    NumberDesign,
    TrueNumbers,
    report_moments,
)
from dpdesk.designs.planning import require_share
from dpdesk.designs.several_answers import (
    SeveralDesign,
    SharesTheory,
    require_shares,
    shares_theory,
)
from dpdesk.domains import Categorical
from dpdesk.engine.simulate.tallies import simulate_counts
from dpdesk.engine.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Flags, Floats
from dpdesk.numbers.intervals import normal_quantile

REPETITIONS_MAX = 1_000_000


def simulate_surveys(survey: HeldSurvey, repetitions: int, seed: int) -> SurveyOutcomes:
    """Simulates a survey with a yes-no design many times, with new respondents each time.

    Args:
        survey: The survey.
        repetitions: How often it is held.
        seed: Seed of the generator.

    Raises:
        ParameterError: A number is invalid, or no survey has an estimate.
    """
    require_share(survey.confidence, "confidence")
    theory = estimator_theory(survey)
    generator = _generator(seed, repetitions)
    if survey.design.same_respondents:
        totals = _items(generator, survey, repetitions)
    else:
        groups = zip(survey.laws, survey.sizes, strict=True)
        drawn = [_sums(generator, law, size, repetitions) for law, size in groups]
        totals = np.stack(drawn, axis=1)
    estimated = survey.design.estimates(totals, survey.sizes, survey.confidence)
    # If the anchor indicates that nobody attends, a survey has no estimate.
    defined = np.isfinite(estimated.estimate)
    if not defined.any():
        raise ParameterError(T.FEW_ATTEND())
    return SurveyOutcomes(
        seed=seed,
        truth=survey.prevalence,
        estimates=estimated.estimate[defined],
        chances=None,
        covered=survey.covered(estimated.lower, estimated.upper)[defined],
        theory=theory,
    )


def _generator(seed: int, repetitions: int) -> np.random.Generator:
    """Returns the generator of a simulation, after a check of its number of surveys."""
    if not 1 <= repetitions <= REPETITIONS_MAX:
        raise ParameterError(T.BAD_REPETITIONS(least=1, most=REPETITIONS_MAX))
    return np.random.Generator(np.random.PCG64(seed))


def _sums(generator: np.random.Generator, law: AnswerLaw, size: int, repetitions: int) -> Floats:
    """Draws the sum of the answers of one group, shape (repetitions,)."""
    chances = np.array(law.chances)
    counts = generator.multinomial(size, chances / chances.sum(), size=repetitions)
    return np.asarray(counts @ np.array(law.worth, dtype=np.int64), dtype=np.float64)


def _items(generator: np.random.Generator, survey: HeldSurvey, repetitions: int) -> Floats:
    """Draws the counts of yes-or-no items that the same respondents answer, (repetitions, items).

    A respondent who answers at random does so for every item.
    """
    behaviour = survey.behaviour
    blind = generator.binomial(survey.respondents, behaviour.careless, size=repetitions)
    attentive = replace(survey, behaviour=replace(behaviour, careless=0.0))
    yes = [
        generator.binomial(survey.respondents - blind, min(max(law.mean, 0.0), 1.0))
        + generator.binomial(blind, 0.5)
        for law in attentive.laws
    ]
    return np.stack(yes, axis=1).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class SharesOutcomes:
    """Estimated shares of simulated surveys, one row for each survey.

    Attributes:
        seed: Seed of the generator, which repeats the same surveys.
        shares: The true shares, shape (m,).
        estimates: The estimates, not truncated, shape (surveys, m).
        covered: Whether each interval holds its true share, shape (surveys, m).
        theory: Mean and error of the estimates in theory.
    """

    seed: int
    shares: Floats
    estimates: Floats
    covered: Flags
    theory: SharesTheory

    @property
    def means(self) -> Floats:
        """Mean estimate of each share."""
        return np.asarray(self.estimates.mean(axis=0))

    @property
    def spreads(self) -> Floats:
        """Standard deviation of the estimates of each share."""
        degrees = 1 if len(self.estimates) > 1 else 0
        return np.asarray(self.estimates.std(axis=0, ddof=degrees))

    @property
    def coverage(self) -> Floats:
        """Share of the intervals that hold each true share."""
        return np.asarray(self.covered.mean(axis=0))

    @property
    def negative(self) -> Floats:
        """Share of the estimates of each share that lie below 0."""
        return np.asarray((self.estimates < 0).mean(axis=0))


def simulate_several(
    design: SeveralDesign,
    shares: Sequence[float],
    respondents: int,
    repetitions: int,
    seed: int,
    evasion: Evasion = NONE_EVADES,
    confidence: float = 0.95,
) -> SharesOutcomes:
    """Simulates a survey with several answers many times, with new respondents each time.

    Under subset selection the supports of one report depend on each other; each share still has
    its exact law, but estimates of different shares are drawn independently.

    Args:
        design: The design.
        shares: The true shares of its answers.
        respondents: Number of respondents of each survey, at least 2.
        repetitions: Number of surveys.
        seed: Seed of the generator.
        evasion: Shares of respondents who do not follow the instruction.
        confidence: Coverage of the intervals: Wilson's with a mechanism, else normal ones.

    Raises:
        ParameterError: A number is invalid, or the design cannot estimate the shares.
    """
    require_share(confidence, "confidence")
    theory = shares_theory(design, shares, respondents, evasion)
    generator = _generator(seed, repetitions)
    true = require_shares(design, shares)
    if (program := design.program) is not None:
        answered = entered(true, evasion)
        answers = generator.multinomial(respondents, answered / answered.sum(), size=repetitions)
        domain = Categorical(values=tuple(map(str, range(1, design.size + 1))))
        counts = simulate_counts(program.mechanism.forecast(domain), answers, generator)
    else:
        chances = true @ design.report_law(evasion)
        counts = generator.multinomial(respondents, chances / chances.sum(), size=repetitions)
    estimates, lower, upper = design.estimates_of_shares(counts, respondents, confidence)
    covered = (lower <= true) & (true <= upper)
    return SharesOutcomes(seed, true, estimates, covered, theory)


ONE_BY_ONE = 100_000
"""Most respondents of all surveys together for which every respondent is drawn."""


def draws_everybody(respondents: int, repetitions: int) -> bool:
    """Returns whether every respondent of every survey is drawn, and not moments of many."""
    return respondents * repetitions <= ONE_BY_ONE


def number_theory(design: NumberDesign, true: TrueNumbers, respondents: int) -> EstimatorTheory:
    """Returns mean and error of the estimated mean, exactly.

    Raises:
        ParameterError: There are too few respondents.
    """
    require_respondents(respondents)
    said = report_moments(design, true)
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
    """Simulates a survey of numbers many times, with new respondents each time.

    Args:
        design: The design.
        true: The law of the true answers.
        respondents: Number of respondents of each survey, at least 2.
        repetitions: Number of surveys.
        seed: Seed of the generator.
        confidence: Coverage of the intervals, which are normal ones.

    Raises:
        ParameterError: A number is invalid.
    """
    require_share(confidence, "confidence")
    theory = number_theory(design, true, respondents)
    generator = _generator(seed, repetitions)
    if draws_everybody(respondents, repetitions):
        said = draw_reports(
            generator, design, draw_true(generator, true, (repetitions, respondents))
        )
        means, variances = said.mean(axis=1), said.var(axis=1, ddof=1)
    else:
        moments = report_moments(design, true)
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
    """Draws the numbers that respondents answer by: the true one, or the least if they understate.

    Args:
        generator: The source of chance.
        true: Their law.
        size: Shape of the result.
    """
    drawn = true.lower + true.width * generator.beta(*true.shape, size=size)
    if not true.understating:
        return np.asarray(drawn)
    return np.where(generator.random(size) < true.understating, true.lower, drawn)


def draw_reports(generator: np.random.Generator, design: NumberDesign, true: Floats) -> Floats:
    """Draws the answers of respondents who answer by these numbers, of the same shape."""
    law = design.drawn_law
    said = law.applied(true, draw_device(generator, law, true.shape))
    if law.truth:
        return np.where(generator.random(true.shape) < law.truth, true, said)
    return said


def draw_device(generator: np.random.Generator, law: DrawnLaw, size: tuple[int, ...]) -> Floats:
    """Draws the numbers that the device shows, to be added or multiplied by."""
    middle = 0.0 if law.multiplies else law.center
    if law.noise == "laplace":
        drawn = generator.laplace(middle, law.scale, size)
        return np.asarray(np.exp(drawn) if law.multiplies else drawn)
    middle = 1.0 if law.multiplies else law.center
    return middle + law.scale * generator.uniform(-1.0, 1.0, size)


def _many(
    generator: np.random.Generator, said: CentralMoments, respondents: int, repetitions: int
) -> tuple[Floats, Floats]:
    """Draws mean and variance of the answers of many respondents, shape (repetitions,) each.

    Cov(mean, s^2) = mu3 / n and Var s^2 = (mu4 - (n-3)/(n-1) sigma^4) / n. If s^2 has no finite
    variance because of a heavy tail, it is set to sigma^2.
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
