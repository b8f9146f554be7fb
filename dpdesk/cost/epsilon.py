"""Epsilon as an exact decimal: its grammar, its bounds, its printed form.

Never `float(text)`: that would take nan, 1e-320, 1_000 and digits of other scripts, and a float
sum of epsilons is not the sum that was typed.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from dpdesk.errors import ParameterError

EPSILON_MIN = Decimal("0.0001")
"""Smallest epsilon: below it the answers are noise for any sample that a survey can have."""

EPSILON_MAX = Decimal(40)
"""Largest epsilon: e^40 is the largest ratio that weights of 64 bits hold for many values."""

_GRAMMAR = re.compile(r"[0-9]{1,3}(\.[0-9]{1,12})?")
_RULE = "Type a number from 0.0001 to 40 with at most 12 digits after the point, such as 1.5."


def parse_epsilon(text: object) -> Decimal:
    """Reads an epsilon exactly.

    Args:
        text: ASCII digits with at most 3 before and 12 after the point; a `Decimal` or `int` of
            the same form is taken too, a `float` is not.

    Returns:
        The epsilon without trailing zeros.

    Raises:
        ParameterError: The text is not of this form or outside [0.0001, 40].
    """
    if isinstance(text, bool) or not isinstance(text, (str, int, Decimal)):
        raise ParameterError("An epsilon is an exact decimal, written as text.", remedy=_RULE)
    written = format(text, "f") if isinstance(text, Decimal) else str(text).strip(" ")
    if not _GRAMMAR.fullmatch(written):
        raise ParameterError("This is not a number that epsilon can be.", remedy=_RULE)
    epsilon = Decimal(written)
    if not EPSILON_MIN <= epsilon <= EPSILON_MAX:
        raise ParameterError("Epsilon must lie between 0.0001 and 40.", remedy=_RULE)
    return _without_trailing_zeros(epsilon)


def format_epsilon(epsilon: Decimal) -> str:
    """Prints an epsilon (or a sum of epsilons) in full, without exponent or trailing zeros."""
    return format(epsilon.normalize(), "f")


def _without_trailing_zeros(epsilon: Decimal) -> Decimal:
    stripped = epsilon.normalize()
    return stripped.quantize(Decimal(1)) if stripped == stripped.to_integral_value() else stripped


Epsilon = Annotated[
    Decimal,
    BeforeValidator(parse_epsilon),
    PlainSerializer(format_epsilon, return_type=str),
    WithJsonSchema(
        {
            "type": "string",
            "pattern": r"^[0-9]{1,3}(\.[0-9]{1,12})?$",
            "description": "An exact decimal from 0.0001 to 40.",
        }
    ),
]
"""An epsilon as a field of a plan: validated by `parse_epsilon`, stored as text."""
