"""Numbers that stand in a text, a word of the command line or a file: plain decimal digits.

Python's own `int`, `float`, `Decimal` and `Fraction` take more than a person would call a number:
"1_0", digits of other scripts, "nan", "infinity", blanks. And `int` gives up with a `ValueError` of
its own at more than 4,300 digits. So every text becomes a number here, or by one of the grammars
beside it that a test of the project lists with their reasons (`tests/house/test_number_texts.py`).
"""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

from pydantic import BeforeValidator

from dpdesk.errors import ParameterError

LONGEST = 64
"""Most characters of a number: more than any quantity of a survey needs."""

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_GROUPED = re.compile(r"-?[0-9]{1,3}(,[0-9]{3})+")
_DECIMAL = re.compile(r"-?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_SMALLEST_P = 1e-4
_RULE = "Type plain digits, such as 12, -0.5 or 1e-6."


def rounded_up(number: float, digits: int) -> float:
    """Returns a positive number with so many digits, so that "at most" holds of it.

    What floating point adds to the twelfth digit is left out first: 3.0000000000000004 stays 3.
    """
    exact = Context(prec=12).create_decimal_from_float(number)
    return float(Context(prec=digits, rounding=ROUND_CEILING).plus(exact))


def rounded_down(number: float, digits: int) -> float:
    """Returns a positive number with so many digits, so that "at least" holds of it."""
    exact = Context(prec=12).create_decimal_from_float(number)
    return float(Context(prec=digits, rounding=ROUND_FLOOR).plus(exact))


def bound_text(bound: float, digits: int = 6) -> str:
    """Prints what something is at most with so many digits, rounded up: a loss, a factor."""
    return f"{rounded_up(bound, digits):,.{max(digits, 12)}g}"


def p_value_text(p_value: float, digits: int = 4) -> str:
    """Prints a p-value with so many digits; of one below 0.0001 no more is told than that.

    A chance that rounds to 0, or is below the smallest float, is no impossibility; and beyond the
    fourth decimal the laws that tests rest on are not known.
    """
    return f"{p_value:.{digits}g}" if p_value >= _SMALLEST_P else f"< {_SMALLEST_P:.4f}"


def p_value_words(p_value: float, digits: int = 4) -> str:
    """Prints a p-value with its letter: p = 0.0123, or p < 0.0001."""
    told = p_value_text(p_value, digits)
    return f"p {told}" if told.startswith("<") else f"p = {told}"


def whole_number(text: str) -> int | None:
    """Reads a whole number of at most 18 digits, or returns None where the text is none."""
    return int(text) if _WHOLE.fullmatch(text) else None


def grouped_number(text: str) -> int | None:
    """Reads a whole number as `whole_number`, or with commas between thousands: 8,000,000."""
    return whole_number(text.replace(",", "") if _GROUPED.fullmatch(text) else text)


def exact_number(text: str) -> Decimal | None:
    """Reads a decimal exactly, with an exponent or without; None where the text is none."""
    return Decimal(text) if is_number(text) else None


def real_number(text: str) -> float | None:
    """Reads a decimal in floating point; None where the text is none, or beyond all floats."""
    number = float(text) if is_number(text) else float("inf")
    return number if abs(number) != float("inf") else None


def is_number(text: str) -> bool:
    """Whether a text is a decimal number in plain digits, at most 64 characters long."""
    return len(text) <= LONGEST and _DECIMAL.fullmatch(text) is not None


def _require_digits(value: object) -> object:
    """Refuses a text that Python, but no person, would take for a number, and truth values."""
    if isinstance(value, bool) or (isinstance(value, str) and not is_number(value)):
        raise ParameterError("This is not a number in plain digits.", remedy=_RULE)
    return value


PlainDigits = BeforeValidator(_require_digits)
"""Goes with every field of a file that is a number: pydantic itself takes "1_0" and True."""
