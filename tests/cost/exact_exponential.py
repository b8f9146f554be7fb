"""Bounds on e^x by Taylor's series in integers: shares no code and no library with dpdesk."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

_BITS = 480
_ONE = 1 << _BITS
_HALVINGS = 7
_TERMS = 70


@cache
def exp_bounds(x: Fraction) -> tuple[Fraction, Fraction]:
    """Rationals below and above e^x for 0 <= x <= 64, less than 2^-300 of it apart.

    e^x = (e^(x / 128))^128; with y = x / 128 <= 1/2 the remainder after the term y^j / j! is below
    that term. Every division and product is rounded down for the one bound, up for the other.
    """
    assert 0 <= x <= 64
    y = x / (1 << _HALVINGS)
    low_term, high_term = _ONE, _ONE
    low, high = _ONE, _ONE
    for j in range(1, _TERMS + 1):
        low_term = low_term * y.numerator // (y.denominator * j)
        high_term = -(-high_term * y.numerator // (y.denominator * j))
        low += low_term
        high += high_term
    high += high_term
    for _ in range(_HALVINGS):
        low = low * low // _ONE
        high = -(-high * high // _ONE)
    return Fraction(low, _ONE), Fraction(high, _ONE)
