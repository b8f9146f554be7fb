"""How strong a protection is: a word for its loss, beside what the loss makes of an even guess."""

from __future__ import annotations

from decimal import Decimal
from math import exp, isinf
from typing import Literal

from dpdesk.composition.words import delta_text
from dpdesk.cost import PrivacyCost, short_epsilon
from dpdesk.i18n import N_
from dpdesk.numbers.digits import highest_belief_text

Strength = Literal["strong", "moderate", "weak", "very weak"]

_MOST_ODDS: tuple[tuple[int, Strength], ...] = (
    (3, "strong"),
    (20, "moderate"),
    (1_000, "weak"),
)
_ROUNDING = 1e-9
"""What twelve decimals of an epsilon, or a logarithm in floating point, add to whole odds."""

_SENTENCE = N_("Protection: {strength}. {guess} can become {belief} certain.")
_SENTENCE_AT_DELTA = N_(
    "Protection: {strength}, for ε = {epsilon} at δ = {delta}. {guess} can become {belief} certain."
)
_CERTAIN = N_("Protection: {strength}. An answer can be a proof.")
_GUESS = N_("A 50–50 guess")
_GUESS_OF_PRESENCE = N_("A 50–50 guess that a person took part")


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
        return _CERTAIN.format(strength=strength_of(epsilon))
    return _SENTENCE.format(
        strength=strength_of(epsilon), guess=_GUESS, belief=highest_belief(epsilon)
    )


def protection_of(cost: PrivacyCost) -> str:
    """Returns the same of the cost of a release, with the delta that its epsilon holds at."""
    # Two guesses at the answers of one who is known to be there differ by twice the loss.
    guess = _GUESS_OF_PRESENCE if cost.relation.startswith("add or remove") else _GUESS
    return (_SENTENCE_AT_DELTA if cost.delta else _SENTENCE).format(
        strength=strength_of(cost.epsilon),
        epsilon=short_epsilon(cost.epsilon),
        delta=delta_text(cost.delta),
        guess=guess,
        belief=highest_belief(cost.epsilon),
    )
