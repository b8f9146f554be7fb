"""The order in which Tab goes through a window: that in which it is read.

Qt goes in the order in which widgets were made. Here it follows from where they stand: what lies
above comes first, what lies beside it from left to right, and a part of the window is read to its
end before the next one (an XY-cut, Nagy & Seth 1984, over the children of each widget).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QAbstractItemView, QAbstractSpinBox, QComboBox, QDialog, QWidget

_WHOLE = (QAbstractItemView, QAbstractSpinBox, QComboBox)
"""Widgets that Tab enters and leaves as one."""

_OVERLAP = 3
"""Pixels by which neighbours may overlap: frames reach over each other."""

Placed = tuple[QRect, list[QWidget]]
"""Where a part stands, and what Tab stops at in it."""


def tab_stops(parts: Iterable[QWidget]) -> list[QWidget]:
    """Returns what Tab stops at, in reading order within each part.

    Args:
        parts: Parts of a window, in the order in which they are read.
    """
    return [stop for part in parts if part.isVisible() for stop in _stops(part)]


def neighbour(stops: Sequence[QWidget], current: QWidget | None, step: int) -> QWidget | None:
    """Returns the stop after the one that has the focus, or before it with -1; the ring is closed.

    None where the focus is at none of them.
    """
    place = next((i for i, stop in enumerate(stops) if stop is current), None)
    return None if place is None else stops[(place + step) % len(stops)]


def focus_neighbour(window: QWidget, stops: Sequence[QWidget], *, next: bool) -> bool:
    """Moves the focus of a window to the next stop, or to the one before.

    Returns:
        False where the focus is at none of the stops, and stays.
    """
    found = neighbour(stops, window.focusWidget(), 1 if next else -1)
    if found is None:
        return False
    reason = Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason
    found.setFocus(reason)
    return True


class ReadDialog(QDialog):
    """A dialog through which Tab goes as it is read."""

    def focusNextPrevChild(self, next: bool) -> bool:
        return focus_neighbour(self, tab_stops([self]), next=next) or super().focusNextPrevChild(
            next
        )


def _stops(widget: QWidget) -> list[QWidget]:
    own = [widget] if _is_stop(widget) else []
    if isinstance(widget, _WHOLE):
        return own
    placed = [
        (child.geometry(), stops)
        for child in widget.children()
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow()
        if (stops := _stops(child))
    ]
    return own + in_reading_order(placed)


def _is_stop(widget: QWidget) -> bool:
    return (
        widget.isEnabled()
        and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
        and widget.focusProxy() is None
    )


def in_reading_order(placed: Sequence[Placed]) -> list[QWidget]:
    """Returns the stops of parts: bands from top to bottom, in each from left to right."""
    for begin, end in ((QRect.top, QRect.bottom), (QRect.left, QRect.right)):
        bands = _cut(placed, begin, end)
        if len(bands) > 1:
            return [stop for band in bands for stop in in_reading_order(band)]
    # They lie over each other: as they begin.
    rest = sorted(placed, key=lambda one: (one[0].top(), one[0].left()))
    return [stop for _, stops in rest for stop in stops]


def _cut(
    placed: Sequence[Placed], begin: Callable[[QRect], int], end: Callable[[QRect], int]
) -> list[list[Placed]]:
    """The bands between which there is a gap along one axis."""
    bands: list[list[Placed]] = []
    reach = 0
    for one in sorted(placed, key=lambda one: begin(one[0])):
        if not bands or begin(one[0]) > reach - _OVERLAP:
            bands.append([])
            reach = end(one[0])
        bands[-1].append(one)
        reach = max(reach, end(one[0]))
    return bands
