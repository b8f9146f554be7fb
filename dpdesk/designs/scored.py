"""Designs with one group and several answers, each of which is worth a number.

With scores s(answer) whose mean is 1 for a carrier and 0 for a non-carrier, the average score is
an unbiased estimate of the share of carriers.
"""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np

from dpdesk.designs.base import PlannedVariance
from dpdesk.designs.survey_estimate import (
    Floats,
    SurveyEstimate,
    SurveyEstimates,
    normal_estimates,
)


def mean_and_variance(
    law: tuple[Fraction, ...], answers: tuple[Fraction, ...]
) -> tuple[Fraction, Fraction]:
    """Returns the mean and the variance of an answer.

    Args:
        law: Chance of each answer.
        answers: Number that each answer stands for.
    """
    mean = sum((c * y for c, y in zip(law, answers, strict=True)), Fraction(0))
    square = sum((c * y * y for c, y in zip(law, answers, strict=True)), Fraction(0))
    return mean, square - mean * mean


def scored_variance(
    prevalence: float,
    carrier: tuple[Fraction, Fraction],
    other: tuple[Fraction, Fraction],
) -> PlannedVariance:
    """Returns n times the variance of the mean score.

    Args:
        prevalence: The true share of carriers.
        carrier: Mean and variance of the answer of a carrier.
        other: The same of a non-carrier.
    """
    device = prevalence * float(carrier[1]) + (1 - prevalence) * float(other[1])
    gap = float(carrier[0] - other[0])
    return PlannedVariance(prevalence * (1 - prevalence), device / gap**2)


def scored_estimate(
    mean_answer: float,
    respondents: int,
    carrier: tuple[Fraction, Fraction],
    other: tuple[Fraction, Fraction],
    confidence: float,
) -> SurveyEstimate:
    """Returns the share of carriers from the mean answer.

    Args:
        mean_answer: Mean of the respondents' answers.
        respondents: Number of respondents.
        carrier: Mean and variance of the answer of a carrier.
        other: The same of a non-carrier.
        confidence: Coverage of the interval.
    """
    means, n = np.array([mean_answer]), respondents
    value, error, lower, upper = scored_estimates(means, n, carrier, other, confidence).only
    planned = scored_variance(possible := min(max(value, 0.0), 1.0), carrier, other)
    return SurveyEstimate(
        estimate=value,
        truncated=possible,
        standard_error=error,
        sampling_error=sqrt(planned.sampling / n),
        privacy_error=sqrt(planned.privacy / n),
        lower=lower,
        upper=upper,
    )


def scored_estimates(
    mean_answers: Floats,
    respondents: int,
    carrier: tuple[Fraction, Fraction],
    other: tuple[Fraction, Fraction],
    confidence: float,
) -> SurveyEstimates:
    """Returns the shares of carriers of many surveys from their mean answers.

    The variance is the planned one at the truncated estimate, since the mean alone does not show
    the spread of the answers.

    Args:
        mean_answers: Mean of the answers of each survey, any shape.
        respondents: Number of respondents of each survey.
        carrier: Mean and variance of the answer of a carrier.
        other: The same of a non-carrier.
        confidence: Coverage of the intervals.
    """
    gap = float(carrier[0] - other[0])
    value = (mean_answers - float(other[0])) / gap
    possible = np.clip(value, 0.0, 1.0)
    device = possible * float(carrier[1]) + (1 - possible) * float(other[1])
    variance = possible * (1 - possible) + device / gap**2
    return normal_estimates(value, np.sqrt(variance / respondents), confidence)
