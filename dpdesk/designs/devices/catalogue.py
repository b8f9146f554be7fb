"""The catalogue of devices, and the choice of one. To add one, write a class and add it here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from dpdesk.designs.devices.at_hand import (
    Beads,
    CardColour,
    CardRank,
    CardSuit,
    Coins,
    Die,
    Screen,
    Spinner,
    Tosses,
    TwoDicePair,
    TwoDiceSum,
)
from dpdesk.designs.devices.device import Device, Draw
from dpdesk.designs.devices.of_people import BirthdayDay, BirthdayMonth, LastDigit
from dpdesk.errors import ParameterError

Drawn = TypeVar("Drawn")

SCREEN = Screen()
"""A random number on a screen, which has any chance."""

CATALOGUE: tuple[Device, ...] = (
    Coins(1),
    Coins(2),
    Coins(3),
    Tosses(),
    Die(),
    CardColour(),
    CardSuit(),
    CardRank(),
    Beads(),
    Spinner(),
    TwoDiceSum(),
    TwoDicePair(),
    BirthdayMonth(),
    BirthdayDay(),
    LastDigit(),
    SCREEN,
)
"""Every device, the simplest first: the first one with the wanted chances is proposed."""

AT_HAND = tuple(device for device in CATALOGUE if not device.for_screens)
"""The devices that one can hold, or think of."""


def device_named(word: str) -> Device:
    """Returns the device of a name.

    Raises:
        ParameterError: There is none.
    """
    for device in CATALOGUE:
        if device.word == word:
            return device
    known = ", ".join(device.word for device in CATALOGUE)
    raise ParameterError("There is no device of this name.", remedy=f"Use one of: {known}.")


@dataclass(frozen=True, slots=True)
class DeviceChoice:
    """The device that an instruction is written for.

    Attributes:
        device: The device; None for the simplest one that has the chances.
    """

    device: Device | None = None

    def among(self, chances: Sequence[Fraction], only: Collection[str] = ()) -> Draw:
        """Returns how the device decides between events.

        Args:
            chances: Above 0, with sum 1.
            only: The words of the devices that may decide; empty where all may.

        Raises:
            ParameterError: The device has not these chances, or may not decide.
        """
        devices = (d for d in self._devices(CATALOGUE) if not only or d.word in only)
        draws = (device.draw(chances) for device in devices)
        return self._first(draws, chances)

    def for_rows(self, rows: Sequence[Sequence[Fraction]]) -> tuple[Draw, ...]:
        """Returns how one device decides, whatever the true answer is.

        Another device for another true answer would disclose the answer.

        Args:
            rows: The chances of the events for each true answer.

        Raises:
            ParameterError: The device has not these chances.
        """
        draws = (device.draws_for_rows(rows) for device in self._devices(_WITH_NUMBERS))
        return self._first(draws, [chance for row in rows for chance in row])

    def _devices(self, simplest_first: Sequence[Device]) -> Sequence[Device]:
        return simplest_first if self.device is None else (self.device,)

    def _first(self, draws: Iterable[Drawn | None], chances: Sequence[Fraction]) -> Drawn:
        """Returns the first that there is."""
        found = next((draw for draw in draws if draw is not None), None)
        if found is None:
            raise self._refused(chances)
        return found

    def _refused(self, chances: Sequence[Fraction]) -> ParameterError:
        words = self.device.word if self.device is not None else ""
        told = ", ".join(f"{c.numerator:,} in {c.denominator:,}" for c in dict.fromkeys(chances))
        return ParameterError(
            f"The device {words} has not the chances of this design: {told}.",
            remedy="Choose another device, or parameters that this one has.",
        )


_WITH_NUMBERS = tuple(d for d in CATALOGUE if d.word in ("die", "beads", "screen"))
"""The devices that are proposed where one serves several true answers."""

ANY_DEVICE = DeviceChoice()
"""The simplest device that has the chances."""


def asked_exactly(share: Fraction, parent: str) -> str:
    """Returns a question that exactly this share of people answers with yes; "" if none is known.

    Args:
        share: The share.
        parent: Whom the question is about, such as "mother".
    """
    return next(filter(None, (device.asked(share, parent) for device in CATALOGUE)), "")
