"""A folder of the parts of a table is opened in every way that a file is."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, get_args

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent, QKeySequence
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from dpdesk.data.read_file import is_in_parts
from dpdesk.data.read_records import is_release
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.open_table import opened_as
from dpdesk.gui.pages.data.start_view import StartView
from dpdesk.gui.settings import Settings


def test_that_a_folder_of_parts_is_opened_as_one_table(
    settings: Settings, tmp_path: Path, qtbot: QtBot
) -> None:
    folder = tmp_path / "survey"
    folder.mkdir()
    for part in range(3):
        (folder / f"part-{part}.csv").write_bytes(b"sex,age\nf,31\nm,44\n")
    window = MainWindow(settings)
    document = Document(window)
    qtbot.addWidget(window, before_close_func=lambda _: document.undo_stack.setClean())
    window.furnish(document)
    with qtbot.waitSignal(document.loading.ended):
        window.files.open(folder)
    assert document.table is not None
    assert (document.table.name, document.table.rows) == ("survey", 6)
    assert settings.recent_files() == (folder,)
    # Another folder is a release, or none.
    (folder / "report.html").write_text("<p>")
    assert not is_in_parts(folder)


def test_that_the_window_and_the_command_line_agree_on_what_a_folder_is(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "part-1.csv").write_bytes(b"sex,age\nf,31\nm,44\n")
    assert (opened_as(folder), is_release(folder)) == ("data", False)
    (folder / "part-1.csv").rename(folder / "records.csv")
    # Records alone have noise, whoever sent them without their plan.
    assert is_in_parts(folder)
    assert (opened_as(folder), is_release(folder)) == ("release", True)
    (folder / "plan.json").write_text("{}")
    assert (opened_as(folder), is_release(folder)) == ("release", True)
    assert not is_release(folder / "records.csv")


Ways = Literal["menu", "dropped on the window", "dropped at the start", "recent"]


@pytest.mark.parametrize("way", get_args(Ways))
def test_that_a_folder_of_parts_is_opened_in_every_way_that_a_file_is(
    way: Ways,
    settings: Settings,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = tmp_path / "survey"
    folder.mkdir()
    for part in range(3):
        (folder / f"part-{part}.csv").write_bytes(b"sex,age\nf,31\nm,44\n")
    if way == "recent":
        settings.add_recent(folder)
    window = MainWindow(settings)
    document = Document(window)
    qtbot.addWidget(window, before_close_func=lambda _: document.undo_stack.setClean())
    window.furnish(document)
    window.show()
    with qtbot.waitSignal(document.loading.ended):
        keys = {"menu": "Ctrl+Alt+F", "recent": "Ctrl+Alt+1"}.get(way)
        if keys is not None:
            monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(folder))
            found = (a for a in window.findChildren(QAction) if a.shortcut() == QKeySequence(keys))
            next(found).trigger()
        else:
            data = QMimeData()
            data.setUrls([QUrl.fromLocalFile(str(folder))])
            place = window if way.endswith("window") else window.findChildren(StartView)[0]
            place.dropEvent(
                QDropEvent(
                    QPointF(5, 5),
                    Qt.DropAction.CopyAction,
                    data,
                    Qt.MouseButton.LeftButton,
                    Qt.KeyboardModifier.NoModifier,
                )
            )
    assert document.table is not None
    assert (document.table.name, document.table.rows) == ("survey", 6)
    assert settings.recent_files() == (folder,)
