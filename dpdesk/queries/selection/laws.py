"""The exact laws of choosing one option by its score.

With q the best score, s the scale and p_i = e^(-(q - q_i)/s): the exponential mechanism chooses i
with chance p_i / sum p (McSherry & Talwar 2007); permute-and-flip goes through the options in a
random order and stops at i with chance p_i (McKenna & Sheldon 2020), which is the largest score
after exponential noise (Ding et al. 2021).

Noisy maxima and their loss are drawn and certified by OpenDP.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers.arrays import Floats
from dpdesk.queries.noise.measurement import opendp_parts

ChoiceMechanism = Literal["permute_and_flip", "exponential"]
"""How an option is chosen; permute-and-flip is never worse than the exponential mechanism."""

CHOICE_MECHANISMS: tuple[ChoiceMechanism, ...] = ("permute_and_flip", "exponential")


@lru_cache(maxsize=256)
def choice_measurement(mechanism: ChoiceMechanism, monotonic: bool, k: int, scale: float) -> Any:
    """Returns OpenDP's noisy maximum, or its k largest, of whole scores."""
    make, domains, metrics, measures, _ = opendp_parts()
    scores = domains.vector_domain(domains.atom_domain(T="i64"))
    distance = metrics.linf_distance(T="i64", monotonic=monotonic)
    if mechanism == "permute_and_flip":
        measure = measures.max_divergence()
    else:
        measure = measures.zero_concentrated_divergence()
    if k == 1:
        return make.make_noisy_max(scores, distance, measure, scale)
    return make.make_noisy_top_k(scores, distance, measure, k, scale)


def pure_choice_loss(linf: int, monotonic: bool, k: int, scale: float) -> Decimal:
    """Returns the pure epsilon by OpenDP's map of permute-and-flip.

    That map is k times the range over the scale. It holds for the exponential mechanism of the
    same scale too (McSherry & Talwar 2007), for which OpenDP itself states rho alone.
    """
    return Decimal(choice_measurement("permute_and_flip", monotonic, k, scale).map(linf))


# Nodes of Gauss-Legendre quadrature on each stretch; exact for polynomials of degree 63.
_NODES = 32
# Beyond this exponent nothing of the integrand is left that floating point holds.
_FAR = 60.0
# Scores times nodes that are worked on at a time, so that memory stays small.
_CELLS = 1 << 20


def behind_best(scores: NDArray[np.int64]) -> Floats:
    """Returns q - q_i, shape of `scores`."""
    # The difference of two 64-bit numbers has 64 bits without a sign.
    return np.asarray((scores.max() - scores).view(np.uint64).astype(np.float64))


def acceptances(scores: NDArray[np.int64], scale: float) -> Floats:
    """Returns p_i, shape of `scores`."""
    return np.asarray(np.exp(-behind_best(scores) / scale))


def exponential_law(accept: Floats) -> Floats:
    """Returns the chance of each option under the exponential mechanism, shape of `accept`."""
    return np.asarray(accept / accept.sum())


def permute_and_flip_law(accept: Floats) -> Floats:
    """Returns the chance of each option under permute-and-flip, shape of `accept`.

    A random order is that of independent uniform times. Of the options before time t each was
    refused, so P(i) = p_i int_0^1 prod_{j != i} (1 - p_j t) dt: the integral of a polynomial, by
    quadrature on stretches over which it falls by no more than e^-32.
    """
    # Equal scores have equal chances; the difference to 1 - p_j t is only in how often it counts.
    levels, where, counts = np.unique(accept, return_inverse=True, return_counts=True)
    times, weights = _quadrature(float(accept.sum()))
    shares = np.empty(levels.size)
    logarithms = np.zeros(times.size)
    step = max(_CELLS // times.size, 1)
    for start in range(0, levels.size, step):
        part = slice(start, start + step)
        logarithms += np.log1p(-np.outer(times, levels[part])) @ counts[part]
    for start in range(0, levels.size, step):
        part = slice(start, start + step)
        others = np.exp(logarithms[:, None] - np.log1p(-np.outer(times, levels[part])))
        shares[part] = levels[part] * (weights @ others)
    return np.asarray(shares[where])


def _quadrature(total: float) -> tuple[Floats, Floats]:
    """Returns nodes and weights on [0, 1] for a product that falls about as e^(-total t)."""
    ends = [0.0]
    stretch = min(1.0, 4.0 / total)
    while ends[-1] < 1.0:
        ends.append(min(1.0, ends[-1] + stretch))
        if ends[-1] * total > _FAR and ends[-1] < 1.0:
            break
        stretch *= 1.5
    nodes, weights = _legendre()
    edges = np.array(ends)
    widths = np.diff(edges)[:, None]
    return (edges[:-1, None] + widths * nodes).ravel(), (widths * weights).ravel()


@lru_cache(maxsize=1)
def _legendre() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return (nodes + 1) / 2, weights / 2
