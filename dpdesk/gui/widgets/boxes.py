"""Rows and columns of widgets: what stands in them, how far apart and with which margins."""

from __future__ import annotations

from enum import Enum
from typing import Literal, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

_Box = TypeVar("_Box", bound=QBoxLayout)


class Room(Enum):
    """Room that nothing stands in."""

    STRETCH = 1


STRETCH: Literal[Room.STRETCH] = Room.STRETCH
"""Takes what room is left."""

Item = (
    QWidget
    | QLayout
    | int
    | Literal[Room.STRETCH]
    | tuple[QWidget | QLayout, int]
    | tuple[QWidget, int, Qt.AlignmentFlag]
)
"""A widget or a layout, with its share of the room left and its alignment; a gap in pixels."""


def lay_row(
    *items: Item,
    spacing: int | None = None,
    margins: int | tuple[int, int, int, int] | None = 0,
    on: QWidget | None = None,
) -> QHBoxLayout:
    """Lays widgets beside each other.

    Args:
        items: What stands in the row, from left to right.
        spacing: Between two items, in pixels; None for that of the style.
        margins: Around all of them, in pixels: left, top, right, bottom, or one for all; None
            for those of the style.
        on: The widget that the row fills; without one the row goes into another box.
    """
    return _fill(QHBoxLayout(on) if on else QHBoxLayout(), items, spacing, margins)


def lay_column(
    *items: Item,
    spacing: int | None = None,
    margins: int | tuple[int, int, int, int] | None = 0,
    on: QWidget | None = None,
) -> QVBoxLayout:
    """Lays widgets below each other, from the top; see `lay_row`."""
    return _fill(QVBoxLayout(on) if on else QVBoxLayout(), items, spacing, margins)


def _fill(
    box: _Box,
    items: tuple[Item, ...],
    spacing: int | None,
    margins: int | tuple[int, int, int, int] | None,
) -> _Box:
    if margins is not None:
        box.setContentsMargins(*(margins if isinstance(margins, tuple) else (margins,) * 4))
    if spacing is not None:
        box.setSpacing(spacing)
    for item in items:
        match item:
            case Room():
                box.addStretch(1)
            case int():
                box.addSpacing(item)
            case QLayout():
                box.addLayout(item)
            case QWidget():
                box.addWidget(item)
            case (QLayout() as layout, int() as share):
                box.addLayout(layout, share)
            case (QWidget() as widget, int() as share, *how):
                box.addWidget(widget, share, *how)
    return box
