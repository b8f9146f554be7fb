"""The statistics of a plan: queries to a trusted file with central differential privacy."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from dpdesk.cost import PrivacyCost
from dpdesk.numbers import DecimalText, PlainDigits
from dpdesk.queries import AnyQuery, PrivacyUnit, Query
from dpdesk.queries.base import Delta

QUERIES_MAX = 500

BUDGET_MAX = Decimal(9999)
"""Largest budget: a larger one is no limit at all."""

BudgetTotal = Annotated[
    Decimal,
    Field(gt=0, le=BUDGET_MAX, max_digits=16, decimal_places=12, allow_inf_nan=False),
    PlainDigits,
    DecimalText,
]
"""An epsilon that several releases together may use; stored as text."""

Confidence = Annotated[
    Decimal,
    Field(gt=0, lt=1, max_digits=6, decimal_places=6),
    PlainDigits,
    DecimalText,
]


class Statistics(BaseModel):
    """Queries to a trusted file, their privacy unit and their common budget.

    Attributes:
        unit: Whom the guarantee protects, against which change.
        budget: The epsilon that all queries together may use; None for no limit.
        delta: The delta at which the total is stated if Gaussian noise is used.
        confidence: Coverage of each interval.
        queries: The queries, in the order of the list.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    unit: PrivacyUnit = PrivacyUnit()
    budget: BudgetTotal | None = None
    delta: Delta = Decimal("0.000001")
    confidence: Confidence = Decimal("0.95")
    queries: Annotated[tuple[AnyQuery, ...], Field(max_length=QUERIES_MAX)] = ()

    def with_fields(self, **changes: object) -> Statistics:
        """Returns these statistics with fields changed and validated again."""
        fields = {key: getattr(self, key) for key in Statistics.model_fields}
        return Statistics(**(fields | changes))

    def with_queries(self, queries: Sequence[Query]) -> Statistics:
        """Returns these statistics with other queries."""
        return self.with_fields(queries=tuple(queries))

    def with_query(self, index: int, query: Query) -> Statistics:
        """Returns these statistics with another query at a position."""
        return self.with_queries((*self.queries[:index], query, *self.queries[index + 1 :]))

    @property
    def epsilon(self) -> Decimal:
        """The exact sum of the queries' epsilons."""
        return sum((query.epsilon for query in self.queries), Decimal(0))

    @property
    def cost(self) -> PrivacyCost:
        """The privacy cost: the exact sums of the epsilons and of the deltas."""
        return PrivacyCost(
            self.epsilon,
            sum((query.charged_delta for query in self.queries), Decimal(0)),
            "central",
            self.unit.description,
            self.unit.neighbours,
        )

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column that a query reads, each once."""
        read = [name for query in self.queries for name in query.columns]
        whose = self.unit.respondent_column
        return tuple(dict.fromkeys([*read, *([whose] if whose else [])]))
