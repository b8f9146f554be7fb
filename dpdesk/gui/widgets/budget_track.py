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

    Parts that add up stand end to end on one track. Of parts of which a respondent loses one, each
    stands on a track of its own, as long as the whole budget.

    Args:
        theme: The switch that the colours follow.
        parent: Qt's owner.
    """

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._parts: tuple[tuple[Decimal, int], ...] = ()
        self._total = Decimal(0)
        self._adds_up = True
        self._current = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(_HEIGHT + 2 * _RING)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.themeChanged.connect(self._recolour)

    def set_parts(
        self, parts: tuple[tuple[Decimal, int], ...], total: Decimal, *, adds_up: bool = True
    ) -> None:
        """Shows parts of a total.

        Args:
            parts: Epsilon of each and the number of its series.
            total: What all of them together may take, or each where they do not add up.
            adds_up: Whether the parts add up.
        """
        self._parts, self._total, self._adds_up = parts, total, adds_up
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
        # A track of its own belongs to its part as a whole, so that a short part can be hit.
        for index, (left, right) in enumerate(self._edges() if self._adds_up else self._tracks()):
            if left <= x < right and index < len(self._parts):
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
        edges = self._edges()
        for index, (left, right) in enumerate(self._tracks()):
            bar = QRectF(left, _RING, right - left, _HEIGHT)
            shape = QPainterPath()
            shape.addRoundedRect(bar, min(_HEIGHT, bar.width()) / 2, _HEIGHT / 2)
            painter.setClipPath(shape)
            painter.fillRect(bar, QColor(theme.track))
            on_track = range(len(edges)) if self._adds_up else range(index, index + 1)
            for part in on_track:
                self._paint_part(painter, theme, edges[part], self._parts[part][1])
            end = edges[on_track[-1]][1] if on_track else left
            self._paint_excess(painter, theme, left, end)
        painter.setClipping(False)
        if 0 <= self._current < len(edges):
            left, right = edges[self._current]
            painter.setPen(QPen(QColor(theme.text), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(left, 1, right - left - 1, self.height() - 2), 3, 3)

    def _paint_part(
        self, painter: QPainter, theme: Theme, edges: tuple[float, float], series: int
    ) -> None:
        width = max(edges[1] - edges[0] - (_GAP if self._adds_up else 0.0), 1.0)
        painter.fillRect(QRectF(edges[0], _RING, width, _HEIGHT), QColor(theme.series(series)))

    def _paint_excess(self, painter: QPainter, theme: Theme, start: float, end: float) -> None:
        limit = start + float(self._total) * self._scale()
        # Half a pixel, so that a part that fills its budget exactly is not taken for more.
        if end <= limit + 0.5:
            return
        excess = QRectF(limit, _RING, end - limit, _HEIGHT)
        painter.fillRect(excess, QColor(theme.danger_wash))
        painter.fillRect(excess, QBrush(QColor(theme.danger), Qt.BrushStyle.BDiagPattern))
        painter.fillRect(QRectF(limit - 1, _RING, 2, _HEIGHT), QColor(theme.danger))

    def _whole(self) -> Decimal:
        """What a track is as long as: the larger of what is spent and of the total."""
        epsilons = [epsilon for epsilon, _ in self._parts]
        spent = sum(epsilons, Decimal(0)) if self._adds_up else max(epsilons, default=Decimal(0))
        return max(spent, self._total)

    def _scale(self) -> float:
        """Pixels per unit of epsilon."""
        whole, tracks = float(self._whole()), self._tracks()
        return (tracks[0][1] - tracks[0][0]) / whole if whole > 0 else 0.0

    def _tracks(self) -> list[tuple[float, float]]:
        """Left and right end of each track."""
        count = 1 if self._adds_up else max(len(self._parts), 1)
        gap = min(2 * _GAP, self.width() / (4 * count))
        length = (self.width() - (count - 1) * gap) / count
        return [(i * (length + gap), i * (length + gap) + length) for i in range(count)]

    def _edges(self) -> list[tuple[float, float]]:
        scale, tracks, edges = self._scale(), self._tracks(), []
        left = 0.0
        for index, (epsilon, _) in enumerate(self._parts):
            left = left if self._adds_up else tracks[index][0]
            right = left + float(epsilon) * scale
            edges.append((left, right))
            left = right
        return edges

    def _recolour(self) -> None:
        self.update()
