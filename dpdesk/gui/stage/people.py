"""A crowd on the stage: a dot for each person."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap

from dpdesk.demonstrations.picture import People
from dpdesk.gui.stage.drawing import Drawing

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
