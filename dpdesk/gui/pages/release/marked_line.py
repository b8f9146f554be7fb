"""A sentence with the sign of its severity before it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from dpdesk.gui.theme import ThemeSwitch
from dpdesk.gui.widgets.plain_text import PlainLabel
from dpdesk.gui.widgets.severity_mark import SeverityMark


class MarkedLine(QWidget):
    """A sign and a sentence that breaks into lines; hidden while there is no sentence.

    Args:
        theme: The switch that the sign follows.
        severity: "info", "success", "warning" or "error".
        tone: Style of the text, see `PlainLabel`.
        parent: Qt's owner.
    """

    def __init__(
        self,
        theme: ThemeSwitch,
        severity: str,
        *,
        tone: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._mark = SeverityMark(theme, severity, size=16, parent=self)
        self._sentence = PlainLabel("", tone, wrap=True, parent=self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self._mark, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._sentence, 1)
        self.hide()

    def sentence(self) -> str:
        """The sentence that is shown; empty while there is none."""
        return self._sentence.text()

    def show_sentence(self, sentence: str, severity: str = "") -> None:
        """Shows a sentence, or hides for an empty one.

        Args:
            sentence: What is said, shown literally.
            severity: Another sign from now on; the one before if empty.
        """
        if severity:
            self._mark.set_severity(severity)
        self._sentence.setText(sentence)
        self.setAccessibleName(f"{self._mark.accessibleName()}: {sentence}")
        self.setVisible(bool(sentence))
