"""The columns of a plan as a table model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.attribute_rows import AttributeRow, attribute_row
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.plan import Plan, Problem

ATTRIBUTE, TYPE, MECHANISM, EPSILON, ERROR = range(5)
ROW_ROLE = Qt.ItemDataRole.UserRole
"""Under this role every cell gives its whole `AttributeRow`, which the delegate paints from."""

_NOWHERE = QModelIndex()


class AttributeModel(RowModel[AttributeRow]):
    """One row per column of the plan; a row is written when it is first looked at.

    Args:
        document: What is shown.
        parent: Qt's owner.
    """

    def __init__(self, document: Document, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._plan = document.plan
        self._problems = _by_column(document.problems)
        self._rows: dict[int, AttributeRow] = {}
        self.heads = (
            Head(self.tr("Attribute")),
            Head(self.tr("Type")),
            Head(self.tr("Mechanism")),
            Head(self.tr("ε"), number=True),
            Head(self.tr("95 % error"), number=True),
        )
        document.planChanged.connect(self._take_plan)
        document.problemsChanged.connect(self._take_problems)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row per column of the survey."""
        return 0 if parent.isValid() else len(self._plan.columns)

    def row(self, number: int) -> AttributeRow:
        """What is shown in a row."""
        if number not in self._rows:
            column = self._plan.columns[number]
            problems = self._problems.get(column.name, ())
            self._rows[number] = attribute_row(self._plan, column, problems)
        return self._rows[number]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What every cell has, its whole row, and the problems of an attribute."""
        if not index.isValid():
            return None
        if role == ROW_ROLE:
            return self.row(index.row())
        if role == Qt.ItemDataRole.AccessibleDescriptionRole and index.column() == ATTRIBUTE:
            return self.row(index.row()).problems
        return super().data(index, role)

    def text(self, row: AttributeRow, column: int) -> str:
        """The text of a cell."""
        return (row.name, row.type, row.mechanism, row.epsilon, row.error)[column]

    def tooltip(self, row: AttributeRow, column: int) -> str:
        """The lock of an epsilon; the label and the problems of an attribute."""
        if column == EPSILON and row.lockable:
            if row.locked:
                return self.tr("Locked: a new split of the budget leaves it alone (Ctrl+L)")
            return self.tr("Lock it against a new split of the budget (Ctrl+L)")
        if column == ATTRIBUTE:
            return "\n".join(part for part in (row.name, row.label, row.problems) if part)
        return ""

    def spoken(self, row: AttributeRow, column: int) -> str:
        """The text of a cell, with the label of the attribute and the lock of its epsilon."""
        if column == ATTRIBUTE:
            return ", ".join(part for part in (row.name, row.label) if part)
        if column == EPSILON and row.locked:
            return self.tr("{epsilon}, locked").format(epsilon=row.epsilon)
        return self.text(row, column)

    def _take_plan(self, _old: Plan, new: Plan) -> None:
        old, self._plan = self._plan, new
        if [c.name for c in old.columns] != [c.name for c in new.columns]:
            self.beginResetModel()
            self._rows.clear()
            self.endResetModel()
            return
        if _shared(old) != _shared(new):
            self._rows.clear()
            self._announce(range(len(new.columns)))
            return
        pairs = zip(old.columns, new.columns, strict=True)
        self._announce([i for i, (before, after) in enumerate(pairs) if before is not after])

    def _take_problems(self, problems: tuple[Problem, ...]) -> None:
        old, self._problems = self._problems, _by_column(problems)
        changed = [
            i
            for i, column in enumerate(self._plan.columns)
            if old.get(column.name) != self._problems.get(column.name)
        ]
        self._announce(changed)

    def _announce(self, rows: range | list[int]) -> None:
        if len(rows) == 1:
            self._announce_cells(rows[0])
            return
        for row in rows:
            self._rows.pop(row, None)
        if rows:
            self.announce(rows[0], rows[-1])

    def _announce_cells(self, row: int) -> None:
        """Announces the cells that read otherwise, one by one: a step of a slider repaints two."""
        before, after = self._rows.pop(row, None), self.row(row)
        same_numbers = (
            None if before is None else replace(before, epsilon=after.epsilon, error=after.error)
        )
        if before is None or same_numbers != after:
            self.announce(row, row)
            return
        for column, changed in (
            (EPSILON, before.epsilon != after.epsilon),
            (ERROR, before.error != after.error),
        ):
            if changed:
                self.dataChanged.emit(self.index(row, column), self.index(row, column))


def _shared(plan: Plan) -> tuple[object, ...]:
    """What the error of every attribute depends on; under "spl" none depends on the others."""
    return (plan.respondents, None if plan.strategy == "spl" else plan.sampling)


def _by_column(problems: tuple[Problem, ...]) -> dict[str, tuple[Problem, ...]]:
    found: dict[str, tuple[Problem, ...]] = {}
    for problem in problems:
        if problem.column is not None:
            found[problem.column] = (*found.get(problem.column, ()), problem)
    return found
