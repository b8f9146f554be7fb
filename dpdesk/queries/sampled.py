"""Intervals for the population that a table is a sample of, from noise and sampling together."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist


def sampling_interval(share: float, base: float, confidence: float) -> tuple[float, float]:
    """Returns the shares of a population that a share of a random sample does not contradict.

    Wilson's interval with a correction for continuity (Newcombe 1998, method 4), which keeps its
    coverage for rare answers too. For a mean of numbers within bounds, taken as a share of the way
    between them, it is on the safe side: answers at the bounds alone vary most.

    Args:
        share: In the sample, 0 to 1.
        base: Size of the sample, at least 1.
        confidence: Coverage.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    rest, twice = 1 - share, 2 * (base + z * z)
    below = z * z - 2 - 1 / base + 4 * share * (base * rest + 1)
    above = z * z + 2 - 1 / base + 4 * share * (base * rest - 1)
    middle = 2 * base * share + z * z
    low = (middle - 1 - z * sqrt(max(below, 0.0))) / twice
    high = (middle + 1 + z * sqrt(max(above, 0.0))) / twice
    return min(max(low, 0.0), share), max(min(high, 1.0), share)


def total_interval(
    share: float, low: float, high: float, base: float, confidence: float
) -> tuple[float, float]:
    """Returns an interval for the population's share from those of the noise and of the sample.

    Distances to the ends are added as independent errors are, by their squares (Zou & Donner 2008).

    Args:
        share: The estimate; outside 0 to 1 it is taken as the nearest that can be.
        low: Lower end of the interval for the sample's share, from the noise alone.
        high: Its upper end.
        base: Size of the sample, possibly noisy.
        confidence: Coverage of both intervals.

    Returns:
        The ends, within 0 to 1.
    """
    at = min(max(share, 0.0), 1.0)
    least, most = sampling_interval(at, max(base, 1.0), confidence)
    below = sqrt((at - least) ** 2 + max(at - low, 0.0) ** 2)
    above = sqrt((most - at) ** 2 + max(high - at, 0.0) ** 2)
    return max(at - below, 0.0), min(at + above, 1.0)
