"""Checks of the bounds on e^x, shared by the ordinary tests and the kill matrix."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from dpdesk import cost
from tests.cost.exact_exponential import exp_bounds

_WRITTEN = """
0.0001 0.000123456789 0.001 0.01 0.1 0.5 0.693147180559 1 1.0986 1.5 2 3 5 7.25 10 15 20 23
25 30 36 39.999999999999 40
"""
EPSILONS = tuple(map(Decimal, _WRITTEN.split()))
"""Epsilons from end to end of their range, with those near ln 2 and ln 3 where c and k tip."""


def bounds_of_the_exponential_enclose_it() -> None:
    """exp_lower < e^x at every epsilon of the grid."""
    for epsilon in EPSILONS:
        low, _ = exp_bounds(Fraction(epsilon))
        # Called past its cache, so that a changed function is what is looked at.
        assert cost.exp_lower.__wrapped__(epsilon) < low, epsilon
