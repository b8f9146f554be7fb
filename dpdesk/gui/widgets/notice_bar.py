"""A notice across a page: what happened, and the one thing to do about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QPushButton, QToolButton, QWidget

from dpdesk.errors import DpdeskError
from dpdesk.gui.icons import IconBond
from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark

NoticeSeverity = Literal["info", "success", "warning", "error"]


def succeeded(act: Callable[[], object], show: Callable[[NoticeSeverity, str], object]) -> bool:
    """Does something that may be refused; returns whether it was done.

    Args:
        act: What is done.
        show: Shows a notice of why it was refused.
    """
    try:
        act()
    except DpdeskError as error:
        show("error", str(error))
        return False
    return True


class NoticeBar(QFrame):
    """A bar with an icon, a sentence, an optional button, and a button that closes it.

    It is hidden until something is shown.

    Attributes:
        actionTriggered: The optional button was pressed.
        closed: The bar was closed by the user.
    """

    actionTriggered = Signal()
    closed = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notice")
        self._mark = SeverityMark(parent=self)
        self._message = PlainLabel(wrap=True, parent=self)
        self._message.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._action = QPushButton(self)
        self._action.setVisible(False)
        self._action.clicked.connect(self.actionTriggered)
        self._close = QToolButton(self)
        self._close.setAccessibleName(self.tr("Close this notice"))
        self._close.setToolTip(self.tr("Close this notice"))
        self._close.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._close.clicked.connect(self.close_notice)
        self._unmended = ""
        IconBond(self._close, "close", "muted")
        lay_row(
            self._mark,
            (self._message, 1),
            self._action,
            self._close,
            spacing=10,
            margins=(12, 8, 8, 8),
            on=self,
        )
        self.hide()

    def message(self) -> str:
        """The sentence that is shown."""
        return self._message.text()

    def show_notice(self, severity: NoticeSeverity, message: str, action: str = "") -> None:
        """Shows a notice in place of the one before.

        Args:
            severity: What it amounts to.
            message: A full sentence, shown literally.
            action: The word on the button; without it there is none.
        """
        self._mark.set_severity(severity)
        self._message.setText(message)
        self.setAccessibleName(f"{self._mark.accessibleName()}: {message}")
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self.setProperty("severity", severity)
        self.style().unpolish(self)
        self.style().polish(self)
        self.show()

    def show_until_mended(self, sentence: str) -> None:
        """Shows what cannot be done; an empty sentence takes it away, and no other notice.

        Args:
            sentence: What is wrong and what to do, or "" once it is mended.
        """
        if sentence:
            self.show_notice("error", sentence)
        elif self._unmended and self.message() == self._unmended:
            self.clear()
        self._unmended = sentence

    def clear(self) -> None:
        """Hides the bar without a signal."""
        self.hide()

    def close_notice(self) -> None:
        """Hides the bar, as its button does."""
        self.hide()
        self.closed.emit()

    def dismiss(self) -> bool:
        """Closes the bar if it is shown, and returns whether it was."""
        was_shown = self.isVisible()
        if was_shown:
            self.close_notice()
        return was_shown

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_notice()
        else:
            super().keyPressEvent(event)
