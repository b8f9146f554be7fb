"""Drawings of pages: what frames their shapes, and the colours that they have on paper."""

from __future__ import annotations

import base64
import re
import tomllib
from functools import cache
from html import escape

from dpdesk.resources import resource

_DATA = "data:image/svg+xml;base64,"


@cache
def paper_colours() -> dict[str, str]:
    """Returns the colours of the light theme by the names of their use; paper is white."""
    content = tomllib.loads(resource("themes/light.toml").read_text(encoding="utf-8"))
    return {token: content["colours"][colour] for token, colour in content["tokens"].items()}


@cache
def drawing_style() -> str:
    """Returns the rules of the style sheet for drawings, with the colours of paper put in."""
    style = resource("report/report.css").read_text(encoding="utf-8")
    rules = [line.removeprefix("svg ") for line in style.splitlines() if line.startswith("svg ")]
    colours = paper_colours()
    return re.sub(
        r"var\(--([a-z0-9-]+)\)", lambda found: colours[found[1].replace("-", "_")], " ".join(rules)
    )


def framed(
    shapes: str, told: str, width: float, height: float, *, paper: bool, letters: str = ""
) -> str:
    """Returns shapes as a drawing of a page.

    Args:
        shapes: The shapes in SVG, with the classes of the style sheet.
        told: What is seen, in words, for those who do not see it.
        width: Its width in pixels.
        height: Its height in pixels.
        paper: Whether colours are set in the drawing itself, as an image for a printer whose reader
            knows no classes.
        letters: The size of letters on paper, such as "11px"; "" where each text has its own.
    """
    size = f'width="{width:g}" height="{height:g}"'
    box, words = f'viewBox="0 0 {width:g} {height:g}" {size}', escape(printable(told))
    if not paper:
        return f'<svg {box} role="img" aria-label="{words}">{shapes}</svg>'
    font = 'font-family="Inter, sans-serif"' + (f' font-size="{letters}"' if letters else "")
    whole = f'<svg {box} xmlns="http://www.w3.org/2000/svg" {font}>{_coloured(shapes)}</svg>'
    data = base64.b64encode(whole.encode()).decode()
    return f'<img {size} src="{_DATA}{data}" alt="{words}">'


def element(tag: str, inner: str = "", **attributes: str | float) -> str:
    """Returns an element of SVG.

    Args:
        tag: Its name.
        inner: What it holds, as markup.
        attributes: By name, with "_" for "-" and `class_` for the class; empty ones are left out.
    """
    shown = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{_attribute(value)}"'
        for name, value in attributes.items()
        if value != ""
    )
    return f"<{tag}{shown}>{inner}</{tag}>" if inner else f"<{tag}{shown} />"


def _attribute(value: str | float) -> str:
    return value if isinstance(value, str) else f"{round(value, 1):g}"


def one_line(text: str, room: int) -> str:
    """Returns a text on one line of so many letters."""
    shown = printable(text)
    return shown if len(shown) <= room else f"{shown[: room - 1]}…"


def printable(text: str) -> str:
    """Returns a text without control characters, which no page may hold."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


def _coloured(shapes: str) -> str:
    """The shapes with their colours in themselves: the reader of Qt knows no classes."""
    for name, rule in re.findall(r"\.([a-z-]+) \{ ([^}]*) \}", drawing_style()):
        shapes = shapes.replace(f'class="{name}"', f'style="{rule}"')
    return shapes
