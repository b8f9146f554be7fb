"""The column that is being edited: read from the document, changed through it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from dpdesk.data.table import SurveyTable
from dpdesk.gui.document import Document
from dpdesk.gui.pages.data.reasons import SuggestionReasons
from dpdesk.gui.refusal import Refused, refusal_of
from dpdesk.plan import ColumnPlan, Plan, Problem


class ColumnDesk(QObject):
    """Which column is chosen, and the way of its edits into the document.

    Args:
        document: What is edited.
        parent: Qt's owner.

    Attributes:
        chosen: Emitted when a column was chosen, or has to be shown anew.
        reasons: Why the columns of the data were taken for what they are.
    """

    chosen = Signal()

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.document = document
        self.reasons = SuggestionReasons(self)
        self._name: str | None = None

    @property
    def name(self) -> str | None:
        """The name of the chosen column, or None."""
        return self._name

    @property
    def column(self) -> ColumnPlan | None:
        """The chosen column, or None while there is none."""
        columns = self.document.plan.columns
        return next((column for column in columns if column.name == self._name), None)

    @property
    def table(self) -> SurveyTable | None:
        """The data, or None."""
        return self.document.table

    def choose(self, name: str | None) -> None:
        """Chooses a column; None chooses none."""
        self._name = name
        self.chosen.emit()

    def problems(self, *fields: str) -> list[Problem]:
        """The problems of these fields of the chosen column, errors first."""
        paths = {f"columns.{self._name}.{field}" for field in fields}
        return [problem for problem in self.document.problems if problem.path in paths]

    def edit(self, text: str, change: Callable[[Plan, str], Plan]) -> str:
        """Makes one step of undo of a change of the chosen column.

        Args:
            text: What the edit does, for the Edit menu.
            change: Gives the changed plan from the plan and the column's name.

        Returns:
            Why the change was refused, as a sentence; empty if it was made.
        """
        if self.column is None or self._name is None:
            return ""
        try:
            changed = change(self.document.plan, self._name)
        except Refused as error:
            return refusal_of(error)
        if changed == self.document.plan:
            # What was typed amounts to what there was: it is shown as it is kept.
            self.chosen.emit()
        else:
            self.document.edit(text, changed)
        return ""
