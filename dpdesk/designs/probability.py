"""A probability as people who build devices write it: 1/6, 2/3, 0.25; kept as an exact fraction."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema
from pydantic.fields import FieldInfo

from dpdesk.designs.texts import T
from dpdesk.errors import ParameterError

DIGITS_MAX = 30
"""Largest number of decimals that is read, twice that of a printed floating-point number."""

_FORM = (
    rf"[0-9]{{1,9}}(\.[0-9]{{1,{DIGITS_MAX}}})?|\.[0-9]{{1,{DIGITS_MAX}}}"
    rf"|[0-9]{{1,{DIGITS_MAX + 1}}}/[0-9]{{1,{DIGITS_MAX + 1}}}"
)
_GRAMMAR = re.compile(_FORM)
_LONG = 1000
_STORED_LONG = 10**9
_NEAR = 100
"""Largest denominator of a fraction that people mean when they type its decimals."""


def parse_probability(text: object) -> Fraction:
    """Reads a probability exactly.

    Args:
        text: ASCII digits as a fraction or a decimal of up to 30 digits, each of which counts:
            0.08333333333333333 is a little less than 1/12. A `Fraction` or `int` is taken too, a
            `float` is not, since most decimals have no exact float.

    Raises:
        ParameterError: The text is not of this form, or the number lies outside [0, 1].
    """
    if isinstance(text, bool) or not isinstance(text, (str, int, Fraction)):
        raise ParameterError(T.PROBABILITY_NO_TEXT())
    if isinstance(text, Fraction):
        probability = text
    else:
        written = str(text).strip(" ")
        if not _GRAMMAR.fullmatch(written):
            digits = written.replace(".", "", 1)
            if digits.isascii() and digits.isdigit() and len(written) > DIGITS_MAX:
                raise ParameterError(T.LONG_PROBABILITY(most=DIGITS_MAX))
            raise ParameterError(T.NO_PROBABILITY())
        try:
            probability = Fraction(written)
        except ZeroDivisionError:
            raise ParameterError(T.ZERO_DENOMINATOR()) from None
    if not 0 <= probability <= 1:
        raise ParameterError(T.PROBABILITY_RANGE())
    return probability


def probability_text(probability: Fraction) -> str:
    """Returns a probability as one types it: 3/4, or 0.817574 if the fraction is unwieldy.

    Nothing is rounded: a number without a finite decimal stays a fraction.
    """
    if probability.denominator <= _LONG:
        return str(probability)
    return _decimal(probability) or str(probability)


def intended_fraction(probability: Fraction) -> Fraction | None:
    """Returns the simple fraction that a long decimal approximates; None for other numbers.

    Thus 1/12 for 0.08333333333333333.
    """
    near = probability.limit_denominator(_NEAR)
    if near == probability or not 0 < near < 1:
        return None
    return near if abs(probability - near) < Fraction(1, 10**9) else None


def _decimal(probability: Fraction) -> str:
    """The exact decimal of up to 30 digits; empty where there is none."""
    scaled = probability * 10**DIGITS_MAX
    if scaled.denominator != 1:
        return ""
    whole, rest = divmod(scaled.numerator, 10**DIGITS_MAX)
    digits = f"{rest:0{DIGITS_MAX}d}".rstrip("0")
    return f"{whole}.{digits}" if digits else str(whole)


def _stored(probability: Fraction) -> str:
    """Returns a text that is read back as the same fraction."""
    if probability.denominator <= _STORED_LONG:
        return str(probability)
    return _decimal(probability) or str(probability)


Probability = Annotated[
    Fraction,
    BeforeValidator(parse_probability),
    PlainSerializer(_stored, return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": f"^({_FORM})$",
            "description": "A fraction such as 1/6 or a decimal such as 0.25, from 0 to 1.",
        }
    ),
]
"""A probability as a field of a design; stored as text."""


def chance_named(title: str, description: str) -> FieldInfo:
    """Returns how a chance among the parameters of a design is shown.

    Args:
        title: Its name in forms, marked for translation.
        description: What it is the chance of, for the command line and the documentation.
    """
    shown: FieldInfo = Field(title=title, description=description)
    return shown


def parameter_text(value: object, *, rounded: bool = False) -> str:
    """Returns a parameter as one types it: 3/4, or 0.817574; lists with commas, rows with ";".

    Args:
        value: The value.
        rounded: Whether a long fraction in a list, which follows from an epsilon, has six decimals.
    """
    if isinstance(value, tuple):
        between = "; " if value and isinstance(value[0], tuple) else ", "
        return between.join(_part_text(part, rounded) for part in value)
    if isinstance(value, Fraction):
        return probability_text(value)
    return f"{value:.9g}" if isinstance(value, float) else str(value)


def _part_text(part: object, rounded: bool) -> str:
    exact = parameter_text(part, rounded=rounded)
    if rounded and isinstance(part, Fraction) and "/" in exact and part.denominator > _LONG:
        return f"{part.numerator / part.denominator:.6f}"
    return exact
