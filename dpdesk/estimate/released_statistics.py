"""What a release of statistics makes public: results, their queries and their cost."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from dpdesk.cost import PrivacyCost
from dpdesk.plan.model import Plan
from dpdesk.queries import BoundQuery, Statistic


@dataclass(frozen=True)
class QueryResult:
    """The released statistics of one query.

    Attributes:
        bound: The query as it was calibrated.
        statistics: One number or category per cell.
    """

    bound: BoundQuery
    statistics: tuple[Statistic, ...]


@dataclass(frozen=True)
class ReleasedStatistics:
    """The results of all queries of a plan.

    Attributes:
        plan: The plan, without columns that no query reads.
        rows: Number of rows where it is public, else None.
        results: One entry per query, in the plan's order.
    """

    plan: Plan
    rows: int | None
    results: tuple[QueryResult, ...]

    @property
    def cost(self) -> PrivacyCost:
        """What was run: the exact sum of all queries."""
        unit = self.plan.statistics.unit
        costs = [result.bound.cost for result in self.results]
        return PrivacyCost(
            sum((cost.epsilon for cost in costs), Decimal(0)),
            sum((cost.delta for cost in costs), Decimal(0)),
            "central",
            unit.description,
            unit.neighbours,
        )
