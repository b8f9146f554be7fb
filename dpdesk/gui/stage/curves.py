"""Curves and marks on the stage, each with its name beside it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from dpdesk.demonstrations.picture import Curve, Curves, Mark, Role
from dpdesk.gui.stage.drawing import Drawing, mixed
from dpdesk.gui.stage.look import LABEL, paint_line

_HEADROOM = 1.12
_TICKS = 7
"""Most numbers along an axis: more are not read from afar."""
_LEAST_HEIGHT = 190.0
"""Least height of the plot in the drawing, below which larger letters take too much of it."""
_PLACES = 24
"""How many places along a curve are tried for its name."""
_FARTHEST = 3
"""How many lines of text a name may stand away from its curve, where nothing nearer is free."""
_SIZES = (1.0, 0.9, 0.8)
"""A name that finds no free place is written smaller; this small at most."""
_NOT_FREE = 200
"""What it costs a name to stand over a line: more than all that is only less good."""
_SEEN = 13
"""At how many places across a name it is seen whether a line goes through."""

Line = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]
"""A curve in pixels: its places across, its heights."""


@dataclass(frozen=True)
class _Name:
    text: str
    rect: QRectF
    colour: QColor
    font: QFont
    is_free: bool
    """Whether it stands inside, over no line, mark or name."""


class CurvesDrawing(Drawing[Curves]):
    """Curves over one axis; the state before is dashed, this state is filled below."""

    share = 1.25

    def lay_out(self) -> None:
        metrics = self.look.metrics(LABEL)
        line = metrics.height()
        below = 2 * line + 8 * self.look.space if self.picture.x.title else line
        picture, left = self.picture, 0.0
        inner = QRectF(self.rect)
        inner.setBottom(self.rect.bottom() - below - 6 * self.look.space)
        self._y_ticks: tuple[float, ...] = ()
        if picture.y is not None:
            inner.setTop(inner.top() + line * (1.5 if picture.y.title else 0.5))
            self._y_ticks = picture.y.ticks(min(max(int(inner.height() / (2.2 * line)), 2), _TICKS))
            texts = [picture.y.text(tick, self._y_ticks) for tick in self._y_ticks]
            left = max(metrics.horizontalAdvance(text) for text in texts) + 12 * self.look.space
        ends = [metrics.horizontalAdvance(self._end_text(end)) / 2 for end in (0, -1)]
        inner.setLeft(inner.left() + max(left, ends[0]))
        inner.setRight(inner.right() - ends[1])
        self._plot = inner
        widest = max(2 * ends[0], 2 * ends[1], line) + line
        self._x_ticks = picture.x.ticks(min(max(int(inner.width() / widest), 2), _TICKS))

    def paint(self, painter: QPainter, shown: Curves) -> None:
        self._paint_axes(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = self._height_of(shown)
        order = {"before": 0, "other": 1, "now": 2, "truth": 3}
        others = [curve for curve in shown.curves if curve.role == "other"]
        painter.save()
        painter.setClipRect(self._plot.adjusted(-3, -3, 3, 3))
        # An area hides no line.
        for curve in shown.curves if self.picture.y is None else ():
            if curve.role == "now":
                self._paint_area(painter, curve, top)
        for curve in sorted(shown.curves, key=lambda curve: order[curve.role]):
            place = others.index(curve) if curve in others else 0
            self._paint_curve(painter, curve, top, place)
        painter.restore()
        for mark in shown.marks:
            self._paint_mark(painter, mark)
        for name in self._names:
            paint_line(painter, name.text, name.rect, name.font, name.colour)

    def texts(self) -> list[tuple[str, QRectF]]:
        found = [(name.text, name.rect) for name in self._names]
        line = self.look.metrics(LABEL).height()
        for axis in (self.picture.x, self.picture.y):
            if axis is not None and axis.title:
                found.append((axis.title, QRectF(self.rect.left(), 0, self.rect.width(), line)))
        return found

    def fits(self) -> bool:
        """Whether letters above the drawing's size leave lines their height and names a place."""
        if self.look.letters <= self.look.space:
            return True
        return self._plot.height() >= _LEAST_HEIGHT * self.look.space and all(
            name.is_free
            and not any(name.rect.intersects(other.rect) for other in self._names[:place])
            for place, name in enumerate(self._names)
        )

    def names(self) -> list[tuple[str, QRectF]]:
        """The names of curves and marks, and where they stand."""
        return [(name.text, name.rect) for name in self._names]

    @staticmethod
    def between(old: Curves, new: Curves, progress: float) -> Curves:
        starts: dict[Role, list[Curve]] = {
            role: [c for c in old.curves if c.role == role] for role in ("now", "before")
        }
        curves = []
        for curve in new.curves:
            # The first of a role goes on from the first of it, the second from the second.
            queue = starts.get(curve.role, [])
            before = queue.pop(0) if queue else None
            if before is not None and before.x == curve.x:
                pairs = zip(before.y, curve.y, strict=True)
                moved = replace(curve, y=tuple(mixed(a, b, progress) for a, b in pairs))
                curves.append(moved)
            else:
                curves.append(curve)
        marks = []
        for place, mark in enumerate(new.marks):
            fits = len(old.marks) == len(new.marks) and old.marks[place].role == mark.role
            start = old.marks[place].x if fits else mark.x
            marks.append(replace(mark, x=mixed(start, mark.x, progress)))
        return replace(new, curves=tuple(curves), marks=tuple(marks))

    def _end_text(self, end: int) -> str:
        ticks = self.picture.x.ticks(3)
        return self.picture.x.text(ticks[end], ticks)

    def _height_of(self, shown: Curves) -> float:
        """The height at the upper edge where heights have no scale."""
        return _HEADROOM * max((max(curve.y) for curve in shown.curves), default=1.0) or 1.0

    def _x(self, number: float) -> float:
        return self._plot.left() + self.picture.x.share_of(number) * self._plot.width()

    def _y(self, number: float, top: float) -> float:
        axis = self.picture.y
        share = number / top if axis is None else axis.share_of(number)
        return self._plot.bottom() - share * self._plot.height()

    def _points(self, curve: Curve, top: float) -> list[QPointF]:
        return [
            QPointF(self._x(x), self._y(y, top))
            for x, y in zip(curve.x, curve.y, strict=True)
            if math.isfinite(y)
        ]

    def _paint_axes(self, painter: QPainter) -> None:
        look, plot, picture = self.look, self._plot, self.picture
        muted, font = QColor(look.theme.muted), look.font_of(LABEL)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        line = look.metrics(LABEL).height()
        grid = QPen(QColor(look.theme.hairline), max(1.0, 1.5 * look.space))
        below, middle = plot.bottom() + 6 * look.space, Qt.AlignmentFlag.AlignHCenter
        for tick in self._x_ticks:
            x = self._x(tick)
            painter.setPen(grid)
            painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
            text = picture.x.text(tick, self._x_ticks)
            paint_line(painter, text, QRectF(x - 300, below, 600, line), font, muted, middle)
        title = QRectF(self.rect.left(), below + line, self.rect.width(), line)
        paint_line(painter, picture.x.title, title, font, muted, Qt.AlignmentFlag.AlignRight)
        if picture.y is None:
            return
        for tick in self._y_ticks:
            y = self._y(tick, 1.0)
            painter.setPen(grid)
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
            # The lowest stands above the numbers of the other axis.
            upper = min(y, plot.bottom() - line / 2) - line
            room = QRectF(self.rect.left(), upper, plot.left() - self.rect.left() - 8, 2 * line)
            text, right = picture.y.text(tick, self._y_ticks), Qt.AlignmentFlag.AlignRight
            paint_line(painter, text, room, font, muted, right)
        above = QRectF(self.rect.left(), self.rect.top(), self.rect.width(), line)
        paint_line(painter, picture.y.title, above, font, muted)

    def _paint_area(self, painter: QPainter, curve: Curve, top: float) -> None:
        """Fills what lies below a curve."""
        area = QPolygonF(self._points(curve, top))
        if area.isEmpty():
            return
        ground = self._plot.bottom()
        area.append(QPointF(area.last().x(), ground))
        area.append(QPointF(area.first().x(), ground))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self.look.theme.selection))
        painter.drawPolygon(area)

    def _paint_curve(self, painter: QPainter, curve: Curve, top: float, place: int) -> None:
        points = QPolygonF(self._points(curve, top))
        if points.isEmpty():
            return
        look = self.look
        pen = QPen(
            look.colour(curve.role, place), (2.5 if curve.role == "before" else 4) * look.space
        )
        if curve.role == "before":
            pen.setDashPattern([3, 2])
        pen.setJoinStyle(Qt.PenJoinStyle.BevelJoin)
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(points)

    def _paint_mark(self, painter: QPainter, mark: Mark) -> None:
        x = self._x(mark.x)
        if not self._plot.left() - 2 <= x <= self._plot.right() + 2:
            return
        pen = QPen(self._mark_colour(mark), 4 * self.look.space)
        if mark.role == "before":
            pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.drawLine(QLineF(x, self._plot.top(), x, self._plot.bottom()))

    def _mark_colour(self, mark: Mark) -> QColor:
        others = [other for other in self.picture.marks if other.role == "other"]
        return self.look.colour(mark.role, others.index(mark) if mark in others else 0)

    @cached_property
    def _names(self) -> list[_Name]:
        """A place for each name: beside its line, over no other name and on few lines."""
        top = self._height_of(self.picture)
        drawn = [self._points(curve, top) for curve in self.picture.curves]
        lines = [
            (np.array([p.x() for p in line]), np.array([p.y() for p in line])) for line in drawn
        ]
        marks = [(self._x(mark.x), mark) for mark in self.picture.marks]
        names: list[_Name] = []
        for x, mark in marks:
            line = self.look.metrics(LABEL).height()
            rows = range(int(self._plot.height() / line))
            spots = [(x, self._plot.top() + row * line) for row in rows]
            self._place(names, mark.name, spots, self._mark_colour(mark), lines, marks)
        others = [curve for curve in self.picture.curves if curve.role == "other"]
        for curve, points in zip(self.picture.curves, drawn, strict=True):
            if self._is_hidden(curve):
                continue
            inside = [p for p in points if self._plot.contains(p)]
            peak = min(range(len(inside)), key=lambda i: inside[i].y(), default=0)
            step = max(len(inside) // _PLACES, 1)
            # The first good place counts: after the highest one, where two curves lie far apart.
            ordered = inside[peak::step] + inside[:peak:step]
            spots = [(p.x(), p.y()) for p in ordered]
            colour = self.look.colour(curve.role, others.index(curve) if curve in others else 0)
            self._place(names, curve.name, spots, colour, lines, marks)
        return names

    def _is_hidden(self, curve: Curve) -> bool:
        """Whether a curve of the state before lies below the same curve of this state."""
        above = (other for other in self.picture.curves if other.role != "before")
        return curve.role == "before" and any(
            (curve.x, curve.y) == (other.x, other.y) for other in above
        )

    def _place(
        self,
        names: list[_Name],
        text: str,
        spots: list[tuple[float, float]],
        colour: QColor,
        lines: list[Line],
        marks: list[tuple[float, Mark]],
    ) -> None:
        if not text or not spots:
            return
        for size in _SIZES:
            metrics = self.look.metrics(size * LABEL)
            letters = QSizeF(metrics.horizontalAdvance(text), metrics.height())
            cost, rect = self._best(letters, spots, names, lines, marks)
            if cost < _NOT_FREE:
                break
        font = self.look.font_of(size * LABEL)
        names.append(_Name(text, rect, colour, font, cost < _NOT_FREE))

    def _best(
        self,
        letters: QSizeF,
        spots: list[tuple[float, float]],
        names: list[_Name],
        lines: list[Line],
        marks: list[tuple[float, Mark]],
    ) -> tuple[float, QRectF]:
        """The best place for letters beside one of some spots, and what it costs."""
        wide, high, gap = letters.width(), letters.height(), 10 * self.look.space
        best = math.inf, QRectF()
        for x, y in spots:
            for row in range(_FARTHEST + 1):
                away = row * high
                for left, upper in (
                    (x + gap, y - high / 2 - away),
                    (x - gap - wide, y - high / 2 - away),
                    (x - 4 * gap - wide, y - high / 2 + away),
                    (x + 4 * gap, y - high / 2 + away),
                    (x + gap, y - high + away),
                    (x - wide / 2, y - high - gap - away),
                    (x - wide / 2, y + gap + away),
                ):
                    rect = QRectF(left, upper, wide, high)
                    # Near its line, else it would be taken for the name of another.
                    cost = self._cost(rect, names, marks) + 30 * row
                    if cost >= best[0]:
                        # Lines below it, which take longest to see, make it no better.
                        continue
                    cost += _NOT_FREE * sum(_crosses(points, rect) for points in lines)
                    if cost < best[0]:
                        best = cost, rect
        return best

    def _cost(
        self,
        rect: QRectF,
        names: list[_Name],
        marks: list[tuple[float, Mark]],
    ) -> float:
        """How bad a place is, but for lines: outside and over another name worst, then marks."""
        # The title of the axis at the left stands above the plot.
        top = self.rect.top() if self.picture.y is None else self._plot.top()
        room = QRectF(self._plot.left(), top, self.rect.right() - self._plot.left(), 0)
        room.setBottom(self._plot.bottom())
        cost = 0.0
        if not room.contains(rect):
            both = room.intersected(rect)
            cost += 1e4 * (2 - both.width() * both.height() / (rect.width() * rect.height()))
        cost += 1e3 * sum(name.rect.intersects(rect) for name in names)
        cost += 2 * _NOT_FREE * sum(rect.left() - 4 < x < rect.right() + 4 for x, _ in marks)
        # High up lines lie apart; near the axis a name could be that of any of them.
        return cost + 40 * (rect.center().y() - room.top()) / room.height()


def _crosses(points: Line, rect: QRectF) -> bool:
    """Whether a line goes through a rectangle, seen at some places across it."""
    if len(points[0]) < 2:
        return False
    across = np.linspace(rect.left() - 4, rect.right() + 4, _SEEN)
    heights = np.interp(across, points[0], points[1], left=np.nan, right=np.nan)
    # A steep line passes between two places.
    low, high = np.fmin(heights[1:], heights[:-1]), np.fmax(heights[1:], heights[:-1])
    return bool(((high > rect.top()) & (low < rect.bottom())).any())
