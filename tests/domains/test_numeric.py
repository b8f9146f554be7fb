from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from dpdesk.domains import Domain, Integer, Real

AGES = Integer(lower=18, upper=99, unit="years")
TENTHS = Real(lower=Decimal("-0.5"), upper=Decimal("0.5"), resolution=Decimal("0.1"))


def test_that_a_grid_has_both_its_ends() -> None:
    assert AGES.size == 82
    assert (AGES.texts[0], AGES.texts[-1], len(AGES.texts)) == ("18", "99", 82)
    assert AGES.values.tolist() == [float(age) for age in range(18, 100)]
    assert AGES.span == 81
    assert Integer(lower=-10, upper=10, step=5).texts == ("-10", "-5", "0", "5", "10")


def test_that_released_numbers_have_the_digits_of_the_grid_and_no_negative_zero() -> None:
    assert TENTHS.texts == (
        "-0.5", "-0.4", "-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3", "0.4", "0.5",
    )  # fmt: skip
    assert AGES.label(0) == "18 years"
    assert TENTHS.label(0) == "-0.5"


def test_that_numbers_go_to_the_nearest_grid_point_and_beyond_the_bounds_to_the_bound() -> None:
    texts = ["18", "18.4", "18.6", "17", "-1e300", "1e308", "99.4", "100", "nan", "", "x", "1e999"]
    assert AGES.encode(texts).tolist() == [0, 0, 1, 0, 0, 81, 81, 81, -1, -1, -1, -1]
    assert AGES.encode(texts).dtype == np.int32
    outside = [False, False, False, True, True, True, True, True, True, True, True, True]
    assert AGES.outside(texts).tolist() == outside


def test_that_of_two_nearest_points_the_one_of_even_code_is_taken() -> None:
    halves = Integer(lower=0, upper=10)
    assert halves.encode(["0.5", "1.5", "2.5", "9.5"]).tolist() == [0, 2, 2, 10]


def test_that_huge_numbers_are_clamped_without_overflow() -> None:
    fine = Real(lower=Decimal(0), upper=Decimal("0.000001"), resolution=Decimal("0.000000001"))
    assert fine.encode(["1e308", "-1e308", "1e-320"]).tolist() == [1000, 0, 0]


def test_that_a_decimal_comma_is_read_where_the_file_has_one() -> None:
    assert TENTHS.encode(["0,2", "0.2"], ",").tolist() == [7, -1]


@pytest.mark.parametrize(
    "fields",
    [
        {"lower": 5, "upper": 5},
        {"lower": 6, "upper": 5},
        {"lower": 0, "upper": 5, "step": 2},
        {"lower": 0, "upper": 5, "step": 0},
        {"lower": 0, "upper": 5, "step": -1},
        {"lower": 0, "upper": 1_000_000},
        {"lower": 0, "upper": 10**16},
        {"lower": -(10**400), "upper": 10**400},
        {"lower": True, "upper": 5},
        {"lower": 0, "upper": 5, "step": True},
        {"lower": 0.0, "upper": 5},
        {"lower": 0.5, "upper": 5.5},
        {"lower": "1_0", "upper": "2_0"},
        {"lower": "٣", "upper": 9},
        {"lower": "１", "upper": 9},
        {"lower": "1e1", "upper": 90},
        {"lower": None, "upper": 9},
        {"lower": float("nan"), "upper": 9},
        {"upper": 9},
    ],
)
def test_that_bounds_that_make_no_integer_grid_are_refused(fields: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        Integer(**fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("lower", "upper", "resolution"),
    [
        ("0", "1", "0"),
        ("0", "1", "-0.1"),
        ("0", "1", "0.3"),
        ("1", "0", "0.1"),
        ("0", "1", "0.0000000001"),
        ("0", "1", "0.000000001"),
        ("nan", "1", "0.1"),
        ("0", "inf", "0.1"),
        ("0", "Infinity", "0.1"),
        ("0", "1e3", "1"),
        ("1_0", "2_0", "1"),
        ("٣", "5", "1"),
        (0.1, 0.3, 0.1),
        (True, 3, 1),
        (0, 3, True),
        # Neighbours here differ in the 22nd digit; a cell that is read has 16.
        ("999999999999999", "999999999999999.000001", "0.000001"),
    ],
)
def test_that_bounds_that_make_no_real_grid_are_refused(
    lower: object, upper: object, resolution: object
) -> None:
    with pytest.raises(ValidationError):
        Real(lower=lower, upper=upper, resolution=resolution)  # type: ignore[arg-type]


@given(
    st.integers(-(10**15), 10**15),
    st.integers(1, 10**12),
    st.integers(1, 400),
    st.integers(0, 9),
)
def test_that_every_grid_that_is_accepted_reads_its_own_texts_back(
    lower: int, step: int, steps: int, digits: int
) -> None:
    scale = Decimal(1).scaleb(-digits)
    try:
        domain = Real(
            lower=lower * scale, upper=(lower + step * steps) * scale, resolution=step * scale
        )
    except ValidationError:
        # Only numbers of the largest size may be refused.
        assume(False)
        raise
    assert domain.size == steps + 1
    assert domain.encode(domain.texts).tolist() == list(range(domain.size))
    assert not domain.outside(domain.texts).any()
    exact = [Fraction(lower + step * i, 10**digits) for i in range(domain.size)]
    assert [Fraction(text) for text in domain.texts] == exact
    assert len(set(domain.texts)) == domain.size


def test_that_the_largest_grid_has_a_million_points() -> None:
    domain = Integer(lower=1, upper=1_000_000)
    assert domain.size == 1_000_000
    assert domain.encode(["1000000", "999999"]).tolist() == [999_999, 999_998]


def test_that_domains_are_stored_exactly_and_told_apart_by_their_type() -> None:
    adapter: TypeAdapter[Domain] = TypeAdapter(Domain)
    stored = adapter.dump_json(TENTHS)
    assert b'"lower":"-0.5"' in stored
    assert adapter.validate_json(stored) == TENTHS
    assert adapter.validate_json(adapter.dump_json(AGES)) == AGES
    with pytest.raises(ValidationError):
        adapter.validate_json('{"type": "real", "lower": 0.1, "upper": 1, "resolution": "0.1"}')


def test_that_a_grid_cannot_be_edited() -> None:
    with pytest.raises(ValidationError):
        AGES.lower = 0  # type: ignore[misc]


@given(
    lower=st.integers(-(10**9), 10**9),
    steps=st.integers(1, 400),
    step=st.integers(1, 999),
    digits=st.integers(0, 9),
    part=st.integers(1, 99),
)
def test_that_numbers_between_two_steps_are_found_and_grid_points_never(
    lower: int, steps: int, step: int, digits: int, part: int
) -> None:
    scale = Decimal(1).scaleb(-digits)
    first, gap = lower * scale, step * scale
    domain = Real(lower=first, upper=first + gap * steps, resolution=gap)
    points = [float(first + gap * number) for number in range(steps + 1)]
    assert not domain.between_steps(np.array(points)).any()
    between = [float(first + gap * (number + Decimal(part) / 100)) for number in range(steps)]
    assert domain.between_steps(np.array(between)).all()
    beyond = [float(first - gap / 2), float(first + gap * steps + gap / 2), np.nan]
    assert not domain.between_steps(np.array(beyond)).any()
