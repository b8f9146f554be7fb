"""Makes actions with text, shortcut and icon in one way everywhere."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from dpdesk.gui.icons import IconBond


def new_action(
    owner: QObject,
    text: str,
    shortcut: QKeySequence.StandardKey | str,
    run: Callable[[], object],
    icon_name: str = "",
) -> QAction:
    """Returns a new action.

    Args:
        owner: Qt's owner of the action.
        text: Its text, with "&" before the mnemonic.
        shortcut: A standard key of the platform, or one such as "Ctrl+Shift+O".
        run: Called when it is triggered.
        icon_name: Name of its icon, if it has one.
    """
    action = QAction(text, owner)
    action.setShortcut(QKeySequence(shortcut))
    action.triggered.connect(lambda _checked=False: run())
    if icon_name:
        IconBond(action, icon_name, "muted")
    return action
