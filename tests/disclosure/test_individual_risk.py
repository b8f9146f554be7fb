"""Individual risk against its integral, scipy's 2F1 and the published closed forms."""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import hyp2f1

from dpdesk.disclosure import Classes, CodedColumn, individual_risk
from dpdesk.disclosure.risks import population_risk

SIZES = (1, 2, 3, 4, 7, 20, 39, 40, 41, 60, 200)
CHANCES = (0.0001, 0.001, 0.02, 0.2, 0.4999, 0.5, 0.5001, 0.7, 0.95, 0.999, 1.0)


def of_one(f: int, pi: float) -> float:
    return float(individual_risk(np.array([f]), np.array([pi]))[0])


@pytest.mark.parametrize("f", SIZES)
@pytest.mark.parametrize("pi", CHANCES)
def test_that_the_risk_is_the_integral_of_the_negative_binomial(f: int, pi: float) -> None:
    integral, error = quad(
        lambda w: w ** (f - 1) / (1 + (1 - pi) / pi * w), 0, 1, epsabs=0, epsrel=1e-12
    )
    assert of_one(f, pi) == pytest.approx(integral, rel=1e-10, abs=2 * error)


@pytest.mark.parametrize("f", SIZES)
@pytest.mark.parametrize("pi", [0.2, 0.4999, 0.5001, 0.7, 0.95])
def test_that_the_risk_is_that_of_the_hypergeometric_function(f: int, pi: float) -> None:
    expected = pi**f / f * hyp2f1(f, f, f + 1, 1 - pi)
    assert of_one(f, pi) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("pi", [1e-300, 1e-12, 1e-6, 0.01, 0.3, 0.5, 0.9, 0.999999])
def test_that_the_closed_forms_hold_for_tiny_and_large_chances(pi: float) -> None:
    with localcontext(prec=700):
        chance = Decimal(pi)
        over = chance / (1 - chance)
        log = (1 / chance).ln() if pi > 1e-200 else Decimal(-float(np.log(pi)))
        first, second = over * log, over - over * over * log
    assert of_one(1, pi) == pytest.approx(float(first), rel=1e-11)
    assert of_one(2, pi) == pytest.approx(float(second), rel=1e-11)


def test_that_the_risk_falls_with_the_class_and_lies_between_none_and_one_over_f() -> None:
    for pi in CHANCES:
        sizes = np.arange(1, 120)
        risks = individual_risk(sizes, np.full(len(sizes), pi))
        assert np.all(np.diff(risks) < 0)
        assert np.all((risks > 0) & (risks <= 1 / sizes * (1 + 1e-12)))
        # Jensen: the mean of 1/F is at least 1 over the mean f / pi.
        assert np.all(risks >= pi / sizes * (1 - 1e-12))


def test_that_the_global_risk_is_the_sum_over_the_records() -> None:
    codes = np.array([0, 0, 1, 2, 2, 2])
    weights = np.array([10.0, 30.0, 5.0, 0.2, 0.3, 0.1])
    found = population_risk(Classes([CodedColumn("a", codes, 3)], 6), weights)
    # The last class weighs less than its three records: all three of them are the population.
    single = [2 * of_one(2, 2 / 40), of_one(1, 1 / 5), 1.0]
    assert found.expected_found == pytest.approx(sum(single))
    assert found.individual_average == pytest.approx(sum(single) / 6)
    assert found.individual_highest == pytest.approx(of_one(1, 1 / 5))
    assert found.journalist_highest == pytest.approx(1 / 3)
    assert found.journalist_average == pytest.approx((2 / 40 + 1 / 5 + 3 / 3) / 6)
    assert found.population == pytest.approx(45.6)
