"""What happens to each column of the plan, as a table for a view."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QFont

from dpdesk.cost import format_epsilon
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.plan import ColumnPlan, Plan, released_names

Index = QModelIndex | QPersistentModelIndex

_ROOT = QModelIndex()

COLUMN, TREATMENT, RELEASED, EPSILON = range(4)

_ORDER = {"unassigned": 0, "keep": 1, "protect": 2, "drop": 3}
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class OutlineModel(QAbstractTableModel):
    """One row per column of the plan; what is not protected stands on top.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._columns: tuple[ColumnPlan, ...] = ()

    def set_plan(self, plan: Plan) -> None:
        """Shows another plan."""
        columns = tuple(sorted(plan.columns, key=lambda column: _ORDER[column.role]))
        if columns != self._columns:
            self.beginResetModel()
            self._columns = columns
            self.endResetModel()

    def column_at(self, row: int) -> ColumnPlan:
        """Returns the column of a row."""
        return self._columns[row]

    def rowCount(self, parent: Index = _ROOT) -> int:
        """Number of columns of the plan."""
        return 0 if parent.isValid() else len(self._columns)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Number of columns of this table."""
        return 0 if parent.isValid() else EPSILON + 1

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Heads of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        heads = (self.tr("Column"), self.tr("Treatment"), self.tr("Released as"), "ε")
        if role == Qt.ItemDataRole.DisplayRole:
            return heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section == EPSILON else _LEFT
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Texts and colours of the cells."""
        column = self._columns[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(column, index.column())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            head = self.headerData(index.column(), Qt.Orientation.Horizontal)
            return f"{head}: {self._text(column, index.column())}"
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() == EPSILON else _LEFT
        if role == Qt.ItemDataRole.ForegroundRole:
            return self._colour(column, index.column())
        if role == Qt.ItemDataRole.FontRole and index.column() == COLUMN:
            font = QFont()
            font.setBold(column.role != "drop")
            return font
        if role == Qt.ItemDataRole.ToolTipRole:
            names = ", ".join(released_names(column)[:20])
            return plain_tooltip("\n".join(filter(None, (column.title, names))))
        return None

    def _text(self, column: ColumnPlan, section: int) -> str:
        if section == COLUMN:
            return column.name
        if section == RELEASED:
            return self._released(column)
        protects = column.role == "protect" and column.mechanism is not None
        if section == EPSILON:
            return (
                format_epsilon(column.mechanism.epsilon) if protects and column.mechanism else "—"
            )
        if protects and column.mechanism:
            return column.mechanism.short
        words = {
            "protect": self.tr("No mechanism yet"),
            "keep": self.tr("Passed through"),
            "drop": self.tr("Dropped"),
            "unassigned": self.tr("Not assigned"),
        }
        return words[column.role]

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
