"""The switch between light and dark, which follows the system where it is asked to."""

from __future__ import annotations

import re
from typing import ClassVar, Literal, cast, get_args

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from dpdesk.gui.theme.tokens import Theme, load_theme
from dpdesk.resources import resource

# Multiples of the base size, measured from the pictures of the design: 11, 14 and 20 px beside 13.
_SIZES = {
    "caption_size": 0.85,
    "heading_size": 1.06,
    "title_size": 1.5,
    "figure_size": 1.5,
    # What is played to a room is read from two metres.
    "stage_size": 2.0,
}

# Qt draws no check mark and no arrow of its own in a control whose border a style sheet sets.
_MARKS = {"check": "check", "arrow_down": "chevron-down", "arrow_up": "chevron-up"}

_TOKEN = re.compile(r"@(\w+)@")


def stylesheet_of(theme: Theme, base_points: float) -> str:
    """The style sheet of a theme.

    Args:
        theme: Where the colours come from.
        base_points: Size of the base font in points; the other sizes follow from it.

    Raises:
        KeyError: The template names a token that the theme does not have.
    """

    def value(match: re.Match[str]) -> str:
        name = match.group(1)
        if name in _MARKS:
            return resource(f"themes/marks/{_MARKS[name]}-{theme.name}.png").as_posix()
        if name in _SIZES:
            return f"{base_points * _SIZES[name]:.2f}pt"
        return theme.colour(name)

    template = resource("themes/style.qss").read_text(encoding="utf-8")
    return _TOKEN.sub(value, template)


_ROLES: dict[QPalette.ColorRole, str] = {
    QPalette.ColorRole.Window: "background",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.AlternateBase: "hover",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.BrightText: "danger",
    QPalette.ColorRole.Highlight: "selection",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.ToolTipBase: "surface",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Light: "surface",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "hairline",
    QPalette.ColorRole.Dark: "field_border",
    QPalette.ColorRole.Shadow: "field_border",
}

_TEXT_ROLES = (
    QPalette.ColorRole.WindowText,
    QPalette.ColorRole.Text,
    QPalette.ColorRole.ButtonText,
    QPalette.ColorRole.HighlightedText,
)


def palette_of(theme: Theme) -> QPalette:
    """The palette of a theme, with its disabled group."""
    palette = QPalette()
    for role, token in _ROLES.items():
        palette.setColor(role, QColor(theme.colour(token)))
    for role in _TEXT_ROLES:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.disabled))
    return palette


ThemeChoice = Literal["system", "light", "dark"]

_BASE_POINTS = 10.0


class ThemeSwitch(QObject):
    """Holds the theme in force and dresses the application in it.

    An application has one; the last one made is the one in force.

    Args:
        app: The application that is dressed, and the owner.
        choice: "light", "dark", or "system" to follow the system's colour scheme.

    Attributes:
        themeChanged: Emitted with the new `Theme` after palette and style sheet were set.
    """

    themeChanged = Signal(object)

    _in_force: ClassVar[ThemeSwitch | None] = None

    def __init__(self, app: QApplication, choice: ThemeChoice = "system") -> None:
        super().__init__(app)
        self._app = app
        self._choice: ThemeChoice = choice
        app.setStyle("Fusion")
        app.setFont(_base_font(app.font()))
        self._theme = self._wanted()
        self._dress()
        app.styleHints().colorSchemeChanged.connect(self._refresh)
        ThemeSwitch._in_force = self

    @staticmethod
    def instance() -> ThemeSwitch:
        """The application's switch.

        Raises:
            RuntimeError: None was made yet.
        """
        if ThemeSwitch._in_force is None:
            raise RuntimeError("make the ThemeSwitch before the first widget")
        return ThemeSwitch._in_force

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
        # Qt takes five times as long to put one sheet in the place of another than in that of none.
        self._app.setStyleSheet("")
        self._app.setPalette(palette_of(self._theme))
        self._app.setStyleSheet(stylesheet_of(self._theme, self._app.font().pointSizeF()))
        # In between everything wanted other sizes.
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


def theme_in_force() -> Theme:
    """The theme that the application is dressed in."""
    return ThemeSwitch.instance().theme


def theme_choice(text: str) -> ThemeChoice:
    """A stored choice, or "system" for anything else."""
    return cast(ThemeChoice, text) if text in get_args(ThemeChoice) else "system"


def _base_font(system: QFont) -> QFont:
    """The system's font at no less than the size that the layout is drawn for."""
    font = QFont(system)
    font.setPointSizeF(max(system.pointSizeF(), _BASE_POINTS))
    return font
