"""Group privacy, and pre-processing that multiplies one respondent's change."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal, localcontext

from dpdesk.composition.loss import EXACT
from dpdesk.errors import ParameterError

GROUP_MAX = 1_000_000
"""Largest group; nothing is protected at far smaller ones."""

_DELTA_DIGITS = 12
# e^x of the largest epsilons and groups stays within its exponents; rounding is towards more.
_WIDE = Context(prec=80, Emax=10**12, Emin=-(10**12))


def group_privacy(epsilon: Decimal, delta: Decimal, g: int) -> tuple[Decimal, Decimal]:
    """Returns what a release loses about g respondents together, who may all have changed.

    From one table to the other there are g steps of one respondent each; at each the factor is
    e^epsilon and delta is added: g epsilon, and delta (e^(g epsilon) - 1) / (e^epsilon - 1)
    (Vadhan 2017, Lemma 2.2, with the geometric sum written out).

    Args:
        epsilon: Loss about one respondent, at least 0.
        delta: Its delta, from 0 to 1.
        g: Number of respondents, at least 1.

    Returns:
        The epsilon, exact, and the delta, rounded up in its twelfth digit and at most 1.

    Raises:
        ParameterError: The group is empty or larger than 1,000,000.
    """
    if not 1 <= g <= GROUP_MAX:
        raise ParameterError("A group has 1 to 1,000,000 respondents.")
    with localcontext(EXACT):
        total = g * epsilon
    if delta == 0 or g == 1:
        return total, delta
    if epsilon == 0:
        return total, min(Decimal(1), g * delta)
    with localcontext(_WIDE) as context:
        above = context.exp(total).next_plus() - 1
        below = context.exp(epsilon).next_minus() - 1
        # Three roundings of half a unit in the last of 80 digits lie between this and the truth.
        grown = delta * above / below * (1 + Decimal("1e-70"))
    if grown >= 1:
        return total, Decimal(1)
    return total, Context(prec=_DELTA_DIGITS, rounding=ROUND_CEILING).plus(grown).normalize()
