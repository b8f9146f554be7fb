"""How the page writes and reads its numbers, and what its sliders run over."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import log, sqrt

from dpdesk.designs import Design
from dpdesk.designs.planning import Mean, People, require_share
from dpdesk.domains import parse_typed
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import without_groups
from dpdesk.numbers.digits import epsilon_up, percent_text
from dpdesk.preview import error_text, significant

_STEPS = 400
Read = Callable[[str], float]

_UNITS = ("%", "pp", "±", "ε", "=", "×", "\N{THIN SPACE}", "\N{NO-BREAK SPACE}", " ")
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


@dataclass(frozen=True)
class Steps(Scale):
    """A few values, one for each position: the epsilons of a device.

    Attributes:
        values: The values, ascending.
    """

    values: tuple[float, ...] = ()

    def value_at(self, position: int) -> float:
        return self.values[position]

    def position_of(self, value: float) -> int:
        places = range(len(self.values))
        return min(places, key=lambda place: abs(self.values[place] - value))


def steps_between(values: Sequence[float], scale: Scale) -> Steps:
    """Returns the steps of some values that are written and read as those of a scale."""
    ends = (values[0], values[-1])
    return Steps(*ends, False, len(values) - 1, scale.text, scale.read, tuple(values))


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


def read_epsilon(text: str) -> float:
    """Reads an epsilon that a device can have.

    Raises:
        ParameterError: It is no number from 0.01 to 12.
    """
    return _read_within(text, 0.01, LARGEST_EPSILON, N_("a number such as 1.10, from 0.01 to 12"))


EPSILON = Scale(0.1, 10.0, True, _STEPS, epsilon_up, read_epsilon)
SHARE = Scale(0.0, 1.0, False, 200, percent_text, read_share)
RESPONDENTS = Scale(100.0, 1e6, True, _STEPS, respondents_text, read_respondents)


def number_in(text: str, example: str) -> float:
    """Reads a number with or without its unit.

    Raises:
        ParameterError: It is no number.
    """
    number = _bare_number(text)
    if number is None:
        raise ParameterError("This is not a number.", remedy=f"Type one such as {example}.")
    return number


def read_positive(text: str) -> float:
    """Reads a number above 0.

    Raises:
        ParameterError: It is no number above 0.
    """
    number = number_in(text, "30")
    if number <= 0:
        raise ParameterError("The number must lie above 0.", remedy="Type one such as 30.")
    return number


def read_count(text: str) -> float:
    """Reads a whole number of people; planning judges how many there must be.

    Raises:
        ParameterError: It is no whole number of people.
    """
    number = number_in(text, "5,000")
    if number != int(number) or not 0 <= number <= LARGEST_SAMPLE:
        raise ParameterError(
            "This is not a whole number of people.", remedy="Type digits, as in 5,000."
        )
    return number


def read_coefficient(text: str) -> float:
    """Reads a coefficient of variation; 30 % is 0.3. Planning judges it.

    Raises:
        ParameterError: It is no number.
    """
    number = number_in(text, "0.3")
    return number / 100 if "%" in text else number


def read_any_share(text: str) -> float:
    """Reads a share in per cent, of whatever size; planning judges it.

    Raises:
        ParameterError: It is no number.
    """
    return number_in(text, "10 %") / 100


def plain_text(number: float) -> str:
    """A number with the digits that it has."""
    return f"{number:,.6g}"


def odds_text(number: float) -> str:
    """A factor, such as 3 ×."""
    return f"{number:,.6g} ×"


@dataclass(frozen=True)
class Column:
    """A column of supposed values, in a table of strata or of questions.

    Attributes:
        key: Its name.
        title: Its head.
        hint: What it means.
    """

    key: str
    title: str
    hint: str


class Quantity(ABC):
    """How values of what a survey estimates, and margins of them, are written and read.

    Attributes:
        unit: The unit of an error; may be empty.
        value_unit: That of a value as it is shown; likewise.
        file_unit: The unit of a value in a file.
        report_unit: The same for the memo; None where values are shares.
        noun: What a value is.
        scale: What a value is multiplied by to be shown.
        margin, against: What is wanted at first: a margin, and a value to tell the true one from.
        columns: What is supposed of each stratum and question.
    """

    unit: str
    value_unit: str
    file_unit: str
    report_unit: str | None
    noun: str
    scale: float
    margin: float
    against: float
    columns: tuple[Column, ...]

    def parts_at_first(
        self, people: People, design: Design, *choices: tuple[float, ...]
    ) -> tuple[People, ...]:
        """Returns groups of people who differ as much as there is room for.

        Args:
            people: Those whom they are like.
            design: Who must be able to ask them.
            choices: Factors of the value, the better ones first; all are alike where none will do.
        """
        for factors in choices:
            with suppress(ParameterError):
                parts = tuple(people.at(factor * people.value) for factor in factors)
                for part in parts:
                    part.check()
                    part.variance(design)
                return parts
        return (people,) * len(choices[0])

    @abstractmethod
    def value_text(self, value: float) -> str:
        """Writes a value as it was typed."""

    @abstractmethod
    def read_value(self, text: str) -> float:
        """Reads a value, of whatever size; planning judges it.

        Raises:
            ParameterError: It is no number.
        """

    @abstractmethod
    def read_part(self, key: str) -> Read:
        """Returns what reads a column of supposed values."""

    @abstractmethod
    def people(self, like: People, row: Mapping[str, float]) -> People:
        """Returns the people of a row, like others in what the row does not say."""

    @abstractmethod
    def part_texts(self, people: People) -> tuple[str, ...]:
        """Returns the texts of the columns for people."""

    def check_against(self, value: float) -> None:
        """Refuses a value that nothing can be told from.

        Raises:
            ParameterError: It is impossible. The design refuses what lies outside of its bounds.
        """
        return

    def margin_text(self, margin: float) -> str:
        """Writes a margin as it was typed."""
        return f"± {self.value_text(margin)}"

    def value_words(self, value: float) -> str:
        """Writes a value with three digits."""
        return f"{significant(self.scale * value, 3)} {self.value_unit}".strip()

    def margin_words(self, margin: float) -> str:
        """Writes a margin with two digits."""
        return error_text(self.scale * margin, self.unit)


class Percent(Quantity):
    """A share in per cent, with margins in percentage points."""

    unit, value_unit, file_unit, report_unit, noun = "pp", "%", "share", None, N_("share")
    scale, margin, against = 100.0, 0.03, 0.05
    columns = (Column("value", N_("Share"), N_("Supposed share")),)

    def value_text(self, value: float) -> str:
        return percent_text(value)

    def read_value(self, text: str) -> float:
        return read_any_share(text)

    def read_part(self, key: str) -> Read:
        what = {"value": "supposed share", "wanted": "margin"}[key]
        return lambda text: require_share(read_any_share(text), what)

    def people(self, like: People, row: Mapping[str, float]) -> People:
        return like.at(row["value"])

    def part_texts(self, people: People) -> tuple[str, ...]:
        return (percent_text(people.value),)

    def check_against(self, value: float) -> None:
        if not 0 <= value <= 1:
            raise ParameterError(
                "A share must lie between 0 and 1.", remedy="Type a per cent such as 5."
            )

    def margin_text(self, margin: float) -> str:
        points = 100 * margin
        plain = f"{points:.1f}" if round(points, 1) == round(points, 9) else f"{points:.6g}"
        return f"± {plain} pp"


class Amount(Quantity):
    """A number in its own unit.

    Args:
        unit: The unit; may be empty.
    """

    noun = N_("mean")
    scale, margin, against = 1.0, 50.0, 300.0
    columns = (
        Column("value", N_("Mean"), N_("Supposed mean of the true answers")),
        Column("spread", N_("SD"), N_("Supposed standard deviation of the true answers")),
    )

    def __init__(self, unit: str = "") -> None:
        self.unit = self.value_unit = self.file_unit = self.report_unit = unit

    def value_text(self, value: float) -> str:
        return f"{value:,.9g} {self.unit}".strip()

    def read_value(self, text: str) -> float:
        return number_in(text.strip().removesuffix(self.unit or " "), "400")

    def read_part(self, key: str) -> Read:
        if key == "value":
            return self.read_value
        return lambda text: read_positive(text.strip().removesuffix(self.unit or " "))

    def people(self, like: People, row: Mapping[str, float]) -> People:
        return Mean(row["value"], row["spread"])

    def part_texts(self, people: People) -> tuple[str, ...]:
        return (f"{people.value:,.9g}", f"{sqrt(people.spread):,.9g}")


def _bare_number(text: str) -> float | None:
    for unit in _UNITS:
        text = text.replace(unit, "")
    return parse_typed(without_groups(text))


def _read_within(text: str, lowest: float, highest: float, example: str) -> float:
    number = _bare_number(text)
    if number is None or not lowest <= number <= highest:
        raise ParameterError("This cannot be taken.", remedy=f"Type {example}.")
    return number


def _rounded(value: float) -> float:
    """Three digits, which is finer than a step of a slider."""
    return float(f"{value:.3g}")
