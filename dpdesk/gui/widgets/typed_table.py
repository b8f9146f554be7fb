"""A table whose last column is typed, text by text; what it means is for others to judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.padded_delegate import PaddedDelegate
from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.gui.widgets.read_table import PlainHeader

Index = QModelIndex | QPersistentModelIndex

_NOWHERE = QModelIndex()
_ROW_HEIGHT = 28
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class TypedModel(QAbstractTableModel):
    """Rows of given texts, each with a last cell that is typed.

    Args:
        heads: The heads of all columns.
        given: The texts of each row, one less than there are heads.
        texts: What stands in the last cells at first.
        parent: Qt's owner.

    Attributes:
        texts: What stands in the last cells now, without spaces at the ends.
    """

    def __init__(
        self,
        heads: Sequence[str],
        given: Sequence[tuple[str, ...]],
        texts: Sequence[str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._heads = tuple(heads)
        self._given = tuple(given)
        self.texts = list(texts)

    @property
    def typed_column(self) -> int:
        """Number of the column that is typed."""
        return len(self._heads) - 1

    def clear(self) -> None:
        """Empties every typed cell."""
        self.texts = [""] * len(self._given)
        first = self.index(0, self.typed_column)
        self.dataChanged.emit(first, self.index(len(self._given) - 1, self.typed_column))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """As many as were given."""
        return 0 if parent.isValid() else len(self._given)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """One per head."""
        return 0 if parent.isValid() else len(self._heads)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """The last cell of a row can be typed."""
        flags = super().flags(index)
        typed = index.isValid() and index.column() == self.typed_column
        return flags | Qt.ItemFlag.ItemIsEditable if typed else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell; all but the first stand at the right."""
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        typed = column == self.typed_column
        if role == Qt.ItemDataRole.DisplayRole or (typed and role == Qt.ItemDataRole.EditRole):
            return self.texts[row] if typed else self._given[row][column]
        if role == Qt.ItemDataRole.ToolTipRole and column == 0:
            return plain_tooltip(self._given[row][0])
        if role == Qt.ItemDataRole.TextAlignmentRole and column:
            return _RIGHT
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Takes what was typed as it is."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        if index.column() != self.typed_column:
            return False
        self.texts[index.row()] = str(value).strip()
        self.dataChanged.emit(index, index)
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The heads, aligned as what stands below them."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self._heads):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._heads[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            return _RIGHT if section else left
        return None


class _FieldDelegate(PaddedDelegate):
    """Cells with a frame, so that one sees where to type."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        theme = theme_in_force()
        focused = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setPen(QPen(QColor(theme.accent if focused else theme.control_border), 1))
        painter.drawRoundedRect(option.rect.adjusted(3, 3, -4, -4), 3, 3)
        painter.restore()


class TypedTable(QTableView):
    """The view of a `TypedModel`: the typed cell of the chosen row is open.

    Args:
        name: Accessible name.
        model: What is shown.
        parent: Qt's owner.
    """

    def __init__(self, name: str, model: TypedModel, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setHorizontalHeader(PlainHeader(self))
        self.setModel(model)
        self.setItemDelegate(PaddedDelegate(self))
        self.setItemDelegateForColumn(model.typed_column, _FieldDelegate(self))
        self.setAccessibleName(name)
        triggers = QAbstractItemView.EditTrigger
        self.setEditTriggers(
            triggers.AnyKeyPressed
            | triggers.EditKeyPressed
            | triggers.DoubleClicked
            | triggers.SelectedClicked
        )
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.setShowGrid(False)
        rows, heads = self.verticalHeader(), self.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setDefaultSectionSize(_ROW_HEIGHT)
        heads.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.setCurrentIndex(model.index(0, model.typed_column))
