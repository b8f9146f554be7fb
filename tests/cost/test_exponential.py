from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from math import exp

import pytest

from dpdesk.cost import exp_lower, log_upper
from tests.cost.cost_checks import EPSILONS, bounds_of_the_exponential_enclose_it
from tests.cost.exact_exponential import exp_bounds


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_that_the_reference_bounds_enclose_the_float_exponential(epsilon: Decimal) -> None:
    low, high = exp_bounds(Fraction(epsilon))
    assert low < high
    assert (high - low) / low < Fraction(1, 2**300)
    assert float(low) == pytest.approx(exp(epsilon), rel=1e-14)


def test_that_the_bounds_of_the_exponential_lie_on_their_sides_of_it() -> None:
    bounds_of_the_exponential_enclose_it()


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_that_the_bounds_of_the_exponential_are_closer_than_two_to_the_minus_200(
    epsilon: Decimal,
) -> None:
    assert exp_bounds(Fraction(epsilon))[1] - exp_lower(epsilon) < Fraction(1, 2**200)


def test_that_the_logarithm_of_one_is_zero() -> None:
    assert log_upper(Fraction(1)) == 0


@pytest.mark.parametrize(
    "ratio", [Fraction(2), Fraction(2**64 - 1, 1), Fraction(10**30 + 1, 10**30), Fraction(7, 3)]
)
def test_that_the_logarithm_is_rounded_up_and_by_less_than_its_last_digit(ratio: Fraction) -> None:
    logarithm = log_upper(ratio)
    assert exp_bounds(Fraction(logarithm))[0] >= ratio
    before = max(Fraction(logarithm) - Fraction(1, 10**15), Fraction(0))
    assert exp_bounds(before)[0] <= ratio


@pytest.mark.parametrize("ratio", [*map(Fraction, range(2, 12)), Fraction(7, 3), Fraction(19, 17)])
def test_that_the_logarithm_is_not_understated_by_the_last_digit_of_its_arithmetic(
    ratio: Fraction,
) -> None:
    wide = Context(prec=200)
    true = wide.ln(wide.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)))
    # As many digits as there are: rounding to fewer would hide on which side they end.
    digits = 109 - true.adjusted()
    excess = wide.subtract(log_upper(ratio, digits), true)
    assert 0 <= excess <= Decimal(20).scaleb(-digits)


def test_that_the_logarithm_has_fifteen_digits_after_the_point() -> None:
    assert str(log_upper(Fraction(3))) == "1.098612288668110"
