"""What the table of attributes shows of a column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from dpdesk.gui.pages.plan.column_words import mechanism_text, type_text
from dpdesk.gui.widgets.budget_bar import two_places
from dpdesk.plan import ColumnPlan, Plan, Problem
from dpdesk.preview import error_text, figures, request_for

DASH = "—"


@dataclass(frozen=True, slots=True)
class AttributeRow:
    """One row of the table, as texts.

    Attributes:
        name: The column's name.
        label: Its label; may be empty.
        type: Kind and size of its domain.
        mechanism: What happens to it.
        epsilon: Its epsilon, or a dash.
        error: Its 95 % error, "exact" where it is kept, or empty.
        muted: Whether it costs nothing, so that it is shown in the second colour.
        locked: Whether a new split leaves its epsilon alone.
        lockable: Whether it has an epsilon that can be locked.
        severity: "error", "warning" or "": the worst of its problems.
        problems: Its problems as sentences.
    """

    name: str
    label: str
    type: str
    mechanism: str
    epsilon: str
    error: str
    muted: bool
    locked: bool
    lockable: bool
    severity: str
    problems: str


def attribute_row(plan: Plan, column: ColumnPlan, problems: Sequence[Problem]) -> AttributeRow:
    """Returns the row of a column.

    Args:
        plan: The plan, which states the respondents and the strategy.
        column: One of its columns.
        problems: The problems of this column, errors first.
    """
    chosen = column.mechanism if column.role == "protect" else None
    return AttributeRow(
        name=column.name,
        label=column.label,
        type=type_text(column),
        mechanism=mechanism_text(column),
        epsilon=DASH if chosen is None else two_places(chosen.epsilon),
        error=_error(plan, column),
        muted=column.role in ("keep", "drop"),
        locked=column.locked and chosen is not None,
        lockable=chosen is not None,
        severity=problems[0].severity if problems else "",
        problems="\n".join(str(problem) for problem in problems),
    )


def _error(plan: Plan, column: ColumnPlan) -> str:
    if column.role == "keep":
        return QCoreApplication.translate("PlanPage", "exact")
    request = request_for(column, plan.respondents, sampling=plan.sampling)
    if request is None:
        return ""
    shown = figures(request)
    # A cell has room for a letter of the unit, not for the word.
    unit = shown.unit if len(shown.unit) <= _UNIT_MAX else shown.unit[:1]
    return error_text(shown.error, unit)


_UNIT_MAX = 3
