"""The switch between light and dark, which follows the system where it is asked to."""

from __future__ import annotations

from typing import Literal, cast, get_args

from PySide6.QtCore import QObject, Qt, Signal, Slot
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from dpdesk.gui.theme.palette import palette_of
from dpdesk.gui.theme.stylesheet import stylesheet_of
from dpdesk.gui.theme.tokens import Theme, load_theme

ThemeChoice = Literal["system", "light", "dark"]

_BASE_POINTS = 10.0


class ThemeSwitch(QObject):
    """Holds the theme in force and dresses the application in it.

    Args:
        app: The application that is dressed.
        choice: "light", "dark", or "system" to follow the system's colour scheme.
        parent: Qt's owner.

    Attributes:
        themeChanged: Emitted with the new `Theme` after palette and style sheet were set.
    """

    themeChanged = Signal(object)

    def __init__(
        self, app: QApplication, choice: ThemeChoice = "system", parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._app = app
        self._choice: ThemeChoice = choice
        app.setStyle("Fusion")
        app.setFont(_base_font(app.font()))
        self._theme = self._wanted()
        self._dress()
        app.styleHints().colorSchemeChanged.connect(self._refresh)

    @property
    def theme(self) -> Theme:
        """The theme in force."""
        return self._theme

    @property
    def choice(self) -> ThemeChoice:
        """What was chosen: a theme, or to follow the system."""
        return self._choice

    def set_choice(self, choice: ThemeChoice) -> None:
        """Chooses a theme; everything is coloured anew if it differs from the one in force."""
        self._choice = choice
        self._refresh()

    @Slot()
    def _refresh(self) -> None:
        wanted = self._wanted()
        if wanted != self._theme:
            self._theme = wanted
            self._dress()
            self.themeChanged.emit(wanted)

    def _wanted(self) -> Theme:
        if self._choice == "system":
            scheme = self._app.styleHints().colorScheme()
            return load_theme("dark" if scheme == Qt.ColorScheme.Dark else "light")
        return load_theme(self._choice)

    def _dress(self) -> None:
        self._app.setPalette(palette_of(self._theme))
        self._app.setStyleSheet(stylesheet_of(self._theme, self._app.font().pointSizeF()))


def theme_choice(text: str) -> ThemeChoice:
    """A stored choice, or "system" for anything else."""
    return cast(ThemeChoice, text) if text in get_args(ThemeChoice) else "system"


def _base_font(system: QFont) -> QFont:
    """The system's font at no less than the size that the layout is drawn for."""
    font = QFont(system)
    font.setPointSizeF(max(system.pointSizeF(), _BASE_POINTS))
    return font
