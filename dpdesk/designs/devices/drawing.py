"""Pictures of devices: for each event its outcomes as tiles, and what is done then.

A picture is flat SVG, whose classes the style sheet of a page colours; letters and signs of cards
are drawn, since no font of a printer need have them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import cos, pi, sin

from dpdesk.designs.devices.texts import T
from dpdesk.i18n import joined

WIDTH = 600
"""Width of a picture, in its own units."""
_SIZE, _GAP, _WIDE_GAP, _ROW = 26, 4, 16, 40
MOST_TILES = 8
"""More outcomes than these are drawn as the first ones, dots, and the last one."""
_ARROW = 40
_LETTER = 7
"""Width of a letter, with room for wide ones."""
_WIDEST = 300
"""Most units of the tiles of one event."""
_PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (2, 0), (0, 2), (2, 2)),
    5: ((0, 0), (2, 0), (1, 1), (0, 2), (2, 2)),
    6: ((0, 0), (2, 0), (0, 1), (2, 1), (0, 2), (2, 2)),
}
SUITS = {
    "hearts": "M13 21 C3 13 6 5 10 6 C12 6 13 8 13 9 C13 8 14 6 16 6 C20 5 23 13 13 21 Z",
    "diamonds": "M13 5 L20 13 L13 21 L6 13 Z",
    "clubs": "M12 22 L14 22 L13.6 16 C17 18 21 15 19 12 C18 10 16 10 15 11 C17 8 15 5 13 5 "
    "C11 5 9 8 11 11 C10 10 8 10 7 12 C5 15 9 18 12.4 16 Z",
    "spades": "M12 22 L14 22 L13.6 17 C17 19 20 16 19 13 C18 10 14 8 13 5 C12 8 8 10 7 13 "
    "C6 16 9 19 12.4 17 Z",
}
"""The signs of cards, in a square of 26 units."""


@dataclass(frozen=True, slots=True)
class Tile:
    """The picture of one elementary outcome.

    Attributes:
        shapes: Markup in a box that is 26 units high, from its left edge at 0.
        width: Its width in units.
        apart: Whether it holds several things, and so stands apart from the next one.
    """

    shapes: str
    width: float = _SIZE
    apart: bool = False


def _element(tag: str, inner: str = "", **attributes: str | float) -> str:
    # Imported late: an estimate from counts draws nothing.
    from dpdesk.svg import element

    return element(tag, inner, **attributes)


def die_tile(pips: int) -> Tile:
    """Returns a side of a die."""
    return Tile(_side(pips, 0, "thing"))


def dice_tile(red: int, white: int) -> Tile:
    """Returns a side of a red die, and one of a white die beside it."""
    return Tile(
        _side(red, 0, "bead-red") + _side(white, _SIZE + 1, "thing"), 2 * _SIZE + 1, apart=True
    )


def _side(pips: int, left: float, tone: str) -> str:
    dots = "".join(
        _element("circle", class_="ink", cx=left + 6.5 + 6.5 * x, cy=6.5 + 6.5 * y, r=2.2)
        for x, y in _PIPS[pips]
    )
    return _element("rect", class_=tone, x=left + 1, y=1, width=24, height=24, rx=4) + dots


def coins_tile(sides: str) -> Tile:
    """Returns coins side by side, such as "HT"."""
    step = _SIZE + 1
    coins = "".join(
        _element("circle", class_="thing", cx=13 + step * k, cy=13, r=12)
        + _letters(side, 13 + step * k)
        for k, side in enumerate(sides)
    )
    return Tile(coins, step * len(sides), apart=len(sides) > 1)


def text_tile(text: str) -> Tile:
    """Returns a card with a number or a word on it."""
    width = max(_SIZE, 9 + 7.5 * len(text))
    return Tile(_card(width - 2) + _letters(text, width / 2), width)


def _card(width: float = 24) -> str:
    return _element("rect", class_="thing", x=1, y=1, width=width, height=24, rx=3)


def suit_tile(suit: str) -> Tile:
    """Returns a card of a suit."""
    tone = "red" if suit in ("hearts", "diamonds") else "ink"
    return Tile(_card() + _element("path", class_=tone, d=SUITS[suit]))


def beads_tile(count: int, colour: str) -> Tile:
    """Returns beads of a colour, of which one is drawn, and their number."""
    words = f"{count} {colour}"
    bead = _element("circle", class_=f"bead-{colour}", cx=13, cy=13, r=9)
    return Tile(bead + _letters(words, 32, "start"), _SIZE + 9 + 8 * len(words))


def spinner_tile(filled: Sequence[int], parts: int, words: str) -> Tile:
    """Returns a disc with some of its parts filled, and their numbers beside it.

    Args:
        filled: The numbers of the filled parts, from 0; the first one begins at the top.
        parts: How many there are.
        words: The numbers on the filled parts.
    """
    angles = [2 * pi * k / parts - pi / 2 for k in range(parts + 1)]
    at = [(13 + 12 * cos(angle), 13 + 12 * sin(angle)) for angle in angles]
    ends = [f"{x:.2f} {y:.2f}" for x, y in at]
    wedges = "".join(
        _element("path", class_="part", d=f"M13 13 L{ends[k]} A12 12 0 0 1 {ends[k + 1]} Z")
        for k in filled
    )
    lines = "".join(
        _element("path", class_="thing", fill_opacity=0, d=f"M13 13 L{end}") for end in ends[1:]
    )
    disc = _element("circle", class_="thing", cx=13, cy=13, r=12)
    width = _SIZE + 9 + 8 * len(words)
    return Tile(disc + wedges + lines + _letters(words, 32, "start"), width)


def _letters(text: str, x: float, anchor: str = "middle") -> str:
    return _element("text", escape(text), class_="said", x=x, y=17.5, text_anchor=anchor)


@dataclass(frozen=True, slots=True)
class Sketch:
    """A rule that no device decides, as a picture.

    Attributes:
        rows: What is so, each in a word or two, and what is done then.
    """

    rows: tuple[tuple[tuple[str, ...], str], ...]

    def markup(self, *, paper: bool = False) -> str:
        """Returns the picture as SVG, or for printers as an image with its own colours."""
        rows = [([text_tile(text) for text in texts], label) for texts, label in self.rows]
        return picture(rows, [joined(texts) for texts, _ in self.rows], paper=paper)


def picture(
    rows: Sequence[tuple[Sequence[Tile], str]], events: Sequence[str], *, paper: bool = False
) -> str:
    """Returns the picture of a rule: for each event its tiles, an arrow and what is done.

    Args:
        rows: The tiles and the label of each event.
        events: The events in words, for those who do not see the picture.
        paper: Whether colours are set in the picture itself, as an image in a page for printers
            whose style rules do not reach it; else by the style sheet of the page.
    """
    from dpdesk.svg import framed, one_line

    rules = [f"{event}: {label}" for event, (_, label) in zip(events, rows, strict=True)]
    height = _ROW * len(rows)
    shown = [_fitting(tiles) for tiles, _ in rows]
    label_at = max(map(_width, shown)) + _ARROW
    room = int((WIDTH - label_at) / _LETTER)
    shapes = "".join(
        _row(tiles, one_line(label, room), label_at, _ROW * number + 7)
        for number, (tiles, (_, label)) in enumerate(zip(shown, rows, strict=True))
    )
    return framed(shapes, T.PICTURE(rules="; ".join(rules)), WIDTH, height, paper=paper)


def _fitting(tiles: Sequence[Tile]) -> list[Tile]:
    """The tiles, or the first one, dots and the last one if there is no room for all."""
    return list(tiles) if _width(tiles) <= _WIDEST else [tiles[0], DOTS, tiles[-1]]


def _width(tiles: Sequence[Tile]) -> float:
    return sum(tile.width + _gap_after(tile) for tile in tiles)


def _gap_after(tile: Tile) -> float:
    """Several coins or dice that are one outcome stand apart from those of the next one."""
    return _WIDE_GAP if tile.apart else _GAP


def _row(tiles: Sequence[Tile], label: str, label_at: float, top: float) -> str:
    place, parts = 2.0, []
    for tile in tiles:
        parts.append(_moved(tile.shapes, place, top))
        place += tile.width + _gap_after(tile)
    arrow = f"M{label_at - _ARROW + 8:g} {top + 13:g} h22 m-6 -5 l6 5 l-6 5"
    parts.append(_element("path", class_="thing", fill_opacity=0, d=arrow))
    parts.append(_moved(_letters(label, label_at, "start"), 0, top))
    return "".join(parts)


DOTS = Tile('<text class="said" x="13" y="17.5" text-anchor="middle">…</text>')
"""Outcomes that are left out."""


def _moved(shapes: str, x: float, y: float) -> str:
    move = f'transform="translate({x:g} {y:g})"'
    for tag in ("circle", "rect", "path", "text"):
        shapes = shapes.replace(f"<{tag} ", f"<{tag} {move} ")
    return shapes
