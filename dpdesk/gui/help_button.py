"""A button beside what it explains, which opens a page of the help."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QToolButton, QWidget

from dpdesk.gui.help import HelpWindow
from dpdesk.gui.icons import IconBond


class HelpButton(QToolButton):
    """A question mark.

    Args:
        page: Place of the page below the pages of the help, without ending.
        name: Accessible name.
        parent: Qt's owner.
    """

    def __init__(self, page: str, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._page = page
        self._window: HelpWindow | None = None
        self.setAutoRaise(True)
        self.setIconSize(QSize(16, 16))
        self.setAccessibleName(name)
        self.setToolTip(name)
        IconBond(self, "help-circle", "muted")
        self.clicked.connect(self.show_help)

    def show_help(self) -> None:
        """Shows the page of the help."""
        if self._window is None:
            self._window = HelpWindow(self.window())
        self._window.show_page(self._page)
