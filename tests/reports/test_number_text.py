from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import floor, log10

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.cost import exp_lower
from dpdesk.i18n import joined
from dpdesk.numbers.digits import ratio_text
from dpdesk.reports.number_text import (
    chance_text,
    difference_text,
    expected_error_text,
    half_width_text,
    interval_text,
    margin_text,
    number_text,
    of_hundred_text,
    quantity_text,
    significant_text,
)


def test_that_a_share_has_the_digits_its_error_allows() -> None:
    assert quantity_text(0.123456, 0.0141, "", share=True) == "12.3\u00a0%"
    assert quantity_text(0.123456, 0.141, "", share=True) == "12\u00a0%"
    assert quantity_text(0.123456, 0.00141, "", share=True) == "12.35\u00a0%"


def test_that_a_mean_has_the_digits_its_error_allows() -> None:
    assert quantity_text(46.936, 3.75, "years", share=False) == "46.9\u00a0years"
    assert quantity_text(12345.6, 1290.0, "", share=False) == "12,300"


def test_that_an_error_has_two_digits_and_a_shares_is_in_percentage_points() -> None:
    assert half_width_text(0.0141, "", share=True) == "1.4\u00a0pp"
    assert half_width_text(6.349, "years", share=False) == "6.3\u00a0years"
    assert half_width_text(0.0996, "", share=True) == "10\u00a0pp"
    assert half_width_text(0.0, "", share=True) == "0.00\u00a0pp"


@given(
    value=st.floats(-50, 50),
    below=st.floats(0.01, 90),
    above=st.floats(0.01, 90),
    share=st.booleans(),
)
def test_that_an_error_stands_after_a_sign_only_where_it_gives_both_ends(
    value: float, below: float, above: float, share: bool
) -> None:
    told = margin_text(value, value - below, value + above, "k", share=share)
    scale = 100 if share else 1
    step = 10.0 ** (floor(log10(max(below, above))) - 1)
    if told.startswith("± "):
        error = float(told.split("\u00a0")[0].removeprefix("± ").replace(",", "")) / scale
        # By one unit of the second digit at the most, and by half of another by rounding.
        assert max(abs(error - below), abs(error - above)) <= 1.6 * step
    else:
        assert " to " in told
        assert abs(below - above) > 0.99 * step


def test_that_an_error_beyond_all_that_can_be_is_told_as_more_than_half_of_it() -> None:
    assert expected_error_text(0.031, 0.5, "", share=True) == "± 3.1\u00a0pp"
    assert expected_error_text(0.73, 0.5, "", share=True) == "more than ± 50\u00a0pp"
    assert expected_error_text(41.0, 36.0, "years", share=False) == "more than ± 36\u00a0years"


def test_that_a_negative_share_keeps_its_sign_and_zero_has_none() -> None:
    assert quantity_text(-0.034, 0.0141, "", share=True) == "\u22123.4\u00a0%"
    assert number_text(-0.0004, 2) == "0.00"


def test_that_an_interval_names_its_unit_once() -> None:
    assert interval_text(-0.01, 0.055, 0.032, "", share=True) == "\u22121.0 to 5.5\u00a0%"
    assert interval_text(43.2, 50.7, 3.7, "years", share=False) == "43.2 to 50.7\u00a0years"


@given(lower=st.floats(-1e6, 0), upper=st.floats(1, 1e6))
def test_that_an_interval_that_excludes_no_share_is_all_of_them(lower: float, upper: float) -> None:
    error = max(-lower, upper)
    assert interval_text(lower, upper, error, "", share=True) == "0 to 100\u00a0%"


def test_that_a_difference_has_the_digits_of_its_error() -> None:
    assert difference_text(-0.11181, 0.0094, "", share=True) == "\u221211.18\u00a0pp"
    assert difference_text(0.5, 1.7, "years", share=False) == "0.5\u00a0years"


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.731, "73"),
        (0.9994, "99.94"),
        (0.999999, "more than 99.99"),
        (1.0, "more than 99.99"),
        (0.0006, "0.06"),
        (0.0, "less than 0.01"),
    ],
)
def test_that_a_chance_is_never_rounded_to_certainty(chance: float, text: str) -> None:
    assert of_hundred_text(chance) == text
    assert chance_text(chance) == f"{text}\u00a0%"


@given(st.decimals("0.0001", "13.8", places=4))
def test_that_a_printed_ratio_is_at_least_e_to_the_epsilon(epsilon: Decimal) -> None:
    printed = Fraction(ratio_text(epsilon).replace(",", ""))
    assert exp_lower(epsilon) <= printed <= exp_lower(epsilon) * Fraction(101, 100)


def test_that_a_ratio_beyond_a_million_is_a_power_of_ten() -> None:
    assert ratio_text(Decimal(15)) == "3.27 × 10⁶"
    assert ratio_text(Decimal(400_000)).endswith("10¹⁷³⁷¹⁷")


def test_that_small_numbers_are_written_as_powers_of_ten() -> None:
    assert significant_text(0.000257) == "0.000257"
    assert significant_text(7.1e-05) == "7.10 × 10⁻⁵"
    assert significant_text(20.44) == "20.4"
    assert significant_text(40.5) == "40.5"
    assert significant_text(1.2345e9) == "1.23 × 10⁹"
    assert significant_text(0.0) == "0"


def test_that_names_are_joined_as_in_a_sentence() -> None:
    assert joined(("a", "b", "c")) == "a, b and c"
    assert joined(("a",)) == "a"
    assert joined(()) == ""
