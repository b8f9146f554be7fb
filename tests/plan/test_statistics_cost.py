"""What statistics are charged: the exact sums, and a delta where one is used."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.plan.statistics import Statistics
from dpdesk.queries import Count, Mean, MostCommon, Quantile

DELTA = Decimal("0.000001")


def test_that_a_delta_is_charged_to_gaussian_noise_alone() -> None:
    queries = (
        Mean(column="age", noise="discrete_gaussian", delta=DELTA, epsilon=Decimal("0.1")),
        Count(noise="gaussian", delta=DELTA, epsilon=Decimal("0.2")),
        Count(by=("sex",), delta=DELTA, epsilon=Decimal("0.3")),
        Quantile(column="age", noise="gaussian", delta=DELTA, epsilon=Decimal("0.4")),
        MostCommon(column="sex", noise="gaussian", delta=DELTA, epsilon=Decimal("0.5")),
    )
    cost = Statistics(queries=queries).cost
    assert (cost.epsilon, cost.delta) == (Decimal("1.5"), 2 * DELTA)
