"""The main job through the real window: from the sample to a folder that can be published."""

from __future__ import annotations

import hashlib
import json
from decimal import Decimal
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from dpdesk.data.read_records import read_records
from dpdesk.estimation import estimate_rows, released_from_records
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.settings import Settings
from dpdesk.plan import confirm_domains, load_plan, protect_unassigned
from tests.gui.sample_plans import unplan
from tests.gui.windows import open_window


@pytest.fixture
def document() -> Document:
    return Document()


@pytest.fixture
def window(settings: Settings, document: Document, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    shown = open_window(settings, qtbot, "sample", document=document)
    shown.pages["release"].records.before.destination.set_parent_folder(tmp_path)
    return shown


def plan_it(window: MainWindow, document: Document) -> None:
    unplan(document)
    plan = protect_unassigned(confirm_domains(document.plan, "the authors"), Decimal(8))
    document.edit("Protect all", plan)
    window.go_to("release")


def test_that_the_sample_opens_planned_and_ready_to_release(window: MainWindow, document: Document):
    assert window.rail.current() == "plan"
    # Who releases it is asked, as of any other survey.
    assert [problem.code for problem in document.problems] == ["report_unnamed"]
    assert len(document.plan.protected) == len(document.plan.columns) == 9
    window.go_to("release")
    assert window.pages["release"].records.start_button.isEnabled()


def test_that_the_sample_is_blocked_until_it_is_planned(window: MainWindow, document: Document):
    unplan(document)
    window.go_to("release")
    page = window.pages["release"].records
    assert not page.start_button.isEnabled()
    path = page.before.checks.problems.lines()[0].path()
    page.before.checks.problems.activated.emit(path)
    assert window.rail.current() in ("data", "plan")
    plan_it(window, document)
    assert page.start_button.isEnabled()


def test_that_the_window_takes_the_sample_to_a_whole_release(
    window: MainWindow, document: Document, qtbot: QtBot, tmp_path: Path
):
    plan_it(window, document)
    page = window.pages["release"].records
    folder = page.before.destination.folder()
    with qtbot.waitSignal(page.watch.ended):
        qtbot.mouseClick(page.start_button, Qt.MouseButton.LeftButton)
    assert page.view() is page.results
    assert folder.name in window.status.saved_text()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    for entry in manifest["files"]:
        content = (folder / entry["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == entry["sha256"]
    # Whoever has only the folder finds the estimates that the window shows.
    records, plan = read_records(folder), load_plan(folder / "plan.json")
    assert records.rows == document.table.rows == 6_366
    public = released_from_records(records, plan)
    shown = page.results.result().released
    for own, theirs in zip(shown.attributes, public.attributes, strict=True):
        for row, again in zip(estimate_rows(own), estimate_rows(theirs), strict=True):
            assert row.estimate == pytest.approx(again.estimate)
            assert row.total_standard_error == pytest.approx(again.total_standard_error)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == [folder.name]


def test_that_the_main_job_needs_no_mouse(window: MainWindow, document: Document, qtbot: QtBot):
    window.activateWindow()
    plan_it(window, document)
    page = window.pages["release"].records
    qtbot.waitUntil(page.start_button.hasFocus)
    with qtbot.waitSignal(page.watch.ended):
        QTest.keyClick(page.start_button, Qt.Key.Key_Space)
    qtbot.waitUntil(page.results.entries.hasFocus)
    first = page.results.estimates.estimates.rows[0].attribute
    QTest.keyClick(page.results.entries, Qt.Key.Key_Down)
    assert page.results.estimates.estimates.rows[0].attribute != first
    page.results.tabs.setFocus()
    with qtbot.waitSignal(page.compare_watch.ended):
        QTest.keyClick(page.results.tabs, Qt.Key.Key_Right)
    assert page.results.private.table.isVisible()


def test_that_closing_the_window_in_the_middle_asks_and_leaves_no_folder(
    window: MainWindow, document: Document, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    plan_it(window, document)
    page = window.pages["release"].records
    before = set(tmp_path.iterdir())
    page.start()
    job = page.watch._job
    document.undo_stack.setClean()
    asked: list[str] = []

    def stop(_: object, works: str) -> bool:
        asked.append(works)
        return True

    monkeypatch.setattr(window, "ask_stop", stop)
    window.close()
    assert len(asked) == 1
    assert not job.is_running
    # Either it was stopped and nothing is there, or it had just ended and all of it is.
    new = [path for path in set(tmp_path.iterdir()) - before if path.is_dir()]
    assert all((path / "manifest.json").is_file() for path in new)
    assert len(new) <= 1
