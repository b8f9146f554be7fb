"""The rows of the file: a table of any length that scrolls without a pause."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QWidget,
)

from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.plain_text import literal, literal_line
from dpdesk.gui.widgets.read_table import TableView
from dpdesk.gui.widgets.row_model import Index

_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_SHOWN = 200
"""Characters of an answer that are shown; more would never fit into a cell."""


class RowsModel(QAbstractTableModel):
    """The rows of a table; nothing is copied, so that its size does not matter."""

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
        places = (place for place, column in enumerate(self._columns) if column.name == name)
        return next(places, -1)

    def column_name(self, place: int) -> str:
        """The name of the column at a position."""
        return self._columns[place].name

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else self._rows

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._columns)

    def text(self, row: int, column: int) -> str:
        """An answer in one line, cut to what a cell can show."""
        answer = self._columns[column].text(row)[:_SHOWN]
        return answer if answer.isprintable() else literal(" ".join(answer.split()))

    def data(self, index: Index, role: int = _DISPLAY) -> Any:
        # Called very often for each cell that is drawn: roles are compared as numbers.
        if role != _DISPLAY or not index.isValid():
            return None
        return self.text(index.row(), index.column())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = _DISPLAY) -> Any:
        if role == _DISPLAY and orientation == Qt.Orientation.Vertical:
            return f"{section + 1:,}"
        if not 0 <= section < len(self._columns):
            return None
        if role == _DISPLAY:
            return literal_line(self._columns[section].name)
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return None


_ROW_HEIGHT = 26
_MARGIN = 8
_WIDEST = 220
_NARROWEST = 64
_MEASURED_ROWS = 40
_MEASURED_COLUMNS = 200
_CACHED_TEXTS = 20_000


class RowsView(TableView):
    """Shows a table; a click on a column's header chooses it.

    Attributes:
        columnChosen: Emitted with the name of a column that the user chose here.
    """

    columnChosen = Signal(str)

    def __init__(self, *, parent: QWidget | None = None) -> None:
        self._rows = RowsModel()
        # Answers repeat: measuring a text costs as much as drawing it.
        self._elided: dict[tuple[str, int], str] = {}
        self._chosen = -1
        self._theme = theme_in_force()
        name = self.tr("Rows of the file")
        super().__init__(self._rows, name, row_height=_ROW_HEIGHT, parent=parent)
        self.setWhatsThis(self.tr("The cells of the column as they stand in the file: private."))
        self._rows.setParent(self)
        # Opaque, so that scrolling moves the remaining rows and paints only new ones.
        self.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setFrameShape(QFrame.Shape.NoFrame)
        numbers = self.verticalHeader()
        numbers.show()
        numbers.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        numbers.setHighlightSections(False)
        names = self.horizontalHeader()
        names.setSectionsClickable(True)
        names.setMinimumSectionSize(_NARROWEST)
        names.sectionClicked.connect(self._tell)
        self.clicked.connect(lambda index: self._tell(index.column()))
        ThemeSwitch.instance().themeChanged.connect(self._recolour)

    def rows(self) -> RowsModel:
        """The model."""
        return self._rows

    def set_table(self, table: SurveyTable | None) -> None:
        """Shows a table, or nothing; the first rows set the widths of its columns."""
        self._rows.set_table(table)
        self._elided.clear()
        self._chosen = -1
        digits = len(f"{self._rows.rowCount():,}")
        self.verticalHeader().setFixedWidth(
            self.fontMetrics().horizontalAdvance("0" * max(digits, 2)) + 3 * _MARGIN
        )
        measure = self.fontMetrics()
        for column in range(min(self._rows.columnCount(), _MEASURED_COLUMNS)):
            shown = min(self._rows.rowCount(), _MEASURED_ROWS)
            texts = {self._rows.text(row, column) for row in range(shown)}
            texts.add(self._rows.column_name(column) + "  ")
            widest = max(measure.horizontalAdvance(text[:60]) for text in texts) + 3 * _MARGIN
            self.setColumnWidth(column, min(max(widest, _NARROWEST), _WIDEST))

    def choose(self, name: str) -> None:
        """Highlights a column and scrolls to it."""
        column = self._rows.column_of(name)
        if column == self._chosen:
            return
        self._chosen = column
        if column >= 0 and self._rows.rowCount():
            row = max(self.currentIndex().row(), self.rowAt(0), 0)
            self.setCurrentIndex(self._rows.index(row, column))
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        theme, part = self._theme, event.rect()
        painter.fillRect(part, QColor(theme.surface))
        rows, columns = self._painted_rows(part), self._painted_columns(part)
        tops = [(row, self.rowViewportPosition(row)) for row in rows]
        places = [
            (column, self.columnViewportPosition(column), self.columnWidth(column))
            for column in columns
        ]
        height = len(tops) * _ROW_HEIGHT
        if not tops or not places:
            return
        for column, left, width in places:
            if column == self._chosen:
                painter.fillRect(left, tops[0][1], width, height, QColor(theme.selection))
        painter.setPen(QColor(theme.hairline))
        end = places[-1][1] + places[-1][2]
        for _row, top in tops:
            bottom = top + _ROW_HEIGHT - 1
            painter.drawLine(places[0][1], bottom, end, bottom)
        painter.setPen(QColor(theme.text))
        metrics = painter.fontMetrics()
        baseline = (_ROW_HEIGHT - metrics.height()) // 2 + metrics.ascent()
        for column, left, width in places:
            x, room = left + _MARGIN, width - 2 * _MARGIN
            for row, top in tops:
                text = self._rows.text(row, column)
                shown = self._elided.get((text, room))
                if shown is None:
                    shown = self._elide(text, room, metrics)
                painter.drawText(x, top + baseline, shown)
        self._paint_focus(painter)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self._elided.clear()

    def _painted_rows(self, part: QRect) -> range:
        first, last = self.rowAt(part.top()), self.rowAt(part.bottom())
        if first < 0:
            return range(0)
        return range(first, (last if last >= 0 else self._rows.rowCount() - 1) + 1)

    def _painted_columns(self, part: QRect) -> range:
        first, last = self.columnAt(part.left()), self.columnAt(part.right())
        if first < 0:
            return range(0)
        return range(first, (last if last >= 0 else self._rows.columnCount() - 1) + 1)

    def _elide(self, text: str, width: int, metrics: QFontMetrics) -> str:
        if len(self._elided) >= _CACHED_TEXTS:
            self._elided.clear()
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        self._elided[text, width] = shown
        return shown

    def _paint_focus(self, painter: QPainter) -> None:
        current = self.currentIndex()
        if self.hasFocus() and current.isValid():
            painter.setPen(QColor(self._theme.accent))
            painter.drawRect(self.visualRect(current).adjusted(0, 0, -1, -1))

    def _tell(self, column: int) -> None:
        self.columnChosen.emit(self._rows.column_name(column))

    def _recolour(self, theme: Theme) -> None:
        self._theme = theme
        self.viewport().update()
