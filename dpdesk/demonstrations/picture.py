"""What a step of a demonstration draws, as values: the stage and the handout draw the same ones.

Texts are ready to be read; lengths and colours are left to who draws.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["now", "before", "truth", "other"]
"""What a mark stands for: this state, the state of the step before, the truth, something else."""


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
