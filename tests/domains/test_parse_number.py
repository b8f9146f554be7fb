from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.domains import parse_number, parse_typed


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0.0), ("-0", 0.0), ("+3", 3.0), ("007", 7.0), ("1.", 1.0), (".5", 0.5),
        (" 12 ", 12.0), ("\t4\u00a0", 4.0), ("1e3", 1000.0), ("2.5E-2", 0.025),
        ("1e308", 1e308), ("1e-999", 0.0),
    ],
)  # fmt: skip
def test_that_numbers_are_read_as_surveys_write_them(text: str, number: float) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "nan", "NaN", "inf", "-Infinity", "1e999", "-1e999", "1_000", "1,5", "1 000",
        "1.2.3", "--1", "+-1", "1e", "e5", "1e1000", "0x10", "1d", "1j", "٣", "１２", "½", "²",
        "−1", "1\n2", "1\x00", "True", "=1", "1;", "$5", "9" * 65, "1" * 100_000,
    ],
)  # fmt: skip
def test_that_what_is_no_number_is_none(text: str) -> None:
    assert parse_number(text) is None


def test_that_a_decimal_comma_is_read_only_where_the_file_has_one() -> None:
    assert parse_number("1,5", ",") == 1.5
    assert parse_number("1.5", ",") is None
    assert parse_number("1.234,5", ",") is None
    assert parse_number("1,5") is None


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_that_every_finite_number_is_read_back(number: float) -> None:
    assert parse_number(repr(number)) == number


@given(st.text(max_size=12))
def test_that_any_text_gives_a_finite_number_or_none(text: str) -> None:
    number = parse_number(text)
    assert number is None or abs(number) < float("inf")


def test_that_a_typed_number_has_a_point_or_a_comma_and_never_both() -> None:
    assert [parse_typed(text) for text in ("1.5", "1,5", "1.000,5", "1,000.5", "")] == [
        1.5,
        1.5,
        None,
        None,
        None,
    ]
