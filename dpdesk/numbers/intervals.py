"""Intervals for shares and means."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isfinite, isnan, log10
from statistics import NormalDist

import numpy as np

from dpdesk.numbers.arrays import Floats

# Equal differences must not differ by their last bits.
_SLACK = 1 + 1e-9
_HARDLY_ANY = 1e-9


def stated_error(error: float, lower: float, upper: float) -> float | None:
    """Returns a standard error; None where it is 0 and its interval shows that it is not.

    Answers that are all alike have no spread, which says nothing of the error.
    """
    return None if error == 0 and lower < upper else error


def share_ends(lower: float, upper: float) -> tuple[float, float]:
    """Returns the ends of a share's interval as told; 0 and 1 where it excludes no share."""
    return (0.0, 1.0) if lower <= 0 and upper >= 1 else (lower, upper)


def normal_quantile(confidence: float) -> float:
    """Returns z with a probability of `confidence` between -z and z (1.96 for 0.95)."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def lower_hull(values: Floats) -> Floats:
    """Returns the largest convex function that is nowhere above values at even steps."""
    kept: list[tuple[int, float]] = []
    for new in enumerate(values.tolist()):
        # A corner goes unless it is below the line from the one before to the new one.
        while len(kept) > 1:
            (first, low), (last, high) = kept[-2:]
            if (high - low) * (new[0] - last) < (new[1] - high) * (last - first):
                break
            kept.pop()
        kept.append(new)
    corners, heights = zip(*kept, strict=True)
    return np.asarray(np.interp(np.arange(values.size), corners, heights))


def least_variance(floor: Floats, value: float, reports: float, answered: float = 1.0) -> float:
    """Returns the largest variance among means that an estimate does not contradict.

    Where the estimate contradicts all of them, at 95 %, the variance is that of the nearest.

    Args:
        floor: Ascending means, the mean square of a report's part if each is true, and that under
            a missing answer (`BoundMechanism.noise_floor`).
        value: The estimate.
        reports: Number of reports, or the effective number where they are weighted.
        answered: The share of respondents who answered.
    """
    means, share = floor[0], min(answered, 1.0)
    variances = share * floor[1] + (1 - share) * floor[2]
    near = np.abs(means - value) * answered <= normal_quantile(0.95) * np.sqrt(variances / reports)
    return float(variances[near].max(initial=np.interp(value, means, variances)))


def is_even(value: float, lower: float, upper: float) -> bool:
    """Returns whether an interval may be printed as its middle and an error with the sign "±".

    So it may where no end is farther from there than half of the error's second digit. One that
    is not known (NaN) has no longer side.
    """
    below, above = value - lower, upper - value
    widest = max(below, above)
    if not isfinite(widest) or widest <= 0:
        return isnan(below + above) or below == above
    return abs(above - below) <= 10.0 ** (floor(log10(widest)) - 1) * _SLACK


def wilson_interval(
    share: Floats, reports: float | Floats, confidence: float = 0.95
) -> tuple[Floats, Floats]:
    """Returns Wilson's score interval of a binomial share (Wilson 1927, JASA 22, 209-212).

    Args:
        share: Observed shares, any shape.
        reports: Number of reports, or the effective number where they are weighted: one, or one
            for each share.
        confidence: Coverage.

    Returns:
        Lower and upper ends, of the shape of `share`; [0, 1] when there are no reports.
    """
    if np.any(np.less_equal(reports, 0)):
        return np.zeros_like(share), np.ones_like(share)
    z = normal_quantile(confidence)
    shrink = 1 + z * z / reports
    centre = (share + z * z / (2 * reports)) / shrink
    half = z * np.sqrt(share * (1 - share) / reports + z * z / (4 * reports**2)) / shrink
    # The interval contains the share; at 0 and 1 its end is the share, whatever rounding does.
    lower = np.minimum(np.maximum(centre - half, 0.0), share)
    return lower, np.maximum(np.minimum(centre + half, 1.0), share)


@dataclass(frozen=True, slots=True)
class Quadratic:
    """A variance as a function of a ratio r: constant + linear r + square r^2, arrays alike."""

    constant: Floats
    linear: Floats
    square: Floats

    def at(self, ratio: Floats) -> Floats:
        """Returns the variance at a ratio; rounding makes it never negative."""
        value = self.constant + self.linear * ratio + self.square * ratio**2
        return np.asarray(np.maximum(value, 0.0))

    @classmethod
    def of(cls, own: Floats, cross: Floats, spread: Floats | float) -> Quadratic:
        """Returns the variance of s - r t from those of s and t, and their covariance."""
        return cls(own, -2 * cross, np.broadcast_to(np.asarray(spread), own.shape))

    def times(self, factor: Floats | float) -> Quadratic:
        """Returns a multiple of it."""
        return Quadratic(self.constant * factor, self.linear * factor, self.square * factor)


def ratio_interval(
    above: Floats, below: float, variance: Quadratic, confidence: float
) -> tuple[Floats, Floats]:
    """Returns the ratios r with (above - r below)^2 <= z^2 variance(r).

    Args:
        above: Unbiased estimates, any shape.
        below: The unbiased estimate that they are divided by.
        variance: Of above - r below.
        confidence: Coverage of the intervals.

    Returns:
        Lower and upper ends; NaN where the reports do not even show that `below` is positive.
    """
    z = normal_quantile(confidence)
    a = below**2 - z**2 * variance.square
    b = above * below + z**2 * variance.linear / 2
    c = above**2 - z**2 * variance.constant
    clear = (a > 0) & (below > 0)
    half = np.sqrt(np.maximum(b**2 - a * c, 0.0))
    a = np.where(clear, a, np.nan)
    return (b - half) / a, (b + half) / a


def share_variance(share: Floats, own: Floats, second: Floats) -> Quadratic:
    """Returns the variance of a score of mean t, 1 under the own category, as a function of t.

    Other categories share the rest as they do in a possible distribution.

    Args:
        share: The share of each category in it, shape (k,).
        own: Mean square of the score where its category is true, shape (k,).
        second: Mean square of the score in that distribution, shape (k,).
    """
    # Where one category has all, there is nothing that the others share.
    other = np.maximum(second - share * own, 0.0) / np.maximum(1 - share, _HARDLY_ANY)
    return Quadratic(other, own - other, np.full(share.shape, -1.0))
