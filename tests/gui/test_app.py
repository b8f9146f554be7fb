"""The window as a program of its own: it opens what it is given, and its exit code is Qt's."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import weakref
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

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
        timeout=120,
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
