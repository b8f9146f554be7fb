from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpdesk.cost import even_part, split_evenly
from dpdesk.errors import ParameterError
from dpdesk.plan import Plan, resplit, total_epsilon
from tests.plan.plans import small_plan
from tests.refusals import refused


def _epsilons(plan: Plan) -> list[str]:
    return [str(c.mechanism.epsilon) for c in plan.protected if c.mechanism is not None]


def test_that_the_total_of_a_plan_is_the_exact_sum_of_its_epsilons() -> None:
    tenths = small_plan()
    for name in ("smokes", "mood", "age"):
        column = tenths.column(name)
        assert column.mechanism is not None
        changed = type(column.mechanism)(kind=column.mechanism.kind, epsilon="0.1")
        tenths = tenths.with_column(name, mechanism=changed)
    assert total_epsilon(tenths) == Decimal("0.3")


def test_that_dropped_columns_cost_nothing() -> None:
    assert total_epsilon(small_plan().with_column("age", role="drop")) == Decimal("1.5")


@given(total=st.decimals(min_value="0.01", max_value="400", places=6), parts=st.integers(1, 100))
def test_that_a_split_sums_to_its_total_and_its_parts_differ_by_one_unit_at_most(
    total: Decimal, parts: int
) -> None:
    shares = split_evenly(total, parts)
    assert len(shares) == parts
    assert sum(shares) == total
    assert max(shares) - min(shares) <= Decimal("0.0001")
    assert even_part(total, parts) == shares[-1]


def test_that_a_new_split_gives_open_columns_what_locked_ones_leave() -> None:
    plan = resplit(small_plan().with_column("age", locked=True))
    assert _epsilons(plan) == ["0.75", "0.75", "2.5"]
    assert total_epsilon(plan) == plan.budget


def test_that_a_split_without_anything_to_split_says_so() -> None:
    plan = small_plan()
    for name in ("smokes", "mood", "age"):
        plan = plan.with_column(name, locked=True)
    with pytest.raises(ParameterError, match="locked"):
        resplit(plan)


def test_that_a_split_of_less_than_the_locked_columns_use_is_refused() -> None:
    plan = small_plan().with_column("age", locked=True)
    with refused("plan.bad-split", left="0"):
        resplit(plan, Decimal(2))


def test_that_a_split_beyond_the_largest_epsilon_is_refused() -> None:
    with pytest.raises(ParameterError, match="to 40"):
        resplit(small_plan(), Decimal(200))
