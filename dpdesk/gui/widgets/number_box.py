"""Numbers with arrows, dressed as the other fields and left alone by a page that scrolls."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox, QWidget

MARGIN = 4
"""Pixels from the border to the text beyond Qt's own; a style sheet does not move it."""


class WholeBox(QSpinBox):
    """A whole number, which turns with the wheel only where the focus is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lineEdit().setTextMargins(MARGIN, 0, 0, 0)
        # The wheel would give the focus, too.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the wheel to the page unless the focus is here."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class RealBox(QDoubleSpinBox):
    """A number with decimals, which turns with the wheel only where the focus is."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.lineEdit().setTextMargins(MARGIN, 0, 0, 0)
        # The wheel would give the focus, too.
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the wheel to the page unless the focus is here."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
