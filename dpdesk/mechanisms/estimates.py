"""What an estimator returns: values with their errors, split into noise and sampling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from dpdesk.mechanisms.possible_shares import PossibleEstimates, simplex_projection
from dpdesk.mechanisms.tally import Tally, indicator_variance
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import ratio_interval, share_variance


@dataclass(frozen=True, slots=True)
class Estimate:
    """Unbiased estimates of one attribute; arrays of shape (quantities,).

    Attributes:
        quantity: "share" (one per category) or "mean" (one).
        value: The unbiased estimates as they are; a share may be negative.
        truncated: The same, moved into the range that the quantity can have.
        noise_error: Standard error that the mechanism adds, given the respondents.
        sampling_error: Standard error of drawing the respondents; NaN where the reports do not
            identify it.
        total_error: Standard error of both together.
        lower, upper: Ends of the 95 % interval from the total error, not truncated.
        reports: Number of reports.
        effective_reports: Kish's effective number, equal to `reports` without weights: it describes
            the weights, while errors also count how they go with the answers.
        possible: Other estimates of the same quantities by name, shape (quantities,), such as a
            projection on the possible shares. They are biased and have no errors.
        intervals: For numbers, the shares of intervals of the domain where the mechanism can
            tell them; None elsewhere.
        answered: For numbers that may be missing, the share of respondents who answered, arrays
            of shape (1,); the mean is then that of those who answered. None elsewhere.
    """

    quantity: str
    value: Floats
    truncated: Floats
    noise_error: Floats
    sampling_error: Floats
    total_error: Floats
    lower: Floats
    upper: Floats
    reports: int
    effective_reports: float
    possible: Mapping[str, Floats] = field(default_factory=dict)
    intervals: IntervalShares | None = None
    answered: Estimate | None = None


@dataclass(frozen=True, slots=True)
class IntervalShares:
    """How a numeric attribute is distributed over a few intervals of its domain.

    Attributes:
        ends: Ends of the intervals in the attribute's unit, shape (intervals + 1,).
        shares: The unbiased shares with their errors, arrays of shape (intervals,); its
            `possible` holds the estimates by expectation maximisation.
    """

    ends: Floats
    shares: Estimate


@dataclass(frozen=True, slots=True)
class Accuracy:
    """The standard error to expect before there are reports.

    Attributes:
        noise: Standard deviation that the mechanism adds.
        sampling: Standard deviation of drawing the respondents.
        total: Standard deviation of both together.
    """

    noise: float
    sampling: float
    total: float


@dataclass(frozen=True, slots=True)
class Answers:
    """How true answers are spread, where that is known or declared.

    Attributes:
        shares: Part of the respondents with each category or option; of numbers, with each of
            `codes`, among those who answered.
        codes: The grid points that were answered; empty for categories.
        mean, spread: Mean and standard deviation of the numbers, in the attribute's unit.
        missing: Share of missing answers; None for the one that a forecast supposes.
    """

    shares: tuple[float, ...]
    codes: tuple[int, ...] = ()
    mean: float = 0.0
    spread: float = 0.0
    missing: float | None = None


def linear_share_estimate(
    value: Floats,
    squared: Floats,
    noise_at: Callable[[Floats], Floats],
    own: Floats,
    tally: Tally,
    confidence: float,
    possible: PossibleEstimates,
) -> Estimate:
    """Returns shares estimated by a linear map of the counts, arrays of shape (k,).

    They are unbiased and have errors and score intervals. The errors are exact at the possible
    distribution that is nearest to the estimates; drawing the respondents adds f (1 - f) / n. With
    weights the noise is that of the distribution by squared weights, and drawing the respondents
    adds the variance of a ratio (`indicator_variance`). The interval holds every share t that the
    reports do not contradict, with the variance t own + (1 - t) other - t^2 that holds if t is the
    true share, the other categories sharing the rest as they do in the nearest distribution.

    Args:
        value: The unbiased shares, shape (k,).
        squared: The same by squared weights, shape (k,); `value` without weights.
        noise_at: n times the noise variance of each share, given the true distribution.
        own: Mean square of what a report adds to the share of its true category, shape (k,).
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
    variance = share_variance(by_squares, own, noise + by_squares)
    binomial = variance.at(nearest)
    is_told = (binomial > 0) & (total > 0)
    factor = np.divide(noise + sampling, binomial, out=np.ones_like(total), where=is_told)
    by = np.maximum(factor / reports, 1 / tally.reports)
    lower, upper = ratio_interval(value, 1.0, variance.times(by), confidence)
    return Estimate(
        quantity="share",
        value=value,
        truncated=np.clip(value, 0.0, 1.0),
        noise_error=np.sqrt(noise / reports),
        sampling_error=np.sqrt(sampling / reports),
        total_error=total,
        lower=np.minimum(lower, value),
        upper=np.maximum(upper, value),
        reports=tally.reports,
        effective_reports=reports,
        possible=possible,
    )
