"""The exact loss of Gaussian noise."""

from __future__ import annotations

from math import exp, inf, sqrt

from scipy.optimize import brentq
from scipy.special import log_ndtr, ndtr


def delta_of_gaussian(sigma: float, epsilon: float) -> float:
    """Balle & Wang 2018, "Improving the Gaussian Mechanism", Theorem 8, at sensitivity 1."""
    half, over = 1 / (2 * sigma), epsilon * sigma
    return float(ndtr(half - over) - exp(epsilon + log_ndtr(-half - over)))


def epsilon_of_gaussian(sigma: float, delta: float) -> float:
    """The epsilon at which that is delta; 0 if it is less at 0 already."""
    if delta_of_gaussian(sigma, 0.0) <= delta:
        return 0.0
    top = 1.0
    while delta_of_gaussian(sigma, top) > delta:
        top *= 2
        assert top < inf
    return float(brentq(lambda x: delta_of_gaussian(sigma, x) - delta, 0.0, top, xtol=1e-12))


def sigma_of(k: int, sigma: float) -> float:
    """One Gaussian release that is as good as k of them."""
    return sigma / sqrt(k)
