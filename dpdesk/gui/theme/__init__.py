"""Two palettes of our own, and the switch between them.

Qt's own colour scheme cannot be set on every platform, so that the system's choice is an input
here and never the source of a colour.
"""

from dpdesk.gui.theme.switch import ThemeChoice, ThemeSwitch, theme_in_force
from dpdesk.gui.theme.tokens import SERIES_COUNT, Theme, contrast, load_theme

__all__ = [
    "SERIES_COUNT",
    "Theme",
    "ThemeChoice",
    "ThemeSwitch",
    "contrast",
    "load_theme",
    "theme_in_force",
]
