"""Which codes of a domain meet a condition, against a comparison of the numbers themselves."""

from __future__ import annotations

from decimal import Decimal
from itertools import product

import pytest

from dpdesk.domains import Categorical, Integer, Real
from dpdesk.queries import Condition
from tests.refusals import refused

BOUNDS = tuple(map(Decimal, ("-7", "1.9", "2", "2.5", "3", "5.9", "6", "6.1", "90")))


@pytest.mark.parametrize(
    "domain",
    [
        Integer(lower=2, upper=6),
        Integer(lower=2, upper=6, step=2),
        Real(lower="2", upper="6", resolution="0.5"),
        Categorical(values=("6", "2", "(none)", "5", "2.5", "10")),
    ],
)
def test_that_bounds_hold_where_the_numbers_do(domain) -> None:
    texts = domain.values if isinstance(domain, Categorical) else domain.texts
    numbers = [None if text == "(none)" else Decimal(text) for text in texts]
    ends = (None, *BOUNDS)
    asked = 0
    for lower, upper in product(ends, ends):
        both = lower is not None and upper is not None
        if lower is upper or (both and lower > upper):
            continue
        asked += 1
        meets = Condition(column="x", lower=lower, upper=upper).table(domain)
        expected = [
            number is not None
            and (lower is None or number >= lower)
            and (upper is None or number <= upper)
            for number in numbers
        ]
        assert meets.tolist() == expected, (lower, upper)
    assert asked > 50


def test_that_bounds_are_refused_for_categories_that_are_no_numbers() -> None:
    with refused("queries.not-numbers", column="sex"):
        Condition(column="sex", lower=1).table(Categorical(values=("F", "M")))
