from __future__ import annotations

from decimal import Decimal

import pytest

from dpdesk.cost import EPSILON_MIN
from dpdesk.errors import ParameterError
from dpdesk.plan.budget import epsilon_of_another, resplit_statistics
from dpdesk.plan.statistics import Statistics
from dpdesk.queries import Count
from tests.refusals import refused


def statistics(*epsilons: str, budget: str | None = None, locked: int = -1) -> Statistics:
    queries = [
        Count(epsilon=Decimal(epsilon), locked=index == locked)
        for index, epsilon in enumerate(epsilons)
    ]
    return Statistics(queries=tuple(queries), budget=None if budget is None else Decimal(budget))


def test_that_a_split_uses_the_budget_exactly_and_leaves_locked_epsilons() -> None:
    split = resplit_statistics(statistics("1", "2", "3", "1", budget="5", locked=1))
    assert split.epsilon == 5
    assert split.queries[1].epsilon == 2
    others = {query.epsilon for index, query in enumerate(split.queries) if index != 1}
    assert others == {Decimal("1.0000")}


def test_that_a_split_into_parts_that_do_not_divide_is_exact() -> None:
    split = resplit_statistics(statistics("1", "1", "1", budget="1"))
    assert split.epsilon == 1
    assert [str(query.epsilon) for query in split.queries] == ["0.3334", "0.3333", "0.3333"]


@pytest.mark.parametrize(
    "asked",
    [
        statistics("1"),
        statistics("1", budget="2", locked=0),
        statistics("3", "1", budget="2", locked=0),
    ],
    ids=["no budget", "all locked", "nothing left"],
)
def test_that_a_split_that_cannot_be_is_refused_with_a_remedy(asked: Statistics) -> None:
    with pytest.raises(ParameterError) as refusal:
        resplit_statistics(asked)
    assert refusal.value.remedy


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        (statistics("3", "1", "1", budget="2", locked=0), ("0", 2)),
        (statistics("2", "1", budget="2", locked=0), ("0", 1)),
        (statistics("1", "1", budget="0.0001"), ("0.0001", 2)),
        (statistics("1", "1", budget="80.0001"), ("80.0001", 2)),
    ],
)
def test_that_a_refusal_names_what_is_left_and_nothing_below_nothing(
    asked: Statistics, left: tuple[str, int]
) -> None:
    with refused("plan.bad-split", left=left[0], parts=left[1], least="0.0001", most="40"):
        resplit_statistics(asked)


def test_that_the_least_and_the_most_that_each_can_get_are_given() -> None:
    for budget, each in (("0.0002", "0.0001"), ("80", "40")):
        split = resplit_statistics(statistics("1", "1", budget=budget))
        assert [query.epsilon for query in split.queries] == [Decimal(each)] * 2


def test_that_another_query_starts_with_what_is_left() -> None:
    assert epsilon_of_another(statistics("5")) == 1
    assert epsilon_of_another(statistics("1", budget="8")) == 1
    assert epsilon_of_another(statistics("1", budget="1.25")) == Decimal("0.25")
    assert epsilon_of_another(statistics("1", budget="1")) == Decimal("0.5")
    assert epsilon_of_another(statistics("1", budget="1.0001")) == Decimal("0.0001")
    assert epsilon_of_another(statistics("1", "2", budget="2")) == Decimal("0.6666")
    assert epsilon_of_another(statistics("9", "9", budget="18")) == 1
    assert epsilon_of_another(statistics("1", budget="0.0001")) == EPSILON_MIN
