"""The statistics of a query by two columns as a table: one down, the other across."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QStyleOptionViewItem, QWidget

from dpdesk.estimate.released import QueryResult
from dpdesk.gui.pages.release.statistics_rows import StatisticRow, category_names, result_rows
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.read_table import PaddedDelegate, ReadTable
from dpdesk.gui.widgets.row_model import Head, Index, RowModel

_SHADE = 0.34
"""Opacity of the ground of the largest value."""
_SPARE_MAX = 120
"""Most pixels that a column gets beyond its texts: numbers far apart are hard to compare."""
_SHADE_ROLE = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True)
class CrossRow:
    """A row of the table.

    Attributes:
        name: Its category.
        cells: Its statistics, one for each category across; None where none was released.
    """

    name: str
    cells: tuple[StatisticRow | None, ...]


def is_cross(result: QueryResult) -> bool:
    """Whether the statistics of a query are numbers by two columns."""
    by = getattr(result.bound.query, "by", ())
    return len(by) == 2 and all(statistic.value is not None for statistic in result.statistics)


class CrossModel(RowModel[CrossRow]):
    """The released numbers by two columns."""

    _largest = 0.0

    def show_result(self, result: QueryResult) -> None:
        """Shows the statistics of another query by two columns."""
        down, across = category_names(result)
        by = result.bound.query.by  # type: ignore[attr-defined]
        found = {
            statistic.key: row
            for statistic, row in zip(result.statistics, result_rows(result), strict=True)
        }
        rows = tuple(
            CrossRow(name, tuple(found.get((key, other)) for other in across))
            for key, name in down.items()
        )
        corner = f"{by[0]} \\ {by[1]}"
        self._largest = max(
            (cell.estimate for row in rows for cell in row.cells if cell is not None), default=0.0
        )
        self.beginResetModel()
        self.heads = (Head(corner), *(Head(name, name, number=True) for name in across.values()))
        self.rows = rows
        self.endResetModel()

    def text(self, row: CrossRow, column: int) -> str:
        """The released number of a cell."""
        if column == 0:
            return row.name
        cell = row.cells[column - 1]
        return "" if cell is None else cell.value

    def tooltip(self, row: CrossRow, column: int) -> str:
        """The number with its intervals."""
        cell = row.cells[column - 1] if column else None
        if cell is None:
            return row.name
        lines = [f"{row.name}, {self.heads[column].text}: {cell.value}"]
        if cell.noise:
            lines.append(self.tr("in the table: {interval}").format(interval=cell.noise))
        if cell.total:
            lines.append(self.tr("population: {interval}").format(interval=cell.total))
        return "\n".join(lines)

    def spoken(self, row: CrossRow, column: int) -> str:
        """The number with both categories and its intervals."""
        return "; ".join(self.tooltip(row, column).splitlines())

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The data of a cell, and how dark its ground is."""
        if role == _SHADE_ROLE:
            row, column = self.row(index.row()), index.column()
            cell = row.cells[column - 1] if column else None
            if cell is None or self._largest <= 0:
                return 0.0
            return min(max(cell.estimate / self._largest, 0.0), 1.0)
        return super().data(index, role)


class _ShadedDelegate(PaddedDelegate):
    """Paints a number on a ground that is the darker the larger it is."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        shade = index.data(_SHADE_ROLE)
        if shade:
            colour = QColor(theme_in_force().accent)
            colour.setAlphaF(_SHADE * shade)
            painter.fillRect(option.rect.adjusted(0, 0, 0, -1), colour)


class CrossTable(ReadTable):
    """The table; it scrolls where there are many categories."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self.cross = CrossModel()
        super().__init__(self.cross, self.tr("Released table"), row_height=32, parent=parent)
        self.cross.setParent(self)
        self.setItemDelegate(_ShadedDelegate(self))
        heads = self.horizontalHeader()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        heads.setResizeContentsPrecision(0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shares the width anew."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        """Gives every column the room of its texts and an equal part of what is left."""
        self.resizeColumnsToContents()
        columns = self.cross.columnCount()
        left = self.viewport().width() - self.horizontalHeader().length()
        more = min(left // max(columns, 1), _SPARE_MAX)
        for column in range(columns if more > 0 else 0):
            self.setColumnWidth(column, self.columnWidth(column) + more)

    def show_result(self, result: QueryResult) -> None:
        """Shows the statistics of a query by two columns."""
        self.cross.show_result(result)
        self._share_width()
        self.scrollToTop()
