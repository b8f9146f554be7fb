"""Categories that are numbers can be averaged, and still be named in conditions."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from dpdesk.domains import Categorical
from dpdesk.queries import (
    CodedRows,
    Condition,
    Histogram,
    Mean,
    PrivacyUnit,
    Quantile,
    Sum,
    Variance,
)
from dpdesk.queries.condition import number_grid
from tests.refusals import refused

AGE = Categorical(values=("17.5", "22", "27", "no answer", "42"))
AGES = np.asarray([17.5, 22.0, 27.0, np.nan, 42.0])
DOMAINS = {"age": AGE}


def rows() -> tuple[CodedRows, np.ndarray]:
    codes = np.asarray([0, 0, 1, 2, 2, 2, 4, 3, -1, 1], dtype=np.int32)
    values = np.append(AGES, np.nan)[codes]
    return CodedRows(codes.size, {"age": codes}, DOMAINS), values[~np.isnan(values)]


def test_that_the_grid_is_the_coarsest_that_has_every_number() -> None:
    found = number_grid(AGE)
    assert found is not None
    grid, places = found
    assert (grid.lower, grid.upper, grid.resolution) == (
        Decimal("17.5"),
        Decimal(42),
        Decimal("0.5"),
    )
    assert places == (0, 9, 19, -1, 49)
    even = number_grid(Categorical(values=("6", "0", "3")))
    assert even is not None
    assert (even[0].resolution, even[1]) == (Decimal(3), (2, 0, 1))


@pytest.mark.parametrize("values", [("a", "b"), ("1", "b"), ("1", "1.0"), ("0", "0.5", "1000000")])
def test_that_categories_without_two_numbers_on_a_grid_have_none(values: tuple[str, ...]) -> None:
    assert number_grid(Categorical(values=values)) is None


def test_that_statistics_of_coded_numbers_are_those_of_the_numbers() -> None:
    coded, values = rows()
    unit = PrivacyUnit()
    expected = [
        (Mean(column="age"), values.mean()),
        (Sum(column="age"), values.sum()),
        (Variance(column="age"), values.var()),
        # Four of eight lie at or below 22, four above: 22 and 27 part them alike, and the score
        # prefers the one with fewer answers on it.
        (Quantile(column="age"), 22.0),
    ]
    for query, value in expected:
        (told,) = query.bind(DOMAINS, unit).exact(coded)
        assert told.value == pytest.approx(value, rel=1e-12), query.kind
    edges = tuple(map(Decimal, ("17.5", "25", "42")))
    counts = Histogram(column="age", edges=edges).bind(DOMAINS, unit).exact(coded)
    assert [statistic.value for statistic in counts] == [4, 4]


def test_that_conditions_and_groups_still_name_the_categories() -> None:
    coded, _ = rows()
    young = Condition(column="age", values=("17.5", "22"))
    (told,) = Mean(column="age", where=(young,)).bind(DOMAINS, PrivacyUnit()).exact(coded)
    assert told.value == pytest.approx((17.5 * 2 + 22 * 2) / 4, rel=1e-12)
    by_age = Sum(column="age", by=("age",)).bind(DOMAINS, PrivacyUnit()).exact(coded)
    assert [statistic.value for statistic in by_age] == [35, 44, 81, 0, 42]


def test_that_a_public_count_needs_a_number_in_every_row() -> None:
    unit = PrivacyUnit(relation="replace")
    with refused("queries.not-all-numbers", column="age"):
        Mean(column="age", complete=True).bind(DOMAINS, unit)
    Mean(column="age", complete=True).bind({"age": Categorical(values=("1", "2"))}, unit)
