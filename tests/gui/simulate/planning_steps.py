"""What the tests of sample planning suppose, type and read."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.designs.forced import Forced
from dpdesk.designs.planning import Goal
from dpdesk.designs.warner import WarnerDesign
from dpdesk.gui.pages.simulate.planning.cell import NumberCell
from dpdesk.gui.pages.simulate.planning.view import SamplePlanningView
from dpdesk.gui.pages.simulate.scenario_kinds import ShareScenario
from dpdesk.gui.widgets.typed_table import TypedRows

TWO_COINS = WarnerDesign(p=Fraction(3, 4))
SUPPOSED = ShareScenario(question="Have you ever had an extramarital affair?")
DIE = Forced(forced_no=Fraction(1, 6), forced_yes=Fraction(1, 6))


def suppose(view: SamplePlanningView, **changes: object) -> None:
    """What the left of the page does."""
    view.show_scenario(SUPPOSED.changed(**changes))


def want(view: SamplePlanningView, goal: Goal) -> None:
    """Chooses from the list what is to be found."""
    goals = view.one.goal
    goals.setCurrentIndex(goals.findData(goal.name))
    goals.activated.emit(goals.currentIndex())


def type_into(cell: NumberCell, text: str, qtbot: QtBot) -> None:
    cell.field.setFocus()
    cell.field.selectAll()
    if text:
        qtbot.keyClicks(cell.field, text)
    else:
        qtbot.keyClick(cell.field, Qt.Key.Key_Delete)
    qtbot.keyClick(cell.field, Qt.Key.Key_Return)


def write(table: TypedRows, row: int, column: int, text: str) -> None:
    """What an editor of the cell does."""
    table.model.setData(table.model.index(row, column), text)


def numbers(view: SamplePlanningView) -> dict[str, str]:
    """What a file of the plan of one question says."""
    outcome = view.outcome()
    assert outcome is not None
    return {quantity: value for quantity, value, _ in outcome.table.rows}


def values(view: SamplePlanningView) -> list[str]:
    return [tile.value() for tile in view.figures.tiles]


def choose(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
