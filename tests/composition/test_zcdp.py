from __future__ import annotations

from decimal import Decimal
from math import exp, log, sqrt

import numpy as np
import pytest

from dpdesk.composition import rho_of_epsilon, zcdp_epsilon
from dpdesk.errors import ParameterError
from tests.composition.gaussian import epsilon_of_gaussian

RHOS = ["0.0001", "0.005", "0.1", "0.5", "2.63", "20"]
DELTAS = ["0.1", "1e-5", "1e-10", "1e-30"]


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("rho", RHOS)
def test_that_the_conversion_is_the_least_over_a_fine_grid_of_orders(rho, delta) -> None:
    r, log_delta = float(rho), log(float(delta))
    over = np.exp(np.linspace(-12, 16, 400_001))
    bounds = (1 + over) * r - (log_delta + np.log1p(over)) / over - np.log1p(1 / over)
    assert float(zcdp_epsilon(Decimal(rho), Decimal(delta))) == pytest.approx(
        max(0.0, float(bounds.min())), abs=2e-8
    )


@pytest.mark.parametrize("delta", DELTAS)
@pytest.mark.parametrize("rho", RHOS)
def test_that_the_conversion_is_tighter_than_the_simple_one_of_bun_and_steinke(rho, delta) -> None:
    # Bun & Steinke 2016, Proposition 1.3.
    r = float(rho)
    assert float(zcdp_epsilon(Decimal(rho), Decimal(delta))) < r + 2 * sqrt(
        r * log(1 / float(delta))
    )


@pytest.mark.parametrize("delta", DELTAS[:3])
@pytest.mark.parametrize("rho", RHOS)
def test_that_the_conversion_is_never_below_the_exact_epsilon_of_a_gaussian(rho, delta) -> None:
    # Of all rho-zCDP releases the Gaussian with sigma = 1 / sqrt(2 rho) is one.
    exact = epsilon_of_gaussian(1 / sqrt(2 * float(rho)), float(delta))
    assert float(zcdp_epsilon(Decimal(rho), Decimal(delta))) >= exact


def test_that_the_conversion_agrees_with_that_of_opendp() -> None:
    import opendp.combinators as combinators
    import opendp.domains as domains
    import opendp.measurements as measurements
    import opendp.metrics as metrics
    from opendp.mod import enable_features

    enable_features("contrib")
    measurement = measurements.make_gaussian(
        domains.atom_domain(T="i64"), metrics.absolute_distance(T="f64"), scale=4.0
    )
    theirs = combinators.make_zCDP_to_approxDP(measurement).map(1.0).epsilon(1e-7)
    assert float(zcdp_epsilon(Decimal(1) / 32, Decimal("1e-7"))) == pytest.approx(theirs, rel=1e-6)


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 3.0, 10.0])
def test_that_the_rho_of_an_epsilon_bounds_randomized_response_at_every_order(epsilon) -> None:
    rho = float(rho_of_epsilon(Decimal(str(epsilon))))
    assert rho <= epsilon**2 / 2
    p = 1 / (1 + exp(-epsilon))
    for order in np.concatenate([1 + np.logspace(-2, 0, 60), np.linspace(2, 300, 300)]):
        power = np.logaddexp(log(p) + (order - 1) * epsilon, log(1 - p) - (order - 1) * epsilon)
        assert power / (order - 1) <= order * rho + 1e-12
    # And no smaller rho would do: at order 1 it is reached.
    divergence = p * epsilon - (1 - p) * epsilon
    assert rho == pytest.approx(divergence)


def test_that_no_loss_stays_none_and_nonsense_is_refused() -> None:
    assert zcdp_epsilon(Decimal(0), Decimal("1e-6")) == 0
    for rho, delta in (("-1", "0.1"), ("1", "0"), ("1", "1")):
        with pytest.raises(ParameterError):
            zcdp_epsilon(Decimal(rho), Decimal(delta))
