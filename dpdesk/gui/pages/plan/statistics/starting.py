"""The query that a kind starts with: about the first column that suits it and was not asked yet."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.domains import Categorical
from dpdesk.plan import Plan
from dpdesk.plan.budget import epsilon_of_another
from dpdesk.queries import (
    Condition,
    Count,
    Histogram,
    Mean,
    MostCommon,
    Quantile,
    Query,
    Share,
    Sum,
    Variance,
)
from dpdesk.queries.coded_numbers import number_grid

_OF_NUMBERS: dict[str, type[Mean] | type[Sum] | type[Variance] | type[Quantile] | type[Histogram]]
_OF_NUMBERS = {
    "mean": Mean,
    "sum": Sum,
    "variance": Variance,
    "quantile": Quantile,
    "histogram": Histogram,
}


def categorical_columns(plan: Plan) -> tuple[str, ...]:
    """Returns the columns with declared categories, in the plan's order."""
    return tuple(c.name for c in plan.columns if isinstance(c.effective_domain, Categorical))


def number_columns(plan: Plan) -> tuple[str, ...]:
    """Returns the columns of numbers, then those whose categories are numbers."""
    domains = {c.name: c.effective_domain for c in plan.columns if c.effective_domain is not None}
    coded = [name for name, d in domains.items() if isinstance(d, Categorical) and number_grid(d)]
    grids = [name for name, d in domains.items() if not isinstance(d, Categorical)]
    return (*grids, *coded)


def can_start(plan: Plan, kind: str) -> bool:
    """Whether the plan has a column that this kind of query can be about."""
    if kind in _OF_NUMBERS:
        return bool(number_columns(plan))
    if kind == "share":
        return any(c.effective_domain is not None for c in plan.columns)
    return bool(categorical_columns(plan)) if kind == "most_common" else True


def starting_query(plan: Plan, kind: str) -> Query:
    """Returns a new query of a kind for which `can_start` holds."""
    epsilon = epsilon_of_another(plan.statistics)
    if kind in _OF_NUMBERS:
        column = _unasked(plan, kind, number_columns(plan))
        return _OF_NUMBERS[kind](column=column, epsilon=epsilon)
    if kind == "most_common":
        column = _unasked(plan, kind, categorical_columns(plan))
        return MostCommon(column=column, epsilon=epsilon)
    if kind == "share":
        return _share(plan, epsilon)
    if plan.statistics.unit.rows_are_public:
        # The number of all rows is public then: a count needs groups.
        return Count(by=categorical_columns(plan)[:1], epsilon=epsilon)
    return Count(epsilon=epsilon)


def _share(plan: Plan, epsilon: Decimal) -> Share:
    columns = categorical_columns(plan) or number_columns(plan)
    name = _unasked(plan, "share", columns)
    domain = plan.column(name).effective_domain
    if isinstance(domain, Categorical):
        condition = Condition(column=name, values=domain.texts[:1])
    else:
        assert domain is not None  # noqa: S101 - only columns with a domain are listed
        condition = Condition(column=name, lower=Decimal(domain.texts[domain.size // 2]))
    return Share(meeting=(condition,), epsilon=epsilon)


def _unasked(plan: Plan, kind: str, columns: tuple[str, ...]) -> str:
    asked = {
        name for query in plan.statistics.queries if query.kind == kind for name in query.columns
    }
    return next((name for name in columns if name not in asked), columns[0])
