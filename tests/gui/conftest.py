"""What the tests of the window share: one theme switch, settings of their own, a small page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dpdesk.gui.app import CycleCollector
from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.messages import ask_useless
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch
from tests.gui.hands import Hands
from tests.gui.windows import document_of, open_window

# The question itself, which `anyway` answers for most tests.
ASK_USELESS = ask_useless


@pytest.fixture(autouse=True)
def cycle_collector(qapp: QApplication) -> Iterator[CycleCollector]:
    """What collects cycles in the thread of the window alone, as in the program."""
    collector = CycleCollector(qapp)
    collector.begin()
    yield collector
    # Jobs of the test have ended, or end now: what is left of it goes here.
    collector.collect()
    collector.end()
    collector.deleteLater()


@pytest.fixture(autouse=True)
def theme(qapp: QApplication) -> ThemeSwitch:
    """The application in the light theme, whatever the test before chose."""
    # Windows of earlier tests wait for an event loop to delete them, and would all be dressed anew.
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # So do the switches of earlier tests, each with the icons that it drew: an application has one.
    for earlier in qapp.findChildren(ThemeSwitch):
        earlier.deleteLater()
    return ThemeSwitch(qapp, "light")


@pytest.fixture(autouse=True)
def anyway(monkeypatch: pytest.MonkeyPatch) -> None:
    """Releases go on where they would be useless, as those of a few rows are; nobody is asked."""
    monkeypatch.setattr("dpdesk.gui.messages.ask_useless", lambda *_asked: True)


@pytest.fixture
def hands(qtbot: QtBot) -> Hands:
    """The hands of a user."""
    return Hands(qtbot)


@pytest.fixture
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Settings in a file of this test, beside its own folder."""
    path = tmp_path_factory.mktemp("settings") / "settings.ini"
    return Settings(QSettings(str(path), QSettings.Format.IniFormat))


@pytest.fixture
def document(qapp: QApplication, settings: Settings) -> Document:
    """An empty document with the settings of this test, joined at the end."""
    made = Document()
    made.settings = settings
    yield made
    made.shut_down()
    # What is connected to it holds it, and its data: it goes with the widgets of the test.
    made.deleteLater()


@pytest.fixture
def started(settings: Settings, qtbot: QtBot) -> Iterator[MainWindow]:
    """The window at a new start of the program, with the questions that a user is asked."""
    shown = open_window(settings, qtbot)
    document = document_of(shown)
    for pane in (shown.pages["release"].records, shown.pages["release"].statistics):
        pane.ask_useless = ASK_USELESS
    yield shown
    document.undo_stack.setClean()
    # A test that failed while a release ran leaves it running, and nobody to ask.
    shown.ask_stop = lambda *_: True
    assert shown.close()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leaves out what the offscreen platform says of every window."""
    # It has no window manager that could be told of the size of a window or asked to raise it.
    mark = pytest.mark.qt_log_ignore(
        r"does not support (propagateSizeHints\(\)|raise\(\)|grabbing the keyboard)"
    )
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(mark)
