"""A pointer that the last row sees: a large spot that follows the mouse."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QColor, QCursor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from dpdesk.gui.theme import theme_in_force

_EVERY_MS = 16
_RESTS_AFTER = 180
"""After so many looks without a movement, about three seconds, the spot hides."""
_SIDE = 72


class PointerSpot(QWidget):
    """A ring over a window; it takes no clicks, hides at rest, and looks for nothing when hidden.

    Args:
        window: What it moves over.
        where: Where the mouse is on the screen.
    """

    def __init__(self, window: QWidget, where: Callable[[], QPoint] = QCursor.pos) -> None:
        super().__init__(window)
        self._window, self._where = window, where
        self._last: QPoint | None = None
        self._still = 0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFixedSize(_SIDE, _SIDE)
        self.hide()
        # Widgets tell of the mouse only where they track it, and not while one is a child of them.
        self._timer = QTimer(self)
        self._timer.setInterval(_EVERY_MS)
        self._timer.timeout.connect(self.look)
        window.installEventFilter(self)
        if window.isVisible():
            self.start()

    def start(self) -> None:
        """Begins to follow the mouse."""
        self._last, self._still = self._where(), 0
        self._timer.start()

    def stop(self) -> None:
        """Hides, and looks no more."""
        self._timer.stop()
        self.hide()

    def follows(self) -> bool:
        """Whether it follows the mouse."""
        return self._timer.isActive()

    def look(self) -> None:
        """Moves to where the mouse is; hides where it has rested."""
        here = self._where()
        if here == self._last:
            self._still += 1
            if self._still >= _RESTS_AFTER:
                self.hide()
            return
        self._last, self._still = here, 0
        inside = self._window.mapFromGlobal(here)
        if not QRect(QPoint(0, 0), self._window.size()).contains(inside):
            self.hide()
            return
        self.move(inside - QPoint(_SIDE // 2, _SIDE // 2))
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self.start()
        elif event.type() == QEvent.Type.Hide:
            self.stop()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = theme_in_force()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        wash, ring, edge = QColor(theme.series(1)), QColor(theme.series(1)), QColor(theme.surface)
        wash.setAlpha(70)
        painter.setBrush(wash)
        painter.setPen(QPen(edge, 7))
        middle, radius = self.rect().center(), _SIDE // 2 - 6
        painter.drawEllipse(middle, radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(ring, 4))
        painter.drawEllipse(middle, radius, radius)
