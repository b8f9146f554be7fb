"""The table of the released statistics of a query, with their intervals drawn in it."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from dpdesk.estimate.released_statistics import QueryResult
from dpdesk.gui.pages.release.estimates_model import PLOT
from dpdesk.gui.pages.release.interval_delegate import (
    EstimatesHeader,
    IntervalDelegate,
    IntervalRow,
    place,
)
from dpdesk.gui.pages.release.statistics_model import (
    CELL,
    IN_RANGE,
    NOISE,
    TOTAL,
    VALUE,
    StatisticsModel,
)
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.padded_delegate import PADDING
from dpdesk.gui.widgets.read_table import ReadTable

_ROW_HEIGHT = 34
_LEAST_PLOT = 190
_LEAST_CELL = 110
_SAMPLE_ROWS = 200


class _BothIntervals(IntervalDelegate):
    """A thin line for noise and sampling below the thick one for the noise."""

    def paint_interval(self, painter: QPainter, rect: QRect, row: IntervalRow) -> None:
        outer = getattr(row, "outer", None)
        if outer is not None:
            scale, middle = self._model.scale, rect.center().y() + 0.5
            left, right = (place(scale, rect, end) for end in outer)
            painter.setPen(QPen(QColor(self._theme.theme.muted), 1.0))
            painter.drawLine(QLineF(left, middle, right, middle))
            for x in (left, right):
                painter.drawLine(QLineF(x, middle - 3, x, middle + 3))
        super().paint_interval(painter, rect, row)


class StatisticsTable(ReadTable):
    """Rows of equal height; columns that have nothing to say are left out.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        self.statistics = StatisticsModel()
        name = self.tr("Released statistics with intervals")
        super().__init__(self.statistics, theme, name, row_height=_ROW_HEIGHT, parent=parent)
        self.statistics.setParent(self)
        self.setHorizontalHeader(EstimatesHeader(theme, self.statistics, self))
        self.setItemDelegateForColumn(PLOT, _BothIntervals(theme, self.statistics, self))
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)

    def show_result(self, result: QueryResult) -> None:
        """Shows the statistics of a query."""
        self.statistics.show_result(result)
        self._share_width()
        self.scrollToTop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shares the width anew."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        model = self.statistics
        for column in (VALUE, IN_RANGE, NOISE, TOTAL):
            self.setColumnHidden(column, not model.has(column))
            self.setColumnWidth(column, self._needed(column))
        # Where there is no room for both, the interval is drawn and its tooltip has the numbers.
        for column in (TOTAL, NOISE):
            if self._spare() < _LEAST_CELL + _LEAST_PLOT and model.has(PLOT):
                self.setColumnHidden(column, True)
        spare = self._spare()
        self.setColumnHidden(PLOT, not model.has(PLOT))
        if not model.has(PLOT):
            self.setColumnWidth(CELL, spare)
            return
        most = max(_LEAST_CELL, min(round(0.45 * spare), spare - _LEAST_PLOT))
        cell = min(self._needed(CELL), most)
        self.setColumnWidth(CELL, cell)
        self.setColumnWidth(PLOT, max(_LEAST_PLOT, spare - cell))

    def _spare(self) -> int:
        taken = (VALUE, IN_RANGE, NOISE, TOTAL)
        fixed = sum(self.columnWidth(c) for c in taken if not self.isColumnHidden(c))
        return self.viewport().width() - fixed

    def _needed(self, column: int) -> int:
        texts = [self.statistics.text(row, column) for row in self.statistics.rows[:_SAMPLE_ROWS]]
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=0)
        head = self.statistics.heads[column].text
        bold = self.horizontalHeader().font()
        bold.setBold(True)
        own = QFontMetrics(bold).horizontalAdvance(head) + 4
        return max(widest, round(own)) + 2 * PADDING + 2
