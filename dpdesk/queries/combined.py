"""Intervals from two independent noises: sums, differences and quotients of noisy numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesk.queries.noise import CalibratedNoise

Floats = NDArray[np.float64]

# Chances at which the size of a noise is cut: even in the middle, doubling towards the tail, so
# that what lies beyond the last cut is 1e-7.
_LEVELS = np.concatenate([np.arange(1, 90) / 90, 1 - (1 / 90) * 0.5 ** np.arange(1, 18)])
_WEIGHTS = 17


@lru_cache(maxsize=512)
def sizes_of(noise: CalibratedNoise) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Returns sizes of a noise and their chances; each stands for all smaller ones of its level.

    Rounded outwards, so that intervals made from them are a little too wide, never too narrow.
    """
    sizes = tuple(noise.half_width(float(level)) for level in _LEVELS)
    chances = tuple(np.diff(_LEVELS, prepend=0.0).tolist())
    return sizes, chances


@lru_cache(maxsize=4096)
def combined_half_width(
    first: CalibratedNoise, u: float, second: CalibratedNoise, v: float, confidence: float
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
    """
    a, p = (np.asarray(x) for x in sizes_of(first))
    b, q = (np.asarray(x) for x in sizes_of(second))
    ua, vb = abs(u) * a[:, None], abs(v) * b[None, :]
    chances = np.repeat((p[:, None] * q[None, :]).ravel() / 2, 2)
    values = np.stack([ua + vb, np.abs(ua - vb)], axis=-1).ravel()
    order = np.argsort(values)
    reached = np.cumsum(chances[order])
    index = int(np.searchsorted(reached, confidence))
    return float(values[order[min(index, order.size - 1)]])


def quotient_interval(
    top: float, bottom: float, width_at: Callable[[Floats], Floats], least: float, largest: float
) -> tuple[float, float]:
    """Returns the ratios that two noisy sums do not contradict (Fieller 1954).

    A ratio r is kept where |top - r bottom| <= width(r), the width that holds the combined noise
    with the chance asked for; so the interval covers the true ratio with that chance.

    Args:
        top: Noisy numerator.
        bottom: Noisy denominator.
        width_at: Half-width of the noise of top - r bottom, for ratios of shape (j,).
        least: Smallest ratio that is possible.
        largest: Largest ratio that is possible.

    Returns:
        The ends; the whole possible range where the noise leaves every ratio open.
    """
    ratios = np.linspace(least, largest, 2049)
    inside = np.abs(top - ratios * bottom) <= width_at(ratios)
    if not inside.any():
        # The estimate lies far outside the possible range: its nearest end is all that is left.
        nearest = least if bottom <= 0 or top / bottom < least else largest
        estimate = min(max(top / bottom, least), largest) if bottom > 0 else nearest
        step = (largest - least) / (ratios.size - 1)
        inside_at = estimate
        return max(least, inside_at - step), min(largest, inside_at + step)
    kept = np.flatnonzero(inside)
    first, last = int(kept[0]), int(kept[-1])
    gap = _gap(top, bottom, width_at)
    low = _edge(gap, ratios[first - 1], ratios[first]) if first else least
    high = _edge(gap, ratios[last + 1], ratios[last]) if last + 1 < ratios.size else largest
    return low, high


def _gap(
    top: float, bottom: float, width_at: Callable[[Floats], Floats]
) -> Callable[[float], bool]:
    def keeps(ratio: float) -> bool:
        return bool(abs(top - ratio * bottom) <= width_at(np.asarray([ratio]))[0])

    return keeps


def _edge(keeps: Callable[[float], bool], out: float, kept: float) -> float:
    """Halves the step between a ratio that is not kept and one that is; returns the outer end."""
    for _ in range(20):
        middle = (out + kept) / 2
        if keeps(middle):
            kept = middle
        else:
            out = middle
    return float(out)


def interpolated(
    width: Callable[[float], float], least: float, largest: float
) -> Callable[[Floats], Floats]:
    """Returns a width as a function of a ratio, from a few exact ones.

    Where the width is convex in the ratio, as that of combined noises is, a chord lies above it.
    """
    at = np.linspace(least, largest, _WEIGHTS)
    widths = np.asarray([width(float(x)) for x in at])
    return lambda ratios: np.interp(ratios, at, widths)
