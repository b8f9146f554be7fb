"""The sign of a severity: a shape, a colour and a word, never the colour alone."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QWidget

from dpdesk.gui.icons import IconRole, icon
from dpdesk.gui.theme import Theme, ThemeSwitch

_SIGNS: dict[str, tuple[str, IconRole]] = {
    "info": ("information", "accent"),
    "success": ("check-circle", "success"),
    "warning": ("alert", "warning"),
    "error": ("alert-circle", "danger"),
}


class SeverityMark(QLabel):
    """An icon for "info", "success", "warning" or "error".

    Args:
        theme: The switch that the icon follows.
        severity: What is shown first.
        size: Edge of the icon in pixels.
        parent: Qt's owner.
    """

    def __init__(
        self,
        theme: ThemeSwitch,
        severity: str = "info",
        *,
        size: int = 18,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._severity = severity
        self._edge = size
        self.setFixedSize(size, size)
        self.set_severity(severity)
        theme.themeChanged.connect(self._draw)

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
        self._draw(self._theme.theme)

    def _draw(self, theme: Theme) -> None:
        name, role = _SIGNS[self._severity]
        drawn = icon(name, theme, role)
        self.setPixmap(drawn.pixmap(QSize(self._edge, self._edge), self.devicePixelRatioF()))
