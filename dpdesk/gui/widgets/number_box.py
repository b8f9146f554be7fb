"""Numbers with arrows, dressed as the other fields and left alone by a page that scrolls."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

from dpdesk.numbers import without_groups

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

    def valueFromText(self, text: str) -> int:
        return self.value() if _has_decimal_comma(self, text) else super().valueFromText(text)


class RealBox(WheelWithFocus, QDoubleSpinBox):
    """A number with decimals."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        dress(self)

    def valueFromText(self, text: str) -> float:
        comma = _has_decimal_comma(self, text)
        return super().valueFromText(text.replace(",", ".", 1) if comma else text)


def _has_decimal_comma(box: QSpinBox | QDoubleSpinBox, text: str) -> bool:
    """Returns whether a comma stands elsewhere than between thousands: Qt leaves out every one."""
    return "," in without_groups(text.removeprefix(box.prefix()).removesuffix(box.suffix()).strip())


def dress(box: QAbstractSpinBox) -> None:
    """Gives a number with arrows the margin and the focus of the other fields."""
    box.lineEdit().setTextMargins(MARGIN, 0, 0, 0)
    # The wheel would give the focus, too.
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
