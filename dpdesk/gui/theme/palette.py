"""A theme as a `QPalette`, for everything that the Fusion style draws."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette

from dpdesk.gui.theme.tokens import Theme

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
