"""Bars on the stage, and dots with their intervals: the name left, the number right."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from dpdesk.demonstrations.picture import Bar, Bars
from dpdesk.gui.stage.drawing import Drawing, mixed
from dpdesk.gui.stage.look import CAPTION, LABEL, Words, paint_line

_ROW = 230.0
"""Largest height of a row in the drawing."""
_LEAST_ROW = 1.15
"""Least height of a row, in heights of a line."""
_TICKS = 7
"""Most numbers below the axis: more are not read from afar."""
_NAMES = 0.4
"""Largest share of the width that names beside the bars take; longer ones are broken."""


class BarsDrawing(Drawing[Bars]):
    """Horizontal bars from top to bottom over one axis."""

    def lay_out(self) -> None:
        look, picture, rect = self.look, self.picture, self.rect
        metrics = look.metrics(LABEL)
        line, gap = metrics.height(), 12 * look.space
        names = [look.metrics(CAPTION).horizontalAdvance(bar.name) + 2 for bar in picture.bars]
        numbers = [look.metrics(CAPTION, bold=True).horizontalAdvance(b.text) for b in picture.bars]
        left = min(max(names, default=0.0), _NAMES * rect.width())
        below = line * (2 if picture.axis.title else 1) + 6 * look.space
        self._plot = QRectF(rect)
        self._plot.setLeft(rect.left() + left + gap)
        # The widest number of a bar stands beyond its end, where the end is the axis's.
        end = metrics.horizontalAdvance(self._last_tick()) / 2
        self._plot.setRight(rect.right() - max(max(numbers, default=0.0) + gap, end))
        self._plot.setBottom(rect.bottom() - below)
        count = max(len(picture.bars), 1)
        self._row = min(_ROW * look.space, self._plot.height() / count)
        self._plot.setHeight(min(self._plot.height(), count * self._row + gap))
        self._named = [Words(bar.name, look, CAPTION, left, numbers=False) for bar in picture.bars]
        self._ticks = picture.axis.ticks(
            min(max(int(self._plot.width() / (2.2 * end + line)), 2), _TICKS)
        )

    def paint(self, painter: QPainter, shown: Bars) -> None:
        look, plot = self.look, self._plot
        self._paint_axis(painter)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        others = [bar for bar in self.picture.bars if bar.role == "other"]
        for place, (bar, name) in enumerate(zip(shown.bars, self._named, strict=True)):
            middle = plot.top() + (place + 0.5) * self._row
            same = self.picture.bars[place]
            colour = look.colour(bar.role, others.index(same) if same in others else 0)
            end = self._paint_bar(painter, bar, middle, colour)
            name.paint(painter, QPointF(self.rect.left(), middle - name.height / 2))
            room = QRectF(end + 10 * look.space, middle - self._row / 2, 600, self._row)
            ink = QColor(look.theme.text)
            paint_line(painter, bar.text, room, look.font_of(CAPTION, bold=True), ink)

    def texts(self) -> list[tuple[str, QRectF]]:
        rect = self.rect
        return [
            (name.text, QRectF(rect.left(), rect.top(), name.width, name.height))
            for name in self._named
        ]

    def fits(self) -> bool:
        """Whether each row is as high as its name."""
        line = self.look.metrics(LABEL).height()
        highest = max((name.height for name in self._named), default=0.0)
        return self._row >= max(highest, _LEAST_ROW * line)

    @staticmethod
    def between(old: Bars, new: Bars, progress: float) -> Bars:
        if [bar.name for bar in old.bars] != [bar.name for bar in new.bars]:
            return new
        bars = []
        for a, b in zip(old.bars, new.bars, strict=True):
            lower, upper = (
                end if start is None or end is None else mixed(start, end, progress)
                for start, end in ((a.lower, b.lower), (a.upper, b.upper))
            )
            value = mixed(a.value, b.value, progress)
            bars.append(replace(b, value=value, lower=lower, upper=upper))
        return replace(new, bars=tuple(bars))

    def _last_tick(self) -> str:
        ticks = self.picture.axis.ticks(3)
        return max((self.picture.axis.text(t, ticks) for t in ticks), key=len)

    def _x(self, number: float) -> float:
        share = min(max(self.picture.axis.share_of(number), 0.0), 1.0)
        return self._plot.left() + share * self._plot.width()

    def _paint_bar(self, painter: QPainter, bar: Bar, middle: float, colour: QColor) -> float:
        """Paints a bar, or a dot with its interval; returns where it ends at the right."""
        value, thick = self._x(bar.value), min(0.52 * self._row, 72 * self.look.space)
        if bar.lower is None or bar.upper is None:
            start = self._x(max(self.picture.axis.least, 0.0))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            if bar.role == "before":
                pen = QPen(colour, 2 * self.look.space)
                pen.setDashPattern([3, 2])
                painter.setPen(pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
            rect = QRectF(min(start, value), middle - thick / 2, max(abs(value - start), 2), thick)
            painter.drawRoundedRect(rect, 3 * self.look.space, 3 * self.look.space)
            return max(start, value)
        low, high = self._x(bar.lower), self._x(bar.upper)
        pen = QPen(colour, 4 * self.look.space)
        if bar.role == "before":
            pen.setDashPattern([3, 2])
        painter.setPen(pen)
        painter.drawLine(QLineF(low, middle, high, middle))
        painter.setPen(QPen(colour, 4 * self.look.space))
        cap = thick / 3
        for end in (low, high):
            painter.drawLine(QLineF(end, middle - cap, end, middle + cap))
        painter.setBrush(colour)
        dot = 8 * self.look.space
        painter.drawEllipse(QPointF(value, middle), dot, dot)
        # The dot of a short interval reaches beyond its end.
        return max(high, value + dot)

    def _paint_axis(self, painter: QPainter) -> None:
        look, plot, axis = self.look, self._plot, self.picture.axis
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        line, font = look.metrics(LABEL).height(), look.font_of(LABEL)
        below, middle = plot.bottom() + 6 * look.space, Qt.AlignmentFlag.AlignHCenter
        muted = QColor(look.theme.muted)
        for tick in self._ticks:
            x = self._x(tick)
            painter.setPen(QPen(QColor(look.theme.hairline), max(1.0, 1.5 * look.space)))
            painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()))
            text = axis.text(tick, self._ticks)
            paint_line(painter, text, QRectF(x - 300, below, 600, line), font, muted, middle)
        title = QRectF(self.rect.left(), below + line, self.rect.width(), line)
        paint_line(painter, axis.title, title, font, muted, Qt.AlignmentFlag.AlignRight)
