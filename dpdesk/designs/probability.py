"""A probability as people who build devices write it: 1/6, 2/3, 0.25; kept as an exact fraction."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from dpdesk.errors import ParameterError

# A decimal of 12 digits is a fraction of 13, as which it is stored.
_GRAMMAR = re.compile(r"[0-9]{1,13}(\.[0-9]{1,12}|/[0-9]{1,13})?|\.[0-9]{1,12}")
_RULE = "Type a fraction such as 1/6 or a decimal such as 0.25, from 0 to 1."


def parse_probability(text: object) -> Fraction:
    """Reads a probability exactly.

    Args:
        text: ASCII digits as a fraction or a decimal; a `Fraction` or `int` is taken too, a `float`
            is not, since most decimals are none.

    Raises:
        ParameterError: The text is no number of this form, or lies outside [0, 1].
    """
    if isinstance(text, bool) or not isinstance(text, (str, int, Fraction)):
        raise ParameterError("A probability is written as text.", remedy=_RULE)
    written = str(text).strip(" ")
    if not _GRAMMAR.fullmatch(written):
        raise ParameterError("This is not a number that a probability can be.", remedy=_RULE)
    try:
        probability = Fraction(written)
    except ZeroDivisionError:
        raise ParameterError("A fraction cannot have the denominator 0.", remedy=_RULE) from None
    if probability > 1:
        raise ParameterError("A probability must lie between 0 and 1.", remedy=_RULE)
    return probability


Probability = Annotated[
    Fraction,
    BeforeValidator(parse_probability),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"^([0-9]{1,13}(\.[0-9]{1,12}|/[0-9]{1,13})?|\.[0-9]{1,12})$",
            "description": "A fraction such as 1/6 or a decimal such as 0.25, from 0 to 1.",
        }
    ),
]
"""A probability as a field of a design; stored as text."""
