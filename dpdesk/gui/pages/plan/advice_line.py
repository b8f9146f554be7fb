"""One line about the attribute: what is wrong with it, or how its mechanism compares."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent, QTextLayout
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.severity_mark import SeverityMark
from dpdesk.gui.widgets.steady import Steady

_LINES = 2


class TwoLineLabel(PlainLabel):
    """A caption of at most two lines; what it has no room for is in its tooltip."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__("", "caption", wrap=True, parent=parent)
        self._full = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def full_text(self) -> str:
        """The text without elision."""
        return self._full

    def set_text(self, text: str) -> None:
        """Shows another text, as much of it as there is room for."""
        if text != self._full:
            self._full = text
            self.setAccessibleName(text)
            self.setToolTip(plain_tooltip(text))
            self._fit()

    def heightForWidth(self, width: int) -> int:
        """The height of one line or two; that of the whole text, whatever is cut off it now."""
        lines = min(len(_line_starts(self._full, self.font(), width)), _LINES)
        return max(lines, 1) * self.fontMetrics().height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cuts the text anew."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shown = two_lines(self._full, self.font(), self.width())
        if shown != self.text():
            self.setText(shown)


class AdviceLine(QWidget):
    """A sign, a sentence of at most two lines, and a link; its height never changes.

    The plot below must not jump while a slider is dragged across the border of a warning.

    Args:
        parent: Qt's owner.

    Attributes:
        linkClicked: The link was clicked.
    """

    linkClicked = Signal()

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = SeverityMark(size=16, parent=self)
        self._severity = ""
        self._text = TwoLineLabel(parent=self)
        self._link = QPushButton(self)
        self._link.setProperty("look", "link")
        self._link.setCursor(Qt.CursorShape.PointingHandCursor)
        self._link.clicked.connect(self.linkClicked)
        lay_row(
            self._mark, (Steady(self._text, "", parent=self), 1), self._link, spacing=7, on=self
        )
        self._text.ensurePolished()
        self.setFixedHeight(_LINES * self._text.fontMetrics().height())

    def text(self) -> str:
        """The sentence."""
        return self._text.full_text()

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
        self._text.set_text(text)
        if link != self._link.text():
            self._link.setText(link)
        if self._link.isHidden() == bool(link):
            self._link.setVisible(bool(link))
        self._link.setAccessibleDescription(text)


def two_lines(text: str, font: QFont, width: int) -> str:
    """Returns as much of a text as two lines hold, with "…" where that is not all."""
    starts = _line_starts(text, font, width)
    if len(starts) <= _LINES:
        return text
    last = text[starts[_LINES - 1] :]
    cut = QFontMetrics(font).elidedText(last, Qt.TextElideMode.ElideRight, width - 4)
    return text[: starts[_LINES - 1]] + cut


def _line_starts(text: str, font: QFont, width: int) -> list[int]:
    layout = QTextLayout(text, font)
    layout.beginLayout()
    starts = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(max(width, 1))
        starts.append(line.textStart())
    layout.endLayout()
    return starts
