"""The window as a start of the program opens it: on nothing, on the sample, or on a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpdesk.gui.document import Document
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.settings import Settings

Shown = TypeVar("Shown", bound=QWidget)


def open_window(
    settings: Settings,
    qtbot: QtBot,
    data: Path | Literal["sample"] | None = None,
    *,
    size: tuple[int, int] | None = None,
    document: Document | None = None,
) -> MainWindow:
    """Shows a window and waits until its data are read; a test may leave its plan unsaved.

    Args:
        settings: The settings of the test.
        qtbot: Closes the window at the end.
        data: The file, or the bundled sample.
        size: Width and height; the program's own when not given.
        document: What it shows; a document of its own when not given.
    """
    window = MainWindow(settings)
    shown = Document(window) if document is None else document
    qtbot.addWidget(window, before_close_func=lambda _: shown.undo_stack.setClean())
    window.furnish(shown)
    if size is not None:
        window.resize(*size)
    window.show()
    if data is not None:
        with qtbot.waitSignal(shown.loading.ended):
            window.files.open_sample() if data == "sample" else window.files.open(data)
    return window


def document_of(window: MainWindow) -> Document:
    """The document that a window shows."""
    assert window._document is not None
    return window._document


@contextmanager
def deleted(shown: Shown) -> Iterator[Shown]:
    """Shows a widget and deletes it afterwards, so that no theme of a later test dresses it."""
    shown.show()
    yield shown
    shown.close()
    shown.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
