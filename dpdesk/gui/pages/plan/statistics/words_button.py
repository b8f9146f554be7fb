"""A button that shows what is in force, as much of it as it has room for."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from dpdesk.gui.widgets.plain_text import plain_tooltip

_SIDES = 22


class WordsButton(QPushButton):
    """Opens a dialog; its words are data, so that an "&" in them is no mnemonic.

    Args:
        name: What is chosen, for screen readers.
        parent: Qt's owner.

    Attributes:
        asked: The button was clicked; unlike `clicked` it says nothing more.
    """

    asked = Signal()

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._words = ""
        self.setStyleSheet("text-align: left; padding-left: 8px; padding-right: 8px;")
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAutoDefault(False)
        self.setAccessibleName(name)
        self.clicked.connect(self.asked)

    def words(self) -> str:
        """What is in force, in full."""
        return self._words

    def set_words(self, words: str) -> None:
        """Shows what is in force."""
        self._words = words
        self.setAccessibleName(f"{self._name}: {words}")
        self.setToolTip(plain_tooltip(words))
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Any width will do: words are elided."""
        return QSize(48, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elides anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        room = max(self.width() - _SIDES, 10)
        one_line = " ".join(f"{self._words} …".split())
        shown = self.fontMetrics().elidedText(one_line, Qt.TextElideMode.ElideRight, room)
        self.setText(shown.replace("&", "&&"))
