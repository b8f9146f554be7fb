"""Checks of kept columns that are made coarser, and the edit that makes them so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain

from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.errors import ParameterError
from dpdesk.plan.checks.texts import T
from dpdesk.plan.coarsening import Coarsening
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.kept_texts import kept_texts
from dpdesk.plan.model import Plan
from dpdesk.plan.problem import Problem


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


def keep_coarser(
    plan: Plan, levels: Mapping[str, Coarsening | None], *, confirmed: bool = False
) -> Plan:
    """Returns the plan with some columns kept on coarser levels.

    Args:
        plan: The plan.
        levels: The level of each column, by its name; None keeps it as it is.
        confirmed: Whether it is confirmed that the columns are released without protection; what
            was confirmed before of a column that was kept already still is.

    Raises:
        ParameterError: The plan has no such column, or needs it as it is.
    """
    for name, coarsening in levels.items():
        if name not in {column.name for column in plan.columns}:
            raise ParameterError(T.COLUMN_UNKNOWN(name=name))
        column = plan.column(name)
        kept = confirmed or (column.role == "keep" and column.keep_confirmed)
        plan = plan.with_column(name, role="keep", keep_confirmed=kept, coarsening=coarsening)
    for name in levels:
        column = plan.column(name)
        wrong = next(chain(check_levels(column), check_filter(plan, column)), None)
        if wrong is not None and wrong.code != "levels_unconfirmed":
            raise ParameterError(wrong.message, remedy=wrong.remedy)
    return plan
