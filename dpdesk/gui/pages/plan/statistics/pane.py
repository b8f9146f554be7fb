"""Statistics of a trusted file on the Plan page: their table, and the selected one beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.edits import QueryEdits
from dpdesk.gui.pages.plan.plan_header import StatisticsHeader
from dpdesk.gui.pages.plan.plan_models import QueryModel
from dpdesk.gui.pages.plan.plan_pane import Listed, PlanPane
from dpdesk.gui.pages.plan.plan_table import QueryTable
from dpdesk.gui.pages.plan.query_panel import QueryPanel
from dpdesk.gui.pages.plan.statistics.asking import AskBar, KindsView
from dpdesk.gui.pages.plan.words import query_of
from dpdesk.gui.widgets.card import Card


class StatisticsPane(PlanPane):
    """Queries on the left, the selected one on the right, their budget above both.

    Args:
        document: What is shown and edited.
        parent: Qt's owner.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(document, parent=parent)
        self.edits = QueryEdits(document, self)
        self.header: StatisticsHeader = StatisticsHeader(document, self.edits, parent=self)
        self.model = QueryModel(document, self)
        self.table = QueryTable(self.model)
        self.kinds = KindsView(self.edits, parent=self)
        self.ask = AskBar(self.edits, parent=self)
        self.panel = QueryPanel(document, self.edits)
        left = Card(margin=4, parent=self)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.table)
        self._stack.addWidget(self.kinds)
        left.body.addWidget(self._stack, 1)
        left.body.addWidget(self.ask)
        self._furnish(left, self.panel, self.panel)
        remove = next(a for a in self._actions if a.shortcut().toString() == "Del")
        # In a line of text, Del deletes a letter.
        remove.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.table.addAction(remove)
        self.table.rowActivated.connect(lambda _row: self.panel.focus_field(""))
        self.table.lockClicked.connect(self.edits.toggle_lock)
        self.ask.added.connect(self._select_last)
        self.kinds.kindChosen.connect(self.ask.start)
        self.header.budget.segmentActivated.connect(self._select_named)
        self.panel.problemActivated.connect(self.pathAsked)
        self.edits.refused.connect(lambda text: self.notice.show_notice("error", text))

    def panes(self) -> list[QWidget]:
        """Header, table, the line to ask, and panel."""
        first = self.table if self.model.rowCount() else self.kinds
        return [self.header, first, self.ask, self.panel]

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

    def _listed(self) -> Sequence[Listed]:
        return (
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

    def _follow(self) -> None:
        self.kinds.refresh()
        super()._follow()

    def _show_row(self, row: int) -> None:
        self.panel.show_query(row)

    def _row_shown(self) -> int:
        return self.panel.index()

    def _restore(self) -> None:
        self._stack.setCurrentWidget(self.table if self.model.rowCount() else self.kinds)
        super()._restore()

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

    def _select_last(self) -> None:
        self.table.select(self.model.rowCount() - 1)

    def _select_named(self, heading: str) -> None:
        for index, query in enumerate(self._document.plan.statistics.queries):
            if query.heading == heading:
                self.table.select(index)
                return
