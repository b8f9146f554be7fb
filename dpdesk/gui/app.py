"""The start: the frame is on the screen before anything heavy is imported."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QApplication

from dpdesk.gui.crash import CrashTeller
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch

_END = object()


def application() -> QApplication:
    """The one application of the process, made if there is none."""
    existing = QApplication.instance()
    if isinstance(existing, QApplication):
        return existing
    QCoreApplication.setOrganizationName("dpdesk")
    QCoreApplication.setApplicationName("dpdesk")
    return QApplication(sys.argv[:1])


def run(file: Path | None = None, *, sample: bool = False) -> int:
    """Opens the window and stays until it is closed.

    Args:
        file: Data or a plan to open.
        sample: Whether to open the bundled sample.

    Returns:
        The exit code of the process.
    """
    app = application()
    CrashTeller().install()
    settings = Settings()
    theme = ThemeSwitch(app, settings.theme())
    window = MainWindow(theme, settings)
    window.show()

    _advance(_furnish(window, file, sample))
    return app.exec()


def _furnish(window: MainWindow, file: Path | None, sample: bool) -> Iterator[None]:
    # The first step is the first paint: what is imported after it takes most of a second.
    yield
    from dpdesk.gui.document import Document

    yield
    yield from window.furnishing(Document(window))
    if sample:
        window.files.open_sample()
    if file is not None:
        window.open(file)


def _advance(steps: Iterator[None]) -> None:
    """Takes a step and, after whatever the window has to do, the next."""
    if next(steps, _END) is not _END:
        QTimer.singleShot(0, lambda: _advance(steps))
