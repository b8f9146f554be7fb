"""A belief as a hundred dots."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpdesk.gui.theme import ThemeSwitch, theme_in_force

_SIDE = 10


class HundredDots(QWidget):
    """Ten rows of ten dots, of which so many are full and the others are rings.

    Args:
        series: Number of the colour of the full dots.
    """

    def __init__(self, series: int, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._series = series
        self._full = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        ThemeSwitch.instance().themeChanged.connect(self._recolour)

    def full(self) -> int:
        """How many dots are full."""
        return self._full

    def set_full(self, full: int, spoken: str) -> None:
        """Fills so many dots.

        Args:
            full: From 0 to 100.
            spoken: What the dots say, for screen readers.
        """
        self.setAccessibleName(spoken)
        if full != self._full:
            self._full = full
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(140, 140)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 60)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_in_force()
        cell = min(self.width(), self.height()) / _SIDE
        left, top = (self.width() - cell * _SIDE) / 2, 0.0
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        full, ring = QColor(theme.series(self._series)), QColor(theme.control_border)
        for number in range(_SIDE * _SIDE):
            row, column = divmod(number, _SIDE)
            is_full = number < self._full
            painter.setPen(QPen(full if is_full else ring, 1))
            painter.setBrush(full if is_full else QColor(theme.surface))
            centre = QPointF(left + (column + 0.5) * cell, top + (row + 0.5) * cell)
            painter.drawEllipse(centre, cell * 0.36, cell * 0.36)

    def _recolour(self) -> None:
        self.update()
