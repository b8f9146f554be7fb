"""The painted part of the budget bar."""

from __future__ import annotations

from decimal import Decimal

from PySide6.QtCore import QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.gui.theme import Theme, ThemeSwitch

_HEIGHT = 12
_RING = 2
_GAP = 1.5


class BudgetTrack(QWidget):
    """Coloured parts on a grey track; what exceeds the total is hatched behind a mark.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parts: tuple[tuple[Decimal, int], ...] = ()
        self._total = Decimal(0)
        self._current = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT + 2 * _RING)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.themeChanged.connect(self._recolour)

    def set_parts(self, parts: tuple[tuple[Decimal, int], ...], total: Decimal) -> None:
        """Shows parts, each with its epsilon and the number of its series, of a total."""
        self._parts, self._total = parts, total
        self.update()

    def set_current(self, index: int) -> None:
        """Draws a ring around one part; -1 for none."""
        self._current = index
        self.update()

    def sizeHint(self) -> QSize:
        """As wide as there is room for."""
        return QSize(380, _HEIGHT + 2 * _RING)

    def part_at(self, x: float) -> int:
        """The number of the part at a horizontal position; -1 if there is none."""
        for index, (left, right) in enumerate(self._edges()):
            if left <= x < right:
                return index
        return -1

    def centre_of(self, index: int) -> QPoint:
        """The middle of a part, in the coordinates of this widget."""
        left, right = self._edges()[index]
        return QPoint(round((left + right) / 2), self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints track, parts, hatching and ring."""
        theme = self._theme.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QRectF(0, _RING, self.width(), _HEIGHT)
        shape = QPainterPath()
        shape.addRoundedRect(bar, _HEIGHT / 2, _HEIGHT / 2)
        painter.setClipPath(shape)
        painter.fillRect(bar, QColor(theme.track))
        edges = self._edges()
        for (left, right), (_, series) in zip(edges, self._parts, strict=True):
            width = max(right - left - _GAP, 1.0)
            painter.fillRect(QRectF(left, _RING, width, _HEIGHT), QColor(theme.series(series)))
        self._paint_excess(painter, theme, edges[-1][1] if edges else 0.0)
        painter.setClipping(False)
        if 0 <= self._current < len(edges):
            left, right = edges[self._current]
            painter.setPen(QPen(QColor(theme.text), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(left, 1, right - left - 1, self.height() - 2), 3, 3)

    def _paint_excess(self, painter: QPainter, theme: Theme, end: float) -> None:
        scale = self._scale()
        if self._spent() <= self._total or scale == 0:
            return
        limit = float(self._total) * scale
        excess = QRectF(limit, _RING, end - limit, _HEIGHT)
        painter.fillRect(excess, QColor(theme.danger_wash))
        painter.fillRect(excess, QBrush(QColor(theme.danger), Qt.BrushStyle.BDiagPattern))
        painter.fillRect(QRectF(limit - 1, _RING, 2, _HEIGHT), QColor(theme.danger))

    def _spent(self) -> Decimal:
        return sum((epsilon for epsilon, _ in self._parts), Decimal(0))

    def _scale(self) -> float:
        """Pixels per unit of epsilon; the larger of spent and total fills the width."""
        whole = max(self._spent(), self._total)
        return self.width() / float(whole) if whole > 0 else 0.0

    def _edges(self) -> list[tuple[float, float]]:
        scale, edges, left = self._scale(), [], 0.0
        for epsilon, _ in self._parts:
            right = left + float(epsilon) * scale
            edges.append((left, right))
            left = right
        return edges

    def _recolour(self) -> None:
        self.update()
