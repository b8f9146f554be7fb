"""The sign of a severity, alone or before a sentence: a shape, a colour and a word."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget

from dpdesk.gui.icons import IconRole, icon
from dpdesk.gui.theme import Theme, ThemeSwitch, theme_in_force
from dpdesk.gui.widgets.boxes import lay_row
from dpdesk.gui.widgets.plain_text import PlainLabel

_SIGNS: dict[str, tuple[str, IconRole]] = {
    "info": ("information", "accent"),
    "success": ("check-circle", "success"),
    "warning": ("alert", "warning"),
    "error": ("alert-circle", "danger"),
}


class SeverityMark(QLabel):
    """An icon for "info", "success", "warning" or "error".

    Args:
        severity: What is shown first.
        size: Edge of the icon in pixels.
    """

    def __init__(
        self, severity: str = "info", *, size: int = 18, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._severity = severity
        self._edge = size
        self.setFixedSize(size, size)
        self.set_severity(severity)
        ThemeSwitch.instance().themeChanged.connect(self._draw)

    def set_severity(self, severity: str) -> None:
        """Shows the sign of another severity; an unknown one counts as "info"."""
        self._severity = severity if severity in _SIGNS else "info"
        words = {
            "info": self.tr("Note"),
            "success": self.tr("Done"),
            "warning": self.tr("Warning"),
            "error": self.tr("Error"),
        }
        self.setAccessibleName(words[self._severity])
        self._draw(theme_in_force())

    def _draw(self, theme: Theme) -> None:
        name, role = _SIGNS[self._severity]
        drawn = icon(name, theme, role)
        self.setPixmap(drawn.pixmap(QSize(self._edge, self._edge), self.devicePixelRatioF()))


class MarkedLine(QWidget):
    """A sign and a sentence that breaks into lines; hidden while there is no sentence.

    Args:
        severity: "info", "success", "warning" or "error".
        tone: Style of the text, see `PlainLabel`.
    """

    def __init__(self, severity: str, *, tone: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._mark = SeverityMark(severity, size=16, parent=self)
        self._sentence = PlainLabel("", tone, wrap=True, parent=self)
        lay_row((self._mark, 0, Qt.AlignmentFlag.AlignTop), (self._sentence, 1), spacing=8, on=self)
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
