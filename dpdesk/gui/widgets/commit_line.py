"""A line of text that is taken at Enter or when the focus leaves, and may be refused.

No line cuts what is typed or pasted without a sentence.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame, QToolTip, QWidget

from dpdesk.gui.widgets.plain_text import PlainLabel, elided, plain_tooltip, whole_tooltip

_INSET = 2
"""What Qt leaves free at both ends of a line of text."""


def limit_length(field: QLineEdit, longest: int) -> None:
    """Has a field hold so many characters, and say so when more are typed or pasted."""
    field.setMaxLength(longest)
    field.inputRejected.connect(partial(_tell_limit, field))


def _tell_limit(field: QLineEdit) -> None:
    if len(field.text()) < field.maxLength():
        return
    sentence = QCoreApplication.translate(
        "CommitLine", "At most {count} characters fit here: what is beyond them was left out."
    ).format(count=f"{field.maxLength():,}")
    _show_below(field, sentence)


def _show_below(field: QLineEdit, sentence: str) -> None:
    field.setAccessibleDescription(sentence)
    place = field.mapToGlobal(QPoint(0, field.height()))
    QToolTip.showText(place, plain_tooltip(sentence), field)


class CommitLine(QLineEdit):
    """Esc gives the old text back; a refused text stays where it was typed, marked as wrong.

    Text that is wider than the line ends in "…" unless one types in it.

    Args:
        name: Accessible name.
        longest: How many characters are taken: a longer text is refused, not cut.

    Attributes:
        committed: Emitted with a text that differs from the one in force.
        refused: Emitted with the sentence of a refusal; empty when all is well again.
    """

    committed = Signal(str)
    refused = Signal(str)

    def __init__(self, name: str, *, longest: int = 2_000, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._value = ""
        self._longest = longest
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

    def show_value(self, text: str) -> None:
        """Shows the text in force; what is being typed stays until then, a refused text does not.

        A refused text beside a value in force would look as if it were taken.
        """
        if text != self._value or self._tried is not None:
            self.set_value(text)

    def commit(self) -> None:
        """Takes what is typed, unless it was refused already."""
        text = self.text()
        if text in (self._value, self._tried):
            return
        if len(text.strip()) > self._longest:
            sentence = self.tr("At most {count} characters fit here, not {typed}: shorten it.")
            told = sentence.format(count=f"{self._longest:,}", typed=f"{len(text.strip()):,}")
            self.refuse(told)
            _show_below(self, told)
            return
        self.committed.emit(text)

    def refuse(self, sentence: str) -> None:
        """Marks what is typed as wrong, with the reason as a sentence."""
        self._tried = self.text()
        self._mark(sentence)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text() != self._value:
            self.set_value(self._value)
            self.selectAll()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        option, room = QStyleOptionFrame(), self._room()
        self.initStyleOption(option)
        shown = elided(self.text(), self.font(), room.width())
        if self.hasFocus() or shown == self.text():
            super().paintEvent(event)
            return
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
        painter.setPen(self.palette().text().color())
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    def event(self, event: QEvent) -> bool:
        if not isinstance(event, QHelpEvent) or event.type() != QEvent.Type.ToolTip:
            return super().event(event)
        shown = elided(self.text(), self.font(), self._room().width())
        told = whole_tooltip(self.text(), shown, self.toolTip())
        QToolTip.showText(event.globalPos(), told, self)
        return True

    def _room(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        part = QStyle.SubElement.SE_LineEditContents
        room = self.style().subElementRect(part, option, self) - self.textMargins()
        return room.adjusted(_INSET, 0, -_INSET, 0)

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
