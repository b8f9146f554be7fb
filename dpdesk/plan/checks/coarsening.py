"""Checks of kept columns that are made coarser: the levels, and who needs the column as it is."""

from __future__ import annotations

from collections.abc import Iterator

from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.errors import ParameterError
from dpdesk.plan.checks.texts import T
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
        yield Problem(path, "warning", T.COARSENING_UNUSED(name=name))
        return
    if column.kind == "weight":
        yield Problem(path, "error", T.WEIGHT_COARSENED(name=name))
        return
    lacking = 0 if column.domain is None else coarsening.hierarchy(name).lacks(column.domain)
    if lacking:
        yield Problem(path, "error", T.LEVELS_LACK_VALUES(name=name, count=lacking))
    if coarsening.waits:
        yield Problem(path, "error", T.LEVELS_UNCONFIRMED(count=1, names=name))


def check_filter(plan: Plan, column: ColumnPlan) -> Iterator[Problem]:
    """Yields the problem of a column that says who was asked another question."""
    if column.kept_coarser is None:
        return
    for other in plan.columns:
        asked = other.missing.asked
        if other.role == "drop" or asked is None or column.name not in asked.columns:
            continue
        said = T.FILTER_COARSENED(other=other.name, condition=asked.condition(), name=column.name)
        yield Problem(f"columns.{column.name}.coarsening", "error", said)


def check_kept_texts(column: ColumnPlan, texts: TextColumn, reading: Reading) -> Iterator[Problem]:
    """Yields the problem of answers that the levels of a kept column do not list."""
    try:
        kept_texts(column, texts, reading)
    except ParameterError:
        said = T.ANSWERS_WITHOUT_LEVEL(name=column.name)
        yield Problem(f"columns.{column.name}.coarsening", "error", said)
