"""What a slider of the page runs over, and how its values are written and read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite, log

from dpdesk.domains import parse_number
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.report.number_text import epsilon_down, epsilon_up

_STEPS = 400
_UNITS = ("%", "pp", "±", "ε", "=", ",", "\N{THIN SPACE}", "\N{NO-BREAK SPACE}", " ")
LARGEST_EPSILON = 12.0
LARGEST_SAMPLE = 10**12
RESPONDENTS_MIN = 4


@dataclass(frozen=True)
class Scale:
    """Values from one end to the other.

    Attributes:
        lowest, highest: Ends of the slider.
        logarithmic: Whether equal distances are equal ratios.
        positions: Number of steps of the slider.
        text: Writes a value.
        read: Reads what is typed; raises `ParameterError`.
    """

    lowest: float
    highest: float
    logarithmic: bool
    positions: int
    text: Callable[[float], str]
    read: Callable[[str], float]

    def value_at(self, position: int) -> float:
        """The value that a position of the slider means."""
        part = position / self.positions
        if not self.logarithmic:
            return self.lowest + part * (self.highest - self.lowest)
        return _rounded(self.lowest * (self.highest / self.lowest) ** part)

    def position_of(self, value: float) -> int:
        """The nearest position; the ends for what lies beyond them."""
        inside = min(max(value, self.lowest), self.highest)
        if self.logarithmic:
            part = log(inside / self.lowest) / log(self.highest / self.lowest)
        else:
            part = (inside - self.lowest) / (self.highest - self.lowest)
        return round(part * self.positions)


def percent_text(share: float) -> str:
    """A share with as many digits as were typed, such as 10 % or 2.5 %."""
    return f"{100 * share:.6g} %"


def read_share(text: str) -> float:
    """Reads a share in per cent.

    Raises:
        ParameterError: It is no number from 0 to 100.
    """
    return _read_within(text, 0, 100, N_("a per cent such as 10, from 0 to 100")) / 100


def read_open_share(text: str) -> float:
    """Reads a share in per cent that is neither nothing nor all.

    Raises:
        ParameterError: It is no number between 0 and 100.
    """
    share = read_share(text)
    if not 0 < share < 1:
        raise ParameterError(
            "The number must lie between 0 and 100, both left out.",
            remedy="Type a per cent such as 10.",
        )
    return share


def respondents_text(count: float) -> str:
    """A number of people, such as 3,586."""
    return f"{round(count):,}"


def read_respondents(text: str) -> float:
    """Reads a number of people; 1e9 is one as well.

    Raises:
        ParameterError: It is no whole number of people.
    """
    example = N_("a whole number such as 3,586, from 4 to 10^12")
    number = _read_within(text, RESPONDENTS_MIN, LARGEST_SAMPLE, example)
    if number != int(number):
        raise ParameterError("This is not a whole number.", remedy="Type digits, as in 3,586.")
    return number


def epsilon_words(epsilon: float) -> str:
    """A loss with two digits after the point, never less than it is; infinity as its sign."""
    return epsilon_up(epsilon, 2) if isfinite(epsilon) else "∞"


def epsilon_under_words(epsilon: float) -> str:
    """The largest epsilon under a cap with two digits after the point, never above it."""
    return epsilon_down(epsilon, 2)


def read_epsilon(text: str) -> float:
    """Reads an epsilon that a device can have.

    Raises:
        ParameterError: It is no number from 0.01 to 12.
    """
    return _read_within(text, 0.01, LARGEST_EPSILON, N_("a number such as 1.10, from 0.01 to 12"))


EPSILON = Scale(0.1, 10.0, True, _STEPS, epsilon_words, read_epsilon)
SHARE = Scale(0.0, 1.0, False, 200, percent_text, read_share)
RESPONDENTS = Scale(100.0, 1e6, True, _STEPS, respondents_text, read_respondents)


def _read_within(text: str, lowest: float, highest: float, example: str) -> float:
    bare = text
    for unit in _UNITS:
        bare = bare.replace(unit, "")
    number = parse_number(bare)
    if number is None or not lowest <= number <= highest:
        raise ParameterError("This cannot be taken.", remedy=f"Type {example}.")
    return number


def _rounded(value: float) -> float:
    """Three digits, which is finer than a step of a slider."""
    return float(f"{value:.3g}")
