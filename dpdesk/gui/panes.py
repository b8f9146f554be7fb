"""F6: from pane to pane of the window."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget


def cycle_panes(panes: Sequence[QWidget], step: int = 1) -> None:
    """Moves the focus to the next pane that can take it.

    Args:
        panes: The panes in reading order.
        step: 1 for the next, -1 for the one before.
    """
    focused = QApplication.focusWidget()
    here = next((i for i, pane in enumerate(panes) if _holds(pane, focused)), -1 if step > 0 else 0)
    for distance in range(1, len(panes) + 1):
        target = first_stop(panes[(here + step * distance) % len(panes)])
        if target is not None:
            target.setFocus(Qt.FocusReason.TabFocusReason)
            return


def first_stop(pane: QWidget) -> QWidget | None:
    """The first widget of a pane that takes the focus by Tab; a checked button goes before."""
    stops = [
        widget
        for widget in (pane, *pane.findChildren(QWidget))
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.isEnabled()
        and widget.isVisible()
    ]
    checked = (stop for stop in stops if stop.property("checked") is True)
    return next(checked, stops[0] if stops else None)


def _holds(pane: QWidget, widget: QWidget | None) -> bool:
    return widget is not None and (pane is widget or pane.isAncestorOf(widget))
