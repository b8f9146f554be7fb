"""Actions with text, shortcut and icon, and the buttons that trigger them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QPushButton, QToolButton, QWidget

from dpdesk.gui.icons import IconBond
from dpdesk.gui.widgets.plain_text import plain_tooltip


class ButtonOfAction(QObject):
    """Has a button trigger an action, and be enabled, visible and explained as the action is.

    Args:
        button: The button, which owns this.
        action: The action.
    """

    def __init__(self, button: QAbstractButton, action: QAction) -> None:
        super().__init__(button)
        self._button, self._action = button, action
        button.clicked.connect(action.trigger)
        action.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self._button.setEnabled(self._action.isEnabled())
        self._button.setVisible(self._action.isVisible())
        self._button.setToolTip(tooltip_of(self._action))
        if self._action.whatsThis() != self._action.text():
            self._button.setWhatsThis(self._action.whatsThis())


class ActionButton(QPushButton):
    """A push button for an action.

    Args:
        action: The action, whose text it has.
        letter: Whether it answers to Alt and the letter of the action in its menu.
    """

    def __init__(
        self, action: QAction, *, letter: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(action.text() if letter else action.text().replace("&", ""), parent)
        self._action = ButtonOfAction(self, action)


class ActionIcon(QToolButton):
    """A small button with the icon of an action.

    Args:
        action: The action; its text is the accessible name.
        icon_name: Name of the icon.
    """

    def __init__(self, action: QAction, icon_name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoRaise(True)
        self.setAccessibleName(action.text().replace("&", "").rstrip("…"))
        IconBond(self, icon_name, "muted")
        self._action = ButtonOfAction(self, action)


def tooltip_of(action: QAction) -> str:
    """The text of an action with its shortcut."""
    words = action.statusTip() or action.text().replace("&", "").rstrip("…")
    keys = action.shortcut().toString()
    return plain_tooltip(f"{words} ({keys})" if keys else words)


def new_action(
    owner: QObject,
    text: str,
    shortcut: QKeySequence.StandardKey | str,
    run: Callable[[], object],
    icon_name: str = "",
    *,
    on: QWidget | None = None,
) -> QAction:
    """Returns a new action.

    Args:
        owner: Qt's owner of the action.
        text: Its text, with "&" before the mnemonic.
        shortcut: A standard key of the platform, or one such as "Ctrl+Shift+O".
        run: Called when it is triggered.
        icon_name: Name of its icon, if it has one.
        on: The menu that lists it, or the widget that it works in; None if it is added later.
    """
    action = QAction(text, owner)
    action.setShortcut(QKeySequence(shortcut))
    action.triggered.connect(lambda _checked=False: run())
    if icon_name:
        IconBond(action, icon_name, "muted")
    if on is not None:
        on.addAction(action)
    return action
