"""The columns of a plan as rows of a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dpdesk.gui.pages.data.column_words import (
    domain_words,
    kind_word,
    missing_words,
    origin_words,
    role_word,
)
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.plan import ColumnPlan, Plan

COLUMN, KIND, DOMAIN, MISSING, ROLE = range(5)

DetailRole = int(Qt.ItemDataRole.UserRole)
"""The second line of a cell."""
SignRole = DetailRole + 1
"""What the second line is marked with: "warning", "success" or ""."""

_Index = QModelIndex | QPersistentModelIndex


class VariableModel(QAbstractTableModel):
    """One row per column of the plan; read only, edits go through the editor beside it.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[ColumnPlan, ...] = ()

    def set_plan(self, plan: Plan) -> None:
        """Shows a plan; where only rows changed, only those are drawn anew."""
        old, new = self._columns, plan.columns
        if [column.name for column in old] != [column.name for column in new]:
            self.beginResetModel()
            self._columns = new
            self.endResetModel()
            return
        self._columns = new
        for row, (before, after) in enumerate(zip(old, new, strict=True)):
            if before is not after:
                self.dataChanged.emit(self.index(row, 0), self.index(row, ROLE))

    def column_plan(self, row: int) -> ColumnPlan:
        """What the plan says of the column of a row."""
        return self._columns[row]

    def row_of(self, name: str) -> int:
        """The row of a column; -1 if there is none of this name."""
        names = (row for row, column in enumerate(self._columns) if column.name == name)
        return next(names, -1)

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Number of columns of the plan."""
        return 0 if parent.isValid() else len(self._columns)

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """What is said of each."""
        return 0 if parent.isValid() else ROLE + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The words above."""
        if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            words = (
                self.tr("Column"),
                self.tr("Kind"),
                self.tr("Domain"),
                self.tr("Missing"),
                self.tr("Role"),
            )
            return words[section]
        if orientation == Qt.Orientation.Horizontal and (role == Qt.ItemDataRole.TextAlignmentRole):
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The first line of a cell, its second line, its sign, and both in words."""
        if not index.isValid() or index.row() >= len(self._columns):
            return None
        plan, place = self._columns[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _first_line(plan, place)
        if role == DetailRole:
            return self._second_line(plan, place)
        if role == SignRole:
            return _sign(plan, place)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            lines = (_first_line(plan, place), self._second_line(plan, place))
            return ", ".join(line for line in lines if line)
        if role == Qt.ItemDataRole.ToolTipRole:
            lines = (_first_line(plan, place), self._second_line(plan, place))
            return plain_tooltip("\n".join(line for line in lines if line))
        return None

    def _second_line(self, plan: ColumnPlan, place: int) -> str:
        if place == COLUMN:
            return plan.label
        if place == DOMAIN:
            return origin_words(plan)
        if place == ROLE and plan.role == "keep":
            return self.tr("confirmed") if plan.keep_confirmed else self.tr("to confirm")
        if place == ROLE and plan.role == "unassigned":
            return self.tr("choose one")
        return ""


def _first_line(plan: ColumnPlan, place: int) -> str:
    if place == COLUMN:
        return plan.name
    if place == KIND:
        return kind_word(plan.kind)
    if place == DOMAIN:
        return domain_words(plan)
    return missing_words(plan) if place == MISSING else role_word(plan.role)


def _sign(plan: ColumnPlan, place: int) -> str:
    if place == DOMAIN and plan.domain is not None and plan.role != "drop":
        return "success" if plan.confirmed else "warning"
    if place == ROLE and plan.role == "unassigned":
        return "warning"
    if place == ROLE and plan.role == "keep":
        return "success" if plan.keep_confirmed else "warning"
    return ""
