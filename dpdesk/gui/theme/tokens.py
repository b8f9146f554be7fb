"""The colours of a theme by what they are used for, read from `resources/themes/*.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields
from functools import cache

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


def contrast(first: str, second: str) -> float:
    """The contrast ratio of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio")."""
    lighter, darker = sorted((_luminance(first), _luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    """Relative luminance of "#rrggbb" (WCAG 2.2, "relative luminance")."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (
        channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
        for channel in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
