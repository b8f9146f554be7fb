"""The last resort of the window: an error that nobody caught is told, and the window stays."""

from __future__ import annotations

import sys
from types import TracebackType

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QMessageBox

from dpdesk import crash
from dpdesk.errors import DpdeskError
from dpdesk.gui.messages import plain_box


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
        noted = crash.unexpected(error)
        # Without a console, as on Windows, there is no such stream.
        if sys.stderr is not None:
            sys.stderr.write(f"dpdesk: {noted}\n")
        if self._box is not None or QApplication.instance() is None:
            return

        def tr(text: str) -> str:
            return QCoreApplication.translate("CrashTeller", text)

        known = str(error) if isinstance(error, DpdeskError) else ""
        unknown = tr("An unexpected error of kind {kind} happened.").format(
            kind=crash.kind_of(error)
        )
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
        box.setDetailedText("\n".join([kind.__name__, *crash.places(trace), str(crash.log_path())]))
        box.finished.connect(self._told)
        self._box = box
        box.open()

    def _told(self) -> None:
        self._box = None
