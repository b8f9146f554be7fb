"""The catalogue of devices, and the choice of one. To add one, write a class and add it here."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
from dpdesk.designs.devices.device import Chances, Device, Draw, chance_words
from dpdesk.designs.devices.of_people import BirthdayDay, BirthdayMonth, LastDigit
from dpdesk.designs.devices.texts import T
from dpdesk.errors import ParameterError, kind_named

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
    return kind_named({device.word: device for device in CATALOGUE}, word, "device")


@dataclass(frozen=True, slots=True)
class DeviceChoice:
    """The device that an instruction is written for.

    Attributes:
        device: The device; None for the simplest one that has the chances.
        among_these: The devices from which the simplest one is taken.
    """

    device: Device | None = None
    among_these: tuple[Device, ...] = CATALOGUE

    def among(self, chances: Sequence[Fraction]) -> Draw:
        """Returns how the device decides between events.

        Args:
            chances: Above 0, with sum 1.

        Raises:
            ParameterError: The device does not have these chances.
        """
        devices = self.among_these if self.device is None else (self.device,)
        return self._first((device.draw(chances) for device in devices), chances)

    def for_rows(self, rows: Sequence[Sequence[Fraction]]) -> tuple[Draw, ...]:
        """Returns how one device decides, whatever the true answer is.

        Another device for another true answer would disclose the answer.

        Args:
            rows: The chances of the events for each true answer.

        Raises:
            ParameterError: The device does not have these chances.
        """
        devices = (
            (device for device in self.among_these if device.serves_rows)
            if self.device is None
            else (self.device,)
        )
        draws = (device.draws_for_rows(rows) for device in devices)
        return self._first(draws, [chance for row in rows for chance in row])

    def _first(self, draws: Iterable[Drawn | None], chances: Sequence[Fraction]) -> Drawn:
        """Returns the first that there is."""
        found = next((draw for draw in draws if draw is not None), None)
        if found is None:
            raise self._refused(chances)
        return found

    def _refused(self, chances: Sequence[Fraction]) -> ParameterError:
        named = ", ".join(map(chance_words, dict.fromkeys(chances)))
        if self.device is None:
            return ParameterError(T.NO_CHANCES(chances=named))
        return ParameterError(T.LACKS_CHANCES(device=self.device.word, chances=named))


ANY_DEVICE = DeviceChoice()
"""The simplest device that has the chances."""


def events_at_hand(chances: Chances) -> tuple[str, ...]:
    """Returns events of these chances by the simplest everyday device, in words that follow "if".

    The device is the one of the printed sheet, so that a rule has one wording.

    Args:
        chances: Above 0, with sum 1.

    Returns:
        The events in the order of their chances; empty where no such device has them.
    """
    draws = (device.draw(chances) for device in AT_HAND)
    draw = next(filter(None, draws), None)
    if draw is None or draw.device is None:
        return ()
    return tuple(draw.device.named(draw, place) for place in range(len(chances)))


def asked_exactly(share: Fraction, parent: str) -> str:
    """Returns a question that exactly this share of people answers with yes; "" if none is known.

    Args:
        share: The share.
        parent: Whom the question is about, such as "mother".
    """
    return next(filter(None, (device.asked(share, parent) for device in CATALOGUE)), "")
