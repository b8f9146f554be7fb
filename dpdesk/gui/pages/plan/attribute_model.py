"""The columns of a plan as a table model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dpdesk.gui.document import Document
from dpdesk.gui.pages.plan.attribute_rows import AttributeRow, attribute_row
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.plan import Plan, Problem

Index = QModelIndex | QPersistentModelIndex

ATTRIBUTE, TYPE, MECHANISM, EPSILON, ERROR = range(5)
COLUMN_COUNT = 5
ROW_ROLE = Qt.ItemDataRole.UserRole
"""Under this role every cell gives its whole `AttributeRow`, which the delegate paints from."""

_NOWHERE = QModelIndex()


class AttributeModel(QAbstractTableModel):
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
        document.planChanged.connect(self._take_plan)
        document.problemsChanged.connect(self._take_problems)

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One row per column of the survey."""
        return 0 if parent.isValid() else len(self._plan.columns)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """Attribute, type, mechanism, epsilon and error."""
        return 0 if parent.isValid() else COLUMN_COUNT

    def row(self, number: int) -> AttributeRow:
        """What is shown in a row."""
        if number not in self._rows:
            column = self._plan.columns[number]
            problems = self._problems.get(column.name, ())
            self._rows[number] = attribute_row(self._plan, column, problems)
        return self._rows[number]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell, its alignment, and the same for screen readers."""
        if not index.isValid():
            return None
        row, column = self.row(index.row()), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return (row.name, row.type, row.mechanism, row.epsilon, row.error)[column]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self._tooltip(row, column))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(row, column)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return row.problems if column == ATTRIBUTE else None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(column)
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The heads of the columns, aligned as what stands below them."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < COLUMN_COUNT:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            heads = (
                self.tr("Attribute"),
                self.tr("Type"),
                self.tr("Mechanism"),
                self.tr("ε"),
                self.tr("95 % error"),
            )
            return heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

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
            last = self.index(rows[-1], COLUMN_COUNT - 1)
            self.dataChanged.emit(self.index(rows[0], 0), last)

    def _announce_cells(self, row: int) -> None:
        """Announces the cells that read otherwise, one by one: a step of a slider repaints two."""
        before, after = self._rows.pop(row, None), self.row(row)
        same_numbers = (
            None if before is None else replace(before, epsilon=after.epsilon, error=after.error)
        )
        if before is None or same_numbers != after:
            self.dataChanged.emit(self.index(row, 0), self.index(row, COLUMN_COUNT - 1))
            return
        for column, changed in (
            (EPSILON, before.epsilon != after.epsilon),
            (ERROR, before.error != after.error),
        ):
            if changed:
                self.dataChanged.emit(self.index(row, column), self.index(row, column))

    def _tooltip(self, row: AttributeRow, column: int) -> str:
        if column == EPSILON and row.lockable:
            if row.locked:
                return self.tr("Locked: a new split of the budget leaves it alone (Ctrl+L)")
            return self.tr("Lock it against a new split of the budget (Ctrl+L)")
        if column == ATTRIBUTE:
            return "\n".join(part for part in (row.name, row.label, row.problems) if part)
        return ""

    def _spoken(self, row: AttributeRow, column: int) -> str:
        if column == ATTRIBUTE:
            return ", ".join(part for part in (row.name, row.label) if part)
        if column == EPSILON and row.locked:
            return self.tr("{epsilon}, locked").format(epsilon=row.epsilon)
        return str((row.type, row.mechanism, row.epsilon, row.error)[column - 1])


def _shared(plan: Plan) -> tuple[object, ...]:
    """What the error of every attribute depends on; under "spl" none depends on the others."""
    return (plan.respondents, None if plan.strategy == "spl" else plan.sampling)


def _by_column(problems: tuple[Problem, ...]) -> dict[str, tuple[Problem, ...]]:
    found: dict[str, tuple[Problem, ...]] = {}
    for problem in problems:
        if problem.column is not None:
            found[problem.column] = (*found.get(problem.column, ()), problem)
    return found


def _alignment(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column >= EPSILON else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
