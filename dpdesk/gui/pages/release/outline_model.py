"""What happens to each column of the plan, as a table for a view."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QColor, QFont

from dpdesk.cost import format_epsilon
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.row_model import Head, Index, RowModel
from dpdesk.plan import ColumnPlan, Plan, released_names

COLUMN, TREATMENT, RELEASED, EPSILON = range(4)

_ORDER = {"unassigned": 0, "keep": 1, "protect": 2, "drop": 3}


class OutlineModel(RowModel[ColumnPlan]):
    """One row per column of the plan; what is not protected stands on top.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.heads = (
            Head(self.tr("Column")),
            Head(self.tr("Treatment")),
            Head(self.tr("Released as")),
            Head("ε", number=True),
        )

    def set_plan(self, plan: Plan) -> None:
        """Shows another plan."""
        columns = tuple(sorted(plan.columns, key=lambda column: _ORDER[column.role]))
        if columns != self.rows:
            self.show_rows(columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What every cell has, and its colour; what is released has a bold name."""
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(self.row(index.row()), index.column())
        if role == Qt.ItemDataRole.FontRole and index.column() == COLUMN:
            font = QFont()
            font.setBold(self.row(index.row()).role != "drop")
            return font
        return super().data(index, role)

    def text(self, row: ColumnPlan, column: int) -> str:
        """The text of a cell."""
        if column == COLUMN:
            return row.name
        if column == RELEASED:
            return self._released(row)
        protects = row.role == "protect" and row.mechanism is not None
        if column == EPSILON:
            return format_epsilon(row.mechanism.epsilon) if protects and row.mechanism else "—"
        if protects and row.mechanism:
            return row.mechanism.short
        words = {
            "protect": self.tr("No mechanism yet"),
            "keep": self.tr("Passed through"),
            "drop": self.tr("Dropped"),
            "unassigned": self.tr("Not assigned"),
        }
        return words[row.role]

    def tooltip(self, row: ColumnPlan, column: int) -> str:
        """The question and the names that are released."""
        names = ", ".join(released_names(row)[:20])
        return "\n".join(filter(None, (row.title, names)))

    def _released(self, column: ColumnPlan) -> str:
        count = len(released_names(column))
        if not count:
            return "—"
        if column.role == "keep":
            return self.tr("as it is")
        if count == 1:
            return self.tr("1 column")
        if column.mechanism is not None and column.mechanism.form == "integers":
            return self.tr("{count} columns of whole numbers").format(count=f"{count:,}")
        return self.tr("{count} columns of 0 and 1").format(count=f"{count:,}")

    def _colour(self, column: ColumnPlan, section: int) -> QColor:
        theme = self._theme.theme
        if column.role == "drop":
            return QColor(theme.muted)
        if section == TREATMENT and column.role != "protect":
            return QColor(theme.danger if column.role == "unassigned" else theme.warning)
        return QColor(theme.text)
