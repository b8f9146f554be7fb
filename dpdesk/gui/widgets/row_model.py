"""The model of a table to read: heads and rows, a text, a tooltip and spoken words per cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dpdesk.gui.widgets.plain_text import literal, plain_tooltip
from dpdesk.gui.widgets.plot_table import PlotTable

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")

_FEW = 20
"""Up to so many rows each change is announced by itself."""
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

    @cached_property
    def alignment(self) -> Qt.AlignmentFlag:
        """Where the head and the cells below it stand."""
        side = Qt.AlignmentFlag.AlignRight if self.number else Qt.AlignmentFlag.AlignLeft
        return side | Qt.AlignmentFlag.AlignVCenter


class RowModel(QAbstractTableModel, Generic[Row]):
    """One row per thing; a subclass says its heads and what stands in a cell.

    Attributes:
        heads: The heads of the columns.
        rows: What is shown, in order.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.heads = self._make_heads()
        self.rows: Sequence[Row] = ()
        # Written down from the first change on: most tables never change cell by cell.
        self._shown: tuple[tuple[str, ...], ...] = ()

    def show_rows(self, rows: Sequence[Row], *, same: bool = False) -> None:
        """Shows other rows.

        Args:
            rows: What is shown from now on.
            same: Whether they stand for the things that stood there before: the view then keeps
                its selection and its place, and paints no more than the cells that read otherwise.
        """
        if same and len(rows) == len(self.rows):
            self.rows = tuple(rows) if isinstance(rows, list) else rows
            self._announce_changes()
            return
        self.beginResetModel()
        # Some rows are made when they are looked at.
        self.rows, self._shown = tuple(rows) if isinstance(rows, list) else rows, ()
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
        return PlotTable(tuple(head.text for head in self.heads), self._texts())

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        if not index.isValid():
            return None
        column = index.column()
        if role == _DISPLAY:
            return literal(self.text(self.row(index.row()), column))
        if role == _ALIGNMENT:
            return self.heads[column].alignment
        if role == _TOOLTIP:
            return plain_tooltip(self.tooltip(self.row(index.row()), column))
        if role == _SPOKEN:
            return literal(self.spoken(self.row(index.row()), column))
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.heads):
            return None
        if role == _DISPLAY:
            return literal(self.heads[section].text)
        if role == _TOOLTIP:
            return plain_tooltip(self.heads[section].meaning)
        if role == _ALIGNMENT:
            return self.heads[section].alignment
        return None

    def _make_heads(self) -> tuple[Head, ...]:
        """The heads at first; empty where they follow from what is shown."""
        return ()

    def _texts(self) -> tuple[tuple[str, ...], ...]:
        """The texts of all cells."""
        columns = range(len(self.heads))
        rows = (self.row(number) for number in range(self.rowCount()))
        return tuple(tuple(self.text(row, column) for column in columns) for row in rows)

    def _announce_changes(self) -> None:
        """Announces, row by row, the cells that read otherwise than at the last time.

        Many rows are announced together: to read and to announce each takes far longer than to
        paint those that are seen.
        """
        if len(self.rows) > _FEW:
            self.announce(0, len(self.rows) - 1)
            return
        before, self._shown = self._shown, self._texts()
        if not before and self.rows:
            self.announce(0, len(self.rows) - 1)
            return
        for number, texts in enumerate(zip(before, self._shown, strict=True)):
            changed = [i for i, (old, new) in enumerate(zip(*texts, strict=True)) if old != new]
            if changed:
                ends = (self.index(number, changed[0]), self.index(number, changed[-1]))
                self.dataChanged.emit(*ends)
