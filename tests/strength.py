"""How strong a protection is, by the odds that it allows: recomputed for the tests."""

from __future__ import annotations

import re


def strength_by_odds(odds: float) -> str:
    """The word that goes with odds: up to 3, 20, 1,000, and above."""
    if odds <= 3 * (1 + 1e-9):
        return "strong"
    if odds <= 20 * (1 + 1e-9):
        return "moderate"
    return "weak" if odds <= 1_000 * (1 + 1e-9) else "very weak"


def strength_in(text: str) -> str:
    """The one word for the protection that a text says."""
    (found,) = set(re.findall(r"Protection: (strong|moderate|weak|very weak)\b", text))
    return found


def belief_in(text: str) -> float:
    """What an even guess becomes by a text, in per cent."""
    (found,) = re.findall(r"can become ([\d.]+) % certain", text.replace("\u00a0", " "))
    return float(found)
