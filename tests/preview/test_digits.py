from __future__ import annotations

from decimal import Decimal

import pytest

from dpdesk.preview import (
    belief_text,
    error_text,
    factor_text,
    fraction_text,
    highest_belief_text,
    ratio_text,
    share_text,
    significant,
)


@pytest.mark.parametrize(
    ("number", "digits", "text"),
    [
        (1.3576, 2, "1.4"),
        (152.0, 2, "150"),
        (0.0996, 2, "0.10"),
        (9.96, 2, "10"),
        (12_345.0, 2, "12,000"),
        (0.05, 2, "0.050"),
        (-145.47, 4, "−145.5"),
        (2.14e9, 2, "2.1 × 10⁹"),
        (3.2e-7, 2, "3.2 × 10⁻⁷"),
        (0.0, 2, "0"),
        (float("inf"), 2, "∞"),
    ],
)
def test_that_a_number_is_printed_with_its_significant_digits(number, digits, text):
    assert significant(number, digits) == text


@pytest.mark.parametrize(
    ("belief", "text"),
    [
        (0.5, "50 %"),
        (0.880797, "88 %"),
        (0.9933, "99.3 %"),
        (0.99956, "99.96 %"),
        (1.0, ">99.99 %"),
        (0.0067, "0.7 %"),
        (0.0, "<0.01 %"),
    ],
)
def test_that_a_belief_keeps_the_digits_that_tell_it_from_certainty(belief, text):
    assert belief_text(belief) == text


@pytest.mark.parametrize(
    ("belief", "text"),
    [
        (0.5, "50.0 %"),
        (0.525, "52.5 %"),
        (0.731058, "73.2 %"),
        (0.880797, "88.1 %"),
        (0.99331, "99.4 %"),
        (0.999551, "99.96 %"),
        (0.999899, "99.99 %"),
        (0.99995, ">99.99 %"),
        (1.0, ">99.99 %"),
    ],
)
def test_that_the_most_that_a_belief_can_become_is_rounded_up(belief, text):
    assert highest_belief_text(belief) == text


def test_that_units_follow_their_number():
    assert error_text(2.31, "years") == "± 2.3 years"
    assert error_text(2.31, "") == "± 2.3"
    assert factor_text(2.16) == "2.2 ×"
    assert share_text(0.78699) == "78.7 %"
    assert share_text(0.5) == "50.0 %"
    assert ratio_text(Decimal(2)) == "7.39"


def test_that_a_fraction_without_a_letter_is_written_out():
    assert fraction_text(3) == "⅓"
    assert fraction_text(16) == "1/16"
    assert fraction_text(1000) == "1/1,000"
