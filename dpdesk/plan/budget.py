"""Splits the budget of a plan over its attributes, and that of statistics over their queries."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN, even_part, format_epsilon, split_evenly
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import Mechanism
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.losses import record_loss
from dpdesk.plan.model import Plan
from dpdesk.plan.statistics import Statistics
from dpdesk.plan.texts import T

DEFAULT_BUDGET = Decimal(4)
"""The budget of a new plan for a respondent's whole record: e^4 is 55."""


def resplit(plan: Plan, total: Decimal | None = None) -> Plan:
    """Splits the budget evenly over the protected columns that are not locked.

    If each respondent reports one attribute, each attribute gets the whole budget.

    Args:
        plan: A plan whose protected columns have mechanisms.
        total: What a respondent may lose by all protected columns; the plan's own budget if None.

    Returns:
        A plan whose respondents lose the total exactly; less if one attribute is reported beside
        locked ones of smaller epsilons.

    Raises:
        ParameterError: There is no budget, no column to split it over, or too little or too much
            of it for each column's epsilon to be valid.
    """
    whole = plan.budget if total is None else total
    if whole is None:
        raise ParameterError(T.NO_BUDGET())
    whole = plan.of_record(whole)
    open_columns = [c for c in plan.protected if c.mechanism and _is_open(c)]
    if not open_columns:
        raise ParameterError(T.ALL_LOCKED())
    rest, shares = whole, (whole,) * len(open_columns)
    if plan.strategy == "spl":
        fixed = (c.mechanism.epsilon for c in plan.protected if c.mechanism and not _is_open(c))
        rest = whole - sum(fixed, Decimal(0))
        shares = split_evenly(rest, len(open_columns))
    _require_possible(shares, rest)
    epsilon_of = dict(zip((c.name for c in open_columns), shares, strict=True))
    return plan.with_columns(
        tuple(
            _at_epsilon(c, epsilon_of[c.name]) if c.name in epsilon_of else c for c in plan.columns
        )
    )


def whole_budget(plan: Plan) -> Decimal:
    """Returns what a record may lose: the budget, or what is used where that is more."""
    used = record_loss(plan)
    return used if plan.budget is None else max(used, plan.of_record(plan.budget))


def share_of_budget(plan: Plan, column: ColumnPlan) -> Decimal | None:
    """Returns the least epsilon that `resplit` would give a protected column; None if it cannot."""
    if plan.budget is None or not _is_open(column):
        return None
    share = whole = plan.of_record(plan.budget)
    if plan.strategy == "spl":
        fixed = (c.mechanism.epsilon for c in plan.protected if c.mechanism and not _is_open(c))
        rest, parts = whole - sum(fixed, Decimal(0)), sum(map(_is_open, plan.protected))
        share = even_part(rest, parts)
    return share if EPSILON_MIN <= share <= EPSILON_MAX else None


def _require_possible(shares: tuple[Decimal, ...], rest: Decimal) -> None:
    """Refuses shares of which the last, the least one, or the first cannot be an epsilon."""
    if shares[-1] < EPSILON_MIN or shares[0] > EPSILON_MAX:
        left, least, most = map(format_epsilon, (max(rest, Decimal(0)), EPSILON_MIN, EPSILON_MAX))
        raise ParameterError(T.BAD_SPLIT(left=left, parts=len(shares), least=least, most=most))


def _is_open(column: ColumnPlan) -> bool:
    """Whether a split may change the column's epsilon."""
    return column.mechanism is not None and column.mechanism.adjustable and not column.locked


def _at_epsilon(column: ColumnPlan, epsilon: Decimal) -> ColumnPlan:
    assert column.mechanism is not None  # noqa: S101 - only columns with one are split
    return column.model_copy(update={"mechanism": mechanism_at(column.mechanism, epsilon)})


def mechanism_at(mechanism: Mechanism, epsilon: Decimal) -> Mechanism:
    """Returns the mechanism with another epsilon, validated.

    Raises:
        ParameterError: The epsilon follows from the mechanism's other parameters.
    """
    if not mechanism.adjustable:
        raise ParameterError(T.EPSILON_FOLLOWS(mechanism=mechanism.short))
    fields = {key: getattr(mechanism, key) for key in type(mechanism).model_fields}
    return type(mechanism)(**(fields | {"epsilon": epsilon}))


USUAL_EPSILON = Decimal(1)
"""The epsilon of a new query without a budget."""


def resplit_statistics(statistics: Statistics) -> Statistics:
    """Splits the budget evenly over the queries that are not locked.

    Returns:
        Statistics that use the budget exactly.

    Raises:
        ParameterError: There is no budget, no query to split it over, or too little or too much
            of it for each query's epsilon to be valid.
    """
    if statistics.budget is None:
        raise ParameterError(T.NO_BUDGET())
    unlocked = [query for query in statistics.queries if not query.locked]
    if not unlocked:
        raise ParameterError(T.ALL_LOCKED())
    fixed = sum((query.epsilon for query in statistics.queries if query.locked), Decimal(0))
    rest = statistics.budget - fixed
    shares = split_evenly(rest, len(unlocked))
    _require_possible(shares, rest)
    left = iter(shares)
    return statistics.with_queries(
        [q if q.locked else q.changed(epsilon=next(left)) for q in statistics.queries]
    )


def epsilon_of_another(statistics: Statistics) -> Decimal:
    """Returns the epsilon that a new query starts with.

    The default, or the rest of the budget if that is less; with nothing left, an even share of
    the budget, which a new split gives to every query.
    """
    if statistics.budget is None:
        return USUAL_EPSILON
    left = statistics.budget - statistics.epsilon
    if left < EPSILON_MIN:
        left = even_part(statistics.budget, len(statistics.queries) + 1)
    return max(min(left, USUAL_EPSILON), EPSILON_MIN)
