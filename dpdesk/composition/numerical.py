"""Numerical composition: privacy-loss distributions, composed by dp_accounting.

Each release is replaced by a dominating pair: two laws that are at least as easy to tell apart by
every test (Zhu, Dong & Wang 2022). The pairs are composed on a grid of losses that only rounds up.
A loss of which only epsilon and delta are known is replaced by randomized response, which dominates
every such release (Kairouz, Oh & Viswanath 2015). The pairs are symmetric, so the result holds
for both directions of whatever relation the sensitivities were derived for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from importlib.util import find_spec
from math import ceil, exp, expm1, floor, isqrt, sqrt
from typing import Any

import numpy as np

from dpdesk.composition.advanced import rounded_up
from dpdesk.composition.loss import Loss, Noise, exact_total

DELTA_MIN = Decimal("1e-11")
"""Below this delta the rounding of Fourier transforms would show in the result."""

_STEP_MAX = 1e-3
_STEPS_OF_ONE, _STEPS_OF_ALL = 100, 400_000
# Rounding of the transforms, which is not directed, stays below this chance by far.
_FLOATING_DELTA = 1e-13
_FLOATING_EPSILON = Decimal("1e-9")
# Laws of integers are summed up over their loss or their support, one by one.
_LOSSES_MAX = 20_000
_SIGMA_MAX, _SIGMA_MIN = 1e4, 0.05
# Moves of a vector: at most so many are examined, of at most so many steps in total.
_VECTORS_MAX = 12
_L1_MAX = 200

_Identity = tuple[float, float, Noise | None]


def can_compose() -> bool:
    """Whether dp_accounting is installed, which the extra "statistics" brings."""
    return find_spec("dp_accounting") is not None


def numerical_epsilon(losses: Sequence[Loss], delta: Decimal) -> Decimal | None:
    """Returns an epsilon that all releases together keep except with chance delta.

    Args:
        losses: At least one.
        delta: Above 0 and below 1.

    Returns:
        The epsilon, rounded up; None if delta is below 1e-11 or below the deltas of the releases,
        or dp_accounting is not installed.
    """
    if not losses or not DELTA_MIN <= delta < 1 or not can_compose():
        return None
    counted = Counter((float(loss.epsilon), float(loss.delta), loss.noise) for loss in losses)
    found = _epsilon(tuple(counted.items()), float(delta))
    if found is None:
        return None
    total = exact_total([loss.cost for loss in losses])
    # The grid may round an exact result up; the sum also holds at this delta.
    return min(rounded_up(found), total.epsilon) if total.delta <= delta else rounded_up(found)


@lru_cache(maxsize=64)
def _epsilon(counted: tuple[tuple[_Identity, int], ...], delta: float) -> Decimal | None:
    step = _step(counted)
    whole: Any = None
    for (epsilon, failing, noise), times in counted:
        one = _pair(epsilon, failing, noise, step)
        several = one.self_compose(times) if times > 1 else one
        whole = several if whole is None else whole.compose(several)
    found = float(whole.get_epsilon_for_delta(delta * (1 - 1e-9) - _FLOATING_DELTA))
    return Decimal(found) + _FLOATING_EPSILON if found < float("inf") else None


def _step(counted: tuple[tuple[_Identity, int], ...]) -> float:
    """The grid of losses: fine enough for the smallest, coarse enough for the sum to be quick."""
    total = sum(epsilon * times for (epsilon, _, _), times in counted)
    least = min((epsilon for (epsilon, _, _), _ in counted if epsilon > 0), default=1.0)
    return min(_STEP_MAX, max(least / _STEPS_OF_ONE, total / _STEPS_OF_ALL))


def _pair(epsilon: float, delta: float, noise: Noise | None, step: float) -> Any:
    """The privacy-loss distribution of a pair that dominates a release."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    if noise is not None:
        kind, scale, moves, *_ = noise
        grid = {"value_discretization_interval": step}
        # A vector is dominated by one number that is moved by all of the L1 sensitivity.
        if kind == "laplace":
            return pld.from_laplace_mechanism(scale, sensitivity=moves.l1, **grid)
        if kind == "geometric" and moves.l1 <= _LOSSES_MAX:
            return pld.from_discrete_laplace_mechanism(
                1 / scale, sensitivity=moves.l1, use_connect_dots=True, **grid
            )
        # The law is the same in all directions: a vector is one number along its change.
        if kind == "gaussian":
            return pld.from_gaussian_mechanism(scale, sensitivity=sqrt(moves.l2_square), **grid)
        if kind == "discrete_gaussian":
            found = _discrete_gaussian(Noise(*noise), step)
            if found is not None:
                return found
    return _randomized_response(epsilon, delta, step)


def _randomized_response(epsilon: float, delta: float, step: float) -> Any:
    """Epsilon or -epsilon, and infinity with chance delta, on a grid that dominates it.

    Connecting the dots keeps the delta of every epsilon on the grid (Doroshenko et al. 2022).
    """
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld.privacy_loss_distribution import PrivacyLossDistribution

    low, high = floor(epsilon / step), ceil(epsilon / step)
    places = sorted({-high, -low, low, high})
    truth = (1 - delta) / (1 + exp(-epsilon))
    denied = (1 - delta) / (1 + exp(epsilon))

    def above(x: float) -> float:
        spared = truth * max(0.0, -expm1(x - epsilon)) + denied * max(0.0, -expm1(x + epsilon))
        return min(1.0, delta + spared)

    deltas = [above(place * step) for place in places]
    return PrivacyLossDistribution(
        pld_pmf.create_pmf_pessimistic_connect_dots(step, places, deltas)
    )


def _discrete_gaussian(noise: Noise, step: float) -> Any:
    """The worst of all vectors by which one respondent can move the numbers, or None.

    A larger move of one number is easier to detect, so only the moves that no other exceeds in
    every number are examined. None if there are too many of them.
    """
    from dp_accounting.pld import pld_pmf
    from dp_accounting.pld.privacy_loss_distribution import (
        PrivacyLossDistribution,
        from_discrete_gaussian_mechanism,
    )

    moves = largest_moves(noise)
    if not moves or not _SIGMA_MIN <= noise.scale <= _SIGMA_MAX:
        return None
    pairs = []
    for move in moves:
        pair: Any = None
        for shift, times in Counter(move).items():
            one = from_discrete_gaussian_mechanism(
                noise.scale,
                sensitivity=shift,
                value_discretization_interval=step,
                use_connect_dots=True,
            ).self_compose(times)
            pair = one if pair is None else pair.compose(one)
        pairs.append(pair)
    if len(pairs) == 1:
        return pairs[0]
    # Beyond it the rest of a pair is distinguished almost with certainty.
    top = ceil(max(pair.get_epsilon_for_delta(_FLOATING_DELTA) for pair in pairs) / step)
    places = np.arange(-top, top + 1) * step
    deltas = np.max([pair.get_delta_for_epsilon(places) for pair in pairs], axis=0)
    deltas = np.minimum(deltas, 1.0)
    return PrivacyLossDistribution(
        pld_pmf.create_pmf_pessimistic_connect_dots_fixed_gap(step, -top, top, deltas)
    )


def largest_moves(noise: Noise) -> tuple[tuple[int, ...], ...]:
    """Returns the moves of a vector that its sensitivity allows and no other exceeds.

    Signs and order do not matter to noise that is symmetric and the same for each number.

    Args:
        noise: With the sensitivity and the number of numbers.

    Returns:
        Absolute changes, largest first, without zeros; nothing where there are more than twelve.
    """
    moves = noise.sensitivity
    size = moves.l1 if noise.size is None else noise.size
    if size == 1:
        return ((min(moves.linf, moves.l1, isqrt(moves.l2_square)),),)
    if moves.l1 > _L1_MAX:
        return ()
    found: list[tuple[int, ...]] = []
    for move in _moves(moves.linf, moves.l1, moves.l2_square, size):
        if not any(_exceeds(other, move) for other in found):
            found = [other for other in found if not _exceeds(move, other)]
            found.append(move)
        if len(found) > _VECTORS_MAX:
            return ()
    return tuple(found)


def _moves(linf: int, l1: int, l2_square: int, size: int) -> Iterator[tuple[int, ...]]:
    """All non-increasing vectors within the bounds, those with large entries first."""
    if size == 0 or min(linf, l1, l2_square) == 0:
        yield ()
        return
    for first in range(min(linf, l1, isqrt(l2_square)), 0, -1):
        for rest in _moves(first, l1 - first, l2_square - first * first, size - 1):
            yield (first, *rest)


def _exceeds(larger: tuple[int, ...], smaller: tuple[int, ...]) -> bool:
    return len(larger) >= len(smaller) and all(
        x >= y for x, y in zip(larger, smaller, strict=False)
    )
