"""Protection of columns: each gets the mechanism of least error at its epsilon."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from decimal import Decimal

from dpdesk.domains import domain_type
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import Mechanism, Order, Sampling, best_of, proposed, ranked
from dpdesk.mechanisms.choice import least_error
from dpdesk.plan.budget import resplit
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.losses import total_epsilon
from dpdesk.plan.model import Plan, Strategy
from dpdesk.plan.texts import T

DEFAULT_EPSILON = Decimal(1)
"""Epsilon of a column that is protected without a word about it."""


def protect(plan: Plan, name: str, epsilon: Decimal = DEFAULT_EPSILON) -> Plan:
    """Returns the plan with a column protected by the mechanism of least error.

    A column that already has a fitting mechanism keeps it, with its epsilon. Where the budget
    would be exceeded it is split anew over the columns that are not locked.

    Raises:
        ParameterError: No mechanism can protect the column as it is declared.
    """
    index = plan.index_of(name)
    column = plan.columns[index]
    others = len(plan.protected) - (column.role == "protect")
    sampling = plan.sampling_of(others + 1)
    protected = _protected(column, sampling, epsilon, answers_only=plan.wanted.answers_only)
    changed = plan.with_changed({index: protected})
    if plan.budget is None or total_epsilon(changed) <= plan.budget:
        return changed
    with suppress(ParameterError):
        # Everything else is locked: the check says that the budget is exceeded.
        return resplit(changed)
    return changed


def serving_strategy(plan: Plan) -> Strategy:
    """Returns the strategy that serves the purpose of a plan, once all its columns are protected.

    Blanks and analyses of several columns need every answer.
    """
    columns = [
        column
        for column in plan.columns
        if column.role == "protect" or (column.role == "unassigned" and column.effective_domain)
    ]
    if plan.analyses or any(column.missing.treatment.stays_blank for column in columns):
        return "spl"
    return plan.wanted.strategy(len(columns))


def protect_all(plan: Plan) -> Plan:
    """Returns the plan with every unassigned column protected that can be.

    Where nothing was protected before, it is under the strategy that serves the purpose.

    Raises:
        ParameterError: As `protect_unassigned`.
    """
    if not plan.protected:
        plan = plan.with_fields(strategy=serving_strategy(plan))
    return protect_unassigned(plan)


def protect_unassigned(plan: Plan, total: Decimal | None = None) -> Plan:
    """Returns the plan with every unassigned column protected that can be.

    Args:
        plan: The plan.
        total: Epsilon of all protected columns together, including locked ones; if None, the
            plan's budget, and without one 1 for each newly protected column.

    Raises:
        ParameterError: The total is too small or too large for the number of columns.
    """
    changed: dict[int, ColumnPlan] = {}
    undecided = []
    attributes = len(plan.protected)
    whole = plan.budget if total is None else total
    for index, column in enumerate(plan.columns):
        if column.role == "unassigned" and column.effective_domain is not None:
            attributes += 1
            sampling = plan.sampling_of(attributes)
            # With a total the best is chosen below, at the epsilon that it gives.
            changed[index] = _protected(
                column,
                sampling,
                DEFAULT_EPSILON,
                answers_only=plan.wanted.answers_only,
                # A locked one keeps what it gets here.
                is_interim=whole is not None and not column.locked,
            )
            undecided += [index] * (column.mechanism is None)
    plan = plan.with_changed(changed)
    if whole is not None and (changed or total is not None):
        budget = None if plan.budget is None else whole
        return choose_best(resplit(plan.with_fields(budget=budget), whole))
    if plan.strategy in {"rsfd", "rsrfd"}:
        # The best mechanism among fakes depends on the final number of attributes.
        plan = plan.with_changed(_best_of(plan, undecided, "total"))
    return plan


def choose_best(plan: Plan, name: str | None = None, by: Order = "total") -> Plan:
    """Returns the plan with the mechanism of least error at each attribute's own epsilon.

    A mechanism whose epsilon cannot be chosen stays, unless its column is named.

    Args:
        plan: The plan.
        name: One column, or None for every protected column that is not locked.
        by: The criterion: the total error over the expected distribution, or n Var*.
    """
    if name is not None:
        wanted = [index for index, column in enumerate(plan.columns) if column.name == name]
    else:
        wanted = [
            index
            for index, column in enumerate(plan.columns)
            if column.mechanism is not None and column.mechanism.adjustable and not column.locked
        ]
    return plan.with_changed(_best_of(plan, wanted, by))


def _best_of(plan: Plan, wanted: Iterable[int], by: Order) -> dict[int, ColumnPlan]:
    """The protected columns at these positions, each with its best mechanism."""
    changed: dict[int, ColumnPlan] = {}
    for index in wanted:
        column = plan.columns[index]
        mechanism = column.mechanism
        if column.role != "protect" or mechanism is None or column.effective_domain is None:
            continue
        only = plan.wanted.answers_only
        best = best_mechanism(column, plan.sampling, mechanism.epsilon, answers_only=only, by=by)
        if best is not None and best != mechanism:
            changed[index] = column.changed(mechanism=best)
    return changed


def _protected(
    column: ColumnPlan,
    sampling: Sampling,
    epsilon: Decimal,
    *,
    answers_only: bool,
    is_interim: bool = False,
) -> ColumnPlan:
    """The column protected by its own mechanism if that fits, else by that of least error.

    Where the choice is an interim one, any that fits will do.
    """
    domain = column.effective_domain
    if domain_type(column.kind) is None or domain is None:
        raise ParameterError(T.NOT_PROTECTABLE(name=column.name))
    own = column.mechanism
    if own is not None and own.objection(domain) is None and sampling.serves(type(own)):
        return column.changed(role="protect", coarsening=None)
    if is_interim:
        best = next(proposed(domain, epsilon, sampling), None)
    else:
        best = best_mechanism(column, sampling, epsilon, answers_only=answers_only)
    if best is None:
        raise ParameterError(T.NO_MECHANISM_OF_STRATEGY(name=column.name))
    return column.changed(role="protect", mechanism=best, coarsening=None)


def best_mechanism(
    column: ColumnPlan,
    sampling: Sampling,
    epsilon: Decimal,
    *,
    answers_only: bool,
    by: Order = "total",
) -> Mechanism | None:
    """Returns the mechanism to choose for a column; None if none fits it and the strategy.

    Args:
        column: A column.
        sampling: How it shares a respondent's report with others.
        epsilon: Of one report.
        answers_only: Whether only reports that are answers of the same column are wanted.
        by: The criterion: the total error over the expected distribution, or n Var*.
    """
    domain, expected = column.effective_domain, column.expected_shares
    if domain is None:
        return None
    if by == "total":
        best = least_error(
            domain, epsilon, expected=expected, sampling=sampling, answers_only=answers_only
        )
    else:
        ranking = ranked(domain, epsilon, expected=expected, by=by, sampling=sampling)
        best = best_of(ranking, by, answers_only=answers_only)
    return None if best is None else best.mechanism
