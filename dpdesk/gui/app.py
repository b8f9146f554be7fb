"""The start: the frame is on the screen before anything heavy is imported."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QApplication

from dpdesk.gui.crash import CrashTeller
from dpdesk.gui.main_window import MainWindow
from dpdesk.gui.settings import Settings
from dpdesk.gui.theme import ThemeSwitch


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

    def furnish() -> None:
        from dpdesk.gui.document import Document

        window.furnish(Document(window))
        if sample:
            window.files.open_sample()
        if file is not None:
            window.open(file)

    # Not before the first paint: what is imported here takes most of a second.
    QTimer.singleShot(0, furnish)
    return app.exec()
