"""The further formats of records are chosen on the Release page and held by the plan."""

from __future__ import annotations

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.release import ReleasePage


def test_that_a_format_is_chosen_undone_and_shown(
    ready: ReleasePage, document: Document, qtbot: QtBot
):
    choice = ready.records.before.destination.formats
    assert choice is not None
    assert list(choice.boxes) == ["sav", "zsav", "dta", "xlsx", "feather"]
    for word in ("xlsx", "sav"):
        qtbot.mouseClick(choice.boxes[word], Qt.MouseButton.LeftButton)
    assert document.plan.formats == ("sav", "xlsx")
    assert choice.boxes["sav"].accessibleName() == "Also write records.sav"
    document.undo_stack.undo()
    assert document.plan.formats == ("xlsx",)
    qtbot.waitUntil(lambda: not choice.boxes["sav"].isChecked())
    assert choice.boxes["xlsx"].isChecked()
    qtbot.mouseClick(choice.boxes["xlsx"], Qt.MouseButton.LeftButton)
    assert document.plan.formats == ()


def test_that_statistics_have_no_further_formats(ready: ReleasePage):
    assert ready.statistics.before.destination.formats is None
