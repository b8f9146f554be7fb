"""Edits of the list of questions: add, remove, move."""

from __future__ import annotations

from dpdesk.data.table import SurveyTable
from dpdesk.gui.pages.data.domain_change import starting_domain
from dpdesk.plan import ColumnPlan, Plan, draft_table


def add_question(plan: Plan, after: str | None = None) -> tuple[Plan, str]:
    """Returns the plan with a new question, and the question's name.

    Args:
        plan: The plan.
        after: The column that it follows; None puts it last.
    """
    names = {column.name for column in plan.columns}
    number = len(names) + 1
    while f"question_{number}" in names:
        number += 1
    question = ColumnPlan(
        name=f"question_{number}", kind="binary", domain=starting_domain("binary")
    )
    place = len(plan.columns) if after is None else plan.index_of(after) + 1
    columns = (*plan.columns[:place], question, *plan.columns[place:])
    return plan.with_columns(columns), question.name


def remove_column(plan: Plan, name: str) -> Plan:
    """Returns the plan without a column."""
    return plan.with_columns(tuple(column for column in plan.columns if column.name != name))


def move_column(plan: Plan, name: str, steps: int) -> Plan:
    """Returns the plan with a column moved down by `steps`, up if negative, as far as it goes."""
    columns = list(plan.columns)
    index = plan.index_of(name)
    target = min(max(index + steps, 0), len(columns) - 1)
    columns.insert(target, columns.pop(index))
    return plan.with_columns(tuple(columns))


def add_missing_columns(plan: Plan, table: SurveyTable) -> Plan:
    """Returns the plan with a draft of every column of the data that it says nothing of.

    Columns stand in the order of the file; those that the file lacks follow.
    """
    planned = {column.name: column for column in plan.columns}
    absent = tuple(column for column in table.columns if column.name not in planned)
    if not absent:
        return plan
    drafted = draft_table(SurveyTable(absent, table.rows, table.reading)).columns
    known = planned | {column.name: column for column in drafted}
    ordered = [known.pop(name) for name in table.names]
    return plan.with_columns((*ordered, *known.values()))
