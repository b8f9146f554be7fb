"""The Plan page: what will protect each answer, at what price?"""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from dpdesk.gui.copied_command import plan_command
from dpdesk.gui.document import Document
from dpdesk.gui.pages.kind_page import KindPage
from dpdesk.gui.pages.plan.plan_pane import PlanPane, RecordsPane, StatisticsPane
from dpdesk.gui.pages.plan.synthetic_pane import SyntheticPane
from dpdesk.i18n import N_
from dpdesk.plan.persons import UNIT_PATH
from dpdesk.preview.command_words import CommandWords
from dpdesk.releases.kinds import KINDS
from dpdesk.releases.records import RECORDS

_DATA_FIELDS = frozenset({"name", "label", "kind", "domain", "confirmed", "missing", "other"})


class PlanPage(KindPage[PlanPane | SyntheticPane]):
    """A pane for each kind of release; that of the kind in force is shown."""

    key = "plan"
    title = N_("Plan")
    icon_name = "tune-variant"

    def __init__(self, document: Document, parent: QWidget | None = None) -> None:
        super().__init__(document, parent)
        self.records = RecordsPane(document, parent=self)
        self.statistics = StatisticsPane(document, parent=self)
        self.synthetic = SyntheticPane(document, parent=self)
        panes: tuple[PlanPane | SyntheticPane, ...] = (
            self.records,
            self.statistics,
            self.synthetic,
        )
        for pane in panes:
            pane.releaseAsked.connect(lambda: self.goTo.emit("release", ""))
        for pane in (self.records, self.statistics):
            pane.pathAsked.connect(self._go_to_problem)
        self.synthetic.pathAsked.connect(self._go_to_column)
        self.add_panes(*panes)

    def command(self) -> CommandWords | None:
        """The command that checks the plan, or drafts one where nobody decided on it.

        Raises:
            PlanError: The plan was not saved as it is shown.
        """
        return plan_command(self.document)

    def select(self, name: str) -> None:
        """Selects a column, if the plan has it."""
        self.records.select(name)

    def private_parts(self) -> list[QWidget]:
        return self._marked_private()

    def show_path(self, path: str) -> None:
        part = path.partition(".")[0]
        for kind in KINDS:
            if kind.plan_part and part == kind.plan_part:
                self.document.set_release_kind(kind)
        self.pane().bring_up_to_date()
        self.pane().show_path(path)

    def _go_to_column(self, path: str) -> None:
        """Shows a column where it is decided what is released of it."""
        self.document.set_release_kind(RECORDS)
        self.show_path(path)

    def _go_to_problem(self, path: str) -> None:
        if path == UNIT_PATH or path.rpartition(".")[2] in _DATA_FIELDS:
            self.goTo.emit("data", path)
        else:
            self.show_path(path)
