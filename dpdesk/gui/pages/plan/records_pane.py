"""Attributes on the Plan page: a table of them, and the selected one beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.attribute_dialogs import TargetsDialog
from dpdesk.gui.pages.plan.attribute_panel import AttributePanel
from dpdesk.gui.pages.plan.edits import Edits
from dpdesk.gui.pages.plan.plan_header import RecordsHeader
from dpdesk.gui.pages.plan.plan_models import AttributeModel
from dpdesk.gui.pages.plan.plan_pane import Listed, PlanPane
from dpdesk.gui.pages.plan.plan_table import AttributeTable
from dpdesk.gui.widgets.card import Card


class RecordsPane(PlanPane):
    """Attributes on the left, the selected one on the right, the budget above both.

    Args:
        document: What is shown and edited.
        parent: Qt's owner.
    """

    def __init__(self, document: Document, *, parent: QWidget | None = None) -> None:
        super().__init__(document, parent=parent)
        self.edits = Edits(document, self)
        self.header: RecordsHeader = RecordsHeader(document, self.edits, parent=self)
        self.model = AttributeModel(document, self)
        self.table = AttributeTable(self.model)
        self.panel = AttributePanel(document, self.edits)
        left = Card(margin=4, parent=self)
        left.body.addWidget(self.table)
        self._furnish(left, self.panel, self.panel)
        self.table.rowActivated.connect(lambda _row: self._focus_panel("epsilon"))
        self.table.lockClicked.connect(self._toggle_lock_of)
        self.header.budget.segmentActivated.connect(self._select_titled)
        self.header.errorsAsked.connect(self.ask_errors)
        self.panel.problemActivated.connect(self.pathAsked)
        self.edits.refused.connect(lambda text: self.notice.show_notice("error", text))
        self.edits.explained.connect(lambda text: self.notice.show_notice("success", text))
        self.edits.resplitWanted.connect(self._offer_resplit)
        self.notice.actionTriggered.connect(self._resplit_as_offered)

    def selected(self) -> str:
        """The name of the selected column; empty if there is none."""
        return self.panel.name()

    def select(self, name: str) -> None:
        """Selects a column, if the plan has it."""
        self.bring_up_to_date()
        names = [column.name for column in self._document.plan.columns]
        if name in names:
            self.table.select(names.index(name))

    def panes(self) -> list[QWidget]:
        """Header, table and panel."""
        return [self.header, self.table, self.panel]

    def show_path(self, path: str) -> None:
        """Shows the budget, the strategy or the column that a path names."""
        if path == "budget":
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

    def ask_errors(self) -> None:
        """Opens the errors that one can live with, for all protected attributes."""
        if self._document.plan.protected:
            dialog = TargetsDialog(self._document.plan, self.edits.solve_errors, self.window())
            dialog.open()

    def _listed(self) -> Sequence[Listed]:
        edits, panel, for_it = self.edits, self.panel, self._for_selected
        return (
            (self.tr("Choose &best"), "Ctrl+B", edits.choose_best, "auto-fix"),
            (
                self.tr("Choose best for this &attribute"),
                "Ctrl+Shift+B",
                for_it(edits.choose_best),
                "",
            ),
            (self.tr("&Split the budget"), "Ctrl+R", edits.resplit, "refresh"),
            (self.tr("&Change the budget…"), "Ctrl+Shift+E", self.header.edit_budget, "pencil"),
            (self.tr("&Epsilon for errors…"), "Ctrl+E", self.ask_errors, "flask"),
            (self.tr("E&xpected answers…"), "Ctrl+Shift+X", panel.edit_expected, ""),
            (self.tr("Compare &mechanisms"), "Ctrl+M", panel.compare_mechanisms, ""),
            (self.tr("&Answers to compare…"), "Ctrl+Shift+C", panel.choose_answers, ""),
            (self.tr("&Lock or unlock epsilon"), "Ctrl+L", for_it(self._toggle_lock), "lock"),
            (self.tr("&Protect attribute"), "Ctrl+Shift+P", for_it(edits.protect), ""),
            (self.tr("Protect all &unassigned"), "Ctrl+Shift+A", edits.protect_all, ""),
            (self.tr("&Release attribute as it is"), "Ctrl+Shift+K", for_it(edits.keep), ""),
            (self.tr("&Drop attribute"), "Ctrl+Shift+D", for_it(edits.drop), ""),
            (self.tr("Saniti&ze…"), "Ctrl+Return", self.releaseAsked.emit, "play"),
        )

    def _for_selected(self, edit: Callable[[str], object]) -> Callable[[], None]:
        def run() -> None:
            if self.selected():
                edit(self.selected())

        return run

    def _row_shown(self) -> int:
        names = [column.name for column in self._document.plan.columns]
        return names.index(self.selected()) if self.selected() in names else 0

    def _show_row(self, row: int) -> None:
        columns = self._document.plan.columns
        self.panel.show_attribute(columns[row].name if 0 <= row < len(columns) else "")

    def _select_titled(self, title: str) -> None:
        for column in self._document.plan.protected:
            if column.title == title:
                self.select(column.name)
                return

    def _toggle_lock_of(self, row: int) -> None:
        self.edits.toggle_lock(self._document.plan.columns[row].name)

    def _toggle_lock(self, name: str) -> None:
        if self._document.plan.column(name).mechanism is not None:
            self.edits.toggle_lock(name)

    def _focus_panel(self, field: str) -> None:
        if self.panel.shown.isVisible() and field == "epsilon":
            target: QWidget = self.panel.epsilon.field
        elif self.panel.unprotected.isVisible() and field in ("role", "keep_confirmed", "epsilon"):
            panel = self.panel.unprotected
            target = panel.keep if field == "keep_confirmed" else panel.protect
        else:
            target = self.panel.assignment
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _offer_resplit(self, reason: str) -> None:
        spl = self._document.plan.strategy == "spl"
        action = self.tr("Split the budget") if spl else self.tr("Give each the budget")
        self.notice.show_notice("info", reason, action)

    def _resplit_as_offered(self) -> None:
        self.notice.clear()
        self.edits.resplit()
