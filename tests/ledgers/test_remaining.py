from __future__ import annotations

import math
from decimal import Decimal

import pytest

from dpdesk.ledgers import count_half_width, counts_left, epsilon_of_count, share_half_width
from dpdesk.ledgers.account import EXAMPLE_HALF_WIDTH, _bought


def outside(epsilon: float, half_width: int) -> float:
    """P(|noise| > h), summed over the law of geometric noise."""
    rate = math.exp(-epsilon)
    inside = sum(
        (1 - rate) / (1 + rate) * rate ** abs(k) for k in range(-half_width, half_width + 1)
    )
    return 1 - inside


@pytest.mark.parametrize("epsilon", ["0.01", "0.1", "0.1482", "0.5", "1", "3", "5", "12"])
def test_that_a_half_width_is_the_smallest_that_holds_95_in_100(epsilon: str):
    width = count_half_width(Decimal(epsilon))
    assert outside(float(epsilon), width) <= 0.05
    assert width == 0 or outside(float(epsilon), width - 1) > 0.05


@pytest.mark.parametrize("width", [1, 2, 5, 20, 100, 1000])
def test_that_the_epsilon_of_a_count_is_the_least_one(width: int):
    epsilon = epsilon_of_count(width)
    assert count_half_width(epsilon) <= width
    assert count_half_width(epsilon - Decimal("0.0001")) > width


def test_that_what_is_left_is_counted_in_whole_releases():
    each = epsilon_of_count(20)
    assert counts_left(12 * each, 20) == 12
    assert counts_left(12 * each - Decimal("0.0001"), 20) == 11
    assert _bought("central", 12 * each, 0, EXAMPLE_HALF_WIDTH) == "12 more counts at ± 20"
    assert _bought("central", each, 0, EXAMPLE_HALF_WIDTH) == "1 more count at ± 20"


def test_that_a_rest_too_small_for_the_example_still_buys_something_coarser():
    assert _bought("central", Decimal("0.1"), 0, EXAMPLE_HALF_WIDTH) == "1 more count at ± 30"
    assert _bought("central", Decimal(0), 0, EXAMPLE_HALF_WIDTH) == ""


def test_that_a_share_has_the_error_of_randomized_response():
    # At epsilon = ln 3, p = 3/4, an estimate of 1/2 has the variance 1 / (4 n (2p - 1)^2) = 1 / n.
    assert share_half_width(Decimal(3).ln(), 10_000) == pytest.approx(0.0196, abs=1e-5)


def test_that_what_a_local_rest_buys_is_said_in_percentage_points():
    said = _bought("local", Decimal(1), 1_000, EXAMPLE_HALF_WIDTH)
    assert said == "1 more yes-no question at ± 6.7 percentage points"
    assert _bought("local", Decimal("0.001"), 10, EXAMPLE_HALF_WIDTH) == ""
    assert _bought("local", Decimal(0), 1_000, EXAMPLE_HALF_WIDTH) == ""
    assert _bought("local", Decimal(1), 0, EXAMPLE_HALF_WIDTH) == ""
