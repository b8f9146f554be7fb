"""Surveys that are not held: what a randomized-response design would show.

The counts of a group are drawn directly, so the cost does not depend on the number of respondents.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs import YesNoDesign
from dpdesk.designs.behaviour import COMPLIANT, AnswerLaw, Behaviour, answer_laws, group_sizes
from dpdesk.designs.estimator_law import SurveyOutcomes, estimator_theory
from dpdesk.designs.planning import require_share
from dpdesk.errors import ParameterError

Floats = NDArray[np.float64]

REPETITIONS_MAX = 1_000_000


def simulate_surveys(
    design: YesNoDesign,
    prevalence: float,
    respondents: int,
    repetitions: int,
    seed: int,
    behaviour: Behaviour = COMPLIANT,
    confidence: float = 0.95,
) -> SurveyOutcomes:
    """Holds a survey many times, its respondents drawn anew each time.

    Args:
        design: The design; the respondents are split evenly over its groups.
        prevalence: The true share of carriers.
        respondents: Number of respondents of each survey, at least 2 for each group.
        repetitions: Number of surveys.
        seed: Seed of the generator.
        behaviour: How many respondents do not follow the device.
        confidence: Coverage of the intervals.

    Raises:
        ParameterError: A number is impossible, or no survey has an estimate.
    """
    require_share(confidence, "confidence")
    theory = estimator_theory(design, prevalence, respondents, behaviour)
    if not 1 <= repetitions <= REPETITIONS_MAX:
        raise ParameterError(
            "The number of repetitions must lie between 1 and 1,000,000.",
            remedy="Type another number.",
        )
    generator = np.random.Generator(np.random.PCG64(seed))
    sizes = group_sizes(design, respondents)
    if design.same_respondents:
        totals = _items(generator, design, prevalence, respondents, repetitions, behaviour)
    else:
        laws = answer_laws(design, prevalence, behaviour)
        drawn = [_sums(generator, law, n, repetitions) for law, n in zip(laws, sizes, strict=True)]
        totals = np.stack(drawn, axis=1)
    found = design.estimates(totals, sizes, confidence)
    # An anchor that shows nobody who attends leaves a survey without an estimate.
    defined = np.isfinite(found.estimate)
    if not defined.any():
        raise ParameterError(
            "No survey of so few respondents shows anybody who attends to the question.",
            remedy="Ask more respondents, or fewer who answer at random.",
        )
    return SurveyOutcomes(
        seed=seed,
        truth=prevalence,
        estimates=found.estimate[defined],
        chances=None,
        covered=((found.lower <= prevalence) & (prevalence <= found.upper))[defined],
        theory=theory,
    )


def _sums(generator: np.random.Generator, law: AnswerLaw, size: int, repetitions: int) -> Floats:
    """Draws the sum of the answers of one group, shape (repetitions,)."""
    chances = np.array(law.chances)
    counts = generator.multinomial(size, chances / chances.sum(), size=repetitions)
    return np.asarray(counts @ np.array(law.worth, dtype=np.int64), dtype=np.float64)


def _items(
    generator: np.random.Generator,
    design: YesNoDesign,
    prevalence: float,
    respondents: int,
    repetitions: int,
    behaviour: Behaviour,
) -> Floats:
    """Draws the counts of yes-or-no items that the same respondents answer, (repetitions, items).

    Who answers at random does so for every item.
    """
    blind = generator.binomial(respondents, behaviour.careless, size=repetitions)
    laws = answer_laws(design, prevalence, replace(behaviour, careless=0.0))
    yes = [
        generator.binomial(respondents - blind, min(max(law.mean, 0.0), 1.0))
        + generator.binomial(blind, 0.5)
        for law in laws
    ]
    return np.stack(yes, axis=1).astype(np.float64)
