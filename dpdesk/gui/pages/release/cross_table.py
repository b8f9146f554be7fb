"""Numbers by two columns as a shaded table: one column down, the other across."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyleOptionViewItem,
    QWidget,
)

from dpdesk.estimation.released import QueryResult
from dpdesk.gui.pages.release.statistics_rows import StatisticRow, category_names, result_rows
from dpdesk.gui.theme import theme_in_force
from dpdesk.gui.widgets.boxes import STRETCH, lay_column, lay_row
from dpdesk.gui.widgets.choice_box import ChoiceBox
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.read_table import PaddedDelegate, ReadTable
from dpdesk.gui.widgets.row_model import Head, Index, RowModel

_SHADE = 0.34
"""Opacity of the ground of the largest value."""
_HIGH, _LOW = 32, 26
"""Height of a row in pixels: beside another table there is less room."""
_SHADE_ROLE = int(Qt.ItemDataRole.UserRole)


@dataclass(frozen=True)
class CrossCell:
    """One number of the table.

    Attributes:
        text: The number, as it is shown.
        estimate: The number that its ground is shaded by; NaN for none.
        told: What else is known of it, such as its intervals, a line each.
        is_difference: Whether a negative number is shaded, too, in another colour.
    """

    text: str
    estimate: float
    told: tuple[str, ...] = ()
    is_difference: bool = False


@dataclass(frozen=True)
class CrossRow:
    """A row of the table.

    Attributes:
        name: Its category.
        cells: Its numbers, one for each category across; None where there is none.
    """

    name: str
    cells: tuple[CrossCell | None, ...]


def is_cross(result: QueryResult) -> bool:
    """Whether the statistics of a query are numbers by two columns."""
    by = getattr(result.bound.query, "by", ())
    return len(by) == 2 and all(statistic.value is not None for statistic in result.statistics)


class CrossModel(RowModel[CrossRow]):
    """Numbers by two columns."""

    _largest = 0.0

    def show_cells(self, corner: str, across: Sequence[str], rows: Sequence[CrossRow]) -> None:
        """Shows another table.

        Args:
            corner: The names of both columns.
            across: The categories of the columns.
            rows: The rows.
        """
        cells = (cell for row in rows for cell in row.cells if cell is not None)
        told = (abs(one.estimate) if one.is_difference else one.estimate for one in cells)
        self._largest = max((one for one in told if isfinite(one)), default=0.0)
        self.beginResetModel()
        self.heads = (Head(corner, corner), *(Head(name, name, number=True) for name in across))
        self.rows = tuple(rows)
        self.endResetModel()

    def show_result(self, result: QueryResult) -> None:
        """Shows the statistics of another query by two columns."""
        down, across = category_names(result)
        by = result.bound.query.by  # type: ignore[attr-defined]
        found = {
            statistic.key: self._cell(row)
            for statistic, row in zip(result.statistics, result_rows(result), strict=True)
        }
        rows = [
            CrossRow(name, tuple(found.get((key, other)) for other in across))
            for key, name in down.items()
        ]
        self.show_cells(f"{by[0]} \\ {by[1]}", tuple(across.values()), rows)

    def _cell(self, row: StatisticRow) -> CrossCell:
        told = []
        if row.noise:
            told.append(self.tr("in the table: {interval}").format(interval=row.noise))
        if row.total:
            told.append(self.tr("population: {interval}").format(interval=row.total))
        return CrossCell(row.value, row.estimate, tuple(told))

    def text(self, row: CrossRow, column: int) -> str:
        if column == 0:
            return row.name
        cell = row.cells[column - 1]
        return "" if cell is None else cell.text

    def tooltip(self, row: CrossRow, column: int) -> str:
        cell = row.cells[column - 1] if column else None
        if cell is None:
            return row.name
        return "\n".join((f"{row.name}, {self.heads[column].text}: {cell.text}", *cell.told))

    def spoken(self, row: CrossRow, column: int) -> str:
        return "; ".join(self.tooltip(row, column).splitlines())

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == _SHADE_ROLE:
            row, column = self.row(index.row()), index.column()
            cell = row.cells[column - 1] if column else None
            if cell is None or self._largest <= 0 or not isfinite(cell.estimate):
                return 0.0
            least = -1.0 if cell.is_difference else 0.0
            return min(max(cell.estimate / self._largest, least), 1.0)
        return super().data(index, role)


class _ShadedDelegate(PaddedDelegate):
    """Paints a number on a ground that is the darker the larger it is, by its sign."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        shade = index.data(_SHADE_ROLE)
        if shade:
            theme = theme_in_force()
            colour = QColor(theme.accent if shade > 0 else theme.series(1))
            colour.setAlphaF(_SHADE * abs(shade))
            painter.fillRect(option.rect.adjusted(0, 0, 0, -1), colour)


class CrossTable(ReadTable):
    """The table; it scrolls where there are many categories.

    Args:
        name: Accessible name.
        cells: Whether single cells are selected, not rows.

    Attributes:
        cellChosen: Emitted with the row and the column across, both from 0, of the current cell.
    """

    cellChosen = Signal(int, int)

    def __init__(
        self, name: str = "", *, cells: bool = False, parent: QWidget | None = None
    ) -> None:
        self.cross = CrossModel()
        height = _LOW if cells else _HIGH
        super().__init__(self.cross, name, row_height=height, parent=parent)
        if not name:
            self.setAccessibleName(self.tr("Released table"))
        if cells:
            self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.cross.setParent(self)
        self.setItemDelegate(_ShadedDelegate(self))
        heads = self.horizontalHeader()
        heads.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid() and current.column():
            self.cellChosen.emit(current.row(), current.column() - 1)

    def show_result(self, result: QueryResult) -> None:
        """Shows the statistics of a query by two columns."""
        self.cross.show_result(result)
        self.scrollToTop()

    def show_cells(self, corner: str, across: Sequence[str], rows: Sequence[CrossRow]) -> None:
        """Shows another table; see `CrossModel.show_cells`."""
        self.cross.show_cells(corner, across, rows)
        self.scrollToTop()


class TwoTables(QWidget):
    """The unbiased table, with another one beside or, where there is no room, below it.

    Attributes:
        unbiased, possible: The tables; the current cell and what is scrolled to are the same.
    """

    cellChosen = Signal(int, int)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.unbiased = CrossTable(self.tr("Unbiased table"), cells=True, parent=self)
        self.possible = CrossTable(self.tr("Possible table"), cells=True, parent=self)
        self.choice = ChoiceBox(self.tr("Which table beside it"), parent=self)
        self._side = QWidget(self)
        left, right = QWidget(self), self._side
        self.title = PlainLabel("", "strong", parent=left)
        self.title.setMinimumHeight(self.choice.sizeHint().height())
        lay_column(self.title, (self.unbiased, 1), spacing=4, on=left)
        lay_column(lay_row(self.choice, STRETCH), (self.possible, 1), spacing=4, on=right)
        lay_row((left, 1), (right, 1), spacing=12, on=self)
        for one, other in ((self.unbiased, self.possible), (self.possible, self.unbiased)):
            one.horizontalScrollBar().valueChanged.connect(other.horizontalScrollBar().setValue)
            one.verticalScrollBar().valueChanged.connect(other.verticalScrollBar().setValue)
            one.cellChosen.connect(lambda row, column, to=other: self._choose(to, row, column))
        self.unbiased.cellChosen.connect(self.cellChosen)
        self.choice.activated.connect(lambda _: self._show_possible())
        self._tables: dict[str, tuple[str, tuple[str, ...], list[CrossRow]]] = {}

    def show_tables(
        self,
        title: str,
        corner: str,
        across: tuple[str, ...],
        rows: list[CrossRow],
        possible: Sequence[tuple[str, str, list[CrossRow]]],
    ) -> None:
        """Shows the unbiased table and those that can stand beside it.

        Args:
            title: What the first table is.
            corner: The names of the columns.
            across: The categories across.
            rows: The unbiased table.
            possible: Name, meaning and rows of each other table.
        """
        self.title.setText(title)
        self.unbiased.show_cells(corner, across, rows)
        self._tables = {name: (corner, across, told) for name, _, told in possible}
        self.choice.clear()
        for place, (name, meaning, _) in enumerate(possible):
            self.choice.addItem(name, name)
            self.choice.setItemData(place, meaning, Qt.ItemDataRole.ToolTipRole)
        self._side.setVisible(bool(possible))
        self._show_possible()
        if rows:
            self.unbiased.setCurrentIndex(self.unbiased.model().index(0, 1))

    def _show_possible(self) -> None:
        table = self._tables.get(self.choice.currentData())
        if table is not None:
            self.possible.show_cells(*table)
            self.choice.updateGeometry()
            current = self.unbiased.currentIndex()
            if current.isValid():
                self._choose(self.possible, current.row(), current.column() - 1)

    def _choose(self, table: CrossTable, row: int, column: int) -> None:
        index = table.model().index(row, column + 1)
        if table.currentIndex() != index:
            table.setCurrentIndex(index)
