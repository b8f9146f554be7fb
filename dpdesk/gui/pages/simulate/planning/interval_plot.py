"""The picture of strata or questions: each supposed share with its interval."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, nan

import numpy as np
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QWidget

from dpdesk.gui.widgets.plot_canvas import PlotCanvas
from dpdesk.preview import error_text, significant

MOST = 12
"""More intervals than this would have no room for their names."""
LEAST_HEIGHT = 130
_STEP = 10
_AXIS = 70
_CAP, _DOT = 0.06, 0.12


@dataclass(frozen=True)
class Interval:
    """A supposed share with its margin, both between 0 and 1."""

    name: str
    share: float
    margin: float


class IntervalPlot(PlotCanvas):
    """Upright lines from the lower to the upper end, a bar at the share.

    Args:
        parent: Qt's owner.
    """

    def __init__(self, *, parent: QWidget | None = None) -> None:
        name = QCoreApplication.translate("IntervalPlot", "Supposed shares with their intervals")
        super().__init__(name, parent=parent)
        self._intervals: tuple[Interval, ...] = ()
        self._lines = self.line(0)
        self._lines.opts["connect"] = "finite"
        self.set_axis_titles("", self.tr("share (%)"))
        self.setMinimumHeight(LEAST_HEIGHT)

    def show_intervals(self, intervals: Sequence[Interval]) -> None:
        """Shows these intervals, from left to right."""
        self._intervals = tuple(intervals)
        x: list[float] = []
        y: list[float] = []
        for place, interval in enumerate(intervals):
            share, margin = 100 * interval.share, 100 * interval.margin
            for width, height in ((_CAP, share - margin), (_DOT, share), (_CAP, share + margin)):
                x += [place - width, place + width, nan]
                y += [height, height, nan]
            x += [place, place, nan]
            y += [share - margin, share + margin, nan]
        self._lines.setData(np.array(x), np.array(y), connect="finite")
        known = [height for height in y if height == height]
        lowest = min(0, _STEP * floor(min(known, default=0) / _STEP))
        highest = _STEP * ceil(max(known, default=_STEP) / _STEP)
        self.set_ranges((-0.6, len(self._intervals) - 0.4), (lowest, max(highest, _STEP)))
        self._name()
        rows = tuple(
            (i.name, f"{significant(100 * i.share, 3)} %", error_text(100 * i.margin, "pp"))
            for i in self._intervals
        )
        heads = (self.tr("Name"), self.tr("Supposed share"), self.tr("Margin"))
        self.set_table(heads, rows)
        self.set_description("; ".join(" ".join(row) for row in rows))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elides the names anew."""
        super().resizeEvent(event)
        # pyqtgraph resizes once before the plot is made.
        if hasattr(self, "_intervals"):
            self._name()

    def _name(self) -> None:
        if not self._intervals:
            return
        room = (self.width() - _AXIS) // len(self._intervals) - 8
        metrics = QFontMetrics(self.font())
        self.set_categories(
            [metrics.elidedText(i.name, Qt.TextElideMode.ElideRight, room) for i in self._intervals]
        )
