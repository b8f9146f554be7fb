"""One line about the attribute: what is wrong with it, or how its mechanism compares."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.gui.widgets.steady import SteadyLines


class AdviceLine(QWidget):
    """A sign, a sentence and a link.

    Attributes:
        linkClicked: The link was clicked.
    """

    linkClicked = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = SeverityMark(size=16, parent=self)
        self._severity = ""
        self._text = PlainLabel("", "caption", wrap=True)
        self._lines = SteadyLines(self._text, parent=self)
        self._link = QPushButton(self)
        self._link.setProperty("look", "link")
        self._link.setCursor(Qt.CursorShape.PointingHandCursor)
        self._link.clicked.connect(self.linkClicked)
        lay_row(self._mark, (self._lines, 1), self._link, spacing=7, on=self)

    def text(self) -> str:
        """The sentence."""
        return self._text.text()

    def link(self) -> str:
        """The words of the link; empty if there is none."""
        return self._link.text()

    def show_advice(self, severity: str, text: str, link: str = "") -> None:
        """Shows a sentence.

        Args:
            severity: "error", "warning", "success" or "info".
            text: The sentence, shown literally.
            link: The words of the link; without them there is none.
        """
        if severity != self._severity:
            self._severity = severity
            self._mark.set_severity(severity)
        self._lines.set_text(text)
        if link != self._link.text():
            self._link.setText(link)
        if self._link.isHidden() == bool(link):
            self._link.setVisible(bool(link))
        self._link.setAccessibleDescription(text)
