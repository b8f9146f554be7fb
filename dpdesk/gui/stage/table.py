"""A table on the stage: rows of texts, with cells that are pointed at."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from dpdesk.demonstrations.picture import Table
from dpdesk.gui.stage.drawing import Drawing
from dpdesk.gui.stage.look import LABEL, paint_line

_LARGEST, _LEAST = 25.0, 11.0
"""Heights of letters in the drawing, between which a table takes the largest that fits."""
_ROW = 1.7
"""Height of a row, in heights of a line."""


class TableDrawing(Drawing[Table]):
    """As large as it fits, its columns as wide as their words."""

    def lay_out(self) -> None:
        """Finds the largest letters with which all rows and columns fit."""
        size = _LARGEST
        while size > _LEAST and not self._fits(size):
            size *= 0.96
        self._size = size
        widths = self._widths(size)
        spare = max(self.rect.width() - sum(widths), 0.0)
        most = self.look.metrics(LABEL).averageCharWidth() * 6
        extra = min(spare / max(len(widths), 1), most)
        self._columns = [width + extra for width in widths]
        line = self.look.metrics(size).height()
        rows = len(self.picture.rows) + 1
        self._row = min(_ROW * line, self.rect.height() / rows)

    def fits(self) -> bool:
        """Whether all cells are whole."""
        return self._fits(self._size)

    def letters(self) -> float:
        """The height of its letters in the drawing."""
        return self._size

    def paint(self, painter: QPainter, shown: Table) -> None:
        """Paints the head, the rows and what is pointed at."""
        look, theme = self.look, self.look.theme
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plain, bold = look.font_of(self._size), look.font_of(self._size, bold=True)
        ink, muted, accent = QColor(theme.text), QColor(theme.muted), QColor(theme.accent)
        left, top, pad = self.rect.left(), self.rect.top(), self._pad(self._size)
        hair = QPen(QColor(theme.hairline), max(1.0, 1.5 * look.space))
        for number, row in enumerate((shown.head, *shown.rows)):
            upper, x = top + number * self._row, left
            for column, (text, width) in enumerate(zip(row, self._columns, strict=True)):
                cell = QRectF(x, upper, width, self._row)
                marked = number > 0 and (number - 1, column) in shown.marked
                if marked:
                    painter.fillRect(cell.adjusted(1, 1, -1, -1), QColor(theme.selection))
                colour = accent if marked else muted if number == 0 else ink
                inside = cell.adjusted(pad, 0, 0, 0)
                paint_line(painter, text, inside, bold if marked or number == 0 else plain, colour)
                x += width
            painter.setPen(hair)
            painter.drawLine(QLineF(left, upper + self._row, x, upper + self._row))

    def texts(self) -> list[tuple[str, QRectF]]:
        """The cells."""
        found = []
        for row in (self.picture.head, *self.picture.rows):
            for text, width in zip(row, self._columns, strict=True):
                found.append((text, QRectF(self.rect.left(), self.rect.top(), width, self._row)))
        return found

    def _pad(self, size: float) -> float:
        return 0.5 * self.look.metrics(size).averageCharWidth() + 4 * self.look.space

    def _widths(self, size: float) -> list[float]:
        metrics: QFontMetricsF = self.look.metrics(size, bold=True)
        rows = (self.picture.head, *self.picture.rows)
        pad = 2 * self._pad(size)
        return [
            max(metrics.horizontalAdvance(row[column]) for row in rows) + pad
            for column in range(len(self.picture.head))
        ]

    def _fits(self, size: float) -> bool:
        line, rows = self.look.metrics(size).height(), len(self.picture.rows) + 1
        high = rows * line * 1.05 <= self.rect.height()
        return high and sum(self._widths(size)) <= self.rect.width()
