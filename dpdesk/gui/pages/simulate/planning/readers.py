"""How the numbers of a sample plan are read and written."""

from __future__ import annotations

from collections.abc import Callable

from dpdesk.domains import parse_number
from dpdesk.errors import ParameterError
from dpdesk.gui.pages.simulate.scales import LARGEST_SAMPLE, percent_text, read_open_share
from dpdesk.gui.pages.simulate.solve_rows import margin_text

Read = Callable[[str], float]

_UNITS = ("%", "pp", "±", "ε", "=", ",", "×", "\N{THIN SPACE}", "\N{NO-BREAK SPACE}", " ")


def number_in(text: str, example: str) -> float:
    """Reads a number with or without its unit.

    Raises:
        ParameterError: It is no number.
    """
    bare = text
    for unit in _UNITS:
        bare = bare.replace(unit, "")
    number = parse_number(bare)
    if number is None:
        raise ParameterError("This is not a number.", remedy=f"Type one such as {example}.")
    return number


def read_positive(text: str) -> float:
    """Reads a number above 0.

    Raises:
        ParameterError: It is none.
    """
    number = number_in(text, "30")
    if number <= 0:
        raise ParameterError("The number must lie above 0.", remedy="Type one such as 30.")
    return number


def read_epsilon_budget(text: str) -> float:
    """Reads the epsilon of all answers of a respondent; planning judges it.

    Raises:
        ParameterError: It is no number.
    """
    return number_in(text, "2")


def read_count(text: str) -> float:
    """Reads a whole number of people; planning judges how many there must be.

    Raises:
        ParameterError: It is none.
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


def read_odds(text: str) -> float:
    """Reads a factor of the odds; planning judges it.

    Raises:
        ParameterError: It is no number.
    """
    return number_in(text, "3")


def count_text(number: float) -> str:
    """A number of people, such as 5,000."""
    return f"{round(number):,}"


def plain_text(number: float) -> str:
    """A number with the digits that it has."""
    return f"{number:,.6g}"


def odds_text(number: float) -> str:
    """A factor, such as 3 ×."""
    return f"{number:,.6g} ×"


__all__ = [
    "Read",
    "count_text",
    "margin_text",
    "number_in",
    "odds_text",
    "percent_text",
    "plain_text",
    "read_any_share",
    "read_coefficient",
    "read_count",
    "read_epsilon_budget",
    "read_odds",
    "read_open_share",
    "read_positive",
]
