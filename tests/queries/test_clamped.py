"""Numbers within declared bounds: where they lie, their sums, and what is told of them."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import combinations
from math import inf

import numpy as np
import pytest

from dpdesk.domains import Categorical, Integer, NumericDomain, Real
from dpdesk.queries import (
    CodedRows,
    Condition,
    Mean,
    MeasuredQuery,
    PrivacyUnit,
    Quantile,
    Query,
    Sum,
    Variance,
    clamped,
)
from dpdesk.queries.clamped import Clamp
from tests.refusals import refused

STEPS = Integer(lower=0, upper=4)
TEMPERATURES = Real(
    lower=Decimal("-3"), upper=Decimal("-1"), resolution=Decimal("0.5"), unit="degrees"
)
GRIDS = (STEPS, TEMPERATURES, Integer(lower=-2, upper=5), Integer(lower=18, upper=23))
SEX, CITY = Categorical(values=("F", "M", "other")), Categorical(values=("north", "south"))
REPLACED = PrivacyUnit(relation="replace")


def bound_of(query: Query, grid: NumericDomain, unit: PrivacyUnit | None = None) -> MeasuredQuery:
    domains = {"x": grid, "sex": SEX, "city": CITY}
    bound = query.bind(domains, unit or PrivacyUnit())
    assert isinstance(bound, MeasuredQuery)
    return bound


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.texts[0])
def test_that_distances_from_the_middle_are_those_of_the_clamped_numbers(
    grid: NumericDomain,
) -> None:
    numbers = [Decimal(text) for text in grid.texts]
    for lower, upper in combinations(numbers, 2):
        clamp = Clamp.of(grid, lower, upper)
        assert (clamp.lower, clamp.upper) == (float(lower), float(upper))
        assert clamp.middle == pytest.approx(float(lower + upper) / 2)
        assert clamp.reach * clamp.half_step == pytest.approx(float(upper - lower) / 2)
        found = clamp.middle + clamp.half_step * clamp.distances()
        kept = [float(min(max(number, lower), upper)) for number in numbers]
        assert found.tolist() == pytest.approx(kept)
    assert Clamp.of(grid, None, None) == Clamp.of(grid, numbers[0], numbers[-1])


@pytest.mark.parametrize(
    ("lower", "upper", "why"),
    [
        ("-3.5", None, "off-grid"),
        (None, "-0.5", "off-grid"),
        ("-2.75", None, "off-grid"),
        ("-2", "-2", "crossed-bounds"),
        ("-1.5", "-2", "crossed-bounds"),
        ("-1", None, "crossed-bounds"),
    ],
)
def test_that_bounds_beside_the_grid_and_bounds_of_nothing_are_refused(
    lower: str | None, upper: str | None, why: str
) -> None:
    ends = [None if end is None else Decimal(end) for end in (lower, upper)]
    with refused(f"queries.{why}"):
        Clamp.of(TEMPERATURES, *ends)


def table() -> CodedRows:
    draw = np.random.default_rng(9)
    domains = {"x": STEPS, "sex": SEX, "city": CITY}
    codes = {
        name: draw.integers(-1, domain.size, 300).astype(np.int32)
        for name, domain in domains.items()
    }
    return CodedRows(300, codes, domains)


@pytest.mark.parametrize("cells", ["few", "many"])
@pytest.mark.parametrize("by", [(), ("sex",), ("city", "sex")])
@pytest.mark.parametrize("where", [(), (Condition(column="city", values=("north",)),)])
def test_that_sums_are_those_of_the_rows_added_one_by_one(
    cells: str,
    by: tuple[str, ...],
    where: tuple[Condition, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if cells == "many":
        monkeypatch.setattr(clamped, "_JOINT_MAX", 0)
    rows = table()
    query = Variance(column="x", by=by, where=where, lower=Decimal(1), upper=Decimal(4))
    bound = bound_of(query, STEPS)
    # A distance is counted in half steps from 2.5, which lie from -3 to 3.
    expected = {key: [0, 0, 0] for key in bound.keys}
    for x, sex, city in zip(
        *(rows.codes[name][:].tolist() for name in ("x", "sex", "city")), strict=True
    ):
        texts = {
            "sex": "" if sex < 0 else SEX.values[sex],
            "city": CITY.values[city] if city >= 0 else "",
        }
        key = tuple(texts[name] for name in by)
        if x < 0 or "" in key or (where and texts["city"] != "north"):
            continue
        distance = 2 * min(max(x, 1), 4) - 5
        for place, added in enumerate((distance, 2 * distance**2 - 9, 1)):
            expected[key][place] += added
    found = [part.tolist() for part in bound.sums(rows)]
    assert found == [[expected[key][place] for key in bound.keys] for place in range(3)]


def test_that_sums_are_exact_up_to_the_largest_and_refused_beyond() -> None:
    # 2 d^2 - reach^2 is reach^2 at the bounds; whole numbers of 64 bits end at 2^63.
    grid, reach = Integer(lower=1, upper=1_000_000), 999_999
    bound, most = bound_of(Variance(column="x"), grid), (2**62 - 1) // reach**2
    codes = np.zeros(most + 1, dtype=np.int32)
    rows = CodedRows(most, {"x": codes[1:]}, {"x": grid})
    assert [int(part[0]) for part in bound.sums(rows)] == [-most * reach, most * reach**2, most]
    with refused("queries.sums-too-large", column="x"):
        bound.sums(CodedRows(most + 1, {"x": codes}, {"x": grid}))


def test_that_numbers_below_nothing_are_as_large_as_those_above(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grid = Integer(lower=-5, upper=0)
    bound = bound_of(Sum(column="x"), grid)
    rows = CodedRows(10, {"x": np.zeros(10, np.int32)}, {"x": grid})
    monkeypatch.setattr(clamped, "_LARGEST_SUM", 51)
    assert [int(part) for (part,) in bound.sums(rows)] == [-50]
    monkeypatch.setattr(clamped, "_LARGEST_SUM", 50)
    with refused("queries.sums-too-large"):
        bound.sums(rows)


def moved(end: float) -> float:
    """The temperature of a step."""
    return end / 2 - 3


@pytest.mark.parametrize(
    ("query", "told"),
    [
        (Mean(column="x"), moved),
        (Mean(column="x", by=("city",)), moved),
        (Mean(column="x", complete=True), moved),
        (Variance(column="x"), lambda end: end / 4),
        (Variance(column="x", root=True), lambda end: end / 2),
    ],
    ids=lambda value: getattr(value, "description", ""),
)
@pytest.mark.parametrize("bounds", [(None, None), (1, 3)])
def test_that_the_same_answers_on_another_scale_are_told_in_its_unit(
    query: Query, told: Callable[[float], float], bounds: tuple[int | None, int | None]
) -> None:
    unit = REPLACED if getattr(query, "complete", False) else None
    ends = {n: e for n, e in zip(("lower", "upper"), bounds, strict=True) if e is not None}
    steps = bound_of(query.changed(**{n: Decimal(e) for n, e in ends.items()}), STEPS, unit)
    degrees = bound_of(
        query.changed(**{n: Decimal(e) / 2 - 3 for n, e in ends.items()}), TEMPERATURES, unit
    )
    noisy = [np.array([37.0, 5.0]), np.array([90.0, -12.0]), np.array([80.0, 9.0])]
    if query.kind == "mean":
        del noisy[1]
    noisy = [part[: len(steps.keys)] for part in noisy[: len(steps.parts)]]
    found = [bound.statistics(noisy, 80, 0.9) for bound in (steps, degrees)]
    for one, other in zip(*found, strict=True):
        assert one.key == other.key
        for name in ("value", "lower", "upper", "total_lower", "total_upper"):
            first, second = getattr(one, name), getattr(other, name)
            assert (
                (first is None)
                == (second is None)
                == (query.kind == "variance" and name.startswith("total"))
            )
            if first is not None:
                assert second == pytest.approx(told(first), rel=1e-9), name
        assert other.possible == pytest.approx(tuple(told(end) for end in one.possible))
        if query.kind == "mean":
            first, last = (bounds[0] or 0), (4 if bounds[1] is None else bounds[1])
            assert one.possible == (first, last)
            assert first <= one.total_lower <= one.total_upper <= last
            assert one.total_lower < one.value < one.total_upper
    error, same = (bound.expected_error(80, 0.9) for bound in (steps, degrees))
    wide = told(error.half_width) - told(0)
    assert (same.half_width, same.unit[:7]) == (pytest.approx(wide, rel=1e-9), "degrees")


def test_that_what_a_sum_or_a_quantile_can_be_follows_from_the_bounds() -> None:
    half = np.array([7.0])
    for grid, rows, possible in (
        (Integer(lower=-1, upper=2), 10, (-10, 20)),
        (Integer(lower=18, upper=90), 10, (0, 900)),
        (TEMPERATURES, 10, (-30, 0)),
        (TEMPERATURES, None, (-inf, 0)),
        (Integer(lower=18, upper=90), None, (0, inf)),
    ):
        (found,) = bound_of(Sum(column="x"), grid).statistics([half], rows, 0.95)
        assert found.possible == possible
    quantile = Quantile(column="x", lower=Decimal("-2.5")).bind({"x": TEMPERATURES}, PrivacyUnit())
    (told,) = quantile.exact(
        CodedRows(3, {"x": np.array([0, 3, 4], np.int32)}, {"x": TEMPERATURES})
    )
    assert (told.value, told.possible) == (-1.5, (-2.5, -1))
