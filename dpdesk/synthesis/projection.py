"""The distance that noise leaves when noisy shares are fitted: projected onto the simplex.

The fit is nearest to the noisy shares among those that are not negative and sum to 1. With many
cells the shift t that does it is a number: the t with sum E max(p + Z - t, 0) = 1. What is left of
the mean distance is an integral over the law of Z. The noise of a cell is partly its own draw,
which is Laplace's where the noise is, and the rest is normal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import erfc, pi, sqrt

import numpy as np

from dpdesk.numbers.arrays import Floats

GRID = np.geomspace(1e-3, 1e4, 141)
"""Noise of a cell by its share, at which the distance of equal shares is computed."""

_STEPS = 50
"""Halvings of the range of a shift: as many as a float has binary digits, nearly."""

_REACH = 8
"""Standard deviations that noise is followed over: beyond, both laws are nearly 0."""

_ERFC = np.frompyfunc(erfc, 1, 1)

_Law = Callable[[Floats], Floats]
"""E max(a + Z, 0) of a law with mean 0 and variance 1."""


@lru_cache(maxsize=64)
def equal_shares(scale: float) -> tuple[Floats, Floats]:
    """Returns the distance by noise of each size of the grid, of normal noise and of Laplace's.

    Args:
        scale: What the noisy shares sum to.
    """
    # A cell has the share 1 here and the noise of the grid; all cells are alike.
    middle = np.full((GRID.size, 1), scale)
    one, noise = np.ones_like(middle), GRID[:, np.newaxis]
    found = [
        _apart(law, middle, one, _shift(law, middle, one, noise), noise)[:, 0] / 2
        for law in (_normal, _laplace)
    ]
    return found[0], found[1]


def projected(shares: Floats, spread: float, own: float, scale: float) -> float:
    """Returns the distance between shares and what fitting makes of them with noise.

    Args:
        shares: The shares.
        spread: Standard deviation of the noise of each.
        own: The part of it that is Laplace's.
        scale: What the noisy shares sum to.
    """
    levels, cells = np.unique(shares, return_counts=True)

    def law(a: Floats) -> Floats:
        return np.asarray(own * _laplace(a) + (1 - own) * _normal(a))

    noise = np.array([[spread]])
    middle, times = scale * levels[np.newaxis], cells[np.newaxis].astype(np.float64)
    shift = _shift(law, middle, times, noise)
    apart = _apart(law, middle, levels[np.newaxis], shift, noise)
    return min(1.0, float((times * apart).sum()) / 2)


def _shift(law: _Law, middle: Floats, times: Floats, spread: Floats) -> Floats:
    """Returns the shift t of each row with sum E max(m + s Z - t, 0) = 1, shape (rows, 1).

    Args:
        law: The law of Z.
        middle: The noisy shares without their noise, shape (rows, levels).
        times: How often each of them occurs, of the same shape.
        spread: Standard deviation of the noise of each row, shape (rows, 1).
    """
    scale = (times * middle).sum(axis=1, keepdims=True)
    low = scale - 2 - _REACH * spread
    high = middle.max(axis=1, keepdims=True) + _REACH * spread
    shift = (low + high) / 2
    for _ in range(_STEPS):
        left = (times * spread * law((middle - shift) / spread)).sum(axis=1, keepdims=True)
        low, high = np.where(left > 1, shift, low), np.where(left > 1, high, shift)
        shift = (low + high) / 2
    return np.asarray(shift)


def _normal(a: Floats) -> Floats:
    # To import SciPy's takes longer than a page may take to be shown.
    below = np.asarray(_ERFC(-a / sqrt(2)), dtype=np.float64) / 2
    return np.asarray(a * below + np.exp(-(a**2) / 2) / sqrt(2 * pi))


def _laplace(a: Floats) -> Floats:
    return np.asarray(np.maximum(a, 0) + np.exp(-np.abs(a) * sqrt(2)) / (2 * sqrt(2)))


def _apart(law: _Law, middle: Floats, shares: Floats, shift: Floats, spread: Floats) -> Floats:
    """E |max(m + s Z - t, 0) - p|: E X - p + 2 E max(p - X, 0), for a symmetric law of Z."""
    mean = spread * law((middle - shift) / spread)
    below = spread * law((shares + shift - middle) / spread)
    below = below - spread * law((shift - middle) / spread)
    return np.asarray(mean - shares + 2 * below)
