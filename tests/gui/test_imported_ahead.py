"""What takes long to import is imported when the window rests, and not when it is first used."""

from __future__ import annotations

import threading

import pytest
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.settings import Settings
from dpdesk.queries.noise import measurement
from tests.engine.survey import survey


def test_that_opendp_is_imported_in_a_thread_once_data_are_open(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    threads: list[threading.Thread] = []
    monkeypatch.setattr(
        measurement, "opendp_parts", lambda: threads.append(threading.current_thread())
    )
    window = MainWindow(settings)
    qtbot.addWidget(window)
    document = Document(window)
    window.furnish(document)
    assert not threads
    document._set_table(survey(), None)
    assert not threads
    qtbot.waitUntil(lambda: len(threads) == 1)
    assert threads[0] is not threading.main_thread()
    window.close()
