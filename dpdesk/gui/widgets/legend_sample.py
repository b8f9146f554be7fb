"""The sign of a series in the legend of a plot."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget


class LegendSample(pg.ItemSample):  # type: ignore[misc]
    """A square for bars, a stroke for a line, without the gestures of pyqtgraph's own sample."""

    def paint(self, painter: QPainter, option: object, widget: QWidget | None = None) -> None:
        """Paints the sign in the colour that the series has now."""
        opts = self.item.opts
        if isinstance(self.item, pg.BarGraphItem):
            painter.fillRect(QRectF(2, 2, 16, 16), pg.mkBrush(opts["brush"]))
        else:
            painter.setPen(pg.mkPen(opts["pen"]))
            painter.drawLine(QPointF(0, 10), QPointF(20, 10))

    def mouseClickEvent(self, event: object) -> None:
        """Does nothing: a click must not hide a series."""
