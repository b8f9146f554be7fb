"""What a step of a demonstration draws, as values: the stage and the handout draw the same ones.

Texts are ready to be read; lengths and colours are left to who draws.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from dpdesk.demonstrations.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers import rounded_up

Role = Literal["now", "before", "truth", "other"]
"""What a mark stands for: this state, the state of the step before, the truth, something else."""

_ROUND = (1, 2, 2.5, 5, 10, 20, 25, 50)
_FINE = (1, 2, 5)
_FEW_POWERS = 2
_ROUNDING = 1e-9


def check_ends(least: float, largest: float) -> None:
    """Checks the ends of an axis.

    Args:
        least: The lower end.
        largest: The upper end.

    Raises:
        ParameterError: One of them is not finite, or the lower one is not below the upper one.
    """
    if not (math.isfinite(largest - least) and least < largest):
        raise ParameterError(T.NO_AXIS(least=f"{least:g}", largest=f"{largest:g}"))


@dataclass(frozen=True)
class Axis:
    """An axis with fixed ends, so that two states can be compared.

    Attributes:
        title: What it measures, with its unit.
        least: Its lower end, in that unit.
        largest: Its upper end.
        unit: The unit behind each number of a tick ("%"); empty without one.
        is_logarithmic: Whether equal steps are equal factors; both ends are positive then.
    """

    title: str
    least: float
    largest: float
    unit: str = ""
    is_logarithmic: bool = False

    def __post_init__(self) -> None:
        check_ends(self.least, self.largest)
        if self.is_logarithmic and self.least <= 0:
            raise ParameterError(T.NO_LOGARITHM(axis=self.title, least=f"{self.least:g}"))

    def share_of(self, number: float) -> float:
        """Returns where a number stands: 0 at the lower end, 1 at the upper, outside beyond them.

        A number that has no logarithm stands far below the lower end of a logarithmic axis.
        """
        if self.is_logarithmic:
            low, high = math.log(self.least), math.log(self.largest)
            return (math.log(max(number, self.least / 1e6)) - low) / (high - low)
        return (number - self.least) / (self.largest - self.least)

    def ticks(self, most: int) -> tuple[float, ...]:
        """Returns round numbers between the ends, at least two and at most so many."""
        most = max(most, 2)
        if self.is_logarithmic:
            return self._powers(most)
        power = 10.0 ** math.floor(math.log10((self.largest - self.least) / most))
        for factor in _ROUND:
            step = factor * power
            first = math.ceil(self.least / step - 1e-9)
            last = math.floor(self.largest / step + 1e-9)
            if last - first + 1 <= most:
                return tuple(number * step for number in range(first, last + 1))
        return (self.least, self.largest)

    def text(self, number: float, ticks: tuple[float, ...]) -> str:
        """Returns a tick as it is written, with as many decimals as its neighbours need."""
        steps = [b - a for a, b in pairwise(ticks)]
        step = abs(number) if self.is_logarithmic else min(steps, default=1.0)
        decimals = max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0
        if not self.is_logarithmic and round(step, decimals) != round(step, decimals + 1):
            decimals += 1
        # "-0" is written without its sign.
        written = f"{round(number, decimals) + 0.0:,.{decimals}f}".replace("-", "−")
        return f"{written}\u00a0{self.unit}" if self.unit else written

    def _powers(self, most: int) -> tuple[float, ...]:
        """Powers of ten, with their halves and fifths where few powers lie between the ends."""
        first = math.ceil(math.log10(self.least) - 1e-9)
        last = math.floor(math.log10(self.largest) + 1e-9)
        if last - first < _FEW_POWERS:
            every = (part * 10.0**power for power in range(first - 1, last + 1) for part in _FINE)
            fine = tuple(tick for tick in every if self.least <= tick <= self.largest)
            if 2 <= len(fine) <= most:
                return fine
        if last - first < 1:
            return (self.least, self.largest)
        step = math.ceil((last - first + 1) / most)
        return tuple(10.0**power for power in range(first, last + 1, step))


@dataclass(frozen=True)
class People:
    """A crowd, one dot for each person.

    Attributes:
        answers: Whether the dot is full (yes), one for each person.
        caption: What is seen, as a sentence.
        circled: Numbers of the dots that are pointed at.
    """

    answers: tuple[bool, ...]
    caption: str
    circled: tuple[int, ...] = ()


@dataclass(frozen=True)
class Curve:
    """A line through points; x and y have the same length."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    role: Role
    name: str


@dataclass(frozen=True)
class Mark:
    """A vertical line with its name."""

    x: float
    role: Role
    name: str


@dataclass(frozen=True)
class Curves:
    """Curves and vertical marks over one axis.

    Attributes:
        curves: The lines; a role "now" is filled below where the heights have no scale.
        marks: The vertical lines.
        x: The axis below.
        y: The axis at the left; None where heights have no scale of their own (densities).
        caption: What is seen, as a sentence.
    """

    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]
    x: Axis
    y: Axis | None
    caption: str


@dataclass(frozen=True)
class Bar:
    """A bar, or a dot with its interval where `lower` and `upper` are given.

    Attributes:
        name: What it stands for.
        value: Its length, in the unit of the axis.
        text: The value as it is written beside it.
        role: What it stands for.
        lower: The lower end of its interval.
        upper: The upper end of its interval.
    """

    name: str
    value: float
    text: str
    role: Role = "now"
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True)
class Bars:
    """Horizontal bars, from top to bottom."""

    bars: tuple[Bar, ...]
    axis: Axis
    caption: str

    def widened(self) -> Bars:
        """Returns the same bars on an axis that is long enough for all of them."""
        longest = max((bar.value for bar in self.bars if bar.lower is None), default=0.0)
        if longest <= self.axis.largest:
            return self
        return replace(self, axis=replace(self.axis, largest=rounded_up(longest, 2)))

    def check(self) -> None:
        """Checks that every bar fits; where a dot with its interval lies is left to chance.

        Raises:
            ParameterError: A bar is longer than the axis, which would cut it.
        """
        least, largest = (f"{end:g}" for end in (self.axis.least, self.axis.largest))
        for bar in self.bars:
            beyond = not -_ROUNDING <= self.axis.share_of(bar.value) <= 1 + _ROUNDING
            if beyond and bar.lower is None:
                raise ParameterError(
                    T.LONG_BAR(bar=bar.name, value=bar.text, least=least, largest=largest)
                )


@dataclass(frozen=True)
class Table:
    """Rows of texts.

    Attributes:
        head: Names of the columns.
        rows: The cells, each row as long as the head.
        marked: Row and column of the cells that are pointed at.
        caption: What is seen, as a sentence.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str
    marked: frozenset[tuple[int, int]] = frozenset()


Picture = People | Curves | Bars | Table
