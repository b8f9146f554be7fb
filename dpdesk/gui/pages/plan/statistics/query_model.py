"""The queries of a plan as a table model."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.attribute_model import ATTRIBUTE, EPSILON, ERROR, ROW_ROLE
from dpdesk.gui.pages.plan.attribute_rows import AttributeRow
from dpdesk.gui.pages.plan.statistics.query_problems import problems_of
from dpdesk.gui.pages.plan.statistics.query_words import level_text, query_row
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.plan import Plan
from dpdesk.preview.central import query_request

_NOWHERE = QModelIndex()


class QueryModel(RowModel[AttributeRow]):
    """One row per query; a row is written when it is first looked at.

    Args:
        document: What is shown.
        parent: Qt's owner.
        in_full: Whether the first column says all that is asked in one line.
    """

    def __init__(
        self, document: Document, parent: QObject | None = None, *, in_full: bool = False
    ) -> None:
        super().__init__(parent)
        self._in_full = in_full
        self._document = document
        self._plan = document.plan
        self._written: dict[int, AttributeRow] = {}
        self.heads = (
            Head(self.tr("Statistic")),
            Head(self.tr("Gives")),
            Head(self.tr("Noise")),
            Head(self.tr("ε"), number=True),
            self._error_head(),
        )
        document.planChanged.connect(self._take_plan)
        document.problemsChanged.connect(lambda _: self._forget(range(self.rowCount())))
        document.releaseKindChanged.connect(lambda _: self._forget(range(self.rowCount())))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row per query."""
        return 0 if parent.isValid() else len(self._plan.statistics.queries)

    def row(self, number: int) -> AttributeRow:
        """What is shown in a row."""
        if number not in self._written:
            problems = problems_of(self._document.problems, self._plan, number)
            self._written[number] = query_row(self._plan, number, problems)
        return self._written[number]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What every cell has, its whole row, and the problems of a query."""
        if not index.isValid():
            return None
        if role == ROW_ROLE:
            return self.row(index.row())
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and index.column() == ATTRIBUTE:
            return self.row(index.row()).problems
        return super().data(index, role)

    def text(self, row: AttributeRow, column: int) -> str:
        """The text of a cell."""
        name = f"{row.name} {row.label}".strip() if self._in_full else row.name
        return (name, row.type, row.mechanism, row.epsilon, row.error)[column]

    def tooltip(self, row: AttributeRow, column: int) -> str:
        """The lock of an epsilon; the whole question and its problems."""
        if column == EPSILON:
            if row.locked:
                return self.tr("Locked: a new split of the budget leaves it alone (Ctrl+L)")
            return self.tr("Lock it against a new split of the budget (Ctrl+L)")
        if column == ATTRIBUTE:
            return "\n".join(part for part in (row.name, row.label, row.problems) if part)
        if column == ERROR:
            return self._basis(row)
        return ""

    def spoken(self, row: AttributeRow, column: int) -> str:
        """The text of a cell, with the conditions of a query and the lock of its epsilon."""
        if column == ATTRIBUTE:
            return ", ".join(part for part in (row.name, row.label) if part)
        if column == EPSILON and row.locked:
            return self.tr("{epsilon}, locked").format(epsilon=row.epsilon)
        return super().spoken(row, column)

    def _error_head(self) -> Head:
        level = level_text(float(self._plan.statistics.confidence))
        meaning = self.tr("Of one number, from the noise alone")
        return Head(self.tr("{level} error").format(level=level), meaning, number=True)

    def _basis(self, row: AttributeRow) -> str:
        found = next((i for i, written in self._written.items() if written is row), None)
        request = None if found is None else query_request(self._plan, found)
        return "" if request is None else request.error.basis

    def _take_plan(self, _old: Plan, new: Plan) -> None:
        old, self._plan = self._plan, new
        before, after = old.statistics, new.statistics
        if before.confidence != after.confidence:
            self.heads = (*self.heads[:ERROR], self._error_head())
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, ERROR, ERROR)
        if len(before.queries) != len(after.queries):
            self.beginResetModel()
            self._written.clear()
            self.endResetModel()
            return
        shared = (old.columns, old.respondents, before.unit, before.confidence) != (
            new.columns,
            new.respondents,
            after.unit,
            after.confidence,
        )
        pairs = enumerate(zip(before.queries, after.queries, strict=True))
        changed = [i for i, (a, b) in pairs if shared or a is not b]
        self._forget(changed)

    def _forget(self, rows: range | list[int]) -> None:
        for row in rows:
            self._written.pop(row, None)
        if rows:
            self.announce(min(rows), max(rows))
