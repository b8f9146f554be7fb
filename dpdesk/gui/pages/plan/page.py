"""The Plan page: what will protect each answer, at what price?"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QSplitter, QStackedLayout, QVBoxLayout, QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.page import Page
from dpdesk.gui.pages.plan.attribute_model import AttributeModel
from dpdesk.gui.pages.plan.attribute_panel import AttributePanel
from dpdesk.gui.pages.plan.attribute_table import AttributeTable
from dpdesk.gui.pages.plan.edits import Edits
from dpdesk.gui.pages.plan.plan_header import PlanHeader
from dpdesk.gui.pages.plan.statistics import StatisticsView
from dpdesk.gui.pages.plan.targets_dialog import TargetsDialog
from dpdesk.gui.widgets.card import Card
from dpdesk.gui.widgets.notice_bar import NoticeBar
from dpdesk.gui.widgets.throttle import Throttle
from dpdesk.i18n import N_
from dpdesk.release.statistics import STATISTICS

_DATA_FIELDS = frozenset({"name", "label", "kind", "domain", "confirmed", "missing", "other"})


class PlanPage(Page):
    """Attributes on the left, the selected one on the right, the budget above both."""

    key = "plan"
    title = N_("Plan")
    icon_name = "tune-variant"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.records = QWidget(self)
        self.statistics = StatisticsView(document, parent=self)
        self.edits = Edits(document, self)
        self.header = PlanHeader(document, self.edits, parent=self)
        self.notice = NoticeBar(parent=self)
        self.model = AttributeModel(document, self)
        self.table = AttributeTable(self.model)
        self.panel = AttributePanel(document, self.edits)
        self._throttle = Throttle(self.panel.refresh, self)
        self._actions = self._make_actions()
        self._lay_out()
        self._connect()
        self._select_row(0)

    def selected(self) -> str:
        """The name of the selected column; empty if there is none."""
        return self.panel.name()

    def select(self, name: str) -> None:
        """Selects a column, if the plan has it."""
        names = [column.name for column in self.document.plan.columns]
        if name in names:
            self.table.select(names.index(name))

    def ask_errors(self) -> None:
        """Opens the errors that one can live with, for all protected attributes."""
        if self.document.plan.protected:
            dialog = TargetsDialog(self.document.plan, self.edits.solve_errors, self.window())
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def show_path(self, path: str) -> None:
        """Shows the budget, a column or a query, and gives the focus to what the path names."""
        if path.startswith("statistics"):
            self.document.set_release_kind(STATISTICS)
        if self._shows_statistics:
            self.statistics.show_path(path)
        elif path == "budget":
            self.header.edit_budget()
        elif path in ("strategy", "fakes"):
            self.header.strategy.strategy.setFocus(Qt.FocusReason.OtherFocusReason)
        elif path.startswith("columns."):
            name, _, field = path.removeprefix("columns.").rpartition(".")
            if field == "epsilon":
                name = name.removesuffix(".mechanism")
            self.select(name)
            if field == "expected" or field.startswith("expected."):
                self.panel.edit_expected()
            else:
                self._focus_panel(field)
        else:
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def panes(self) -> list[QWidget]:
        """Header, table and panel."""
        if self._shows_statistics:
            return self.statistics.panes()
        return [self.header, self.table, self.panel]

    def page_actions(self) -> list[QAction]:
        """What the page can do, for the menu."""
        if self._shows_statistics:
            return self.statistics.actions_listed()
        return list(self._actions)

    def cancel(self) -> bool:
        """Closes the notice, if there is one."""
        if self._shows_statistics:
            return self.statistics.cancel()
        if self.notice.isVisible():
            self.notice.clear()
            return True
        return False

    def _lay_out(self) -> None:
        left = Card(margin=4, parent=self)
        left.body.addWidget(self.table)
        split = QSplitter(Qt.Orientation.Horizontal, self)
        split.setChildrenCollapsible(False)
        split.setHandleWidth(12)
        split.addWidget(left)
        split.addWidget(self.panel)
        split.setSizes([614, 614])
        left.setMinimumWidth(330)
        self.panel.setMinimumWidth(400)
        column = QVBoxLayout(self.records)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.header)
        column.addWidget(self.notice)
        column.addWidget(split, 1)
        self._kinds = QStackedLayout(self)
        self._kinds.addWidget(self.records)
        self._kinds.addWidget(self.statistics)
        for action in self._actions:
            # Their keys belong to the statistics while these are shown.
            self.removeAction(action)
            self.records.addAction(action)
        self._show_kind()

    @property
    def _shows_statistics(self) -> bool:
        return self.document.release_kind is STATISTICS

    def _show_kind(self) -> None:
        self._kinds.setCurrentWidget(self.statistics if self._shows_statistics else self.records)
        self._refresh()

    def _connect(self) -> None:
        document = self.document
        document.releaseKindChanged.connect(self._show_kind)
        self.statistics.releaseAsked.connect(self._go_to_release)
        self.statistics.pathAsked.connect(self._go_to_problem)
        document.planChanged.connect(self._refresh)
        document.problemsChanged.connect(self._refresh)
        self.model.modelReset.connect(self._restore_selection)
        self.table.attributeSelected.connect(self._show_row)
        self.table.attributeActivated.connect(lambda _row: self._focus_panel("epsilon"))
        self.table.lockClicked.connect(self._toggle_lock_of)
        self.header.budget.segmentActivated.connect(self._select_titled)
        self.header.sanitize.clicked.connect(self._go_to_release)
        self.header.errorsAsked.connect(self.ask_errors)
        self.panel.problemActivated.connect(self._go_to_problem)
        self.edits.refused.connect(lambda text: self.notice.show_notice("error", text))
        self.edits.resplitWanted.connect(self._offer_resplit)
        self.notice.actionTriggered.connect(self._resplit_as_offered)
        self.edits.explained.connect(lambda text: self.notice.show_notice("success", text))

    def _make_actions(self) -> tuple[QAction, ...]:
        edits = self.edits
        return (
            self._action(self.tr("Choose &best"), "Ctrl+B", edits.choose_best, "auto-fix"),
            self._action(
                self.tr("Choose best for this &attribute"),
                "Ctrl+Shift+B",
                self._for_selected(edits.choose_best),
            ),
            self._action(self.tr("&Split the budget"), "Ctrl+R", edits.resplit, "refresh"),
            self._action(
                self.tr("&Change the budget…"), "Ctrl+Shift+E", self.header.edit_budget, "pencil"
            ),
            self._action(self.tr("&Epsilon for errors…"), "Ctrl+E", self.ask_errors, "flask"),
            self._action(self.tr("E&xpected answers…"), "Ctrl+Shift+X", self.panel.edit_expected),
            self._action(self.tr("Compare &mechanisms"), "Ctrl+M", self.panel.compare_mechanisms),
            self._action(
                self.tr("&Answers to compare…"), "Ctrl+Shift+C", self.panel.choose_answers
            ),
            self._action(
                self.tr("&Lock or unlock epsilon"),
                "Ctrl+L",
                self._for_selected(self._toggle_lock),
                "lock",
            ),
            self._action(
                self.tr("&Protect attribute"), "Ctrl+Shift+P", self._for_selected(edits.protect)
            ),
            self._action(self.tr("Protect all &unassigned"), "Ctrl+Shift+A", edits.protect_all),
            self._action(
                self.tr("&Release attribute as it is"),
                "Ctrl+Shift+K",
                self._for_selected(edits.keep),
            ),
            self._action(
                self.tr("&Drop attribute"), "Ctrl+Shift+D", self._for_selected(edits.drop)
            ),
            self._action(self.tr("Saniti&ze…"), "Ctrl+Return", self._go_to_release, "play"),
        )

    def _for_selected(self, edit: Callable[[str], object]) -> Callable[[], None]:
        def run() -> None:
            if self.selected():
                edit(self.selected())

        return run

    def _refresh(self) -> None:
        """Shows an edit at once; the many edits of a drag once per frame."""
        if self._shows_statistics:
            return
        if self.panel.protected.epsilon.is_dragging():
            self._throttle.request()
        else:
            self._throttle.flush()

    def _restore_selection(self) -> None:
        names = [column.name for column in self.document.plan.columns]
        wanted = names.index(self.selected()) if self.selected() in names else 0
        self._select_row(wanted)

    def _select_row(self, row: int) -> None:
        self.table.select(row if row < self.model.rowCount() else -1)
        self._show_row(self.table.currentIndex().row())

    def _show_row(self, row: int) -> None:
        columns = self.document.plan.columns
        self.panel.show_attribute(columns[row].name if 0 <= row < len(columns) else "")

    def _select_titled(self, title: str) -> None:
        for column in self.document.plan.protected:
            if column.title == title:
                self.select(column.name)
                return

    def _toggle_lock_of(self, row: int) -> None:
        self.edits.toggle_lock(self.document.plan.columns[row].name)

    def _toggle_lock(self, name: str) -> None:
        if self.document.plan.column(name).mechanism is not None:
            self.edits.toggle_lock(name)

    def _focus_panel(self, field: str) -> None:
        if self.panel.protected.isVisible() and field == "epsilon":
            target: QWidget = self.panel.protected.epsilon.field
        elif self.panel.unprotected.isVisible() and field in ("role", "keep_confirmed", "epsilon"):
            panel = self.panel.unprotected
            target = panel.keep if field == "keep_confirmed" else panel.protect
        else:
            target = self.panel.assignment
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _offer_resplit(self, reason: str) -> None:
        spl = self.document.plan.strategy == "spl"
        action = self.tr("Split the budget") if spl else self.tr("Give each the budget")
        self.notice.show_notice("info", reason, action)

    def _resplit_as_offered(self) -> None:
        self.notice.clear()
        self.edits.resplit()

    def _go_to_release(self) -> None:
        self.goTo.emit("release", "")

    def _go_to_problem(self, path: str) -> None:
        if path.rpartition(".")[2] in _DATA_FIELDS:
            self.goTo.emit("data", path)
        else:
            self.show_path(path)
