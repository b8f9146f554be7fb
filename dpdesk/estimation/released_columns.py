"""The columns of a release that can be looked at together, and why some cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dpdesk.errors import ParameterError
from dpdesk.estimation.released import bind_attributes
from dpdesk.estimation.scored_records import not_together
from dpdesk.estimation.texts import T
from dpdesk.mechanisms import BoundMechanism
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan

Use = Literal["category", "number", "outcome", "predictor"]
"""What a column is in a question: its answers are listed, it has a mean, it is of a regression."""


@dataclass(frozen=True, slots=True)
class ReleasedColumn:
    """One column of a release.

    Attributes:
        name: Its name.
        title: What it means.
        is_kept: Whether it was released as it is.
        are_numbers: Whether answers are numbers, else they are listed.
        picks_one: Whether an answer is one of the list.
        has_squares: Whether reports of a number tell of its square.
        answers: Number of listed answers; 0 where the plan does not say.
    """

    name: str
    title: str
    is_kept: bool
    are_numbers: bool
    picks_one: bool
    has_squares: bool
    answers: int


def released_columns(plan: Plan) -> tuple[ReleasedColumn, ...]:
    """Returns the columns of a release that can be looked at, as the plan lists them."""
    bound = {column.name: mechanism for column, mechanism in bind_attributes(plan)}
    found = []
    for column in plan.columns:
        if column.name in bound:
            found.append(_protected(column, bound[column.name]))
        elif column.role == "keep" and column.kind != "weight":
            found.append(_kept(column))
    return tuple(found)


def _protected(column: ColumnPlan, bound: BoundMechanism) -> ReleasedColumn:
    scores, domain = bound.number_scores, bound.domain
    return ReleasedColumn(
        column.name,
        column.title,
        False,
        scores is not None,
        scores is not None or domain.picks_one,
        scores is None or not bool(np.isnan(scores).any()),
        domain.size if scores is None else 0,
    )


def _kept(column: ColumnPlan) -> ReleasedColumn:
    domain = column.domain
    listed = domain is not None and domain.picks_one
    size = domain.size if domain is not None and listed else 0
    numbers = column.kept_as_numbers
    return ReleasedColumn(column.name, column.title, True, numbers, True, True, size)


def objection(
    plan: Plan, columns: Mapping[str, ReleasedColumn], name: str, use: Use, beside: Sequence[str]
) -> ParameterError | None:
    """Returns why a column cannot be used so beside others, with what can be had; None if it can.

    Args:
        plan: The plan of the release.
        columns: Its columns, by name.
        name: The column.
        use: What it shall be.
        beside: The other columns of the question, the outcome of a regression first.
    """
    column = columns[name]
    if use == "category" and column.are_numbers:
        return ParameterError(T.HOLDS_NUMBERS(column=name))
    if use == "number" and not column.are_numbers:
        return ParameterError(T.HOLDS_CATEGORIES(column=name))
    if use in {"outcome", "predictor"} and not column.picks_one:
        return ParameterError(T.SEVERAL_ANSWERS(column=name))
    if use == "predictor" and not column.has_squares:
        return ParameterError(T.NO_SQUARES(column=name))
    if name in beside:
        return ParameterError(T.NAMED_TWICE())
    protected = [one for one in (*beside, name) if not columns[one].is_kept]
    is_single = sum(not one.is_kept for one in columns.values()) == 1
    if not column.is_kept and len(protected) > 1 and plan.strategy != "spl" and not is_single:
        return not_together(plan, protected)
    return None
