"""A page with a pane for each kind of release; that of the kind in force is shown."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QStackedLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.page import Page
from dpdesk.releases.kind import ReleaseKind


class KindPane(QWidget):
    """What a page shows of one kind of release.

    Attributes:
        kind: The kind of release.
    """

    kind: ReleaseKind[Any, Any]

    def panes(self) -> list[QWidget]:
        """The widgets that F6 goes to, in reading order."""
        raise NotImplementedError

    def actions_listed(self) -> list[QAction]:
        """What can be done, for the menu."""
        raise NotImplementedError

    def cancel(self) -> bool:
        """Cancels what runs, or closes what is open; returns whether there was something."""
        raise NotImplementedError


Pane = TypeVar("Pane", bound=KindPane)


class KindPage(Page, Generic[Pane]):
    """Passes what the window asks on to the pane of the kind of release in force.

    Args:
        document: What is shown and edited.
    """

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self._panes: dict[ReleaseKind[Any, Any], Pane] = {}
        self._stack = QStackedLayout(self)

    def add_panes(self, *panes: Pane) -> None:
        """Adds a pane for each kind of release, all at once, and shows that of the one in force."""
        for pane in panes:
            self._panes[pane.kind] = pane
            self._stack.addWidget(pane)
        self.document.releaseKindChanged.connect(self._show_kind)
        self._show_kind()

    def pane(self) -> Pane:
        """The pane of the kind of release in force."""
        return self._panes[self.document.release_kind]

    def panes(self) -> list[QWidget]:
        return self.pane().panes()

    def page_actions(self) -> list[QAction]:
        return self.pane().actions_listed()

    def cancel(self) -> bool:
        return self.pane().cancel()

    def _show_kind(self) -> None:
        self._stack.setCurrentWidget(self.pane())
