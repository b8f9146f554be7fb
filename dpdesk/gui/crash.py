"""The last resort: an error that nobody caught is told, and the window stays alive."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QMessageBox

from dpdesk.errors import DpdeskError
from dpdesk.gui.messages import plain_box


def place_of(trace: TracebackType | None) -> str:
    """Where an error happened, by file, line and function: no value of any variable."""
    frames = traceback.extract_tb(trace)
    return "\n".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames)


class CrashTeller:
    """Takes the place of `sys.excepthook` while the window runs.

    Texts of foreign exceptions can quote the data: only their kind and place are shown.
    """

    def __init__(self) -> None:
        # Without a window there is no parent to own the box.
        self._box: QMessageBox | None = None

    def install(self) -> None:
        """Takes the hook."""
        sys.excepthook = self.tell

    def tell(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Shows an error; one at a time, so that an error of every repaint is told once."""
        if issubclass(kind, KeyboardInterrupt):
            QApplication.quit()
            return
        place = place_of(trace)
        sys.stderr.write(f"dpdesk: {kind.__name__}\n{place}\n")
        if self._box is not None or QApplication.instance() is None:
            return

        def tr(text: str) -> str:
            return QCoreApplication.translate("CrashTeller", text)

        known = str(error) if isinstance(error, DpdeskError) else ""
        unknown = tr("An unexpected error of kind {kind} happened.").format(kind=kind.__name__)
        box = plain_box(
            QApplication.activeWindow(),
            QMessageBox.Icon.Critical,
            tr("Something went wrong"),
            known or unknown,
            tr(
                "Your plan is still there: save it under a new name. Please report the lines "
                "under Details with the steps that led here; they hold none of your data."
            ),
        )
        box.setDetailedText(f"{kind.__name__}\n{place}")
        box.finished.connect(self._told)
        self._box = box
        box.open()

    def _told(self) -> None:
        self._box = None
