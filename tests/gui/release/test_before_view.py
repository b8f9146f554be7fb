"""The view before a release: where it is put, and how it scrolls."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QScrollArea
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.pages.release import ReleasePage
from dpdesk.releases.destination import folder_beside
from tests.engine.survey import survey
from tests.gui.release.conftest import HeldTask


def test_that_a_release_is_proposed_beside_its_data(
    page: ReleasePage, document: Document, tmp_path: Path
) -> None:
    destination = page.records.before.destination
    chosen, data = tmp_path / "chosen", tmp_path / "survey" / "answers.csv"
    for folder in (chosen, data.parent):
        folder.mkdir()
    assert destination.folder().parent == tmp_path, "the one that was chosen last"
    document._set_table(survey(), data)
    assert destination.folder().parent == data.parent
    for pane in (page.statistics, page.synthetic):
        assert pane.before.destination.folder().parent == data.parent
    # One that is chosen stays as long as these data are open.
    destination.set_parent_folder(chosen)
    document._set_table(survey(), data)
    assert destination.folder().parent == chosen
    document._set_table(survey(), data.parent / "other.csv")
    assert destination.folder().parent == data.parent
    # The sample has no file of the user's.
    document._set_table(survey(), None)
    assert destination.folder().parent == chosen


def test_that_a_release_is_proposed_outside_of_one_and_where_it_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "release" / "records.csv"
    inside.parent.mkdir()
    assert folder_beside(inside) == inside.parent
    (inside.parent / "manifest.json").touch()
    assert folder_beside(inside) == tmp_path
    # Of the parts of a table it is the folder around them.
    assert folder_beside(inside.parent) == tmp_path
    monkeypatch.setattr("os.access", lambda *_: False)
    assert folder_beside(inside) is None
    assert folder_beside(None) is None


def test_that_nothing_is_charged_or_made_where_the_chosen_folder_is_gone(
    ready: ReleasePage, held: HeldTask, tmp_path: Path
) -> None:
    pane, chosen = ready.records, tmp_path / "chosen"
    chosen.mkdir()
    pane.before.destination.set_parent_folder(chosen)
    assert pane.start_button.isEnabled()
    chosen.rmdir()
    pane.start()
    assert not pane.watch.is_running
    assert not held.reached.is_set()
    assert not chosen.exists()
    told = "There is no folder chosen. Make it, or choose another one."
    assert pane.before.destination.problem.sentence() == told
    assert not pane.before.destination.name.property("wrong")
    assert not pane.start_button.isEnabled()
    assert pane.start_button.toolTip() == told
    # Whoever makes it and comes back to the window goes on.
    chosen.mkdir()
    QApplication.sendEvent(pane.before.destination, QEvent(QEvent.Type.WindowActivate))
    assert pane.before.destination.is_possible()
    assert pane.start_button.isEnabled()


@pytest.mark.parametrize("size", [(1260, 690), (904, 550)])
def test_that_what_precedes_a_release_has_one_bar_to_scroll_with(
    ready: ReleasePage, qtbot: QtBot, size: tuple[int, int]
) -> None:
    ready.resize(*size)
    before = ready.records.before
    (outer,) = before.findChildren(QScrollArea, options=Qt.FindChildOption.FindDirectChildrenOnly)
    inner = [area for area in before.findChildren(QAbstractScrollArea) if area is not outer]
    assert before.promise.table in inner
    assert before.checks.problems in inner
    qtbot.waitUntil(lambda: outer.verticalScrollBar().maximum() > 0)

    def scrolling() -> list[str]:
        bars = [(area, area.verticalScrollBar().maximum()) for area in inner if area.isVisible()]
        return [type(area).__name__ for area, most in bars if most > 0]

    # Lists take their height from their width, once it is known.
    qtbot.waitUntil(lambda: scrolling() == [])


def test_that_the_table_of_a_wide_survey_scrolls_by_itself(
    ready: ReleasePage, document: Document
) -> None:
    table, columns = ready.records.before.promise.table, document.plan.columns
    many = tuple(
        column.changed(name=f"{column.name}{copy}") for copy in range(10) for column in columns
    )
    document.reset(document.plan.with_columns(many))
    assert table.model().rowCount() > 20
    assert table.height() < 21 * table.verticalHeader().defaultSectionSize() + 60
    assert table.verticalScrollBar().maximum() > 0
