"""What a step shows: a kind of scene with its settings, which computes pictures and numbers.

A kind declares its settings with defaults, the numbers that sentences may state, and how it draws
itself. Nothing outside knows which kinds there are; `registry` lists them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from math import floor, log10
from typing import Annotated, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, model_validator

from dpdesk.data.table import SurveyTable
from dpdesk.demonstrations.picture import Picture, check_ends
from dpdesk.demonstrations.texts import T
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import InputError
from dpdesk.numbers.digits import MINUS, epsilon_up, significant
from dpdesk.randomness import SystemWords

_DIGITS = 3
_MOST_DECIMALS = 6
_LEAST_ROOM = 2
_THOUSAND, _PLAIN = 1e3, 1e6


@dataclass(frozen=True)
class Inputs:
    """What the presenter gives; everything has a usable default.

    Attributes:
        question: An own question in place of the demonstration's.
        table: Own records where the demonstration takes data, as they are read.
        columns: Which of its columns, in the order of `Demonstration.asked_columns`.
    """

    question: str | None = None
    table: SurveyTable | None = None
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Tallies:
    """The answers of the room.

    Attributes:
        yes: How many said yes.
        asked: How many answered.
    """

    yes: int
    asked: int

    def checked(self) -> Tallies:
        """Returns these tallies if they are possible.

        Raises:
            InputError: Fewer than 2 people answered, or more said yes than answered, or less than
                nobody did.
        """
        if self.asked < _LEAST_ROOM:
            raise InputError(T.FEW_ASKED())
        if self.yes < 0:
            raise InputError(T.NEGATIVE_YES())
        if self.yes > self.asked:
            raise InputError(T.MORE_YES())
        return self


@dataclass(frozen=True)
class Given:
    """What a scene is computed from beside its settings.

    Attributes:
        inputs: What the presenter gives.
        tallies: The answers of the room; None before they are typed in.
    """

    inputs: Inputs = Inputs()
    tallies: Tallies | None = None


@dataclass(frozen=True)
class Number:
    """A number that a sentence may state.

    Attributes:
        value: The number, in the unit in which it is stated: shares in per cent.
        decimals: Digits behind the point; None for up to three significant digits, and none behind
            the point from 1,000 on.
    """

    value: float
    decimals: int | None = None

    @property
    def text(self) -> str:
        """The number as it is written."""
        decimals = self.decimals
        if decimals is None:
            if not _THOUSAND <= abs(self.value) < _PLAIN:
                told = significant(self.value, _DIGITS)
                plain = "." in told and "×" not in told
                return told.rstrip("0").removesuffix(".") if plain else told
            decimals = 0
        written = f"{self.value:,.{decimals}f}"
        # No sign before a number that is rounded to nothing.
        is_nothing = not any(digit in "123456789" for digit in written)
        return written.lstrip("-") if is_nothing else written.replace("-", MINUS)


@dataclass(frozen=True)
class EpsilonNumber(Number):
    """An epsilon, rounded up in its third decimal as on every page."""

    @property
    def text(self) -> str:
        written = epsilon_up(self.value)
        return written.rstrip("0").removesuffix(".") if "." in written else written


@dataclass(frozen=True)
class Shown:
    """What a scene shows.

    Attributes:
        pictures: One, or two side by side.
        numbers: Every number that a text may state, by its name.
        words: Words that a sentence may take up, by their names.
    """

    pictures: tuple[Picture, ...]
    numbers: Mapping[str, Number]
    words: Mapping[str, str] = field(default_factory=dict)


def belief_number(percent: float) -> Number:
    """Returns a belief with enough digits to tell it from 0 and from 100 %.

    Args:
        percent: The belief in per cent.
    """
    doubt = min(percent, 100 - percent)
    if doubt <= 0:
        return Number(percent, 0)
    return Number(percent, min(max(-floor(log10(doubt)), 1), _MOST_DECIMALS))


def percent(share: float) -> str:
    """Returns a share as it is written in texts: 12 %."""
    return f"{Number(100 * share).text} %"


class CountedText(str):
    """A number as it is written, which a sentence can state with what is counted.

    `{found:person|people}` becomes "1 person" or "12 people".
    """

    __slots__ = ()

    def __format__(self, form: str) -> str:
        """Returns the number alone, or with the first word if it is 1, else with the second."""
        one, both, many = form.partition("|")
        return f"{self} {one if self == '1' else many}" if both else super().__format__(form)


def counted(number: int, one: str, many: str = "") -> str:
    """Returns a number of things in words: 1 answer, 12 answers, 1 person, 12 people.

    Args:
        number: How many.
        one: The word for one of them.
        many: The word for several; that for one with an s if empty.
    """
    return f"{CountedText(f'{number:,}'):{one}|{many or f'{one}s'}}"


class SceneKind(BaseModel, ABC):
    """A kind of scene with its settings; the tag is `kind`."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    shows: ClassVar[str]
    """What it shows, in one sentence."""
    numbers: ClassVar[Mapping[str, str]]
    """The numbers that it computes, each with what it is and its unit."""
    words: ClassVar[Mapping[str, str]] = {}
    """The words that it gives, each with what it is."""
    draws: ClassVar[bool] = False
    """Whether it draws, unless its settings say otherwise."""
    takes_tallies: ClassVar[bool] = False
    """Whether the answers of the room are typed in."""
    asked_columns: ClassVar[tuple[str, ...]] = ()
    """What each column of the presenter's own file is for; empty where it looks at none.

    The last may end in " …": then several columns may follow.
    """

    kind: str

    @classmethod
    def tag(cls) -> str:
        """Returns the word of this kind in files."""
        return str(cls.model_fields["kind"].default)

    @property
    def draws_again(self) -> bool:
        """Whether another draw shows something else, with these settings."""
        return self.draws

    def fits(self, inputs: Inputs) -> bool:
        """Whether this state says something of its own of what the presenter gives.

        Raises:
            DpdeskError: What the presenter gives does not fit at all.
        """
        return True

    @abstractmethod
    def shown(self, given: Given, before: Self | None = None) -> Shown:
        """Returns what is shown, drawn anew at each call if the kind draws.

        Args:
            given: What the presenter gives.
            before: The settings that stand as a ghost, others than these; None for no ghost.

        Raises:
            DpdeskError: What the presenter gives does not fit.
        """

    def prepare(self, given: Given, tracker: Tracker) -> None:
        """Computes once what takes long, so that `shown` is fast afterwards.

        Raises:
            DpdeskError: What the presenter gives does not fit.
            Cancelled: The user cancelled.
        """
        tracker.tick()


class OwnAxis(SceneKind):
    """A scene whose settings say where its axis begins and ends."""

    least: Annotated[float, Field(ge=-1e6, le=1e6, description="lower end of the axis")]
    largest: Annotated[float, Field(ge=-1e6, le=1e6, description="upper end of the axis")]

    @model_validator(mode="after")
    def _has_a_length(self) -> Self:
        check_ends(self.least, self.largest)
        return self


def fresh_seed() -> int:
    """Returns a seed for a simulation that nobody can expect."""
    return int(_words().take(1)[0] >> np.uint64(1))


def happens(chance: float | Fraction, count: int) -> NDArray[np.bool_]:
    """Draws whether something of a chance happens, independently so many times, shape (count,).

    A word of 64 fair bits is compared with the chance, which is met within 2^-53.
    """
    words = _words().take(count)
    # Floating point holds 53 of the 64 bits; a chance of 1 is then above every word.
    return np.asarray((words >> np.uint64(11)).astype(np.float64) * 2.0**-53 < float(chance))


def drawn_from(chances: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Draws places of a list of chances whose sum is 1, independently, shape (count,)."""
    points = (_words().take(count) >> np.uint64(11)).astype(np.float64) * 2.0**-53
    places = np.searchsorted(np.cumsum(chances), points, side="right")
    # The last sum may miss 1 by a rounding.
    return np.minimum(places, len(chances) - 1).astype(np.int64)


@cache
def _words() -> SystemWords:
    return SystemWords()
