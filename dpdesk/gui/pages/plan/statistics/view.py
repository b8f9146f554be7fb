"""The Plan page's other half: statistics of a trusted file, built like its attributes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.new_action import new_action
from dpdesk.gui.pages.plan.statistics.ask_bar import AskBar
from dpdesk.gui.pages.plan.statistics.kinds_view import KindsView
from dpdesk.gui.pages.plan.statistics.query_edits import QueryEdits
from dpdesk.gui.pages.plan.statistics.query_model import QueryModel
from dpdesk.gui.pages.plan.statistics.query_panel import QueryPanel
from dpdesk.gui.pages.plan.statistics.query_problems import query_of
from dpdesk.gui.pages.plan.statistics.query_table import QueryTable
from dpdesk.gui.pages.plan.statistics.statistics_header import StatisticsHeader
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.throttle import Throttle


class StatisticsView(QWidget):
    """Queries on the left, the selected one on the right, their budget above both.

    Args:
        document: What is shown and edited.
        theme: The switch that colours follow.
        parent: Qt's owner.

    Attributes:
        releaseAsked: The user wants to go on to the release.
        pathAsked: Emitted with the path of a problem that is mended elsewhere.
    """

    releaseAsked = Signal()
    pathAsked = Signal(str)

    def __init__(
        self, document: Document, theme: ThemeSwitch, *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._theme = theme
        self.edits = QueryEdits(document, self)
        self.header = StatisticsHeader(document, self.edits, theme, parent=self)
        self.notice = NoticeBar(theme, parent=self)
        self.model = QueryModel(document, self)
        self.table = QueryTable(self.model, theme)
        self.kinds = KindsView(document, theme, parent=self)
        self.ask = AskBar(document, self.edits, theme, parent=self)
        self.panel = QueryPanel(document, self.edits, theme)
        self._throttle = Throttle(self.panel.refresh, self)
        self._lay_out()
        self._connect()
        self._actions = self._make_actions()
        self._restore()

    def panes(self) -> list[QWidget]:
        """Header, table, the line to ask, and panel."""
        first = self.table if self.model.rowCount() else self.kinds
        return [self.header, first, self.ask, self.panel]

    def actions_listed(self) -> list[QAction]:
        """What can be done with statistics, for the menu."""
        return list(self._actions)

    def cancel(self) -> bool:
        """Closes the notice, if there is one."""
        if self.notice.isVisible():
            self.notice.clear()
            return True
        return False

    def show_path(self, path: str) -> None:
        """Shows the query, the budget or the unit that a path names."""
        index = query_of(path)
        if index is not None and index < self.model.rowCount():
            self.table.select(index)
            self.panel.focus_field(path.rpartition(".")[2])
        elif path == "statistics.budget":
            self.header.edit_budget()
        elif path.startswith("statistics.unit"):
            self.header.unit.whose.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.model.rowCount():
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.ask.add.setFocus(Qt.FocusReason.OtherFocusReason)

    def _lay_out(self) -> None:
        left = Card(margin=4, parent=self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.kinds)
        left.body.addWidget(self._stack, 1)
        left.body.addWidget(self.ask)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(12)
        split.addWidget(left)
        split.addWidget(self.panel)
        split.setSizes([614, 614])
        left.setMinimumWidth(330)
        self.panel.setMinimumWidth(400)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.header)
        column.addWidget(self.notice)
        column.addWidget(split, 1)

    def _connect(self) -> None:
        self._document.planChanged.connect(self._refresh)
        self._document.problemsChanged.connect(self._refresh)
        self.model.modelReset.connect(self._restore)
        self.table.attributeSelected.connect(self.panel.show_query)
        self.table.attributeActivated.connect(lambda _row: self.panel.focus_field(""))
        self.table.lockClicked.connect(self.edits.toggle_lock)
        self.ask.added.connect(self._select_last)
        self.kinds.kindChosen.connect(self.ask.start)
        self.header.budget.segmentActivated.connect(self._select_named)
        self.header.releaseAsked.connect(self.releaseAsked)
        self.panel.problemActivated.connect(self.pathAsked)
        self.edits.refused.connect(lambda text: self.notice.show_notice("error", text))

    def _make_actions(self) -> tuple[QAction, ...]:
        listed = (
            (self.tr("&Add a statistic…"), "Ctrl+Shift+A", self.ask.add.showMenu, "plus"),
            (self.tr("Ask in &words"), "Ctrl+K", self._ask, ""),
            (self.tr("D&uplicate statistic"), "Ctrl+D", self._for(self.edits.duplicate), ""),
            (self.tr("&Remove statistic"), "Del", self._for(self.edits.remove), "delete"),
            (self.tr("Move u&p"), "Ctrl+Shift+Up", lambda: self._move(-1), "arrow-up"),
            (self.tr("Move dow&n"), "Ctrl+Shift+Down", lambda: self._move(1), "arrow-down"),
            (self.tr("&Groups…"), "Ctrl+G", self.panel.choose_groups, ""),
            (self.tr("&Conditions…"), "Ctrl+Shift+C", self.panel.choose_conditions, ""),
            (self.tr("&Lock or unlock epsilon"), "Ctrl+L", self._for(self.edits.toggle_lock), ""),
            (self.tr("&Split the budget"), "Ctrl+R", self.edits.resplit, "refresh"),
            (
                self.tr("C&hange the budget…"),
                "Ctrl+Shift+E",
                self.header.edit_budget,
                "pencil",
            ),
            (self.tr("R&elease…"), "Ctrl+Return", self.releaseAsked.emit, "play"),
        )
        made = []
        for text, shortcut, run, icon in listed:
            action = new_action(self, self._theme, text, shortcut, run, icon)
            self.addAction(action)
            made.append(action)
        # In a line of text, Del deletes a letter.
        made[3].setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.table.addAction(made[3])
        return tuple(made)

    def _for(self, edit: Callable[[int], object]) -> Callable[[], None]:
        def run() -> None:
            if self.panel.index() >= 0:
                edit(self.panel.index())

        return run

    def _ask(self) -> None:
        self.ask.phrase.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _move(self, step: int) -> None:
        index = self.panel.index()
        if index >= 0 and self.edits.move(index, step):
            self.table.select(index + step)

    def _refresh(self) -> None:
        """Shows an edit at once; the many edits of a drag once per frame."""
        if self.panel.epsilon.is_dragging() or not self.isVisible():
            self._throttle.request()
        else:
            self._throttle.flush()

    def _restore(self) -> None:
        count = self.model.rowCount()
        self._stack.setCurrentWidget(self.table if count else self.kinds)
        row = min(max(self.panel.index(), 0), count - 1)
        self.table.select(row)
        self.panel.show_query(row)

    def _select_last(self) -> None:
        self.table.select(self.model.rowCount() - 1)

    def _select_named(self, heading: str) -> None:
        for index, query in enumerate(self._document.plan.statistics.queries):
            if query.heading == heading:
                self.table.select(index)
                return
