"""A table that is typed, with the picture of what it comes to where there is room."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLayout, QSizePolicy, QVBoxLayout, QWidget

from dpdesk.gui.pages.simulate.planning.entry_table import EntryTable
from dpdesk.gui.pages.simulate.planning.interval_plot import (
    LEAST_HEIGHT,
    MOST,
    Interval,
    IntervalPlot,
)

_SPACING = 8
_ANY_HEIGHT = 16_777_215
"""Qt's own bound of a height that is not bounded."""


class TablePane(QWidget):
    """Fields, the table below, and the picture below that; the table comes first.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._picture: IntervalPlot | None = None
        self._intervals: tuple[Interval, ...] = ()
        self._drawn: tuple[Interval, ...] = ()
        self._stacked: EntryTable | None = None
        self._fields: QWidget | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(_SPACING)

    @property
    def picture(self) -> IntervalPlot:
        """The intervals; made when they are first looked at, so that the page opens sooner."""
        if self._picture is None:
            self._picture = IntervalPlot(parent=self)
            self._picture.hide()
            self._column.insertWidget(self._column.count() - 1, self._picture, 1)
        return self._picture

    def stack(self, fields: QLayout, table: EntryTable) -> None:
        """Puts fields and table above the picture."""
        self._stacked, self._fields = table, QWidget(self)
        self._fields.setLayout(fields)
        self._fields.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self._column.addWidget(self._fields)
        # As high as its rows, if there is room; the rest belongs to the picture.
        self._column.addWidget(table, 100)
        self._column.addStretch(1)

    def show_intervals(self, intervals: Sequence[Interval]) -> None:
        """Shows these intervals, or none."""
        self._intervals = tuple(intervals)
        self._make_room()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Shows the picture where there is room for it."""
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        if self._stacked is None or self._fields is None:
            return
        used = self._fields.sizeHint().height() + self._stacked.full_height() + 2 * _SPACING
        fits = self.height() - used >= LEAST_HEIGHT
        shown = fits and 0 < len(self._intervals) <= MOST
        if shown and self._drawn != self._intervals:
            self._drawn = self._intervals
            self.picture.show_intervals(self._intervals)
        if self._picture is not None:
            self._picture.setVisible(shown)
        # The room below belongs to the picture, or to nobody.
        full = self._stacked.full_height()
        self._stacked.setMaximumHeight(full if shown else _ANY_HEIGHT)
        self._column.setStretch(self._column.count() - 1, 0 if shown else 1)
