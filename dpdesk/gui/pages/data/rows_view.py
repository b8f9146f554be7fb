"""The rows of the file: a table of any length that scrolls without a pause."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from dpdesk.data.table import SurveyTable
from dpdesk.gui.pages.data.rows_model import RowsModel
from dpdesk.gui.theme import Theme, ThemeSwitch

_ROW_HEIGHT = 26
_MARGIN = 8
_WIDEST = 220
_NARROWEST = 64
_MEASURED_ROWS = 40
_MEASURED_COLUMNS = 200


class _AnswerDelegate(QStyledItemDelegate):
    """Draws an answer itself: the general way asks the model ten questions for each cell."""

    def __init__(self, view: RowsView, rows: RowsModel, theme: Theme) -> None:
        super().__init__(view)
        self._rows = rows
        self.chosen = -1
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._text, self._muted = QColor(theme.text), QColor(theme.muted)
        self._selection, self._line = QColor(theme.selection), QColor(theme.hairline)
        self._focus = QColor(theme.accent)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        place = option.rect
        if index.column() == self.chosen:
            painter.fillRect(place, self._selection)
        painter.setPen(self._line)
        painter.drawLine(place.bottomLeft(), place.bottomRight())
        text = self._rows.text(index.row(), index.column())
        width = place.width() - 2 * _MARGIN
        if len(text) * option.fontMetrics.maxWidth() > width:
            text = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        painter.setPen(self._text)
        painter.drawText(
            place.adjusted(_MARGIN, 0, -_MARGIN, 0),
            Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine,
            text,
        )
        view = self.parent()
        if isinstance(view, QTableView) and view.hasFocus() and view.currentIndex() == index:
            painter.setPen(self._focus)
            painter.drawRect(place.adjusted(0, 0, -1, -1))


class RowsView(QTableView):
    """Shows a table; a click on the head of a column chooses it.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.

    Attributes:
        columnChosen: Emitted with the name of a column that the user chose here.
    """

    columnChosen = Signal(str)

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = RowsModel(self)
        self._delegate = _AnswerDelegate(self, self._rows, theme.theme)
        self.setModel(self._rows)
        self.setItemDelegate(self._delegate)
        self.setAccessibleName(self.tr("Rows of the file"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrap(False)
        self.setCornerButtonEnabled(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        numbers = self.verticalHeader()
        numbers.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        numbers.setDefaultSectionSize(_ROW_HEIGHT)
        numbers.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        numbers.setHighlightSections(False)
        names = self.horizontalHeader()
        names.setHighlightSections(False)
        names.setSectionsClickable(True)
        names.setMinimumSectionSize(_NARROWEST)
        names.setTextElideMode(Qt.TextElideMode.ElideRight)
        names.sectionClicked.connect(self._tell)
        self.clicked.connect(lambda index: self._tell(index.column()))
        theme.themeChanged.connect(self._recolour)

    def rows(self) -> RowsModel:
        """The model, for its own questions."""
        return self._rows

    def set_table(self, table: SurveyTable | None) -> None:
        """Shows a table, or nothing; the first rows decide how wide its columns are."""
        self._rows.set_table(table)
        self._delegate.chosen = -1
        digits = len(f"{self._rows.rowCount():,}")
        self.verticalHeader().setFixedWidth(
            self.fontMetrics().horizontalAdvance("0" * max(digits, 2)) + 3 * _MARGIN
        )
        measure = self.fontMetrics()
        for column in range(min(self._rows.columnCount(), _MEASURED_COLUMNS)):
            texts = [self._rows.column_name(column) + "  "]
            shown = min(self._rows.rowCount(), _MEASURED_ROWS)
            texts += [self._rows.text(row, column) for row in range(shown)]
            widest = max(measure.horizontalAdvance(text[:60]) for text in texts) + 3 * _MARGIN
            self.setColumnWidth(column, min(max(widest, _NARROWEST), _WIDEST))

    def choose(self, name: str) -> None:
        """Highlights a column and scrolls to it."""
        column = self._rows.column_of(name)
        if column == self._delegate.chosen:
            return
        self._delegate.chosen = column
        if column >= 0 and self._rows.rowCount():
            row = max(self.currentIndex().row(), self.rowAt(0), 0)
            self.setCurrentIndex(self._rows.index(row, column))
        self.viewport().update()

    def _tell(self, column: int) -> None:
        self.columnChosen.emit(self._rows.column_name(column))

    def _recolour(self, theme: Theme) -> None:
        self._delegate.set_theme(theme)
        self.viewport().update()
