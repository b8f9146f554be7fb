"""Text of the user's data shown as it is.

Qt takes `<img src=…>` in a label, a message box or a tooltip for markup: a column of that name
would be rendered. Everything that may hold such text goes through this file.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


def plain_tooltip(text: str) -> str:
    """`text` as a tooltip that shows it literally; empty text gives no tooltip."""
    if not text:
        return ""
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>"


class PlainLabel(QLabel):
    """A label that never renders markup.

    Args:
        text: What is shown.
        tone: Which style of the theme it takes: "", "muted", "caption", "title", "heading",
            "strong", "strong-muted", "strong-danger", "figure", "stage", "stage-accent",
            "stage-muted", "accent", "danger", "warning" or
            "success".
        wrap: Whether long text breaks into lines.
        parent: Qt's owner.
    """

    def __init__(
        self, text: str = "", tone: str = "", *, wrap: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self.setProperty("tone", tone)
        self.setText(text)

    def set_tone(self, tone: str) -> None:
        """Changes the style of the text."""
        if self.property("tone") != tone:
            self.setProperty("tone", tone)
            self.style().unpolish(self)
            self.style().polish(self)


class ElidedLabel(PlainLabel):
    """A label of one line that ends in "…" where it has no room; its tooltip has the full text."""

    def __init__(self, text: str = "", tone: str = "", *, parent: QWidget | None = None) -> None:
        self._full = ""
        super().__init__("", tone, parent=parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        # One character is the least: a long name must never widen the window.
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 2)
        self.set_text(text)

    def full_text(self) -> str:
        """The text without elision."""
        return self._full

    def set_text(self, text: str) -> None:
        """Shows another text, as much of it as there is room for."""
        if text == self._full:
            return
        self._full = text
        self.setAccessibleName(text)
        self.updateGeometry()
        self._elide()

    def sizeHint(self) -> QSize:
        """Room for the whole text: what is elided now must not ask for less from then on."""
        width = QFontMetrics(self.font()).horizontalAdvance(self._full)
        # Two pixels more: at exactly its own width, Qt elides some texts all the same.
        return QSize(width + 2, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Elides anew."""
        super().resizeEvent(event)
        self._elide()

    def changeEvent(self, event: QEvent) -> None:
        """Elides anew where the style sheet changes the font."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._elide()

    def _elide(self) -> None:
        one_line = " ".join(self._full.splitlines()) if self._full else ""
        metrics = QFontMetrics(self.font())
        shown = metrics.elidedText(one_line, Qt.TextElideMode.ElideRight, self.width())
        if shown != self.text():
            self.setText(shown)
        self.setToolTip(plain_tooltip(self._full) if shown != self._full else "")
