"""How the budget of statistics is split over their queries."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN, format_epsilon
from dpdesk.errors import ParameterError
from dpdesk.plan.budget import split_evenly
from dpdesk.plan.statistics import Statistics

USUAL_EPSILON = Decimal(1)
"""What a new query asks for while there is no budget."""


def resplit_statistics(statistics: Statistics) -> Statistics:
    """Splits the budget evenly over the queries that are not locked.

    Returns:
        Statistics that use the budget exactly.

    Raises:
        ParameterError: There is no budget, nothing to split it over, or too little or too much
            of it for each query's epsilon to be valid.
    """
    if statistics.budget is None:
        raise ParameterError("There is no budget to split.", remedy="Set a budget first.")
    unlocked = [query for query in statistics.queries if not query.locked]
    if not unlocked:
        raise ParameterError(
            "Every statistic is locked.", remedy="Unlock a statistic to split again."
        )
    fixed = sum((query.epsilon for query in statistics.queries if query.locked), Decimal(0))
    rest = statistics.budget - fixed
    shares = split_evenly(rest, len(unlocked)) if rest > 0 else (rest,)
    if shares[-1] < EPSILON_MIN or shares[0] > EPSILON_MAX:
        raise ParameterError(
            f"Epsilon {format_epsilon(max(rest, Decimal(0)))} is left for {len(unlocked)} "
            f"unlocked statistics; each must get from {EPSILON_MIN} to {EPSILON_MAX}.",
            remedy="Change the budget, or unlock or remove a statistic.",
        )
    left = iter(shares)
    return statistics.with_queries(
        [q if q.locked else q.changed(epsilon=next(left)) for q in statistics.queries]
    )


def epsilon_of_another(statistics: Statistics) -> Decimal:
    """Returns the epsilon that a new query starts with.

    The usual one, or what is left of the budget where that is less; with nothing left, an even
    share of the whole, so that a new split gives everyone as much.
    """
    if statistics.budget is None:
        return USUAL_EPSILON
    left = statistics.budget - statistics.epsilon
    if left < EPSILON_MIN:
        left = split_evenly(statistics.budget, len(statistics.queries) + 1)[-1]
    return max(min(left, USUAL_EPSILON), EPSILON_MIN)
