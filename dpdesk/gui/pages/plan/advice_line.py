"""One line about the attribute: what is wrong with it, or how its mechanism compares."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.plain_text import ElidedLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.gui.widgets.steady import Steady

_LINES = 2
_LINK_HEIGHT = 20


class AdviceLine(QWidget):
    """A sign, a sentence of at most two lines, and a link; its height never changes.

    The plot below must not jump while a slider is dragged across the border of a warning.

    Attributes:
        linkClicked: The link was clicked.
    """

    linkClicked = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = SeverityMark(size=16, parent=self)
        self._severity = ""
        self._text = ElidedLabel("", "caption", lines=_LINES, parent=self)
        self._link = QPushButton(self)
        self._link.setProperty("look", "link")
        self._link.setCursor(Qt.CursorShape.PointingHandCursor)
        self._link.clicked.connect(self.linkClicked)
        lay_row(
            self._mark, (Steady(self._text, "", parent=self), 1), self._link, spacing=7, on=self
        )
        self._text.ensurePolished()
        self.set_low(False)

    def set_low(self, low: bool) -> None:
        """Takes one line instead of two, for a low window; the tooltip has the whole sentence."""
        line = self._text.fontMetrics().height()
        self._text.set_lines(1 if low else _LINES)
        self.setFixedHeight(max(line, _LINK_HEIGHT) if low else _LINES * line)

    def text(self) -> str:
        """The sentence."""
        return self._text.full_text()

    def link(self) -> str:
        """The words of the link; empty if there is none."""
        return self._link.text()

    def show_advice(self, severity: str, text: str, link: str = "", *shorter: str) -> None:
        """Shows a sentence.

        Args:
            severity: "error", "warning", "success" or "info".
            text: The sentence, shown literally.
            link: The words of the link; without them there is none.
            *shorter: Fewer words for the same, from the longest, where the sentence has no room.
        """
        if severity != self._severity:
            self._severity = severity
            self._mark.set_severity(severity)
        self._text.set_text(text, *shorter)
        if link != self._link.text():
            self._link.setText(link)
        if self._link.isHidden() == bool(link):
            self._link.setVisible(bool(link))
        self._link.setAccessibleDescription(text)
