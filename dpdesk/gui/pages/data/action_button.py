"""Buttons that trigger an action of the menu and are enabled with it."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from dpdesk.gui.icons import IconBond
from dpdesk.gui.widgets.plain_text import plain_tooltip


class ActionButton(QPushButton):
    """A push button for an action.

    Args:
        action: The action.
        text: The text of the button; the action's own if empty.
        parent: Qt's owner.
    """

    def __init__(
        self, action: QAction, text: str = "", *, look: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(text or action.text(), parent)
        self._action = action
        if look:
            self.setProperty("look", look)
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setEnabled(self._action.isEnabled())
        self.setVisible(self._action.isVisible())
        self.setToolTip(tooltip_of(self._action))


class ActionIcon(QToolButton):
    """A small button with the icon of an action.

    Args:
        action: The action; its text is the accessible name.
        icon_name: Name of the icon.
        parent: Qt's owner.
    """

    def __init__(self, action: QAction, icon_name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._action = action
        self.setAutoRaise(True)
        self.setAccessibleName(action.text().replace("&", "").rstrip("…"))
        IconBond(self, icon_name, "muted")
        self.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.setEnabled(self._action.isEnabled())
        self.setVisible(self._action.isVisible())
        self.setToolTip(tooltip_of(self._action))


def tooltip_of(action: QAction) -> str:
    """The text of an action with its shortcut."""
    words = action.statusTip() or action.text().replace("&", "").rstrip("…")
    keys = action.shortcut().toString()
    return plain_tooltip(f"{words} ({keys})" if keys else words)
