"""The black screen of a presentation."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget


class BlackScreen(QWidget):
    """Covers a window while nobody is to look at it; any key or click brings the light.

    Attributes:
        lit: Emitted when the window is seen again.
    """

    lit = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._focus: QWidget | None = None
        self.setAccessibleName(self.tr("Black screen; any key returns"))
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setCursor(Qt.CursorShape.BlankCursor)
        self.hide()

    def darken(self) -> None:
        """Covers the window, and takes the keys."""
        self._focus = self._window.focusWidget()
        self.setGeometry(self._window.rect())
        self.show()
        self.raise_()
        self.setFocus()

    def lighten(self) -> None:
        """Uncovers the window, and gives the keys back."""
        if self.isHidden():
            return
        self.hide()
        self.lit.emit()
        if self._focus is not None:
            self._focus.setFocus()
        self._focus = None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.lighten()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.lighten()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), QColor(Qt.GlobalColor.black))
