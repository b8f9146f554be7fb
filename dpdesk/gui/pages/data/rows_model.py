"""The answers of the file, respondent by respondent, read where they are looked at."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dpdesk.data.table import SurveyTable, TextColumn

_Index = QModelIndex | QPersistentModelIndex
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_SHOWN = 200
"""Characters of an answer that are shown; more would never fit into a cell."""


class RowsModel(QAbstractTableModel):
    """A table as it was read; nothing is copied, so that its size does not matter.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[TextColumn, ...] = ()
        self._rows = 0

    def set_table(self, table: SurveyTable | None) -> None:
        """Shows a table, or nothing."""
        self.beginResetModel()
        self._columns = () if table is None else table.columns
        self._rows = 0 if table is None else table.rows
        self.endResetModel()

    def column_of(self, name: str) -> int:
        """The position of a column; -1 if there is none of this name."""
        found = (place for place, column in enumerate(self._columns) if column.name == name)
        return next(found, -1)

    def column_name(self, place: int) -> str:
        """The name of the column at a position."""
        return self._columns[place].name

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Number of respondents."""
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        """Number of columns of the file."""
        return 0 if parent.isValid() else len(self._columns)

    def text(self, row: int, column: int) -> str:
        """An answer in one line, cut where no cell could show more."""
        answer = self._columns[column].text(row)[:_SHOWN]
        return answer if answer.isprintable() else " ".join(answer.split())

    def data(self, index: _Index, role: int = _DISPLAY) -> Any:
        """The answer of a respondent."""
        # The first question of many for each cell that is drawn: compared as numbers.
        if role != _DISPLAY or not index.isValid():
            return None
        return self.text(index.row(), index.column())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        """Names of the columns, numbers of the respondents."""
        if role == _DISPLAY and orientation == Qt.Orientation.Vertical:
            return f"{section + 1:,}"
        if not 0 <= section < len(self._columns):
            return None
        if role == _DISPLAY:
            return self._columns[section].name.replace("\n", " ")
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None
