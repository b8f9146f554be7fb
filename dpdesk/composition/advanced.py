"""Advanced composition: many small losses add up to less than their sum, at a delta.

Kairouz, Oh & Viswanath 2015, "The Composition Theorem for Differential Privacy" (ICML; IEEE
Transactions on Information Theory 63, 2017): Theorem 3.3 for equal epsilons, which is exact, and
Theorem 3.5 for different ones, which is at least as tight as Dwork, Rothblum & Vadhan 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_CEILING, Context, Decimal, localcontext

from dpdesk.composition.texts import T
from dpdesk.errors import ParameterError

DIGITS = Context(prec=60, Emax=10**9, Emin=-(10**9))
"""Rounding errors of the sums below are about forty digits smaller than what is printed."""

_MARGIN = Decimal("1e-40")
_PRINTED = Decimal("1e-9")
# Beyond so many equal losses the sum of binomials takes seconds, and the bound below is close.
_EQUAL_MAX = 2000


def rounded_up(epsilon: Decimal) -> Decimal:
    """Returns a computed epsilon rounded up in the ninth decimal, at least 0."""
    with localcontext(DIGITS) as context:
        above = max(Decimal(0), epsilon) * (1 + _MARGIN)
        return above.quantize(_PRINTED, rounding=ROUND_CEILING, context=context).normalize()


def slack_of(deltas: Sequence[Decimal], delta: Decimal) -> Decimal | None:
    """Returns the delta left for composition after those of the releases; None if none is left.

    The bounds fail together with chance 1 - (1 - slack) (1 - delta_1) ... (1 - delta_k).

    Args:
        deltas: Those of the releases.
        delta: The total delta.
    """
    with localcontext(DIGITS):
        held = Decimal(1)
        for each in deltas:
            held *= 1 - each
        slack = 1 - (1 - delta) / held
        # Rounded down by more than all rounding errors.
        slack -= _MARGIN
    return slack if slack > 0 else None


def advanced_epsilon(epsilons: Sequence[Decimal], slack: Decimal) -> Decimal:
    """Returns the total epsilon, which holds except with chance `slack`, rounded up.

    The epsilons are fixed in advance; the releases themselves may depend on earlier results.

    Args:
        epsilons: Those of the releases.
        slack: The delta to spend, above 0 and below 1.

    Raises:
        ParameterError: The slack is not between 0 and 1.
    """
    if not 0 < slack < 1:
        raise ParameterError(T.NO_SLACK())
    positive = [epsilon for epsilon in epsilons if epsilon > 0]
    if not positive:
        return Decimal(0)
    with localcontext(DIGITS):
        # Exact: their digits are far fewer than these.
        total = sum(positive, Decimal(0))
        if len(set(positive)) == 1 and len(positive) <= _EQUAL_MAX:
            bound = _equal(positive[0], len(positive), slack)
        else:
            bound = _different(positive, slack)
    return min(total, rounded_up(bound))


def mean_loss(epsilon: Decimal) -> Decimal:
    """Returns epsilon tanh(epsilon / 2): the largest Kullback-Leibler divergence at an epsilon."""
    with localcontext(DIGITS) as context:
        growth = context.exp(epsilon)
        return epsilon * (growth - 1) / (growth + 1)


def _different(epsilons: Sequence[Decimal], slack: Decimal) -> Decimal:
    """The least of Theorem 3.5, equation (8): its sum is compared by the caller."""
    mean = sum((mean_loss(epsilon) for epsilon in epsilons), Decimal(0))
    squares = sum((epsilon * epsilon for epsilon in epsilons), Decimal(0))
    by_azuma = (2 * squares * (1 / slack).ln()).sqrt()
    within = (Decimal(1).exp() + squares.sqrt() / slack).ln()
    return mean + min(by_azuma, (2 * squares * within).sqrt())


def _equal(epsilon: Decimal, k: int, slack: Decimal) -> Decimal:
    """Theorem 3.3: the loss of k randomized responses, whose delta at any epsilon is a sum.

    The loss is (k - 2l) epsilon with chance C(k, l) e^((k-l) epsilon) / (1 + e^epsilon)^k, and
    e^-loss times that under the other answer. The theorem states delta at the epsilons where it
    bends; between two of them it is `above - e^x other`, which is solved for x.
    """
    growth = epsilon.exp()
    whole = (1 + growth) ** k
    above = other = Decimal(0)
    ways = 1
    for l in range(k // 2 + 1):
        above += ways * growth ** (k - l) / whole
        other += ways * growth**l / whole
        ways = ways * (k - l) // (l + 1)
        x = (k - 2 * l - 2) * epsilon
        if x <= 0 or above - x.exp() * other > slack:
            return max(Decimal(0), ((above - slack) / other).ln()) if above > slack else Decimal(0)
    return Decimal(0)
