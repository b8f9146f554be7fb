"""Numbers read from text: plain decimal digits and nothing else.

Python's own `int`, `float`, `Decimal` and `Fraction` accept more than a person would call a number:
"1_0", digits of other scripts, "nan", "infinity", blanks. And `int` raises a `ValueError` of its
own at more than 4,300 digits. So every text becomes a number here, or by one of the other grammars
that a test lists with their reasons (`tests/house/test_number_texts.py`).
"""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal

from pydantic import BeforeValidator, PlainSerializer

from dpdesk.errors import ParameterError
from dpdesk.numbers.texts import T

LONGEST = 64
"""Most characters of a number: more than any quantity of a survey needs."""

_WHOLE = re.compile(r"-?[0-9]{1,18}")
_GROUPED = re.compile(r"-?[1-9][0-9]{0,2}(,[0-9]{3})+(\.[0-9]*)?")
_DECIMAL = re.compile(r"-?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_SMALLEST_P = 1e-4


def rounded_up(number: float, digits: int) -> float:
    """Rounds a positive number up to `digits` digits, for a statement "at most".

    Errors of floating point beyond the twelfth digit are dropped first: 3.0000000000000004 stays 3.
    """
    exact = Context(prec=12).create_decimal_from_float(number)
    return float(Context(prec=digits, rounding=ROUND_CEILING).plus(exact))


def rounded_down(number: float, digits: int) -> float:
    """Rounds a positive number down to `digits` digits, for a statement "at least"."""
    exact = Context(prec=12).create_decimal_from_float(number)
    return float(Context(prec=digits, rounding=ROUND_FLOOR).plus(exact))


def bound_text(bound: float, digits: int = 6) -> str:
    """Prints an upper bound, such as a loss or a factor, rounded up to `digits` digits."""
    return f"{rounded_up(bound, digits):,.{max(digits, 12)}g}"


def p_value_text(p_value: float, digits: int = 4) -> str:
    """Prints a p-value with so many digits, and a smaller one than 0.0001 as "< 0.0001".

    A p-value that rounds to 0 does not mean that something is impossible; and beyond the fourth
    decimal the laws of test statistics are only approximations.
    """
    return f"{p_value:.{digits}g}" if p_value >= _SMALLEST_P else f"< {_SMALLEST_P:.4f}"


def p_value_words(p_value: float, digits: int = 4) -> str:
    """Prints a p-value with its letter: p = 0.0123, or p < 0.0001."""
    told = p_value_text(p_value, digits)
    return f"p {told}" if told.startswith("<") else f"p = {told}"


def degrees_words(freedom: int) -> str:
    """Prints degrees of freedom: 1 degree of freedom, 12 degrees of freedom."""
    return T.DEGREES(count=freedom)


def whole_number(text: str) -> int | None:
    """Reads a whole number of at most 18 digits; None if the text is not one."""
    return int(text) if _WHOLE.fullmatch(text) else None


def grouped_number(text: str) -> int | None:
    """Reads a whole number as `whole_number`, or with commas between thousands: 8,000,000."""
    return whole_number(without_groups(text))


def without_groups(text: str) -> str:
    """Returns what was typed without the commas between thousands; others stay: 5,5 is no 55."""
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text


def exact_number(text: str) -> Decimal | None:
    """Reads a decimal exactly, with an exponent or without; None if the text is not one."""
    return Decimal(text) if is_number(text) else None


def real_number(text: str) -> float | None:
    """Reads a decimal in floating point; None if the text is not one, or too large for a float."""
    number = float(text) if is_number(text) else float("inf")
    return number if abs(number) != float("inf") else None


_PERCENT = re.compile(r"(-?)([0-9]+)(?:\.([0-9]*))? ?%")


def exact_share(text: str) -> Decimal | None:
    """Reads a share exactly: a decimal, or per cent, "10%" or "2.5 %"; None if it is neither.

    The digits are shifted and no number is computed, so that 0.1% is exactly 0.001.
    """
    return exact_number(_decimal_of_share(text))


def real_share(text: str) -> float | None:
    """Reads a share as `exact_share` in floating point; None also if it is too large for that."""
    return real_number(_decimal_of_share(text))


def _decimal_of_share(text: str) -> str:
    found = _PERCENT.fullmatch(text.strip()) if len(text) <= LONGEST else None
    if found is None:
        return text
    sign, whole, part = found[1], found[2].rjust(3, "0"), found[3] or ""
    return f"{sign}{whole[:-2]}.{whole[-2:]}{part}"


def is_number(text: str) -> bool:
    """Whether a text is a decimal number in plain digits, at most 64 characters long."""
    return len(text) <= LONGEST and _DECIMAL.fullmatch(text) is not None


def _require_digits(value: object) -> object:
    """Refuses truth values, and texts that Python alone would take for a number."""
    if isinstance(value, bool) or (isinstance(value, str) and not is_number(value)):
        raise ParameterError(T.NO_NUMBER())
    return value


PlainDigits = BeforeValidator(_require_digits)
"""For every numeric field of a file, since pydantic itself accepts "1_0" and True."""


def decimal_text(number: Decimal) -> str:
    """Returns an exact decimal without trailing zeros and without a power of ten."""
    return format(number.normalize(), "f")


DecimalText = PlainSerializer(decimal_text, return_type=str)
"""For an exact decimal of a file, which is stored as text."""
