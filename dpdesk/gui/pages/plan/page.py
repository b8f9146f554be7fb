"""The Plan page: what will protect each answer, at what price?"""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.gui.document import Document
from dpdesk.gui.pages.kind_page import KindPage
from dpdesk.gui.pages.plan.plan_pane import PlanPane, RecordsPane, StatisticsPane
from dpdesk.i18n import N_
from dpdesk.release.statistics import STATISTICS

_DATA_FIELDS = frozenset({"name", "label", "kind", "domain", "confirmed", "missing", "other"})


class PlanPage(KindPage[PlanPane]):
    """A pane for each kind of release; that of the kind in force is shown."""

    key = "plan"
    title = N_("Plan")
    icon_name = "tune-variant"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.records = RecordsPane(document, parent=self)
        self.statistics = StatisticsPane(document, parent=self)
        for pane in (self.records, self.statistics):
            pane.releaseAsked.connect(lambda: self.goTo.emit("release", ""))
            pane.pathAsked.connect(self._go_to_problem)
        self.add_panes(self.records, self.statistics)

    def select(self, name: str) -> None:
        """Selects a column, if the plan has it."""
        self.records.select(name)

    def show_path(self, path: str) -> None:
        """Shows the budget, a column or a query, and gives the focus to what the path names."""
        if path.startswith("statistics"):
            self.document.set_release_kind(STATISTICS)
        self.pane().bring_up_to_date()
        self.pane().show_path(path)

    def _go_to_problem(self, path: str) -> None:
        if path.rpartition(".")[2] in _DATA_FIELDS:
            self.goTo.emit("data", path)
        else:
            self.show_path(path)
