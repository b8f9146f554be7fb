"""Shares estimated by a linear map of the counts, their errors at the nearest possible shares."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpdesk.mechanisms.base import Floats
from dpdesk.mechanisms.estimates import Estimate
from dpdesk.mechanisms.possible_shares import PossibleEstimates
from dpdesk.mechanisms.projections import simplex_projection
from dpdesk.mechanisms.tally import Tally, indicator_variance
from dpdesk.numbers.intervals import normal_quantile


def linear_share_estimate(
    value: Floats,
    squared: Floats,
    noise_at: Callable[[Floats], Floats],
    tally: Tally,
    confidence: float,
    possible: PossibleEstimates,
) -> Estimate:
    """Returns unbiased shares with their errors and normal intervals, arrays of shape (k,).

    The errors are exact at the possible distribution that is nearest to the estimates; drawing the
    respondents adds f (1 - f) / n. With weights the noise is that of the distribution by squared
    weights, and drawing the respondents adds the variance of a ratio (`indicator_variance`).

    Args:
        value: The unbiased shares, shape (k,).
        squared: The same by squared weights, shape (k,); `value` without weights.
        noise_at: n times the noise variance of each share, given the true distribution.
        tally: Counts of the reports.
        confidence: Coverage of the intervals.
        possible: Other estimates of the same shares.
    """
    reports = tally.effective_reports
    nearest = simplex_projection(value)
    by_squares = nearest if tally.square_counts is None else simplex_projection(squared)
    noise = noise_at(by_squares)
    sampling = indicator_variance(nearest, by_squares)
    total = np.sqrt((noise + sampling) / reports)
    half = normal_quantile(confidence) * total
    return Estimate(
        quantity="share",
        value=value,
        truncated=np.clip(value, 0.0, 1.0),
        noise_error=np.sqrt(noise / reports),
        sampling_error=np.sqrt(sampling / reports),
        total_error=total,
        lower=value - half,
        upper=value + half,
        reports=tally.reports,
        effective_reports=reports,
        possible=possible,
    )
