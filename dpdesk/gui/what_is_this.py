"""What a control is for: one text for each, asked for by Shift+F1 and a click.

A control says it by its own "What's This", its tooltip or its description for screen readers. What
says no more than its name is explained by the part of the page around it, or by the page.
"""

from __future__ import annotations

import re

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtWidgets import QAbstractScrollArea, QTabBar, QWhatsThis, QWidget

from dpdesk.gui.widgets.plain_text import plain_tooltip

_MARKUP = re.compile(r"<[^>]+>")
_KEYS = re.compile(r"\s*\((?:Ctrl|Alt|Shift|F\d|Enter|Esc)[^)]*\)\s*$")


def name_of(widget: QWidget) -> str:
    """The name of a control as screen readers say it, without its keys."""
    name = widget.accessibleName()
    if not name:
        name = QAccessible.queryAccessibleInterface(widget).text(QAccessible.Text.Name)
    return _bare(name)


def what_is(widget: QWidget) -> str:
    """What a control is for; never empty or its name alone.

    Returns:
        A sentence; "" where nothing is said of it or of any control around it.
    """
    at: QWidget | None = widget
    while at is not None:
        if found := own_words(at):
            return found
        at = None if at.isWindow() else at.parentWidget()
    return ""


def own_words(widget: QWidget) -> str:
    """What is said of this very control, beyond its name; "" where nothing is."""
    name = name_of(widget)
    said = (widget.whatsThis(), widget.toolTip(), widget.accessibleDescription())
    for text in said:
        words = _MARKUP.sub(" ", text).strip()
        if words and _bare(words).casefold() != name.casefold():
            return words
    return ""


class _Asking(QObject):
    """Answers what is asked of controls while one is pointed at."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.LeaveWhatsThisMode:
            self._stop()
        if not isinstance(watched, QWidget):
            return False
        if kind == QEvent.Type.QueryWhatsThis:
            event.setAccepted(bool(what_is(_control_at(watched))))
            return True
        if kind == QEvent.Type.WhatsThis and isinstance(event, QHelpEvent):
            words = what_is(_control_at(watched))
            if words:
                QWhatsThis.showText(event.globalPos(), plain_tooltip(words), watched)
            event.setAccepted(bool(words))
            return True
        return False

    def _stop(self) -> None:
        application = QCoreApplication.instance()
        if application is not None:
            application.removeEventFilter(self)
        self.deleteLater()


def ask_what_it_is() -> None:
    """Waits for a click on a control, and says what that is."""
    application = QCoreApplication.instance()
    if application is not None and not QWhatsThis.inWhatsThisMode():
        application.installEventFilter(_Asking(application))
        QWhatsThis.enterWhatsThisMode()


def _control_at(widget: QWidget) -> QWidget:
    """The control that a viewport or an inner part belongs to."""
    parent = widget.parentWidget()
    if isinstance(parent, QAbstractScrollArea | QTabBar) and not widget.accessibleName():
        return parent
    return widget


def _bare(text: str) -> str:
    """A text without mnemonics, dots and keys behind it."""
    return _KEYS.sub("", text.replace("&", "").strip()).rstrip("….").strip()
