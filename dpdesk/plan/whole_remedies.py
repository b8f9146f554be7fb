"""What would make more than one attribute useful: tables, statistics, synthetic rows.

As `dpdesk.plan.remedies`, each with the error that it gives: computed.
"""

from __future__ import annotations

from decimal import Decimal

from dpdesk.cost import EPSILON_MAX, even_part, format_epsilon
from dpdesk.plan.budget import whole_budget
from dpdesk.plan.joint_errors import joint_question, joint_worth
from dpdesk.plan.joint_question import JointQuestion
from dpdesk.plan.model import Plan
from dpdesk.plan.protection import best_mechanism
from dpdesk.plan.release_usefulness import usefulness_of_statistic, usefulness_of_table
from dpdesk.plan.remedies import Remedy, as_fine, is_best, least_above
from dpdesk.plan.texts import T
from dpdesk.plan.usefulness import Usefulness


def remedy_of_tables(plan: Plan, question: JointQuestion | None = None) -> Remedy | None:
    """Returns what makes a cell of a table useful: fewer attributes at the same total.

    Where the total is too small for two, it is the least epsilon of each.

    Args:
        plan: The plan.
        question: Another analysis of several columns.
    """
    question = question or joint_question(plan)
    if question is None:
        return None
    pair = [column for column in plan.protected if column.name in question.names]

    def worth(epsilon: Decimal) -> Usefulness | None:
        changed = {}
        for column in pair:
            best = best_mechanism(column, plan.sampling, epsilon, answers_only=False)
            if best is None:
                return None
            changed[plan.index_of(column.name)] = column.changed(mechanism=best)
        return joint_worth(plan.with_changed(changed), question)

    now = max((c.mechanism.epsilon for c in pair if c.mechanism), default=EPSILON_MAX)
    epsilon = least_above(now, lambda e: is_best(worth(e)))
    found = None if epsilon is None else worth(epsilon)
    if epsilon is None or found is None:
        return None
    attributes, total = len(plan.protected), whole_budget(plan)
    number = int(total / epsilon)
    if max(len(pair), 2) <= number < attributes:
        # With an even part of the total the error is no larger than at the least epsilon.
        fewer = worth(min(even_part(total, number), EPSILON_MAX))
        if fewer is not None:
            action = T.FEWER(fewer=number, variables=attributes, total=format_epsilon(total))
            return Remedy("fewer", action, fewer)
    whole = as_fine(epsilon * attributes, epsilon)
    action = T.EPSILON_EVERY(epsilon=format_epsilon(epsilon), whole=whole)
    return Remedy("epsilon", action, found)


def remedy_of_query(plan: Plan, index: int) -> Remedy | None:
    """Returns the least epsilon of two digits that makes a statistic useful; None if none does."""
    statistics, query = plan.statistics, plan.statistics.queries[index]

    def worth(epsilon: Decimal) -> Usefulness | None:
        changed = statistics.with_query(index, query.changed(epsilon=epsilon))
        return usefulness_of_statistic(plan.with_fields(statistics=changed), index)

    epsilon = least_above(query.epsilon, lambda e: is_best(worth(e)))
    found = None if epsilon is None else worth(epsilon)
    if epsilon is None or found is None:
        return None
    action = T.EPSILON(epsilon=format_epsilon(epsilon))
    if len(statistics.queries) > 1:
        whole = as_fine(statistics.epsilon - query.epsilon + epsilon, epsilon)
        action = T.EPSILON_ALONE(epsilon=format_epsilon(epsilon), whole=whole)
    return Remedy("epsilon", action, found)


def remedy_of_synthesis(plan: Plan, name: str) -> Remedy | None:
    """Returns the least epsilon of two digits that makes a table of synthetic rows useful.

    Args:
        plan: The plan.
        name: What `usefulness_of_synthesis` calls the table.

    Returns:
        None where no epsilon does.
    """

    def worth(epsilon: Decimal) -> Usefulness | None:
        changed = plan.synthesis.with_fields(epsilon=epsilon)
        return usefulness_of_table(plan.with_fields(synthesis=changed), name)

    epsilon = least_above(plan.synthesis.epsilon, lambda e: is_best(worth(e)))
    found = None if epsilon is None else worth(epsilon)
    if epsilon is None or found is None:
        return None
    return Remedy("epsilon", T.EPSILON(epsilon=format_epsilon(epsilon)), found)
