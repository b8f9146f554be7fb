"""Devices that people can hold, and the parameters of a design at an epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp, isfinite, log

from dpdesk.designs.base import Design
from dpdesk.designs.forced import Forced
from dpdesk.designs.kuk import Kuk
from dpdesk.designs.unrelated import Unrelated
from dpdesk.designs.warner import WarnerDesign
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_

_DIGITS = 10**6


@dataclass(frozen=True, slots=True)
class Device:
    """Something that decides with a known chance, unseen by others.

    Attributes:
        chance: Chance of the rarer of its two outcomes.
        outcome: The rarer outcome, in words.
        tool: What the respondent needs.
    """

    chance: Fraction
    outcome: str
    tool: str


DEVICES = (
    Device(Fraction(1, 2), N_("the coin shows heads"), N_("a coin")),
    Device(Fraction(1, 3), N_("the die shows 1 or 2"), N_("a die")),
    Device(Fraction(1, 4), N_("both coins show heads"), N_("two coins")),
    Device(Fraction(1, 6), N_("the die shows 6"), N_("a die")),
    Device(Fraction(1, 8), N_("all three coins show heads"), N_("three coins")),
    Device(Fraction(1, 12), N_("the birthday lies in January"), N_("somebody's month of birth")),
    Device(Fraction(1, 13), N_("the card drawn is an ace"), N_("a deck of 52 cards")),
    Device(Fraction(1, 36), N_("both dice show 6"), N_("two dice")),
    Device(Fraction(3, 8), N_("exactly one of three coins shows heads"), N_("three coins")),
    Device(Fraction(3, 10), N_("the ball drawn is one of 3 red in 10"), N_("an urn of 10 balls")),
    Device(Fraction(1, 5), N_("the ball drawn is one of 2 red in 10"), N_("an urn of 10 balls")),
    Device(Fraction(1, 10), N_("the ball drawn is the red one of 10"), N_("an urn of 10 balls")),
)
"""Things at hand, with their chances."""


def device_for(chance: Fraction) -> Device | None:
    """Returns a device with exactly this chance or its complement; None if there is none."""
    rarer = min(chance, 1 - chance)
    return next((device for device in DEVICES if device.chance == rarer), None)


def design_at(kind: type[Design], epsilon: float) -> Design:
    """Returns a design with the parameters that give an epsilon, none larger.

    Only designs that one number decides, their answers being equally protected, have such
    parameters: Warner's, forced response, the unrelated question with an innocent share of one
    half, and Kuk's with one card. All of them are then the same channel.

    Raises:
        ParameterError: The epsilon is not above 0, or the design has more to choose.
    """
    if not (isfinite(epsilon) and epsilon > 0):
        raise ParameterError("Epsilon must be above 0.", remedy="Type a number such as 1.")
    # Rounded down, so that the odds stay below e^epsilon.
    truth = Fraction(min(int(_DIGITS / (1 + exp(-epsilon))), _DIGITS - 1), _DIGITS)
    if truth <= Fraction(1, 2):
        raise ParameterError(
            "At this epsilon the answers would tell next to nothing.", remedy="Choose a larger one."
        )
    if kind is WarnerDesign:
        return WarnerDesign(p=truth)
    if kind is Forced:
        return Forced(forced_no=1 - truth, forced_yes=1 - truth)
    if kind is Unrelated:
        return Unrelated(p=2 * truth - 1, q=Fraction(1, 2))
    if kind is Kuk:
        return Kuk(p1=truth, p2=1 - truth)
    raise ParameterError(
        f"{kind.title} has several parameters, which an epsilon alone does not decide.",
        remedy="Choose them, and look at the epsilon that follows.",
    )


def nearest_device(epsilon: float) -> tuple[Device, float]:
    """Returns the device whose Warner's design comes closest to an epsilon from below.

    Returns:
        The device, and the epsilon of Warner's design with it; two coins give ln 3, a die ln 5.
        Where every device exceeds the epsilon, the one with the smallest.
    """
    known = [
        (device, log((1 - device.chance) / device.chance))
        for device in DEVICES
        if device.chance < Fraction(1, 2)
    ]
    below = [found for found in known if found[1] <= epsilon * (1 + 1e-12)]
    if below:
        return max(below, key=lambda found: found[1])
    return min(known, key=lambda found: found[1])
