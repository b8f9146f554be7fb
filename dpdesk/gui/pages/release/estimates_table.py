"""The table of the estimates of an attribute, with their intervals drawn in it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from dpdesk.estimate import EstimateRow
from dpdesk.gui.pages.release.estimates_model import (
    ANSWER,
    BOTH,
    ESTIMATE,
    FURTHER,
    IN_RANGE,
    INTERVAL,
    NOISE,
    PLOT,
    SAMPLING,
    EstimatesModel,
)
from dpdesk.gui.pages.release.interval_delegate import EstimatesHeader, IntervalDelegate
from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.padded_delegate import PADDING
from dpdesk.gui.widgets.read_table import ReadTable

_ROW_HEIGHT = 34
_LEAST_PLOT = 170
_LEAST_ANSWER = 100
_SAMPLE_ROWS = 200
"""Rows whose texts set the widths: of the thousands of answers, all texts are alike long."""


class EstimatesTable(ReadTable):
    """Rows of equal height; the widths of the numbers are those that their texts need.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        self._model = EstimatesModel()
        self._further = False
        name = self.tr("Estimates with 95 % intervals")
        super().__init__(self._model, theme, name, row_height=_ROW_HEIGHT, parent=parent)
        self._model.setParent(self)
        self.setHorizontalHeader(EstimatesHeader(theme, self._model, self))
        self.setItemDelegateForColumn(PLOT, IntervalDelegate(theme, self._model, self))
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)

    @property
    def estimates(self) -> EstimatesModel:
        """What is shown."""
        return self._model

    def set_rows(self, rows: tuple[EstimateRow, ...]) -> None:
        """Shows the estimates of an attribute."""
        self._model.set_rows(rows)
        self._choose_columns()
        self.scrollToTop()

    def show_further(self, shown: bool) -> None:
        """Shows the further estimates in place of the parts of the error, or these again."""
        self._further = shown
        self._choose_columns()

    @property
    def has_further(self) -> bool:
        """Whether there are further estimates to show."""
        return any(self._model.has_further(column) for column in FURTHER)

    def _choose_columns(self) -> None:
        self.setColumnHidden(IN_RANGE, not self._model.has_moved)
        for column in (NOISE, SAMPLING, BOTH):
            self.setColumnHidden(column, self._further and self.has_further)
        for column in FURTHER:
            self.setColumnHidden(column, not (self._further and self._model.has_further(column)))
        self._share_width()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shares the width anew."""
        super().resizeEvent(event)
        self._share_width()

    def _share_width(self) -> None:
        for column in (ESTIMATE, IN_RANGE, INTERVAL, NOISE, SAMPLING, BOTH, *FURTHER):
            self.setColumnWidth(column, self._needed(column))
        # Where there is no room for both, the interval is drawn and its tooltip has the numbers.
        self.setColumnHidden(INTERVAL, False)
        if self._spare() < _LEAST_ANSWER + _LEAST_PLOT:
            self.setColumnHidden(INTERVAL, True)
        spare = self._spare()
        answer = min(self._needed(ANSWER), max(_LEAST_ANSWER, round(0.45 * spare)))
        self.setColumnWidth(ANSWER, answer)
        self.setColumnWidth(PLOT, max(_LEAST_PLOT, spare - answer))

    def _spare(self) -> int:
        fixed = sum(
            self.columnWidth(column)
            for column in range(ESTIMATE, FURTHER.stop)
            if not self.isColumnHidden(column)
        )
        return self.viewport().width() - fixed

    def _needed(self, column: int) -> int:
        head = self._model.heads[column].text
        bold = self.font()
        bold.setBold(True)
        texts = [self._model.text(row, column) for row in self._model.rows[:_SAMPLE_ROWS]]
        metrics = self.fontMetrics()
        widest = max((metrics.horizontalAdvance(text) for text in texts), default=0)
        own = self.horizontalHeader().fontMetrics().horizontalAdvance(head) * 1.1
        return max(widest, round(own)) + 2 * PADDING + 2
