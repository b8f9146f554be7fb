"""Numbers with arrows, dressed as the other fields and left alone by a page that scrolls."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

MARGIN = 4
"""Pixels from the border to the text beyond Qt's own; a style sheet does not move it."""


class WheelWithFocus:
    """Beside a widget of Qt: it turns with the wheel only where the focus is.

    Scrolling a page then changes nothing on it.
    """

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leaves the wheel to the page unless the focus is here."""
        if self.hasFocus():  # type: ignore[attr-defined] # of the widget
            super().wheelEvent(event)  # type: ignore[misc] # as above
        else:
            event.ignore()


class WholeBox(WheelWithFocus, QSpinBox):
    """A whole number."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        dress(self)


class RealBox(WheelWithFocus, QDoubleSpinBox):
    """A number with decimals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        dress(self)


def dress(box: QAbstractSpinBox) -> None:
    """Gives a number with arrows the margin and the focus of the other fields."""
    box.lineEdit().setTextMargins(MARGIN, 0, 0, 0)
    # The wheel would give the focus, too.
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
