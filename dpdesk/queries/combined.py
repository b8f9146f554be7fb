"""Intervals from independent noises: sums, differences and quotients of noisy numbers."""

from __future__ import annotations

from functools import lru_cache
from math import sqrt
from statistics import NormalDist

import numpy as np

from dpdesk.numbers.arrays import Floats
from dpdesk.queries.noise import CalibratedNoise


def sampling_interval(share: float, base: float, confidence: float) -> tuple[float, float]:
    """Returns the interval for a population's share from the share of a random sample.

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
        share: The estimate; outside 0 to 1 the nearest possible share is taken.
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


Sizes = tuple[tuple[float, ...], tuple[float, ...]]
"""Sizes of a symmetric noise, increasing, and the chance of each."""

# Chances at which the size of a noise is cut: even in the middle, and four to every halving of the
# tail, so that sizes lie evenly there; what lies beyond the last cut is 1e-7.
_LEVELS = np.concatenate([np.arange(1, 25) / 48, 1 - 0.5 * 0.5 ** (np.arange(1, 89) / 4)])
_BEYOND = 1e-7
# Noise on so few whole numbers is not rounded, since its steps determine the width.
_POINTS_MAX = 80
_KNOTS = 33


def is_coarse(noise: CalibratedNoise) -> bool:
    """Whether noise has so few values that each of them matters."""
    return noise.whole and noise.half_width(1 - _BEYOND) <= _POINTS_MAX


@lru_cache(maxsize=512)
def sizes_of(noise: CalibratedNoise) -> Sizes:
    """Returns sizes of a noise and their chances; each stands for all smaller ones of its level.

    Rounded outwards, so that intervals made from them are a little too wide, never too narrow.
    Coarse noise is not rounded.
    """
    if is_coarse(noise):
        points = np.arange(int(noise.half_width(1 - _BEYOND)) + 1)
        law = noise.law(points) * np.where(points, 2.0, 1.0)
        return tuple(points.astype(np.float64).tolist()), tuple(law.tolist())
    sizes = tuple(noise.half_width(float(level)) for level in _LEVELS)
    chances = tuple(np.diff(_LEVELS, prepend=0.0).tolist())
    return sizes, chances


@lru_cache(maxsize=4096)
def combined_half_width(
    first: CalibratedNoise,
    u: float,
    second: CalibratedNoise,
    v: float,
    confidence: float,
    slack: tuple[float, float] = (0.0, 0.0),
) -> float:
    """Returns a width h with P(|u A + v B| <= h) >= confidence, for independent noises A and B.

    For symmetric noises with one peak a larger size of either makes |u A + v B| stochastically
    larger (Birnbaum 1948), so that sizes rounded outwards give a width that is large enough.

    Args:
        first: The noise A.
        u: Its weight.
        second: The noise B.
        v: Its weight.
        confidence: Chance that the combination stays within the width.
        slack: How far both weights may move, at once, without the width becoming too small.
    """
    return width_of_sizes(sizes_of(first), u, sizes_of(second), v, confidence, slack)


def width_of_sizes(
    first: Sizes,
    u: float,
    second: Sizes,
    v: float,
    confidence: float,
    slack: tuple[float, float] = (0.0, 0.0),
) -> float:
    """Returns the width of `combined_half_width` from the sizes of both noises."""
    values, reached = _sums(first, u, second, v, slack)
    return float(values[min(int(np.searchsorted(reached, confidence)), values.size - 1)])


def combined_sizes(first: Sizes, u: float, second: Sizes, v: float) -> Sizes:
    """Returns sizes of u A + v B, rounded outwards to the levels of `sizes_of`."""
    values, reached = _sums(first, u, second, v, (0.0, 0.0))
    places = np.minimum(np.searchsorted(reached, _LEVELS), values.size - 1)
    return tuple(values[places].tolist()), tuple(np.diff(_LEVELS, prepend=0.0).tolist())


def width_with_normal(sizes: Sizes, weight: float, deviation: float, confidence: float) -> float:
    """Returns the h with P(|weight A + deviation Z| <= h) = confidence, for a normal Z.

    Args:
        sizes: Of the symmetric noise A.
        weight: Its weight.
        deviation: Standard deviation of the normal error, at least 0.
        confidence: Chance that the sum stays within the width.
    """
    if deviation <= 0:
        return width_of_sizes(sizes, weight, ((0.0,), (1.0,)), 0.0, confidence)
    normal = NormalDist(0, deviation)
    at = [(weight * size, chance) for size, chance in zip(*sizes, strict=True)]
    low, high = 0.0, at[-1][0] + 40 * deviation
    while high - low > 1e-9 * high:
        half = (low + high) / 2
        held = sum(chance * (normal.cdf(half - a) - normal.cdf(-half - a)) for a, chance in at)
        low, high = (low, half) if held >= confidence else (half, high)
    return high


def _sums(
    first: Sizes, u: float, second: Sizes, v: float, slack: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Returns the sizes of u A + v B, increasing, and the chance to be no larger."""
    a, p = (np.asarray(x) for x in first)
    b, q = (np.asarray(x) for x in second)
    ua, vb = abs(u) * a[:, None], abs(v) * b[None, :]
    more = slack[0] * a[:, None] + slack[1] * b[None, :]
    chances = np.repeat((p[:, None] * q[None, :]).ravel() / 2, 2)
    values = np.stack([ua + vb + more, np.abs(ua - vb) + more], axis=-1).ravel()
    order = np.argsort(values)
    return values[order], np.cumsum(chances[order])


def widths_between(
    first: CalibratedNoise,
    second: CalibratedNoise,
    weights: tuple[tuple[float, float], tuple[float, float]],
    confidence: float,
) -> tuple[Floats, Floats]:
    """Returns shares of the way between two pairs of weights, and a width at each of them.

    Between neighbouring shares, chords serve. For log-concave noises a quantile of |u A + v B| is a
    norm of (u, v) (Meyer & Reisner 1991), and a chord lies above it. Steps of coarse noise and of
    staircases are no norm: there each width holds for all weights up to the next share.

    Args:
        first: The noise A.
        second: The noise B.
        weights: The pair (u, v) at share 0 and at share 1.
        confidence: Chance that u A + v B stays within the width.

    Returns:
        Shape (j,) each.
    """
    (u0, v0), (u1, v1) = weights
    shares = np.linspace(0.0, 1.0, _KNOTS)
    slack = (0.0, 0.0)
    if any(noise.kind == "staircase" or is_coarse(noise) for noise in (first, second)):
        slack = (abs(u1 - u0) / (_KNOTS - 1), abs(v1 - v0) / (_KNOTS - 1))
    widths = [
        combined_half_width(
            first, u0 + t * (u1 - u0), second, abs(v0 + t * (v1 - v0)), confidence, slack
        )
        for t in shares.tolist()
    ]
    return shares, np.asarray(widths)


def quotient_intervals(
    top: Floats, bottom: Floats, at: Floats, widths: Floats
) -> tuple[Floats, Floats]:
    """Returns the intervals of ratios of noisy sums (Fieller 1954).

    A ratio r is kept where |top - r bottom| <= width(r), the width that holds the combined noise
    with the chance asked for; so the interval covers the true ratio with that chance. With widths
    that are chords, both conditions are linear between two knots, and are solved there.

    Args:
        top: Noisy numerators, shape (cells,).
        bottom: Noisy denominators, shape (cells,).
        at: Knots of ratios, the possible range from end to end, shape (j,).
        widths: Half-width of the noise of top - r bottom at the knots, shape (j,).

    Returns:
        The ends, shape (cells,) each, within the possible range; the whole range if the noise
        excludes no ratio. If it excludes every ratio, the interval surrounds the one that it
        excludes least, as far as the noise there reaches.
    """
    apart = top[:, None] - bottom[:, None] * at
    above, below = _kept(apart - widths), _kept(-apart - widths)
    first = np.maximum(above[0], below[0])
    last = np.minimum(above[1], below[1])
    kept = first <= last
    step = np.diff(at)
    low = np.where(kept, at[:-1] + step * first, np.inf).min(axis=1)
    high = np.where(kept, at[:-1] + step * last, -np.inf).max(axis=1)
    least = (np.abs(apart) - widths).argmin(axis=1)
    around = widths[least] / np.maximum(bottom, 1.0)
    none = ~kept.any(axis=1)
    low = np.where(none, np.maximum(at[least] - around, at[0]), low)
    return low, np.where(none, np.minimum(at[least] + around, at[-1]), high)


def _kept(gaps: Floats) -> tuple[Floats, Floats]:
    """Returns from where to where, as shares of each segment, a linear gap is at most 0.

    Args:
        gaps: The gap at each knot, shape (cells, j).

    Returns:
        Shape (cells, j - 1) each; a start of 2 behind the end where it is above 0 throughout.
    """
    left, right = gaps[:, :-1], gaps[:, 1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        zero = left / (left - right)
    start = np.where(left <= 0, 0.0, np.where(right <= 0, zero, 2.0))
    end = np.where(right <= 0, 1.0, np.where(left <= 0, zero, -1.0))
    return start, end
