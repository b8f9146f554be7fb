"""Who is recognisable by the columns that a plan keeps as they are."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpdesk.data.reading import Reading
from dpdesk.data.table import Flags, TextColumn
from dpdesk.disclosure.columns import MissingOf, OrderOf, as_released, missing_by
from dpdesk.disclosure.kept_columns import KeptColumns, kept_columns
from dpdesk.disclosure.level_choice import LevelChoice
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.encoding import missing_texts
from dpdesk.plan.given_answers import GivenAnswers, given_answers, with_counts
from dpdesk.plan.model import Plan


def kept_answers(plan: Plan) -> tuple[str, ...]:
    """Returns the names of the answers that a plan keeps as they are; weights are no answers."""
    return tuple(column.name for column in plan.kept if column.kind != "weight")


def missing_of(plan: Plan | None, reading: Reading) -> MissingOf:
    """Returns what means "no answer" by a plan, for columns that it has, else by the reading."""
    names = {} if plan is None else {column.name: column for column in plan.columns}
    by_reading = missing_by(reading)

    def found(column: TextColumn) -> Flags:
        own = names.get(column.name)
        return by_reading(column) if own is None else missing_texts(own, column, reading)

    return found


def order_of(plan: Plan | None) -> OrderOf:
    """Returns the order of a column's answers by a plan: only ordinal ones and numbers have one."""
    columns = {} if plan is None else {column.name: column for column in plan.columns}

    def found(name: str) -> tuple[str, ...] | None:
        column = columns.get(name)
        if column is None or column.domain is None or column.domain.holds_numbers:
            return None
        return tuple(column.domain.listed) if column.kind == "ordinal" else ()

    return found


def kept_of(plan: Plan, texts: Callable[[str], TextColumn], rows: int) -> KeptColumns | None:
    """Returns how many records stand out on the answers that a plan keeps; None if it keeps none.

    Args:
        plan: The plan.
        texts: Returns the column of a name, of the survey or of its released records.
        rows: Number of records.
    """
    return kept_columns(as_released(map(texts, kept_answers(plan))), rows)


def with_counts_of_kept(plan: Plan, texts: Callable[[str], TextColumn], reading: Reading) -> Plan:
    """Returns a plan judged by the columns that it keeps, which everybody can count.

    Args:
        plan: The plan.
        texts: Returns a column as it is released.
        reading: How the records are read.
    """

    def of(column: ColumnPlan) -> GivenAnswers | None:
        is_known = column.role == "keep" and column.domain is not None
        return given_answers(column, texts(column.name), reading) if is_known else None

    return with_counts(plan, of, None)


def answers_beside(column: ColumnPlan, texts: TextColumn, missing: Flags) -> tuple[str, ...]:
    """Returns the answers in a kept column that its domain does not name, in order.

    Args:
        column: The column of the plan.
        texts: The column as it is released.
        missing: Which of its distinct texts mean "no answer".
    """
    given = (texts.counts > 0) & ~missing
    present = {texts.distinct[code].strip() for code in np.flatnonzero(given)}
    domain = column.domain
    known = domain.texts if domain is not None and domain.picks_one else ()
    return tuple(sorted(present - set(known)))


def level_choice(plan: Plan | None) -> LevelChoice:
    """Returns what a plan declares of its columns: confirmed domains, and which are in order."""
    columns = [column for column in (() if plan is None else plan.columns) if column.confirmed]
    return LevelChoice(
        domains={column.name: column.domain for column in columns if column.domain is not None},
        ordered={column.name for column in columns if column.kind == "ordinal"},
    )
