"""One kind of release on the Plan page: a table on the left, the selected row on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSplitter, QWidget

from dpdesk.gui.actions import new_action
from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.plan_header import PlanHeader
from dpdesk.gui.pages.plan.plan_models import PlanModel
from dpdesk.gui.pages.plan.plan_table import PlanTable
from dpdesk.gui.widgets.boxes import lay_column
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.throttle import Throttle
from dpdesk.gui.widgets.when_shown import WhenShown

Listed = tuple[str, str, Callable[[], object], str]
"""An action: its words, its keys, what it does, its icon or ""."""


class DetailPanel(Protocol):
    """What a pane asks of the card beside its table."""

    def refresh(self) -> None:
        """Shows what the document now says."""

    def is_dragging(self) -> bool:
        """Whether the slider of its epsilon is held."""


class PlanPane(QWidget):
    """Header, table and panel, which follow the document together while they are visible.

    A subclass makes the parts, and then calls `_furnish`.

    Args:
        document: What is shown and edited.
        parent: Qt's owner.

    Attributes:
        releaseAsked: The user wants to go on to the release.
        pathAsked: Emitted with the path of a problem that may be mended elsewhere.
        header: The survey and its budget.
        model: The rows of the table.
        table: Where one is selected.
    """

    releaseAsked = Signal()
    pathAsked = Signal(str)

    header: PlanHeader
    model: PlanModel
    table: PlanTable

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._actions: list[QAction] = []
        self.notice = NoticeBar(parent=self)
        self._following = WhenShown(self, self._follow)

    def panes(self) -> list[QWidget]:
        """The widgets that F6 goes to, in reading order."""
        raise NotImplementedError

    def show_path(self, path: str) -> None:
        """Shows what a path in the plan names, and gives it the focus."""
        raise NotImplementedError

    def bring_up_to_date(self) -> None:
        """Shows what was edited while it was hidden."""
        self._following.flush()

    def actions_listed(self) -> list[QAction]:
        """What can be done, for the menu."""
        return list(self._actions)

    def cancel(self) -> bool:
        """Closes the notice, if there is one."""
        if self.notice.isVisible():
            self.notice.clear()
            return True
        return False

    def _listed(self) -> Sequence[Listed]:
        raise NotImplementedError

    def _show_row(self, row: int) -> None:
        """Shows a row in the panel; -1 for none."""
        raise NotImplementedError

    def _row_shown(self) -> int:
        """The row that the panel shows, if it still exists."""
        raise NotImplementedError

    def _furnish(self, left: Card, panel: QWidget, details: DetailPanel) -> None:
        self._details = details
        self._throttle = Throttle(details.refresh, self)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(12)
        split.addWidget(left)
        split.addWidget(panel)
        split.setSizes([614, 614])
        left.setMinimumWidth(330)
        panel.setMinimumWidth(400)
        lay_column(self.header, self.notice, (split, 1), spacing=10, on=self)
        for text, keys, run, icon in self._listed():
            action = new_action(self, text, keys, run, icon)
            self.addAction(action)
            self._actions.append(action)
        self.model.modelReset.connect(self._restore)
        self.table.rowSelected.connect(self._show_row)
        self.header.releaseAsked.connect(self.releaseAsked)
        document = self._document
        for signal in (
            document.planChanged,
            document.problemsChanged,
            document.tableChanged,
            document.releaseKindChanged,
        ):
            signal.connect(self._following.request)
        self._restore()

    def _follow(self) -> None:
        """Shows an edit at once; the many edits of a drag once per frame."""
        self.header.refresh()
        self.model.follow()
        if self._details.is_dragging():
            self._throttle.request()
        else:
            self._throttle.flush()

    def _restore(self) -> None:
        """Selects what was selected, as far as it is still there."""
        row = min(max(self._row_shown(), 0), self.model.rowCount() - 1)
        self.table.select(row)
        self._show_row(row)
