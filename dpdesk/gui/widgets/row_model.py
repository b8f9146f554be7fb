"""The model of a table to read: heads and rows, a text, a tooltip and spoken words per cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dpdesk.gui.widgets.plain_text import plain_tooltip
from dpdesk.gui.widgets.plot_table import PlotTable

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")

_NOWHERE = QModelIndex()
# A view asks for a dozen roles of each cell that it paints: compared as numbers.
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOLTIP = int(Qt.ItemDataRole.ToolTipRole)
_SPOKEN = int(Qt.ItemDataRole.AccessibleTextRole)
_ALIGNMENT = int(Qt.ItemDataRole.TextAlignmentRole)


@dataclass(frozen=True)
class Head:
    """The head of a column.

    Attributes:
        text: What stands in it.
        meaning: Its tooltip; empty for none.
        number: Whether the column, head and cells, stands at the right.
    """

    text: str
    meaning: str = ""
    number: bool = False

    @property
    def alignment(self) -> Qt.AlignmentFlag:
        """Where the head and the cells below it stand."""
        side = Qt.AlignmentFlag.AlignRight if self.number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


class RowModel(QAbstractTableModel, Generic[Row]):
    """One row per thing; a subclass sets its `heads` and says what stands in a cell.

    Args:
        parent: Qt's owner.

    Attributes:
        heads: The heads of the columns, set once by the subclass.
        rows: What is shown, in order.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.heads: tuple[Head, ...] = ()
        self.rows: tuple[Row, ...] = ()

    def show_rows(self, rows: Sequence[Row], *, same: bool = False) -> None:
        """Shows other rows.

        Args:
            rows: What is shown from now on.
            same: Whether they stand for the things that stood there before: the view then keeps
                its selection and its place, and paints no more than what it shows.
        """
        if same and len(rows) == len(self.rows):
            self.rows = tuple(rows)
            if rows:
                self.announce(0, len(rows) - 1)
            return
        self.beginResetModel()
        self.rows = tuple(rows)
        self.endResetModel()

    def announce(self, first: int, last: int) -> None:
        """Tells that all cells of the rows `first` to `last` read otherwise."""
        end = self.index(last, len(self.heads) - 1)
        self.dataChanged.emit(self.index(first, 0), end)

    def row(self, number: int) -> Row:
        """What is shown in a row."""
        return self.rows[number]

    def text(self, row: Row, column: int) -> str:
        """The text of a cell."""
        raise NotImplementedError

    def tooltip(self, row: Row, column: int) -> str:
        """What a cell explains; empty for nothing. It is shown literally."""
        return ""

    def spoken(self, row: Row, column: int) -> str:
        """What a screen reader says of a cell: its text, with the head that gives it a meaning."""
        text = self.text(row, column)
        return f"{self.heads[column].text}: {text}" if column else text

    def table(self) -> PlotTable:
        """All heads and cells as texts."""
        columns = range(len(self.heads))
        numbers = range(self.rowCount())
        return PlotTable(
            tuple(head.text for head in self.heads),
            tuple(tuple(self.text(self.row(i), column) for column in columns) for i in numbers),
        )

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """One for each thing that is shown."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """One for each head."""
        return 0 if parent.isValid() else len(self.heads)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        """The text of a cell, its alignment, its tooltip, and its words for screen readers."""
        if not index.isValid():
            return None
        column = index.column()
        if role == _DISPLAY:
            return self.text(self.row(index.row()), column)
        if role == _ALIGNMENT:
            return self.heads[column].alignment
        if role == _TOOLTIP:
            return plain_tooltip(self.tooltip(self.row(index.row()), column))
        if role == _SPOKEN:
            return self.spoken(self.row(index.row()), column)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        """The heads, with what they mean, aligned as what stands below them."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.heads):
            return None
        if role == _DISPLAY:
            return self.heads[section].text
        if role == _TOOLTIP:
            return plain_tooltip(self.heads[section].meaning)
        if role == _ALIGNMENT:
            return self.heads[section].alignment
        return None
