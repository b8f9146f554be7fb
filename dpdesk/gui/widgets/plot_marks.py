"""What a plot draws: bars, lines, markers across it and texts, each painted in one go.

pyqtgraph's own items compute bounds, pixel lengths and transforms at every change of their data,
which is most of what a step of a slider costs. The axes of a `PlotCanvas` stand still, so that
every mark here fills the plot, and the view clips it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
import pyqtgraph as pg
from numpy.typing import ArrayLike
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPen,
    QPolygonF,
    QTransform,
)
from PySide6.QtWidgets import QApplication

from dpdesk.gui.widgets.plain_text import literal
from dpdesk.numbers.arrays import Floats

Pair = tuple[Floats, Floats] | tuple[None, None]

_TEXT_MARGIN = 4.0
"""Room around a text, as Qt's own text items have it."""
_MARK = 14.0
"""The room that a mark at a point takes."""
_SIDES = ((0.5, -0.3), (1.2, 0.5), (-0.2, 0.5), (1.1, 1.2), (-0.1, 1.2), (1.1, -0.2), (-0.1, -0.2))
"""Anchors of a label that stands clear of others: below its point, beside it, at its corners."""


class _Mark:
    """Fills the plot, whatever its data: a change of them moves nothing."""

    _area: QRectF | None = None

    def boundingRect(self) -> QRectF:
        """The whole plot, in the units of its axes."""
        if self._area is None:
            self._area = self.viewRect()  # type: ignore[attr-defined]
        return QRectF() if self._area is None else self._area

    def viewRangeChanged(self, *_: object) -> None:
        """Takes over other axes."""
        self.prepareGeometryChange()  # type: ignore[attr-defined]
        self._area = None
        # pyqtgraph's curves never clear it: Qt would leave out what lies beyond the first axes.
        self._cachedView = None

    def viewTransformChanged(self, *_: object) -> None:
        """Takes over another size of the plot, or its axes once the plot has moved to them."""
        self.viewRangeChanged()

    def informViewBoundsChanged(self) -> None:
        """Says nothing: the axes do not follow the data."""


class Bars(_Mark, pg.BarGraphItem):  # type: ignore[misc]
    """Bars in the colour of a series; `setOpts(x=…, height=…, width=…)` fills them."""

    def __init__(self) -> None:
        super().__init__(x=np.zeros(0), height=np.zeros(0), width=0.4)

    def paint(self, painter: QPainter, *_: object) -> None:
        """Paints them, if there are any."""
        if len(self._rectarray):
            painter.setPen(self.opts["pen"])
            painter.setBrush(self.opts["brush"])
            painter.drawRects(*self._rectarray.drawargs())


class Line(_Mark, pg.PlotCurveItem):  # type: ignore[misc]
    """A line through points, perhaps with the area below it tinted, perhaps with points on it."""

    def __init__(self, *, filled: bool = False) -> None:
        self._area_below: QPainterPath | None = None
        super().__init__()
        self.setFillLevel(0.0 if filled else None)
        self._thick = False
        self._symbol = ""
        self._size = 0.0
        self._symbol_pen, self._symbol_brush = QPen(), QBrush()

    def setData(self, x: ArrayLike = (), y: ArrayLike = (), *, connect: str = "") -> None:
        """Draws it through other points.

        Args:
            x: Where the points are.
            y: How high they are.
            connect: "all", "pairs", or "finite" to leave a gap where a number is NaN; without it,
                as before.
        """
        heights = np.asarray(y, dtype=float)
        kept: str = connect or self.opts["connect"]
        if kept in ("all", "finite") and not connect:
            kept = "all" if np.isfinite(heights).all() else "finite"
        self._area_below = None
        super().setData(np.asarray(x, dtype=float), heights, connect=kept)

    def getOriginalDataset(self) -> Pair:
        """The points, as two arrays; twice None without any."""
        x, y = self.getData()
        return (None, None) if x is None or not len(x) else (x, y)

    def setPen(self, pen: QPen) -> None:
        """Its colour, width and style."""
        # A thick polyline is slow to join; one segment after the other is not.
        self._thick = pen.widthF() > 1 and pen.style() == Qt.PenStyle.SolidLine
        super().setPen(pen)

    def setFillBrush(self, brush: QBrush | QColor) -> None:
        """Tints the area below it."""
        self.setBrush(brush)

    def setSymbol(self, symbol: str) -> None:
        """Draws a disc at every point; "" for none."""
        self._symbol = symbol
        self.update()

    def setSymbolSize(self, size: float) -> None:
        """How wide a disc is, in pixels."""
        self._size = size

    def setSymbolBrush(self, colour: QColor | str) -> None:
        """The colour of a disc."""
        self._symbol_brush = QBrush(QColor(colour))

    def setSymbolPen(self, colour: QColor | str) -> None:
        """The colour around a disc."""
        self._symbol_pen = QPen(QColor(colour))

    def paint(self, painter: QPainter, *_: object) -> None:
        """Paints the area, the line, then its discs."""
        x, y = self.getOriginalDataset()
        if x is None or y is None:
            return
        if self.opts["fillLevel"] is not None:
            self._paint_area(painter, x, y)
        painter.setPen(self.opts["pen"])
        if self._thick:
            painter.drawLines(*self._getLineSegments())
        else:
            painter.drawPath(self.getPath())
        if self._symbol:
            self._paint_discs(painter, x, y)

    def _paint_area(self, painter: QPainter, x: Floats, y: Floats) -> None:
        if self.opts["connect"] != "all":
            for path in self._getFillPathList(None):
                painter.fillPath(path, self.opts["brush"])
            return
        # As one area: Qt gives the tint of each part of some height to several threads, and waiting
        # for them at each of pyqtgraph's many parts is most of what painting a wide law costs.
        if self._area_below is None:
            floor = self.opts["fillLevel"]
            ends = np.append(x, (x[-1], x[0])), np.append(y, (floor, floor))
            self._area_below = pg.arrayToQPath(*ends, connect="all")
        painter.fillPath(self._area_below, self.opts["brush"])

    def _paint_discs(self, painter: QPainter, x: Floats, y: Floats) -> None:
        transform = painter.transform()
        painter.resetTransform()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._symbol_pen)
        painter.setBrush(self._symbol_brush)
        for at, height in zip(x, y, strict=True):
            painter.drawEllipse(transform.map(QPointF(at, height)), self._size / 2, self._size / 2)
        painter.setTransform(transform)


def whisker_points(x: Floats, lower: Floats, upper: Floats, cap: float) -> tuple[Floats, Floats]:
    """Returns upright strokes with caps as pairs of points, for a line that connects pairs.

    Args:
        x: Where the strokes stand, shape (n,).
        lower: Their lower ends.
        upper: Their upper ends.
        cap: Half the width of a cap, in the unit of `x`.
    """
    left, right = x - cap, x + cap
    xs = np.column_stack([x, x, left, right, left, right])
    ys = np.column_stack([lower, upper, lower, lower, upper, upper])
    return xs.ravel(), ys.ravel()


def bracket_points(x: Floats, lower: Floats, upper: Floats, arm: float) -> tuple[Floats, Floats]:
    """Returns brackets that are open to the left, for a line that connects pairs.

    They mark what is allowed; strokes with caps on both sides would read as errors.

    Args:
        x: Where the brackets stand, shape (n,).
        lower: Their lower ends.
        upper: Their upper ends.
        arm: Length of an arm, in the unit of `x`.
    """
    xs = np.column_stack([x, x, x - arm, x, x - arm, x])
    ys = np.column_stack([lower, upper, lower, lower, upper, upper])
    return xs.ravel(), ys.ravel()


class Band(_Mark, pg.GraphicsObject):  # type: ignore[misc]
    """The tinted area between two lines."""

    def __init__(self) -> None:
        super().__init__()
        self._corners = QPolygonF()
        self.fill = QBrush()

    def setData(self, x: ArrayLike = (), lower: ArrayLike = (), upper: ArrayLike = ()) -> None:
        """Fills another area.

        Args:
            x: Where the points of both lines are.
            lower: How high those of the lower line are.
            upper: How high those of the upper line are.
        """
        places, low, high = (np.asarray(part, dtype=float) for part in (x, lower, upper))
        xs, ys = np.append(places, places[::-1]), np.append(low, high[::-1])
        self._corners = QPolygonF([QPointF(a, b) for a, b in zip(xs, ys, strict=True)])
        self.update()

    def paint(self, painter: QPainter, *_: object) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.fill)
        painter.drawPolygon(self._corners)


class Marker(_Mark, pg.GraphicsObject):  # type: ignore[misc]
    """A line across the plot.

    Args:
        upright: Whether it stands at a place of the lower axis; else at one of the left axis.
    """

    def __init__(self, *, upright: bool) -> None:
        super().__init__()
        self._upright = upright
        self._value = 0.0
        self.opts: dict[str, object] = {"pen": QPen()}

    def value(self) -> float:
        """Where it stands."""
        return self._value

    def setValue(self, value: float) -> None:
        if value != self._value:
            self._value = float(value)
            self.update()

    def setPen(self, pen: QPen) -> None:
        self.opts["pen"] = pen
        self.update()

    def paint(self, painter: QPainter, *_: object) -> None:
        area, at = self.boundingRect(), self._value
        painter.setPen(self.opts["pen"])
        if self._upright:
            painter.drawLine(QPointF(at, area.top()), QPointF(at, area.bottom()))
        else:
            painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at))


class Label(_Mark, pg.GraphicsObject):  # type: ignore[misc]
    """A text at a point of the plot, shown literally.

    Args:
        anchor: The part of the text that lies at the point: (0, 0) its upper left corner.

    Attributes:
        fill: What its ground is painted with.
        avoids: Labels that it does not cover, as long as one side of its point is free.
        clear_of: Another point of the plot that it then does not cover.
    """

    def __init__(self, anchor: tuple[float, float]) -> None:
        super().__init__()
        self._anchor = anchor
        self._text = ""
        self._at = QPointF()
        self._colour = QColor()
        self.fill = QBrush()
        self.avoids: Sequence[Label] = ()
        self.clear_of: tuple[float, float] | None = None

    def text(self) -> str:
        """The text."""
        return self._text

    def setText(self, text: str) -> None:
        text = literal(text)
        if text != self._text:
            self._text = text
            self.update()

    def setPos(self, x: float, y: float) -> None:
        self._at = QPointF(x, y)
        self.update()

    def setColor(self, colour: QColor) -> None:
        self._colour = colour
        self.update()

    def paint(self, painter: QPainter, *_: object) -> None:
        if not self._text:
            return
        transform = painter.transform()
        painter.resetTransform()
        font, place = QApplication.font(), self.place(transform)
        if self.fill.style() != Qt.BrushStyle.NoBrush:
            painter.fillRect(place, self.fill)
        painter.setFont(font)
        painter.setPen(self._colour)
        inset = QPointF(_TEXT_MARGIN, _TEXT_MARGIN + QFontMetricsF(font).ascent())
        painter.drawText(place.topLeft() + inset, self._text)
        painter.setTransform(transform)

    def place(self, transform: QTransform) -> QRectF:
        """Returns where it stands, in pixels.

        Args:
            transform: From points of the plot to pixels.
        """
        metrics, at = QFontMetricsF(QApplication.font()), transform.map(self._at)
        width = metrics.horizontalAdvance(self._text) + 2 * _TEXT_MARGIN
        height = ceil(metrics.height()) + 2 * _TEXT_MARGIN

        def hung(anchor: tuple[float, float]) -> QRectF:
            return QRectF(at.x() - anchor[0] * width, at.y() - anchor[1] * height, width, height)

        taken = [label.place(transform) for label in self.avoids if label.isVisible()]
        if self.clear_of is not None:
            mark = QRectF(0, 0, _MARK, _MARK)
            mark.moveCenter(transform.map(QPointF(*self.clear_of)))
            taken.append(mark)
        area = transform.mapRect(self.boundingRect())
        sides = (hung(anchor) for anchor in (self._anchor, *_SIDES)) if taken else iter(())
        free = (
            side
            for side in sides
            if area.contains(side) and not any(side.intersects(one) for one in taken)
        )
        return next(free, hung(self._anchor))
