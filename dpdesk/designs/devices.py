"""Devices that respondents can hold: coins, a die, numbered cards; chances are exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm, log

from dpdesk.i18n import N_

ONE = Fraction(1)
_DIE = (2, 3, 6)
_DIE_SIDES = 6
_MOST_CARDS = 100
_HALF, _QUARTER, _EIGHTH = Fraction(1, 2), Fraction(1, 4), Fraction(1, 8)


@dataclass(frozen=True, slots=True)
class Draw:
    """How a respondent lets chance decide.

    Attributes:
        tool: What is needed, such as "a die"; empty where nothing is left to chance.
        use: What is done with it, as a sentence; empty likewise.
        outcomes: The outcomes in words that follow "if", in the order of their chances.
    """

    tool: str
    use: str
    outcomes: tuple[str, ...]


def chance_words(chance: Fraction) -> str:
    """Returns a chance as people say it: "1 in 4"."""
    return f"{chance.numerator:,} in {chance.denominator:,}"


def draw_among(chances: Sequence[Fraction]) -> Draw:
    """Returns the simplest device with exactly these chances.

    Args:
        chances: Above 0, summing to 1.
    """
    found = _coins(tuple(chances))
    if found is not None:
        return found
    return draw_of(lcm(*(chance.denominator for chance in chances)), chances)


def draw_of(size: int, chances: Sequence[Fraction]) -> Draw:
    """Returns a device of so many equally likely states, a die or numbered cards.

    Args:
        size: A multiple of every denominator.
        chances: Above 0, summing to 1.
    """
    if size == 1:
        return Draw("", "", ("nothing is left to chance",))
    ends = [0]
    sides = _DIE_SIDES if size in _DIE else size
    for chance in chances:
        ends.append(ends[-1] + int(chance * sides))
    spans = list(pairwise(ends))
    if size in _DIE:
        shown = tuple(f"the die shows {_sides(low + 1, high)}" for low, high in spans)
        return Draw("a die", "Throw the die", shown)
    return _numbers(size, spans)


def _coins(chances: tuple[Fraction, ...]) -> Draw | None:
    """One, two or three coins, where they are enough."""
    if sorted(chances) == [_HALF, _HALF]:
        return Draw("a coin", "Toss the coin", ("the coin shows heads", "the coin shows tails"))
    for rare, tool, number in ((_QUARTER, "two coins", "both"), (_EIGHTH, "three coins", "all")):
        if sorted(chances) == [rare, 1 - rare]:
            heads = f"{number} coins show heads"
            others = "at least one coin shows tails"
            return Draw(tool, f"Toss {tool}", _placed(chances, {rare: heads, 1 - rare: others}))
    if sorted(chances) == [_QUARTER, _QUARTER, _HALF]:
        same = iter(("both coins show heads", "both coins show tails"))
        shown = tuple(
            "the coins show different sides" if chance == _HALF else next(same)
            for chance in chances
        )
        return Draw("two coins", "Toss two coins", shown)
    return None


def _placed(chances: tuple[Fraction, ...], words: dict[Fraction, str]) -> tuple[str, ...]:
    return tuple(words[chance] for chance in chances)


def _numbers(size: int, spans: list[tuple[int, int]]) -> Draw:
    """Numbered cards, or, where they would be too many, any device that draws numbers."""
    if size <= _MOST_CARDS:
        tool = f"a bag with {size} cards, numbered from 1 to {size}"
        use = "Draw one card from the bag, read its number and put it back"
        thing = "the card has"
    else:
        tool = f"a device that draws a number from 1 to {size:,}, all equally likely"
        use = "Let the device draw a number"
        thing = "the device shows"
    return Draw(tool, use, tuple(f"{thing} {_span(low + 1, high)}" for low, high in spans))


def _span(low: int, high: int) -> str:
    if high - low < 2:
        return f"number {low:,}" + (f" or {high:,}" if high > low else "")
    return f"a number from {low:,} to {high:,}"


def _sides(low: int, high: int) -> str:
    sides = [str(side) for side in range(low, high + 1)]
    return sides[0] if len(sides) == 1 else f"{', '.join(sides[:-1])} or {sides[-1]}"


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
