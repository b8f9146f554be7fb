from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ValidationError

from dpdesk.cost import (
    EPSILON_MAX,
    EPSILON_MIN,
    Epsilon,
    PrivacyCost,
    format_epsilon,
    parse_epsilon,
    short_epsilon,
    total_cost,
    two_places,
)
from dpdesk.errors import ParameterError


class Holder(BaseModel):
    epsilon: Epsilon


@pytest.mark.parametrize(
    "text",
    [
        "nan", "NaN", "inf", "-inf", "1e-320", "1e2", "1E0", "1_000", "1_0", "٣", "１", "¹", "½",
        "", " ", ".", "1.", ".5", "-1", "+1", "0", "0.0", "0.00009", "40.000000000001", "41",
        "0001", "1000", "1.0000000000001", "1,5", "0x1", "1 000", "1\n", "\t1", "1;2", "ε",
        "1" * 10_000,
    ],
)  # fmt: skip
def test_that_what_is_no_epsilon_is_refused(text: str) -> None:
    with pytest.raises(ParameterError) as caught:
        parse_epsilon(text)
    assert caught.value.remedy
    with pytest.raises(ValidationError):
        Holder(epsilon=text)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "value",
    [1.5, 1.0, float("nan"), True, False, None, [1], {"epsilon": 1}, b"1", 1j,
     Decimal("NaN"), Decimal("Infinity"), Decimal("1e-13"), 10**400],
)  # fmt: skip
def test_that_an_epsilon_is_never_taken_from_a_float_a_bool_or_a_special_number(
    value: object,
) -> None:
    with pytest.raises(ParameterError):
        parse_epsilon(value)
    with pytest.raises(ValidationError):
        Holder(epsilon=value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "exact", "printed"),
    [
        ("1.5", "1.5", "1.5"),
        (" 2 ", "2", "2"),
        ("0.100", "0.1", "0.1"),
        ("40", "40", "40"),
        ("040", "40", "40"),
        ("30.000", "30", "30"),
        ("0.0001", "0.0001", "0.0001"),
        ("0.693147180559", "0.693147180559", "0.693147180559"),
    ],
)
def test_that_an_epsilon_is_exactly_what_was_typed(text: str, exact: str, printed: str) -> None:
    assert parse_epsilon(text) == Decimal(exact)
    assert format_epsilon(parse_epsilon(text)) == printed


def test_that_whole_numbers_and_decimals_are_epsilons_too() -> None:
    assert parse_epsilon(3) == Decimal(3)
    assert parse_epsilon(Decimal("0.25")) == Decimal("0.25")


@pytest.mark.parametrize(
    ("number", "printed"),
    [
        ("9" * 30, "1" + "0" * 30),
        ("1e30", "1" + "0" * 30),
        ("10", "10"),
        ("0", "0"),
        ("1e-30", None),
    ],
)
def test_that_a_sum_beyond_all_epsilons_is_printed_too(number: str, printed: str | None) -> None:
    assert format_epsilon(Decimal(number)) == (printed or "0." + "0" * 29 + "1")


@given(st.decimals(min_value=EPSILON_MIN, max_value=EPSILON_MAX, places=12, allow_nan=False))
def test_that_printing_and_reading_an_epsilon_gives_it_back(epsilon: Decimal) -> None:
    assert parse_epsilon(format_epsilon(epsilon)) == epsilon


def test_that_an_epsilon_is_stored_as_text() -> None:
    stored = Holder(epsilon="0.30").model_dump_json()  # type: ignore[arg-type]
    assert stored == '{"epsilon":"0.3"}'
    assert Holder.model_validate_json(stored).epsilon == Decimal("0.3")


def test_that_a_json_number_is_refused_where_an_epsilon_is_expected() -> None:
    with pytest.raises(ValidationError):
        Holder.model_validate_json('{"epsilon": 0.3}')


def test_that_costs_add_up_exactly() -> None:
    tenth = PrivacyCost(Decimal("0.1"))
    assert total_cost([tenth] * 3).epsilon == Decimal("0.3")
    assert total_cost([PrivacyCost(Decimal("0.000000000001"))] * 1000).epsilon == Decimal("1e-9")
    assert total_cost([]).epsilon == 0


@given(st.lists(st.integers(100_000_000, 40_000_000_000_000), max_size=300))
def test_that_the_sum_of_epsilons_is_that_of_integers(picounits: list[int]) -> None:
    costs = [PrivacyCost(Decimal(p).scaleb(-12)) for p in picounits]
    assert total_cost(costs).epsilon.scaleb(12) == sum(picounits)


@pytest.mark.parametrize(
    "other",
    [
        PrivacyCost(Decimal(1), model="central"),
        PrivacyCost(Decimal(1), unit="one household"),
        PrivacyCost(Decimal(1), relation="add or remove one row"),
    ],
)
def test_that_costs_of_different_kinds_never_add(other: PrivacyCost) -> None:
    with pytest.raises(ParameterError):
        PrivacyCost(Decimal(1)) + other


def test_that_the_epsilon_of_a_matrix_is_told_in_one_way() -> None:
    for exact in ("1.199999997195", "1.200000000001"):
        assert two_places(Decimal(exact)) == short_epsilon(Decimal(exact)) == "1.2000"
    assert short_epsilon(Decimal("1.200012345678")) == "1.2001"
    assert two_places(Decimal("0.1234567")) == "0.1234567"
    assert (short_epsilon(Decimal(3)), two_places(Decimal(3))) == ("3", "3.00")
