"""How far two laws of one report are apart: every usual measure, exact where the laws are exact.

P is the law of the report under one true answer or table, Q that under its neighbour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import exp, inf, isinf, log

import numpy as np

from dpdesk.composition.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Floats

Law = Sequence[Fraction] | Sequence[float] | Floats

# Losses that differ by less are equal up to rounding.
_SAME_LOSS = 1e-12
_SUM_TOLERANCE = 1e-9


def max_ratio(p: Law, q: Law) -> Fraction | float:
    """Returns the largest p(y) / q(y), `inf` where p has an outcome that q has not.

    Exact for Fractions. Its logarithm is the maximum divergence of P from Q, which is the least
    epsilon of pure differential privacy for this pair and direction.

    Args:
        p: Chances of the outcomes, shape (outcomes,).
        q: Likewise, of the same outcomes.
    """
    if isinstance(p, np.ndarray) and isinstance(q, np.ndarray):
        held = q > 0
        if np.any(p[~held] > 0):
            return inf
        return float((p[held] / q[held]).max(initial=0.0))
    largest: Fraction | float = 0
    for mine, other in zip(p, q, strict=True):
        if other > 0:
            largest = max(largest, mine / other)
        elif mine > 0:
            return inf
    return largest


def hockey_stick(p: Law, q: Law, ratio: Fraction | float) -> Fraction | float:
    """Returns sum max(p - ratio q, 0); exact for Fractions.

    With ratio = e^epsilon it is the least delta of (epsilon, delta) for this pair and direction.

    Args:
        p: Chances of the outcomes, shape (outcomes,).
        q: Likewise.
        ratio: At least 0.
    """
    excess: Fraction | float = 0
    for mine, other in zip(p, q, strict=True):
        excess += max(mine - ratio * other, 0)
    return excess


def total_variation(p: Law, q: Law) -> Fraction | float:
    """Returns half the sum of |p - q|: the most by which any event's chances differ."""
    return hockey_stick(p, q, 1)


@dataclass(frozen=True, slots=True, eq=False)
class LossDistribution:
    """The law of the privacy loss ln(p(y) / q(y)) of a report y drawn from P.

    Attributes:
        x: The losses in increasing order, in nats, shape (losses,).
        masses: The chance of each.
        infinity: Chance of a report that Q never makes.
    """

    x: Floats
    masses: Floats
    infinity: float

    @property
    def cumulative(self) -> Floats:
        """Chance of a loss of at most x, shape (losses,)."""
        return np.cumsum(self.masses)

    @property
    def mean(self) -> float:
        """The Kullback-Leibler divergence of P from Q."""
        return inf if self.infinity > 0 else max(0.0, float(self.masses @ self.x))

    @property
    def maximum(self) -> float:
        """The largest loss."""
        if self.infinity > 0:
            return inf
        return float(self.x[self.masses > 0].max(initial=-inf))

    def delta(self, epsilon: Floats) -> Floats:
        """Returns the hockey-stick divergence at each epsilon, shape as given."""
        places = np.asarray(epsilon, dtype=np.float64)
        first = np.searchsorted(self.x, places, side="right")
        # The masses above each loss, under P and under Q.
        tail = np.append(np.cumsum(self.masses[::-1])[::-1], 0.0)
        other = np.append(np.cumsum((self.masses * np.exp(-self.x))[::-1])[::-1], 0.0)
        excess: Floats = tail[first] - np.exp(places) * other[first]
        return np.clip(excess + self.infinity, 0.0, 1.0)

    def above(self, epsilon: float) -> float:
        """Returns the chance of a loss above epsilon."""
        return float(self.masses[self.x > epsilon].sum()) + self.infinity


@dataclass(frozen=True, eq=False)
class Divergences:
    """How far two laws of a report are apart, both ways.

    Attributes:
        forward: The loss distribution of P against Q.
        backward: That of Q against P.
        ratios: The largest p/q and the largest q/p; Fractions where the laws are.
    """

    forward: LossDistribution
    backward: LossDistribution
    ratios: tuple[Fraction | float, Fraction | float]

    @property
    def maximum(self) -> tuple[float, float]:
        """The maximum divergences, P from Q and Q from P, in nats."""
        first, second = (_log(ratio) for ratio in self.ratios)
        return first, second

    @property
    def epsilon(self) -> float:
        """The larger of the maximum divergences: the least pure epsilon of the pair."""
        return max(self.maximum)

    @property
    def kl(self) -> tuple[float, float]:
        """The Kullback-Leibler divergences, P from Q and Q from P, in nats."""
        return self.forward.mean, self.backward.mean

    @cached_property
    def total_variation(self) -> float:
        """The most by which any event's chances differ."""
        return float(self.delta(np.zeros(1))[0])

    def delta(self, epsilon: Floats) -> Floats:
        """Returns the least delta of (epsilon, delta) for the pair in both directions."""
        return np.maximum(self.forward.delta(epsilon), self.backward.delta(epsilon))


def divergences(p: Law, q: Law) -> Divergences:
    """Compares two laws of a report.

    Args:
        p: Chances of the outcomes under one true answer or table, shape (outcomes,); Fractions
            give exact ratios.
        q: Those under its neighbour, of the same outcomes.

    Raises:
        ParameterError: The laws have different outcomes, a chance is negative, or a law does not
            sum to 1.
    """
    laws = [np.asarray(law, dtype=np.float64) for law in (p, q)]
    if len(p) != len(q) or any(
        law.min(initial=0.0) < 0 or abs(float(law.sum()) - 1) > _SUM_TOLERANCE for law in laws
    ):
        raise ParameterError(T.NO_LAWS())
    return Divergences(
        loss_distribution(p, q), loss_distribution(q, p), (max_ratio(p, q), max_ratio(q, p))
    )


def loss_distribution(p: Law, q: Law) -> LossDistribution:
    """Returns the law of ln(p(y) / q(y)) under P; equal losses are merged."""
    mine, other = np.asarray(p, dtype=np.float64), np.asarray(q, dtype=np.float64)
    both = (mine > 0) & (other > 0)
    losses = np.log(mine[both]) - np.log(other[both])
    x, masses = merged(losses, mine[both])
    return LossDistribution(x, masses, float(mine[(mine > 0) & (other <= 0)].sum()))


def merged(losses: Floats, masses: Floats) -> tuple[Floats, Floats]:
    """Sorts losses and merges those that differ by rounding alone, adding their masses."""
    order = np.argsort(losses, kind="stable")
    losses, masses = losses[order], masses[order]
    if losses.size == 0:
        return losses, masses
    starts = np.flatnonzero(np.diff(losses, prepend=-inf) > _SAME_LOSS)
    return losses[starts], np.add.reduceat(masses, starts)


def _log(ratio: Fraction | float) -> float:
    if isinstance(ratio, Fraction):
        # Each logarithm by itself, since a quotient of large numbers may not fit into a float.
        return log(ratio.numerator) - log(ratio.denominator)
    return ratio if isinf(ratio) else log(ratio)


def divergences_of_support(epsilon: Decimal, gap: float) -> Divergences:
    """Compares the laws of a report that supports one of two answers, the other, or both or none.

    Such reports are e^epsilon times likelier, e^epsilon times less likely, and equally likely
    under the first.

    Args:
        epsilon: The mechanism's.
        gap: A report's chance to support the true answer less its chance to support another: the
            difference of the first two chances.
    """
    told = gap / -np.expm1(-float(epsilon))
    denied = told * exp(-epsilon)
    rest = max(0.0, 1.0 - told - denied)
    return divergences(np.array([told, denied, rest]), np.array([denied, told, rest]))
