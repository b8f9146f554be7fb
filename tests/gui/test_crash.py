from __future__ import annotations

import sys

import pytest
from PySide6.QtWidgets import QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from dpdesk.errors import DpdeskError
from dpdesk.gui.app import CrashTeller

QUOTED = "the answer of respondent 7"


def tell(teller: CrashTeller, error: Exception) -> None:
    try:
        raise error
    except type(error):
        teller.tell(*sys.exc_info())  # type: ignore[arg-type]


def boxes() -> list[QMessageBox]:
    from PySide6.QtWidgets import QApplication

    return [w for w in QApplication.topLevelWidgets() if isinstance(w, QMessageBox)]


def close_all(qtbot: QtBot) -> None:
    for box in boxes():
        box.done(0)
    qtbot.waitUntil(lambda: not any(box.isVisible() for box in boxes()))


def test_that_an_unexpected_error_is_told_without_its_text(
    qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    teller = CrashTeller()
    tell(teller, ValueError(QUOTED))
    (box,) = [box for box in boxes() if box.isVisible()]
    said = box.text() + box.detailedText() + capsys.readouterr().err
    assert "ValueError" in said
    assert "test_crash.py" in said
    assert QUOTED not in said
    close_all(qtbot)
    assert window.isVisible()


def test_that_an_error_of_every_repaint_is_told_once(qtbot: QtBot) -> None:
    teller = CrashTeller()
    for _ in range(5):
        tell(teller, ValueError(QUOTED))
    assert len([box for box in boxes() if box.isVisible()]) == 1
    close_all(qtbot)
    tell(teller, ValueError(QUOTED))
    assert len([box for box in boxes() if box.isVisible()]) == 1
    close_all(qtbot)


def test_that_an_error_of_our_own_is_told_in_full(qtbot: QtBot) -> None:
    teller = CrashTeller()
    tell(teller, DpdeskError("The disk is full.", remedy="Make room."))
    (box,) = [box for box in boxes() if box.isVisible()]
    assert box.text().startswith("The disk is full. Make room.")
    close_all(qtbot)
