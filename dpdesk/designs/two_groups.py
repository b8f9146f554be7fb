"""What designs with two groups share: the share of yes of each, with its variance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import sqrt

from dpdesk.designs.base import PlannedVariance
from dpdesk.designs.counts import Count
from dpdesk.designs.survey_estimate import SurveyEstimate
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import normal_quantile


def shares_and_variances(counts: Sequence[Count]) -> list[tuple[float, float]]:
    """Returns share of yes and its unbiased variance, l (1 - l) / (n - 1), of each group."""
    found = []
    for count in counts:
        share = count.checked().share
        found.append((share, share * (1 - share) / (count.respondents - 1)))
    return found


def linear(
    constant: float, weights: Sequence[float], groups: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """Returns constant + sum of weight times share, and its standard error."""
    value = constant + sum(w * share for w, (share, _) in zip(weights, groups, strict=True))
    variance = sum(w * w * v for w, (_, v) in zip(weights, groups, strict=True))
    return value, sqrt(variance)


def planned(
    prevalence: float, weights: Sequence[float], shares: Sequence[float]
) -> PlannedVariance:
    """Returns n times the variance of a weighted sum of shares of yes in groups of equal size.

    Args:
        prevalence: The true share of carriers.
        weights: Weight of each group's share in the estimate.
        shares: Expected share of yes of each group.
    """
    groups = len(weights)
    total = sum(groups * w * w * s * (1 - s) for w, s in zip(weights, shares, strict=True))
    sampling = prevalence * (1 - prevalence)
    return PlannedVariance(sampling, total - sampling)


def linear_estimate(
    value: float,
    error: float,
    counts: Sequence[Count],
    confidence: float,
    further: Mapping[str, tuple[float, float]] | None = None,
) -> SurveyEstimate:
    """Returns an estimate with the normal interval.

    What is not sampling of respondents is counted as the device's part.
    """
    respondents = sum(count.respondents for count in counts)
    possible = min(max(value, 0.0), 1.0)
    sampling = possible * (1 - possible) / respondents
    half = normal_quantile(confidence) * error
    return SurveyEstimate(
        estimate=value,
        truncated=possible,
        standard_error=error,
        sampling_error=sqrt(sampling),
        privacy_error=sqrt(max(error**2 - sampling, 0.0)),
        lower=value - half,
        upper=value + half,
        further=further or {},
    )


def require_difference(first: object, second: object, what: str) -> None:
    """Refuses two groups whose devices are alike.

    Raises:
        ParameterError: They are, so that the groups together tell no more than one.
    """
    if first == second:
        raise ParameterError(
            f"Both groups have the same {what}, so that together they tell no more than one.",
            remedy="Give the two groups different devices.",
        )
