"""Rational bounds on e^x and ln x, for certificates that must never err to the wrong side.

`decimal` rounds `exp` and `ln` correctly to the last digit of its precision, so the neighbours of
the rounded result enclose the true value.
"""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from functools import lru_cache

# 110 digits: e^40 has 18 before the point, so the enclosure is narrower than 2^-200 throughout.
_DIGITS = Context(prec=110)


@lru_cache(maxsize=4096)
def exp_lower(x: Decimal) -> Fraction:
    """Returns a rational at most 1e-90 below e^x (|x| <= 40)."""
    return Fraction(_DIGITS.exp(x).next_minus(_DIGITS))


@lru_cache(maxsize=4096)
def exp_upper(x: Decimal) -> Fraction:
    """Returns a rational at most 1e-90 above e^x (|x| <= 40)."""
    return Fraction(_DIGITS.exp(x).next_plus(_DIGITS))


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
