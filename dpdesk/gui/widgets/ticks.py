"""Check boxes that are painted into the cells of a table."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QCheckBox, QStyle, QStyleOptionButton, QWidget

BOX = 18
"""Side of a check box in pixels."""


def paint_tick(painter: QPainter, rect: QRect, widget: QWidget, *, on: bool) -> None:
    """Paints a check box as the style of the window has it.

    Args:
        painter: What paints the cell.
        rect: Where.
        widget: The table.
        on: Whether it is ticked.
    """
    box = QStyleOptionButton()
    box.rect = rect
    on_off = QStyle.StateFlag.State_On if on else QStyle.StateFlag.State_Off
    box.state = QStyle.StateFlag.State_Enabled | on_off
    part = QStyle.PrimitiveElement.PE_IndicatorCheckBox
    widget.style().drawPrimitive(part, box, painter, _sample_box(widget))


def _sample_box(widget: QWidget) -> QWidget:
    """A check box whose style the ticks are painted in, one for each table."""
    found = widget.findChild(QCheckBox, "sample")
    if found is None:
        found = QCheckBox(widget)
        found.setObjectName("sample")
        found.hide()
    return found
