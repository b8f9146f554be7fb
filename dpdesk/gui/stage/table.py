"""A table on the stage: rows of texts, with cells that are pointed at."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen

from dpdesk.demonstrations.picture import Table
from dpdesk.gui.stage.drawing import Drawing
from dpdesk.gui.stage.look import Words

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
