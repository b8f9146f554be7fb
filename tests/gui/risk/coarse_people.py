"""Forty people who are known by age and sex, and their plan, for the tests of the Coarsen pane."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from dpdesk.data.table import SurveyTable, table_from_texts
from dpdesk.domains import Categorical, Integer
from dpdesk.gui.pages.risk.coarsen_pane import CoarsenPane
from dpdesk.plan import Plan
from dpdesk.plan.column import ColumnPlan

Wait = Callable[[], None]
QUASI, SENSITIVE = ("age", "sex"), ("income",)


def people() -> SurveyTable:
    """Forty people in pairs by age; their incomes differ within a pair."""
    return table_from_texts(
        {
            "age": [str(20 + row // 2) for row in range(40)],
            "sex": ["f" if row % 4 < 2 else "m" for row in range(40)],
            "income": [str(row % 3) for row in range(40)],
        }
    )


def plan(*, confirmed: bool = True) -> Plan:
    columns = (
        ColumnPlan(
            name="age", kind="integer", domain=Integer(lower=18, upper=60), confirmed=confirmed
        ),
        ColumnPlan(
            name="sex", kind="binary", domain=Categorical(values=("f", "m")), confirmed=confirmed
        ),
        ColumnPlan(name="income", kind="nominal", domain=Categorical(values=("0", "1", "2"))),
    )
    return Plan(respondents=40, columns=columns)


def qapp_events(pane: CoarsenPane) -> None:
    """Has what waits for the layout done."""
    for _ in range(5):
        QApplication.processEvents()


def figures(pane: CoarsenPane) -> dict[str, tuple[str, str]]:
    return {row.name: (row.before, row.after) for row in pane.model.rows}
