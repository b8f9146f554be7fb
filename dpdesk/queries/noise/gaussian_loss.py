"""The exact loss of Gaussian noise at a delta.

Of a table and its neighbour, whose exact vectors lie v apart, noise of scale s has the privacy loss
Z = (2 <v, Y> + |v|^2) / (2 s^2), Y being the noise. Epsilon is kept but for a chance of

    delta = P(Z > epsilon) - e^epsilon P'(Z > epsilon),

P' being the law under the neighbour, and no smaller delta will do (Neyman and Pearson).

Real noise: with D = |v|, delta = Phi(D/2s - epsilon s/D) - e^epsilon Phi(-D/2s - epsilon s/D)
(Balle & Wang 2018, Theorem 8).

Whole noise: if one number moves by w, <v, Y> = w Y_1 and

    delta = P(Y > epsilon s^2/w - w/2) - e^epsilon P(Y > epsilon s^2/w + w/2)

(Canonne, Kamath & Steinke 2020, Theorem 7). If m numbers move by w each, <v, Y> = w S with S the
sum of m draws: its law is that of one draw of scale s sqrt(m), up to the factor of a theta series
of the lattice of vectors with sum 0, whose dual has no vector shorter than sqrt(1/2): a relative
error of less than 4 m e^(-pi^2 s^2) (Poisson summation); for small s it is convolved. Any other
move is bounded by its norm through zero-concentrated differential privacy, by OpenDP's map. A move
that another one exceeds in every number loses less: the set where Z is large is closed upwards, and
a further shift only takes from its chance.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from math import ceil, erfc, exp, floor, log, sqrt

import numpy as np

from dpdesk.numbers.arrays import Floats
from dpdesk.queries.noise.kinds import NoiseKind
from dpdesk.queries.noise.law import DiscreteGaussianLaw
from dpdesk.queries.noise.measurement import approximate_loss, l2_above
from dpdesk.queries.sensitivity import Sensitivity

Moves = Sequence[tuple[int, ...]]
"""The moves of a vector that no other exceeds: absolute changes in steps, without zeros."""

# Relative errors of a tail, by far: of `erfc`; of a sum of up to 76,000 terms; and where the
# Euler-Maclaurin formula stands for it, up to 38 scales out. Delta is a difference of tails, which
# can be much larger: so much of both is added to it.
_REAL_ERROR, _SUMMED_ERROR, _WIDE_ERROR = 4e-15, 2e-11, 5e-9
_WIDE_SCALE = 1_000.0
# e^(-pi^2 s^2) is below 1e-26 from here on.
_SUM_SCALE_MIN = 2.5
# Below it the tails come near the smallest floating-point numbers.
_EXACT_DELTA_MIN = 1e-200
_HALVINGS = 60
_REACH = 38
# Beyond any epsilon that can be asked for; e^epsilon stays a number.
_LARGEST_EPSILON = 700.0


def gaussian_loss(
    kind: NoiseKind, sensitivity: Sensitivity, scale: float, delta: float, moves: Moves = ()
) -> Decimal:
    """Returns the least epsilon at delta of (discrete) Gaussian noise, never below it.

    Args:
        kind: "gaussian" or "discrete_gaussian".
        sensitivity: Of the part, in steps.
        scale: In steps.
        delta: Above 0.
        moves: How the numbers of the part can move; where it is not told, the L2 sensitivity
            alone counts for whole noise.
    """
    if delta < _EXACT_DELTA_MIN or (kind != "gaussian" and not moves):
        return approximate_loss(kind, sensitivity, scale, delta)
    if kind == "gaussian":
        distance = l2_above(sensitivity) / scale
        return _least(lambda at: _real_delta(distance, at), distance, delta)
    return max(_loss_of_move(move, scale, delta) for move in moves)


def _loss_of_move(move: tuple[int, ...], scale: float, delta: float) -> Decimal:
    times, step = len(move), move[0]
    square = sum(entry * entry for entry in move)
    if len(set(move)) > 1:
        norms = Sensitivity(sum(move), square, max(move))
        return approximate_loss("discrete_gaussian", norms, scale, delta)
    above = _above(scale, times)
    middle, half = scale * scale / step, step * times / 2
    error = _WIDE_ERROR if scale * sqrt(times) > _WIDE_SCALE else _SUMMED_ERROR

    def chance(epsilon: float) -> float:
        at = epsilon * middle
        return _excess(above(at - half), exp(epsilon) * above(at + half), error)

    return _least(chance, sqrt(square) / scale, delta)


def _least(chance: Callable[[float], float], distance: float, delta: float) -> Decimal:
    """The least epsilon, nearly, with chance(epsilon) <= delta, for a move of so many scales."""
    rho = distance * distance / 2
    # This is kept by every Gaussian noise (Bun & Steinke 2016, Proposition 1.3; Canonne, Kamath &
    # Steinke 2020, Theorem 14).
    least, most = 0.0, rho + 2 * sqrt(rho * log(1 / delta))
    if most > _LARGEST_EPSILON:
        return Decimal(most)
    if chance(least) <= delta:
        return Decimal(0)
    for _ in range(_HALVINGS):
        middle = (least + most) / 2
        if chance(middle) <= delta:
            most = middle
        else:
            least = middle
    return Decimal(most)


def _real_delta(distance: float, epsilon: float) -> float:
    near, far = distance / 2 - epsilon / distance, -distance / 2 - epsilon / distance
    return _excess(_normal_below(near), exp(epsilon) * _normal_below(far), _REAL_ERROR)


def _excess(one: float, other: float, error: float) -> float:
    """The difference of two chances, never below it, where each has such a relative error."""
    return one - other + error * (one + other)


def _normal_below(x: float) -> float:
    return erfc(-x / sqrt(2)) / 2


@lru_cache(maxsize=64)
def _above(scale: float, times: int) -> Callable[[float], float]:
    """Returns x -> P(S > x), S being the sum of so many draws of one scale."""
    if times > 1 and scale < _SUM_SCALE_MIN:
        tails = _tails_of_sum(scale, times)
        return lambda x: float(tails[min(max(floor(x) + tails.size // 2, 0), tails.size - 1)])
    law = DiscreteGaussianLaw(scale * sqrt(times))

    def above(x: float) -> float:
        whole = floor(x)
        if whole >= 0:
            return law.tail_beyond(whole) / 2
        return 1 - law.tail_beyond(-whole - 1) / 2

    return above


def _tails_of_sum(scale: float, times: int) -> Floats:
    """P(S >= k) for k from -K to K + 1, where all that lies farther out is less than 1e-300."""
    reach = ceil(_REACH * scale) + 1
    one = DiscreteGaussianLaw(scale).chances(np.arange(-reach, reach + 1))
    whole = one
    for _ in range(times - 1):
        whole = np.convolve(whole, one)
    # Small terms first; beyond the last place nothing is left.
    return np.append(np.cumsum(whole[::-1])[::-1], 0.0)
