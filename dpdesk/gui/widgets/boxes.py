"""Rows and columns of widgets, their distances and margins; the buttons below a dialog."""

from __future__ import annotations

from enum import Enum
from typing import Literal, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QDialogButtonBox,
    QFrame,
    QHBoxLayout,
    QLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

Button = QDialogButtonBox.StandardButton
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
    margins: int | tuple[int, int, int, int] | None = None,
    on: QWidget | None = None,
) -> QHBoxLayout:
    """Lays widgets beside each other.

    Args:
        items: What stands in the row, from left to right.
        spacing: Between two items, in pixels; None for that of the style.
        margins: Around all of them, in pixels: left, top, right, bottom, or one for all. If
            not given, a dialog has those of the style, and everything else none.
        on: The widget that the row fills; without one the row goes into another box.
    """
    return _fill(QHBoxLayout(on) if on else QHBoxLayout(), items, spacing, margins)


def lay_column(
    *items: Item,
    spacing: int | None = None,
    margins: int | tuple[int, int, int, int] | None = None,
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
    if margins is None and not isinstance(box.parent(), QDialog):
        margins = 0
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


def emptied(box: QLayout) -> None:
    """Takes all widgets out of a layout and deletes them."""
    while (item := box.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()


class Yielding(QWidget):
    """What a scrolled area shows where its parts first give way, down to their least heights.

    An area asks for the height that its content prefers at a width, if a text in it breaks: in a
    window that was made smaller, what stands below a plot would be scrolled to and not seen.
    """

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        return -1 if layout is None else layout.minimumSize().height()


def scrolled(inside: QWidget, *, on_card: bool = False) -> QScrollArea:
    """Returns an area without a frame that scrolls up and down where there is little room.

    Where even the least width of its content has no room, at large type in a small window, it
    scrolls to the side too: nothing is out of reach.

    Args:
        inside: What it shows, as wide as the area.
        on_card: Whether the card behind it shows through, in place of the colour of a window.
    """
    area = QScrollArea(inside.parentWidget())
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    # A widget inside that gets the focus scrolls into view; the area itself needs no focus.
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inside)
    if on_card:
        area.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
    return area


def lay_middle(item: QWidget | QLayout, on: QWidget) -> None:
    """Puts one thing into the middle of a page, a little above its half height."""
    row = lay_row(STRETCH, item, STRETCH)
    page = lay_column(row, on=on)
    page.insertStretch(0, 2)
    page.addStretch(3)


class SideDialog(QDialog):
    """A dialog beside the window, which can be worked with meanwhile.

    Args:
        title: Its title.
    """

    def __init__(self, title: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setModal(False)

    def show_beside(self) -> None:
        """Shows it above the window, and gives it the keyboard."""
        self.show()
        self.raise_()
        self.activateWindow()


def dialog_buttons(
    dialog: QDialog, ok: str = "", kinds: Button = Button.Ok | Button.Cancel
) -> QDialogButtonBox:
    """The buttons that accept and reject a dialog.

    Args:
        dialog: The dialog.
        ok: The word that accepts, with its mnemonic; that of the platform if empty.
        kinds: Which buttons.
    """
    buttons = QDialogButtonBox(kinds, parent=dialog)
    if ok:
        buttons.button(Button.Ok).setText(ok)
    buttons.accepted.connect(dialog.accept)
    buttons.rejected.connect(dialog.reject)
    return buttons
