"""The one style sheet: a template filled with the tokens of a theme and sizes of the base font."""

from __future__ import annotations

import re

from dpdesk.gui.theme.tokens import Theme
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
