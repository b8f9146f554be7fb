"""Which drawing a picture has, and the state between two pictures."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from dpdesk.demonstrations.picture import Bar, Bars, Curves, People, Picture, Table
from dpdesk.gui.stage.curves import CurvesDrawing
from dpdesk.gui.stage.drawing import Drawing, mixed
from dpdesk.gui.stage.look import CAPTION, LABEL, Look, Words, paint_line

_LARGEST, _LEAST = 34.0, 11.0
"""Heights of letters in the drawing, between which a table takes the largest that fits."""
_READABLE = 22.0
"""Letters of the table may not become smaller than these while those around it become larger."""
_AIR = 0.7
"""Free height in a row beyond its text, in heights of a letter, where there is room for it."""


class TableDrawing(Drawing[Table]):
    """As large as it fits; long cells are broken into lines."""

    share = 1.25

    def lay_out(self) -> None:
        self._size = _LARGEST
        self._heights: list[float] = []
        self._whole = self._try()
        while not self._whole and self._size > _LEAST:
            self._size *= 0.95
            self._whole = self._try()
        line = self.look.metrics(self._size).height()
        spare = self.rect.height() - sum(self._heights)
        air = min(_AIR * line, max(spare, 0.0) / len(self._heights))
        self._heights = [height + air for height in self._heights]

    def fits(self) -> bool:
        """Whether all cells are whole, and no smaller than without larger letters around them."""
        larger = self.look.letters / self.look.space
        return self._whole and (larger <= 1 or self._size * larger >= _READABLE)

    def letters(self) -> float:
        """The height of its letters in the drawing."""
        return self._size

    def paint(self, painter: QPainter, shown: Table) -> None:
        look, theme = self.look, self.look.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top, pad = self.rect.top(), self._pad()
        hair = QPen(QColor(theme.hairline), max(1.0, 1.5 * look.space))
        for number, (row, height) in enumerate(zip(self._cells, self._heights, strict=True)):
            x = self.rect.left()
            for column, (words, width) in enumerate(zip(row, self._columns, strict=True)):
                if number > 0 and (number - 1, column) in shown.marked:
                    cell = QRectF(x, top, width, height).adjusted(1, 1, -1, -1)
                    painter.fillRect(cell, QColor(theme.selection))
                words.paint(painter, QPointF(x + pad, top + (height - words.height) / 2))
                x += width
            top += height
            painter.setPen(hair)
            painter.drawLine(QLineF(self.rect.left(), top, x, top))

    def texts(self) -> list[tuple[str, QRectF]]:
        found = []
        for row, height in zip(self._cells, self._heights, strict=True):
            for words, width in zip(row, self._columns, strict=True):
                place = QRectF(self.rect.left(), self.rect.top(), width, height)
                found.append((words.text, place))
        return found

    def _pad(self) -> float:
        return 0.5 * self.look.metrics(self._size).averageCharWidth() + 5 * self.look.space

    def _try(self) -> bool:
        """Lays the cells out with the present letters; returns whether all is whole."""
        picture, metrics = self.picture, self.look.metrics(self._size, bold=True)
        rows, pad = (picture.head, *picture.rows), 2 * self._pad() + 2
        columns = range(len(picture.head))
        alone = [max(metrics.horizontalAdvance(row[c]) for row in rows) + pad for c in columns]
        least = [
            max(metrics.horizontalAdvance(word) for row in rows for word in (*row[c].split(), ""))
            + pad
            for c in columns
        ]
        room = self.rect.width()
        wanted, needed = sum(alone) - sum(least), room - sum(least)
        part = 1.0 if wanted <= 0 else min(max(needed / wanted, 0.0), 1.0)
        self._columns = [low + part * (high - low) for low, high in zip(least, alone, strict=True)]
        extra = max(room - sum(self._columns), 0.0) / len(self._columns)
        most = 6 * metrics.averageCharWidth()
        self._columns = [width + min(extra, most) for width in self._columns]
        self._cells = [
            [self._words(text, number, c, self._columns[c] - pad + 2) for c, text in enumerate(row)]
            for number, row in enumerate(rows)
        ]
        small = 0.25 * metrics.height()
        self._heights = [max(words.height for words in row) + small for row in self._cells]
        return sum(self._heights) <= self.rect.height() and sum(least) <= room + 1

    def _words(self, text: str, number: int, column: int, width: float) -> Words:
        theme, marked = self.look.theme, (number - 1, column) in self.picture.marked
        colour = theme.accent if marked else theme.muted if number == 0 else theme.text
        bold = marked or number == 0
        return Words(text, self.look, self._size, width, colour=colour, bold=bold, numbers=False)


_LARGEST_CELL = 64.0
_DOT = 0.36
"""Radius of a dot, as a share of the distance of two."""


class PeopleDrawing(Drawing[People]):
    """Dots in rows, from the upper left; a full one is a yes."""

    share = 0.75

    def lay_out(self) -> None:
        count = max(len(self.picture.answers), 1)
        wide, high = self.rect.width(), self.rect.height()
        cell = min(math.sqrt(wide * high / count), wide, high)
        while cell > 1 and math.floor(wide / cell) * math.floor(high / cell) < count:
            cell *= 0.99
        self._cell = min(cell, _LARGEST_CELL * self.look.space)
        self._columns = max(math.floor(wide / self._cell), 1)
        # Rows of a round number are counted at a glance.
        rounder = self._columns - self._columns % 10
        if rounder and math.ceil(count / rounder) * self._cell <= high:
            self._columns = rounder
        self._full: QPixmap | None = None
        self._empty: QPixmap | None = None

    def paint(self, painter: QPainter, shown: People) -> None:
        if self._full is None or self._empty is None:
            ratio = painter.device().devicePixelRatio()
            theme = self.look.theme
            self._full = self._dot(theme.accent, theme.accent, ratio)
            self._empty = self._dot(theme.track, theme.field_border, ratio)
        left, top, cell, columns = self.rect.left(), self.rect.top(), self._cell, self._columns
        for number, yes in enumerate(shown.answers):
            row, column = divmod(number, columns)
            where = QPointF(left + column * cell, top + row * cell)
            painter.drawPixmap(where, self._full if yes else self._empty)
        if shown.circled:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.look.colour("truth"), max(cell * 0.12, 2.0)))
            for number in shown.circled:
                row, column = divmod(number, columns)
                centre = QPointF(left + (column + 0.5) * cell, top + (row + 0.5) * cell)
                painter.drawEllipse(centre, cell * 0.46, cell * 0.46)

    def used(self) -> QRectF:
        """The part of its room that dots stand in."""
        rows = math.ceil(len(self.picture.answers) / self._columns)
        return QRectF(
            self.rect.left(), self.rect.top(), self._columns * self._cell, rows * self._cell
        )

    def _dot(self, fill: str, edge: str, ratio: float) -> QPixmap:
        side = max(math.ceil(self._cell * ratio), 1)
        pixmap = QPixmap(side, side)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(edge), ratio))
        painter.setBrush(QColor(fill))
        radius = _DOT * self._cell * ratio
        painter.drawEllipse(QPointF(side / 2, side / 2), radius, radius)
        painter.end()
        pixmap.setDevicePixelRatio(ratio)
        return pixmap

    @staticmethod
    def between(old: People, new: People, progress: float) -> People:
        told = round(progress * len(new.answers))
        rings = new.circled if progress >= 1 else ()
        return People(
            (*new.answers[:told], *old.answers[told : len(new.answers)]), new.caption, rings
        )


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


_DRAWINGS: dict[type, type[Drawing[Any]]] = {
    People: PeopleDrawing,
    Curves: CurvesDrawing,
    Bars: BarsDrawing,
    Table: TableDrawing,
}


def drawing_of(picture: Picture, rect: QRectF, look: Look) -> Drawing[Any]:
    """The drawing of a picture in a rectangle."""
    return _DRAWINGS[type(picture)](picture, rect, look)


def share_of_row(picture: Picture) -> float:
    """The width that a picture wants beside another one, relative to that one's."""
    return _DRAWINGS[type(picture)].share


def between(old: Picture, new: Picture, progress: float) -> Picture:
    """The state between two pictures; another kind of picture stands at once."""
    if progress >= 1 or type(old) is not type(new):
        return new
    state: Picture = _DRAWINGS[type(new)].between(old, new, progress)
    return state
