"""Privacy costs: epsilon as an exact decimal, bounds of its exponential, and how costs add up.

Epsilon is never `float(text)`: that would accept nan, 1e-320, 1_000 and digits of other scripts,
and a float sum of epsilons is not the sum that was typed.

Certificates need bounds of e^x and ln x that are never wrong on the unsafe side. `decimal` rounds
`exp` and `ln` correctly to the last digit of its precision, so the neighbours of the rounded result
enclose the true value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import BeforeValidator, PlainSerializer, WithJsonSchema

from dpdesk.errors import ParameterError
from dpdesk.numbers.texts import T

# 110 digits: e^40 has 18 before the point, so the enclosure is narrower than 2^-200 throughout.
_DIGITS = Context(prec=110)


@lru_cache(maxsize=4096)
def exp_lower(x: Decimal) -> Fraction:
    """Returns a rational at most 1e-90 below e^x (|x| <= 40)."""
    return Fraction(_DIGITS.exp(x).next_minus(_DIGITS))


def log_upper(ratio: Fraction, digits: int = 15) -> Decimal:
    """Returns ln(ratio) rounded up to `digits` decimals, so it never understates a loss.

    Args:
        ratio: A rational of at least 1.
        digits: Digits after the point.
    """
    quotient = _DIGITS.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
    above = quotient.next_plus(_DIGITS) if Fraction(quotient) < ratio else quotient
    logarithm = _DIGITS.ln(above)
    if above != 1:
        logarithm = logarithm.next_plus(_DIGITS)
    return logarithm.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_CEILING, context=_DIGITS)


EPSILON_MIN = Decimal("0.0001")
"""Smallest epsilon: below it estimates are noise for any sample that a survey can have."""

EPSILON_MAX = Decimal(40)
"""Largest epsilon: e^40 is the largest ratio that weights of 64 bits hold for many values."""

_GRAMMAR = re.compile(r"[0-9]{1,3}(\.[0-9]{1,12})?")


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
        raise ParameterError(T.NO_EPSILON())
    written = format(text, "f") if isinstance(text, Decimal) else str(text).strip(" ")
    if not _GRAMMAR.fullmatch(written):
        raise ParameterError(T.NO_EPSILON())
    epsilon = Decimal(written)
    if not EPSILON_MIN <= epsilon <= EPSILON_MAX:
        raise ParameterError(T.EPSILON_BOUNDS(least=str(EPSILON_MIN), most=str(EPSILON_MAX)))
    return _without_trailing_zeros(epsilon)


def format_epsilon(epsilon: Decimal) -> str:
    """Prints an epsilon (or a sum of epsilons) in full, without exponent or trailing zeros."""
    return format(epsilon.normalize(), "f")


_DIGITS_TYPED = 8
"""Nobody types an epsilon with more digits after the point."""

_NINTH = Decimal("1e-9")


def short_epsilon(epsilon: Decimal) -> str:
    """Prints an epsilon in full; of the twelve digits of one that follows from a matrix, four.

    They are rounded up, but for what is below the ninth: a matrix for 1.2 has 1.199999999999 or
    1.200000000001.
    """
    full = format_epsilon(epsilon)
    if len(full.partition(".")[2]) <= _DIGITS_TYPED:
        return full
    known = epsilon.quantize(_NINTH)
    return format(known.quantize(Decimal("0.0001"), ROUND_CEILING), "f")


def two_places(epsilon: Decimal) -> str:
    """Prints the same with two digits after the point at least."""
    short = short_epsilon(epsilon)
    return short if len(short.partition(".")[2]) > 2 else f"{epsilon:.2f}"


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


@dataclass(frozen=True, slots=True)
class PrivacyCost:
    """The loss that a respondent is exposed to.

    Attributes:
        epsilon: Exact decimal, at least 0.
        delta: Probability that the bound fails; 0 for every local mechanism here.
        model: "local" if each answer is randomized separately, "central" if a curator adds noise.
        unit: Whom the loss protects.
        relation: Which change of the data the loss bounds.
    """

    epsilon: Decimal
    delta: Decimal = Decimal(0)
    model: Literal["local", "central"] = "local"
    unit: str = "one respondent, one row"
    relation: str = "replace one respondent's answers by any others of the domain"

    def __add__(self, other: PrivacyCost) -> PrivacyCost:
        """Sequential composition: the exact sum, only within one model, unit and relation.

        Raises:
            ParameterError: The two costs bound different changes, so their sum means nothing.
        """
        mine = (self.model, self.unit, self.relation)
        if mine != (other.model, other.unit, other.relation):
            raise ParameterError(T.COSTS_DIFFER())
        return PrivacyCost(
            self.epsilon + other.epsilon,
            self.delta + other.delta,
            self.model,
            self.unit,
            self.relation,
        )


def total_cost(costs: Iterable[PrivacyCost]) -> PrivacyCost:
    """Returns the exact sum of local costs; no cost at all is epsilon 0."""
    total = PrivacyCost(Decimal(0))
    for cost in costs:
        total = total + cost
    return total


_LEAST_DIGITS = 4


def split_evenly(total: Decimal, parts: int) -> tuple[Decimal, ...]:
    """Splits a total into parts that differ by at most one unit and sum to it exactly.

    The unit is 0.0001, or the last digit of `total` if that is finer.
    """
    unit = _unit(total)
    each, rest = divmod(int(total / unit), parts)
    return tuple((each + (i < rest)) * unit for i in range(parts))


def even_part(total: Decimal, parts: int) -> Decimal:
    """Returns the least part of `split_evenly`: so many of it are within the total."""
    unit = _unit(total)
    return int(total / unit) // parts * unit


def _unit(total: Decimal) -> Decimal:
    return Decimal(1).scaleb(-max(_LEAST_DIGITS, -int(total.as_tuple().exponent)))
