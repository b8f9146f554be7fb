"""Checks of kept columns that are made coarser: the levels, and who needs the column as it is."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.errors import ParameterError
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.kept_texts import kept_texts
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem


def check_coarsening(plan: Plan, column: ColumnPlan) -> Iterator[Problem]:
    """Yields the problems of the levels of a column.

    Args:
        plan: The plan, for the columns that were asked because of this one.
        column: The column.
    """
    yield from check_levels(column)
    yield from check_filter(plan, column)


def check_levels(column: ColumnPlan) -> Iterator[Problem]:
    """Yields the problems of the levels of a column by itself."""
    coarsening, name = column.coarsening, column.name
    path = f"columns.{name}.coarsening"
    if coarsening is None:
        return
    if column.role != "keep":
        yield Problem(
            path,
            "warning",
            "coarsening_unused",
            f"The plan says how {name} is made coarser, and does not keep it: that has no effect.",
            "Keep the column, or take its coarsening out of the plan.",
        )
        return
    if column.kind == "weight":
        yield Problem(
            path,
            "error",
            "weight_coarsened",
            f"{name} holds survey weights, and estimates need them as they are.",
            "Take its coarsening out of the plan, or drop the column.",
        )
        return
    lacking = 0 if column.domain is None else coarsening.hierarchy(name).lacks(column.domain)
    if lacking:
        yield Problem(
            path,
            "error",
            "levels_lack_values",
            f"The levels of {name} do not list {lacking:,} of the values that it can hold.",
            "Add a row for each to its levels, or correct what the column can hold.",
        )
    if coarsening.waits:
        yield Problem(
            path,
            "error",
            "levels_unconfirmed",
            f"The levels of {name} follow from the records, and would tell something of them.",
            "Declare what the column can hold and coarsen it anew, or confirm that they may be "
            "released (coarsen --levels-from-data).",
            "The levels of {count} columns follow from the records, and would tell something of "
            "them: {names}.",
        )


def check_filter(plan: Plan, column: ColumnPlan) -> Iterator[Problem]:
    """Yields the problem of a column that says who was asked another question."""
    if column.kept_coarser is None:
        return
    for other in plan.columns:
        asked = other.missing.asked
        if other.role == "drop" or asked is None or column.name not in asked.columns:
            continue
        yield Problem(
            f"columns.{column.name}.coarsening",
            "error",
            "filter_coarsened",
            f"{other.name} was asked only where {asked.condition()}: made coarser, {column.name} "
            "does not tell any longer who was asked.",
            f"Keep {column.name} as it is, or drop {other.name}.",
        )


def check_kept_texts(column: ColumnPlan, texts: TextColumn, reading: Reading) -> Iterator[Problem]:
    """Yields the problem of answers that the levels of a kept column do not list."""
    try:
        kept_texts(column, texts, reading)
    except ParameterError as error:
        yield Problem(
            f"columns.{column.name}.coarsening",
            "error",
            "answers_without_level",
            error.message,
            "Add a row for each such value to its levels, or say which values mean no answer.",
        )
