"""The tree of a composition: one release at each leaf, and at each node how losses add up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal, localcontext
from typing import Any

from dpdesk.composition.loss import EXACT, Loss, exact_total
from dpdesk.composition.texts import T
from dpdesk.composition.words import delta_text, sum_text
from dpdesk.cost import PrivacyCost, format_epsilon
from dpdesk.errors import ParameterError

GROUP_MAX = 1_000_000
"""Largest group; the protection is lost for far smaller ones already."""

_DELTA_DIGITS = 12
# e^x of the largest epsilons and groups stays within its exponents; rounding is towards more.
_WIDE = Context(prec=80, Emax=10**12, Emin=-(10**12))


def group_privacy(epsilon: Decimal, delta: Decimal, g: int) -> tuple[Decimal, Decimal]:
    """Returns the loss of a release about g respondents together, who may all have changed.

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
        raise ParameterError(T.GROUP_SIZE(most=GROUP_MAX))
    with localcontext(EXACT):
        total = g * epsilon
    if delta == 0 or g == 1:
        return total, delta
    if epsilon == 0:
        return total, min(Decimal(1), g * delta)
    with localcontext(_WIDE) as context:
        above = context.exp(total).next_plus() - 1
        below = context.exp(epsilon).next_minus() - 1
        # The error is that of three roundings, each by half a unit of the last of 80 digits.
        grown = delta * above / below * (1 + Decimal("1e-70"))
    if grown >= 1:
        return total, Decimal(1)
    return total, Context(prec=_DELTA_DIGITS, rounding=ROUND_CEILING).plus(grown).normalize()


@dataclass(frozen=True)
class Composed:
    """A node of the tree: one release, or several about the same respondents.

    Attributes:
        title: What it is, for people.
        cost: The exact cost.
        explanation: Why the cost is what it is, as a sentence.
        children: The nodes below.
    """

    title: str
    cost: PrivacyCost
    explanation: str
    children: tuple[Composed, ...] = ()

    def plain(self) -> dict[str, Any]:
        """Returns the tree as nested texts and lists, for JSON; decimals are texts."""
        return {
            "rule": "sequential" if self.children else "release",
            "title": self.title,
            "epsilon": format_epsilon(self.cost.epsilon),
            "delta": delta_text(self.cost.delta),
            "explanation": self.explanation,
            "parts": [child.plain() for child in self.children],
        }


def release_node(loss: Loss) -> Composed:
    """Returns the leaf of one release."""
    cost = loss.cost
    delta = f" with δ = {delta_text(cost.delta)}" if cost.delta else ""
    return Composed(loss.name, cost, f"{loss.name}: {format_epsilon(cost.epsilon)}{delta}.")


def sequence_node(parts: Sequence[Composed], title: str) -> Composed:
    """Returns releases about the same respondents: epsilons and deltas add up.

    This also holds if a release depends on the results of earlier ones.

    Args:
        parts: The releases, at least one; all of one model, unit and relation.
        title: What they are together, such as "Three counts of the same respondents".

    Raises:
        ParameterError: There is none, or two are of different models, units or relations.
    """
    costs = [part.cost for part in parts]
    total = exact_total(costs)
    return Composed(title, total, f"{title}: {_sum_of(costs, total)}.", tuple(parts))


def _sum_of(costs: list[PrivacyCost], total: PrivacyCost) -> str:
    def written(terms: list[str], result: str) -> str:
        return result if len(terms) == 1 else f"{sum_text(terms)} = {result}"

    text = written([format_epsilon(c.epsilon) for c in costs], format_epsilon(total.epsilon))
    if not total.delta:
        return text
    deltas = written([delta_text(c.delta) for c in costs], delta_text(total.delta))
    return f"{text}; δ: {deltas}"
