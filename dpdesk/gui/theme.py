"""The colours of the window: two palettes of our own, and the switch between them.

The colours of a theme are named by their use and read from `resources/themes/*.toml`. Qt's own
colour scheme cannot be set on every platform, so that the system's choice is an input here and
never the source of a colour.
"""

from __future__ import annotations

import gc
import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cache
from typing import ClassVar, Literal, cast, get_args

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFont, QIcon, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from dpdesk.resources import resource

SERIES_COUNT = 8
"""How many series can be told apart; the ninth takes the first colour again."""


@dataclass(frozen=True)
class Theme:
    """Every colour of the window, as "#rrggbb", under the name of its use."""

    name: str
    dark: bool
    background: str
    surface: str
    rail: str
    hover: str
    hairline: str
    field_border: str
    control_border: str
    track: str
    text: str
    muted: str
    disabled: str
    accent: str
    accent_hover: str
    accent_pressed: str
    accent_text: str
    selection: str
    danger: str
    danger_wash: str
    warning: str
    warning_wash: str
    success: str
    success_wash: str
    grid: str
    axis: str
    series_1: str
    series_2: str
    series_3: str
    series_4: str
    series_5: str
    series_6: str
    series_7: str
    series_8: str

    def colour(self, token: str) -> str:
        """The colour of a token, as "#rrggbb".

        Raises:
            KeyError: There is no such token.
        """
        if token not in token_names():
            raise KeyError(token)
        value: str = getattr(self, token)
        return value

    def series(self, index: int) -> str:
        """The colour of the series with this number, counted from 0 and taken modulo 8."""
        return self.colour(f"series_{index % SERIES_COUNT + 1}")


@cache
def token_names() -> tuple[str, ...]:
    """The names of all tokens, in the order of their declaration."""
    return tuple(field.name for field in fields(Theme) if field.name not in ("name", "dark"))


@cache
def load_theme(name: str) -> Theme:
    """Reads a theme.

    Args:
        name: "light" or "dark": the name of a file in `resources/themes`.

    Raises:
        FileNotFoundError: There is no such theme.
        ValueError: A token is missing, unknown, or names a colour that the file does not define.
    """
    content = tomllib.loads(resource(f"themes/{name}.toml").read_text(encoding="utf-8"))
    colours, tokens = content["colours"], content["tokens"]
    if set(tokens) != set(token_names()):
        odd = ", ".join(sorted(set(tokens) ^ set(token_names())))
        raise ValueError(f"The theme {name} does not define exactly the tokens of Theme: {odd}")
    unknown = sorted(set(tokens.values()) - set(colours))
    if unknown:
        raise ValueError(f"The theme {name} uses colours it does not define: {', '.join(unknown)}")
    return Theme(
        name=content["name"],
        dark=content["dark"],
        **{token: colours[colour] for token, colour in tokens.items()},
    )


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

TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)
"""The sizes that all text can have, in per cent of the system's."""

_BASE_POINTS = 10.0


class ThemeSwitch(QObject):
    """Holds the theme in force and dresses the application in it.

    An application has one; the last one made is the one in force.

    Args:
        app: The application that is dressed, and the owner.
        choice: "light", "dark", or "system" to follow the system's colour scheme.
        text_percent: The size of all text, one of `TEXT_SIZES`.

    Attributes:
        icons: The icons drawn so far: name, theme, role, gap.
        themeChanged: Emitted with the `Theme` after palette, style sheet and font were set anew.
    """

    themeChanged = Signal(object)

    _in_force: ClassVar[ThemeSwitch | None] = None

    def __init__(
        self, app: QApplication, choice: ThemeChoice = "system", text_percent: int = 100
    ) -> None:
        super().__init__(app)
        self._app = app
        self._choice: ThemeChoice = choice
        self._text_percent = text_percent
        self.icons: dict[tuple[str, str, str, float], QIcon] = {}
        with _nothing_collected():
            app.setStyle("Fusion")
            self._font = _base_font(app.font())
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

    @property
    def text_percent(self) -> int:
        """The size of all text, in per cent of the system's."""
        return self._text_percent

    def set_text_percent(self, percent: int) -> None:
        """Gives all text another size; everything is laid out anew.

        Args:
            percent: One of `TEXT_SIZES`.
        """
        if percent != self._text_percent:
            self._text_percent = percent
            self._dress()
            self.themeChanged.emit(self._theme)

    def step_text(self, step: int) -> int:
        """Gives all text the next size, or with -1 the one before; returns it in per cent."""
        here = TEXT_SIZES.index(self._text_percent) + step
        self.set_text_percent(TEXT_SIZES[min(max(here, 0), len(TEXT_SIZES) - 1)])
        return self._text_percent

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
        font = QFont(self._font)
        font.setPointSizeF(self._font.pointSizeF() * self._text_percent / 100)
        sheet = stylesheet_of(self._theme, font.pointSizeF())
        # Qt takes five times as long to put one sheet in the place of another than in that of none.
        with _nothing_collected():
            self._app.setStyleSheet("")
            if self._app.font() != font:
                self._app.setFont(font)
            self._app.setPalette(palette_of(self._theme))
            self._app.setStyleSheet(sheet)
        # In between everything wanted other sizes.
        QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Stops the garbage collector of all threads.

    Qt dresses the widgets of a list made beforehand and tells each, so that Python runs in between.
    A closed dialog that the collector deletes then is still on the list: the process would die.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def theme_in_force() -> Theme:
    """The theme that the application is dressed in."""
    return ThemeSwitch.instance().theme


def scaled(pixels: int, part: float = 1.0) -> int:
    """Pixels that hold text: as many more as the text is larger, or a part of them."""
    switch = ThemeSwitch._in_force
    growth = 0.0 if switch is None else switch.text_percent / 100 - 1
    return round(pixels * (1 + part * growth))


class ScaledWidth(QObject):
    """Keeps a widget wide enough for its text, also while the size of all text changes.

    Args:
        widget: The widget, which owns this.
        pixels: Its width at the usual size of text.
        least: Whether it may be wider.
        part: How much of the growth of the text it follows, from 0 to 1: what else is beside it
            needs room as well.
    """

    def __init__(
        self, widget: QWidget, pixels: int, *, least: bool = False, part: float = 1.0
    ) -> None:
        super().__init__(widget)
        self._pixels, self._part = pixels, part
        self._set = widget.setMinimumWidth if least else widget.setFixedWidth
        self._follow()
        if ThemeSwitch._in_force is not None:
            ThemeSwitch._in_force.themeChanged.connect(self._follow)

    @Slot()
    def _follow(self) -> None:
        self._set(scaled(self._pixels, self._part))


def theme_choice(text: str) -> ThemeChoice:
    """A stored choice, or "system" for anything else."""
    return cast(ThemeChoice, text) if text in get_args(ThemeChoice) else "system"


def _base_font(system: QFont) -> QFont:
    """The system's font at no less than the size that the layout is drawn for."""
    font = QFont(system)
    font.setPointSizeF(max(system.pointSizeF(), _BASE_POINTS))
    return font
