"""A table in which rows are typed: what stands in a cell is kept, right or wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dpdesk.gui.widgets.plain_text import plain_tooltip

Index = QModelIndex | QPersistentModelIndex

TYPED_ROLE = Qt.ItemDataRole.UserRole + 1
"""Whether a cell can be typed in."""
REFUSAL_ROLE = Qt.ItemDataRole.UserRole + 2
"""Why what was typed cannot be taken; empty where it can."""

_NOWHERE = QModelIndex()
_LONGEST = 500


@dataclass(frozen=True)
class EntryColumn:
    """A column.

    Attributes:
        title: Its head.
        typed: Whether it is typed; the others are found.
        words: Whether it holds words, which stand at the left.
        hint: What it means, in more words than the head has room for.
    """

    title: str
    typed: bool = True
    words: bool = False
    hint: str = ""


class EntryModel(QAbstractTableModel):
    """Texts by row and column; columns that are found are filled by `set_found`.

    Args:
        columns: The columns.
        rows: The texts of the rows at first.
        parent: Qt's owner.
    """

    def __init__(
        self,
        columns: Sequence[EntryColumn],
        rows: Sequence[Sequence[str]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.columns = list(columns)
        self._texts = [list(row) for row in rows]
        self._refusals: dict[tuple[int, int], str] = {}

    def texts(self) -> tuple[tuple[str, ...], ...]:
        """What stands in the cells, row by row."""
        return tuple(tuple(row) for row in self._texts)

    def set_typed(self, column: int, typed: bool) -> None:
        """Lets a column be typed, or found; the texts stay."""
        if self.columns[column].typed == typed:
            return
        self.columns[column] = replace(self.columns[column], typed=typed)
        self._tell_all()

    def set_text(self, row: int, column: int, text: str) -> None:
        """Writes a text that was not typed."""
        if self._texts[row][column] != text:
            self._texts[row][column] = text
            index = self.index(row, column)
            self.dataChanged.emit(index, index, [Qt.ItemDataRole.DisplayRole])

    def set_refusals(self, refusals: dict[tuple[int, int], str]) -> None:
        """Marks the cells (row, column) that cannot be taken, and no others."""
        if refusals != self._refusals:
            self._refusals = dict(refusals)
            self._tell_all()

    def add_row(self, texts: Sequence[str]) -> None:
        """Adds a row at the end."""
        place = len(self._texts)
        self.beginInsertRows(_NOWHERE, place, place)
        self._texts.append(list(texts))
        self.endInsertRows()

    def remove_row(self, row: int) -> None:
        """Removes a row."""
        self.beginRemoveRows(_NOWHERE, row, row)
        del self._texts[row]
        self._refusals = {}
        self.endRemoveRows()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        """As many as were typed."""
        return 0 if parent.isValid() else len(self._texts)

    def columnCount(self, parent: Index = _NOWHERE) -> int:
        """One for each column."""
        return 0 if parent.isValid() else len(self.columns)

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Typed columns can be edited."""
        flags = super().flags(index)
        if index.isValid() and self.columns[index.column()].typed:
            return flags | Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The text of a cell, and what is wrong with it."""
        if not index.isValid():
            return None
        row, column = index.row(), index.column()
        text, about = self._texts[row][column], self.columns[column]
        refusal = self._refusals.get((row, column), "")
        if role == Qt.ItemDataRole.DisplayRole or (
            role == Qt.ItemDataRole.EditRole and about.typed
        ):
            return text
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(refusal or (text if about.words else ""))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{about.title}: {text}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return refusal
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(about)
        if role == TYPED_ROLE:
            return about.typed
        if role == REFUSAL_ROLE:
            return refusal
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Takes what was typed as it is."""
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        if not self.columns[index.column()].typed:
            return False
        self._texts[index.row()][index.column()] = str(value).strip()[:_LONGEST]
        self.dataChanged.emit(index, index, [Qt.ItemDataRole.EditRole])
        return True

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The heads, aligned as what stands below them."""
        if orientation != Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].title
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_tooltip(self.columns[section].hint)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(self.columns[section])
        return None

    def _tell_all(self) -> None:
        if self._texts:
            last = self.index(len(self._texts) - 1, len(self.columns) - 1)
            self.dataChanged.emit(self.index(0, 0), last, [Qt.ItemDataRole.DisplayRole])


def _alignment(column: EntryColumn) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column.words else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
