"""How strong a protection is: a word for its loss, beside what the loss makes of an even guess."""

from __future__ import annotations

from decimal import Decimal
from math import exp, isinf
from typing import Literal

from dpdesk.composition.texts import T
from dpdesk.composition.words import delta_text
from dpdesk.cost import PrivacyCost, short_epsilon
from dpdesk.numbers.digits import highest_belief_text

Strength = Literal["strong", "moderate", "weak", "very weak"]

_MOST_ODDS: tuple[tuple[int, Strength], ...] = (
    (3, "strong"),
    (20, "moderate"),
    (1_000, "weak"),
)
_ROUNDING = 1e-9
"""What twelve decimals of an epsilon, or a logarithm in floating point, add to whole odds."""


def strength_of(epsilon: Decimal | float) -> Strength:
    """Returns the word for a loss, by the odds e^epsilon that it allows.

    Args:
        epsilon: The loss; infinite where an answer can be a proof.
    """
    odds = exp(min(float(epsilon), 700.0)) * (1 - _ROUNDING)
    return next((word for most, word in _MOST_ODDS if odds <= most), "very weak")


def highest_belief(epsilon: Decimal | float) -> str:
    """Returns the most that an even guess can become in per cent, such as "73.2 %"."""
    belief = 1 / (1 + exp(-float(epsilon)))
    return highest_belief_text(belief).replace(">", "more than ")


def protection_words(epsilon: Decimal | float) -> str:
    """Returns a sentence on the strength of a loss, and one on what it makes of an even guess."""
    if isinf(float(epsilon)):
        return T.NO_PROTECTION(strength=strength_of(epsilon))
    return T.PROTECTION(strength=strength_of(epsilon), belief=highest_belief(epsilon))


def protection_of(cost: PrivacyCost) -> str:
    """Returns the same of the cost of a release, with the delta that its epsilon holds at."""
    # Two guesses at the answers of one who is known to be there differ by twice the loss.
    is_presence = cost.relation.startswith("add or remove")
    shown = {"strength": strength_of(cost.epsilon), "belief": highest_belief(cost.epsilon)}
    if not cost.delta:
        return (T.PRESENCE if is_presence else T.PROTECTION)(**shown)
    shown |= {"epsilon": short_epsilon(cost.epsilon), "delta": delta_text(cost.delta)}
    return (T.PRESENCE_AT_DELTA if is_presence else T.PROTECTION_AT_DELTA)(**shown)
