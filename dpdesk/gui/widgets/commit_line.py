"""A line of text that is taken at Enter or when the focus leaves, and may be refused."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from dpdesk.gui.widgets.plain_text import PlainLabel


class CommitLine(QLineEdit):
    """Esc gives the old text back; a refused text stays where it was typed, marked as wrong.

    Args:
        name: Accessible name.
        parent: Qt's owner.

    Attributes:
        committed: Emitted with a text that differs from the one in force.
        refused: Emitted with the sentence of a refusal; empty when all is well again.
    """

    committed = Signal(str)
    refused = Signal(str)

    def __init__(self, name: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value = ""
        self._tried: str | None = None
        self.setAccessibleName(name)
        self.textEdited.connect(self._mark_right)
        self.editingFinished.connect(self.commit)

    def value(self) -> str:
        """The text in force."""
        return self._value

    def set_value(self, text: str) -> None:
        """Shows a text without a signal, and forgets a refused one."""
        self._value = text
        if self.text() != text:
            self.setText(text)
            self.setCursorPosition(0)
        self._mark_right()

    def commit(self) -> None:
        """Takes what is typed, unless it was refused already."""
        text = self.text()
        if text not in (self._value, self._tried):
            self.committed.emit(text)

    def refuse(self, sentence: str) -> None:
        """Marks what is typed as wrong, with the reason as a sentence."""
        self._tried = self.text()
        self._mark(sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc gives up what was typed."""
        if event.key() == Qt.Key.Key_Escape and self.text() != self._value:
            self.set_value(self._value)
            self.selectAll()
        else:
            super().keyPressEvent(event)

    def _mark_right(self) -> None:
        if self._tried is not None:
            self._tried = None
            self._mark("")

    def _mark(self, sentence: str) -> None:
        self.setAccessibleDescription(sentence)
        self.setProperty("wrong", bool(sentence))
        self.style().unpolish(self)
        self.style().polish(self)
        self.refused.emit(sentence)


class RefusalLabel(PlainLabel):
    """The sentence of a refusal, below where it was typed; hidden while there is none."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__("", "danger", wrap=True, parent=parent)
        self.hide()

    def show_sentence(self, sentence: str) -> None:
        """Shows a sentence, or hides for an empty one."""
        self.setText(sentence)
        self.setVisible(bool(sentence))
