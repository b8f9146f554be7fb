"""Intervals for shares and means."""

from __future__ import annotations

from math import floor, isfinite, log10
from statistics import NormalDist

import numpy as np

from dpdesk.numbers.arrays import Floats

# Equal differences must not differ by their last bits.
_SLACK = 1 + 1e-9


def normal_quantile(confidence: float) -> float:
    """Returns z with a probability of `confidence` between -z and z (1.96 for 0.95)."""
    return NormalDist().inv_cdf((1 + confidence) / 2)


def is_even(value: float, lower: float, upper: float) -> bool:
    """Returns whether an interval may be printed as its middle and an error with the sign "±".

    So it may where no end is farther from there than half of the error's second digit.
    """
    below, above = value - lower, upper - value
    widest = max(below, above)
    if not isfinite(widest) or widest <= 0:
        return below == above
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
