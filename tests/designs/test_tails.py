"""Tails and quantiles: against exact sums, closed forms and a printed table."""

from __future__ import annotations

from fractions import Fraction
from math import atan, comb, exp, inf, pi, sqrt

import pytest

from dpdesk.numbers.tails import (
    beta_quantile,
    chi_square_above,
    f_above,
    t_above,
    t_quantile,
)


def binomial_above(a: int, b: int, x: Fraction) -> Fraction:
    """P(beta(a, b) <= x), which is P(at least a of a + b - 1 succeed), in whole numbers."""
    n = a + b - 1
    return sum((comb(n, k) * x**k * (1 - x) ** (n - k) for k in range(a, n + 1)), Fraction(0))


@pytest.mark.parametrize("a", [1, 2, 3, 10, 40])
@pytest.mark.parametrize("b", [1, 2, 7, 40])
@pytest.mark.parametrize("ratio", [Fraction(1, 50), Fraction(1, 2), Fraction(1), Fraction(9)])
def test_that_the_tail_of_f_is_a_sum_of_binomial_chances(a: int, b: int, ratio: Fraction) -> None:
    # 2a and 2b degrees of freedom: beyond F lies what is above F a / (F a + b) of a beta law.
    x = ratio * a / (ratio * a + b)
    exact = float(binomial_above(b, a, 1 - x))
    assert f_above(float(ratio), 2 * a, 2 * b) == pytest.approx(exact, rel=2e-14)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 9), (3, 5), (40, 2), (300, 700)])
@pytest.mark.parametrize("chance", [1e-6, 0.025, 0.5, 0.975])
def test_that_a_quantile_of_beta_has_its_chance_below_it(a: int, b: int, chance: float) -> None:
    found = Fraction(beta_quantile(a, b, chance))
    assert float(binomial_above(a, b, found)) == pytest.approx(chance, rel=2e-12)


@pytest.mark.parametrize("freedom", [10**6, 10**8])
def test_that_many_respondents_cost_no_digits(freedom: int) -> None:
    # At most one of n succeeds: two terms, written so that nothing cancels.
    x = beta_quantile(2, freedom - 1, 0.975)
    n = freedom
    left = (1 - x) ** (n - 1) * (1 - x + n * x)
    assert left == pytest.approx(0.025, rel=1e-7 * n / 10**8 + 1e-9)
    # The limit of n x is the quantile of a gamma law, whose tail is exp(-y) (1 + y).
    assert exp(-n * x) * (1 + n * x) == pytest.approx(0.025, rel=40 / n)


def test_that_closed_forms_hold() -> None:
    for x in (0.0, 1e-9, 0.3, 2.0, 50.0, 700.0):
        assert chi_square_above(x, 2) == pytest.approx(exp(-x / 2), rel=1e-14)
        assert chi_square_above(x, 4) == pytest.approx(exp(-x / 2) * (1 + x / 2), rel=1e-14)
        # Near 0 SciPy loses digits that no test of a hypothesis needs.
        assert t_above(x, 1) == pytest.approx(
            0.5 - atan(x) / pi if x < 1 else atan(1 / x) / pi, rel=1e-9
        )
        assert t_above(-x, 2) == pytest.approx((1 + x / sqrt(2 + x * x)) / 2, rel=1e-14)
    for confidence in (0.1, 0.5, 0.95, 0.999):
        assert t_quantile(confidence, 2) == pytest.approx(
            confidence * sqrt(2 / (1 - confidence**2)), rel=1e-13
        )


def test_that_nothing_and_everything_have_their_quantiles() -> None:
    assert (t_quantile(0, 7), t_quantile(1, 7)) == (0, inf)
    assert (beta_quantile(3, 4, 0), beta_quantile(3, 4, 1)) == (0, 1)


# Fisher & Yates, Statistical Tables, as every textbook prints them.
TABLE_OF_T = {1: 12.706, 2: 4.303, 5: 2.571, 10: 2.228, 30: 2.042, 120: 1.980}


def test_that_the_printed_table_of_t_is_that_of_the_quantiles() -> None:
    for freedom, printed in TABLE_OF_T.items():
        assert round(t_quantile(0.95, freedom), 3) == printed
    assert t_quantile(0.95, 10**12) == pytest.approx(1.959963984540054, rel=1e-10)
