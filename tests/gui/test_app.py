"""The window as a program of its own: it opens what it is given, and its exit code is Qt's."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from dpdesk.gui.app import MnemonicGuard, keep_on_screen
from tests.patience import HANG

PROGRAM = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMainWindow
from dpdesk.gui.app import application, run

app = application()

def look():
    (window,) = [w for w in app.topLevelWidgets() if isinstance(w, QMainWindow)]
    if "{wanted}" in window.windowTitle():
        app.exit(3)

timer = QTimer()
timer.timeout.connect(look)
timer.start(20)
sys.exit(run({given}))
"""


@pytest.mark.parametrize("given", ["file", "sample"])
def test_that_the_program_opens_what_it_is_given_and_ends_as_it_is_told(
    given: str, tmp_path: Path, root: Path
) -> None:
    data = tmp_path / "answers.csv"
    data.write_text("sex,age\nf,31\nm,44\n", encoding="utf-8")
    words = {"file": f"Path({str(data)!r})", "sample": "sample=True"}[given]
    wanted = {"file": "answers", "sample": "affairs"}[given]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(wanted=wanted, given=words)],
        env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
        cwd=root,
        timeout=HANG,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 3, done.stderr


def test_that_the_frame_is_imported_without_what_its_first_paint_does_not_need() -> None:
    probe = "import sys, dpdesk.gui.main_window; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    heavy = {"numpy", "pyarrow", "pydantic", "pyqtgraph", "dpdesk.plan", "dpdesk.gui.document"}
    assert heavy & set(done.stdout.split()) == set()


def test_that_what_lives_as_long_as_the_window_is_not_looked_at_by_the_collector() -> None:
    probe = (
        "import gc, dpdesk.gui.app as app; before = len(gc.get_objects()); app.spare_start_up();"
        "print(before, gc.get_freeze_count(), gc.get_threshold()[2])"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    before, frozen, every = map(int, done.stdout.split())
    assert frozen >= before > 10_000
    assert every == 100


def test_that_cycles_are_collected_in_the_thread_of_the_window_alone(qtbot: QtBot) -> None:
    """A job makes more cycles than any threshold; a widget among them must not be deleted there."""
    collected_in: list[int] = []

    def note(phase: str, _: dict[str, int]) -> None:
        if phase == "start":
            collected_in.append(threading.get_ident())

    def job() -> None:
        for _ in range(20 * gc.get_threshold()[0]):
            cycle: list[object] = []
            cycle.append(cycle)

    widget = QWidget()
    widget.itself = widget
    deleted_in: list[int] = []
    weakref.finalize(widget, lambda: deleted_in.append(threading.get_ident()))
    del widget
    gc.callbacks.append(note)
    try:
        thread = threading.Thread(target=job)
        thread.start()
        thread.join()
        assert collected_in == []
        qtbot.waitUntil(lambda: bool(deleted_in))
    finally:
        gc.callbacks.remove(note)
    assert set(collected_in + deleted_in) == {threading.get_ident()}


def test_that_the_window_is_no_larger_than_a_small_screen(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    room = window.screen().availableGeometry().size()
    window.resize(room.width() + 400, room.height() + 100)
    keep_on_screen(window)
    assert window.width() == room.width()
    assert room.height() - 60 < window.height() < room.height()
    window.resize(300, 200)
    keep_on_screen(window)
    assert (window.width(), window.height()) == (300, 200)


def _editable_list() -> QComboBox:
    box = QComboBox()
    box.setEditable(True)
    return box


@pytest.mark.parametrize("field_of", [QLineEdit, QPlainTextEdit, QSpinBox, _editable_list])
def test_that_the_mnemonic_of_a_disabled_button_is_not_typed(
    field_of: Callable[[], QWidget], qapp: QApplication, qtbot: QtBot
) -> None:
    guard = MnemonicGuard(qapp)
    window = QWidget()
    qtbot.addWidget(window)
    field, other, button = field_of(), QLineEdit(), QPushButton("Saniti&7e")
    button.setEnabled(False)
    column = QVBoxLayout(window)
    for widget in (other, field, button):
        column.addWidget(widget)
    with qtbot.waitActive(window):
        window.show()

    def text() -> str:
        text_of = {
            QPlainTextEdit: "toPlainText",
            QComboBox: "currentText",
        }.get(type(field), "text")
        return str(getattr(field, text_of)())

    alt, control = Qt.KeyboardModifier.AltModifier, Qt.KeyboardModifier.ControlModifier
    for stop in (other, field):
        stop.setFocus()
        before = text()
        assert qapp.focusWidget() is stop
        qtbot.keyClick(stop, Qt.Key.Key_7, alt)
        qtbot.keyClick(stop, Qt.Key.Key_7, alt | Qt.KeyboardModifier.ShiftModifier)
        assert (text(), other.text()) == (before, "")
    qtbot.keyClick(field, Qt.Key.Key_7)
    assert "7" in text()
    # As AltGr is reported on Windows: a letter.
    assert not guard.eventFilter(field, _key(alt | control))
    guard.deleteLater()


def _key(held: Qt.KeyboardModifier) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_7, held, "7")


def test_that_the_program_guards_its_fields(root: Path, tmp_path: Path) -> None:
    probe = (
        "import sys; sys.platform = sys.argv[1]; import dpdesk.gui.app as app;"
        "print(len(app.application().findChildren(app.MnemonicGuard)))"
    )
    found = {
        system: subprocess.run(
            [sys.executable, "-c", probe, system],
            env=os.environ | {"XDG_CONFIG_HOME": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"},
            cwd=root,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for system in (sys.platform, "darwin")
    }
    assert found == {sys.platform: "1", "darwin": "0"}
