"""One line about the attribute: what is wrong with it, or how its mechanism compares."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.plain_text import PlainLabel, plain_tooltip
from dpdesk.gui.widgets.severity_mark import SeverityMark

_LINES = 2


class AdviceLine(QWidget):
    """A sign, a sentence of at most two lines, and a link; its height never changes.

    The plot below must not jump while a slider is dragged across the border of a warning.

    Args:
        theme: The switch that the sign follows.
        parent: Qt's owner.

    Attributes:
        linkClicked: The link was clicked.
    """

    linkClicked = Signal()

    def __init__(self, theme: ThemeSwitch, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = SeverityMark(theme, size=16, parent=self)
        self._text = PlainLabel("", "caption", wrap=True, parent=self)
        self._text.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._link = QPushButton(self)
        self._link.setProperty("look", "link")
        self._link.setCursor(Qt.CursorShape.PointingHandCursor)
        self._link.clicked.connect(self.linkClicked)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        row.addWidget(self._mark)
        row.addWidget(self._text, 1)
        row.addWidget(self._link)
        self._text.ensurePolished()
        self.setFixedHeight(_LINES * self._text.fontMetrics().height())

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
        self._mark.set_severity(severity)
        if text != self._text.text():
            self._text.setText(text)
            self._text.setToolTip(plain_tooltip(text))
        if link != self._link.text():
            self._link.setText(link)
        self._link.setVisible(bool(link))
        self._link.setAccessibleDescription(text)
