"""Pictures of demonstrations as flat SVG, whose classes the style sheet of a page colours."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import singledispatch
from html import escape
from itertools import accumulate, pairwise
from math import ceil, sqrt
from textwrap import wrap
from typing import NamedTuple

from dpdesk.demonstrations.picture import (
    Axis,
    Bar,
    Bars,
    Curve,
    Curves,
    Mark,
    People,
    Picture,
    Role,
    Table,
)
from dpdesk.demonstrations.texts import T
from dpdesk.svg import element, framed, one_line, printable

WIDTH = 640
"""Width of the pictures of a step, in their own units."""
_HEIGHT, _GAP, _LINE, _ROW, _BAR = 82, 26, 12, 11, 14
_LETTER = 5.9
"""Width of a letter of 11 units, with room for wide ones."""
_WIDER = 6.4
"""The same of the texts in tables and beside bars, which are larger."""
_ACROSS, _UPWARDS = 60, 18
"""The least room of a tick along an axis, below it and beside it."""
_MOST_TICKS = 7
_MOST_ROWS = 14


class _Box(NamedTuple):
    left: float
    top: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height


def markup(pictures: Sequence[Picture], told: str, *, paper: bool = False) -> str:
    """Returns pictures side by side as one SVG.

    Args:
        pictures: The pictures of a scene.
        told: What is seen, in words, for those who do not see it.
        paper: Whether colours are set in the picture itself, as an image for a printer whose reader
            knows no classes.
    """
    weights = [_weight_of(picture) for picture in pictures]
    unit = (WIDTH - _GAP * (len(pictures) - 1)) / sum(weights)
    widths = [unit * weight for weight in weights]
    captions = [
        _lines(picture.caption, width) for picture, width in zip(pictures, widths, strict=True)
    ]
    drawn_high = max(map(_height_of, pictures, widths))
    height = drawn_high + _LINE * max(map(len, captions))
    shapes, left = [], 0.0
    for picture, width, caption in zip(pictures, widths, captions, strict=True):
        shapes.append(_shapes(picture, _Box(left, 2, width, drawn_high - 4)))
        shapes += [
            _text(line, left, drawn_high + _LINE * place - 2)
            for place, line in enumerate(caption, 1)
        ]
        left += width + _GAP
    return framed("".join(shapes), told, WIDTH, height, paper=paper, letters="11px")


@singledispatch
def _height_of(picture: object, width: float) -> float:
    return _HEIGHT


@_height_of.register
def _(picture: Table, width: float) -> float:
    _, rows = _broken(picture, width)
    return sum(_ROW * max(map(len, row)) for row in rows) + 4 * len(rows) + 8


@_height_of.register
def _(picture: Bars, width: float) -> float:
    return _BAR * len(picture.bars) + 2 * _LINE + 6


@_height_of.register
def _(picture: Curves, width: float) -> float:
    return _HEIGHT + _LINE * len(_legend(picture))


@singledispatch
def _weight_of(picture: object) -> float:
    """How wide a picture is beside another one."""
    return 1.0


@_weight_of.register
def _(picture: Table) -> float:
    # Texts need more room than a drawing.
    return 1.7


@singledispatch
def _shapes(picture: object, box: _Box) -> str:
    raise TypeError(type(picture).__name__)


@_shapes.register
def _(picture: People, box: _Box) -> str:
    number = len(picture.answers)
    columns = max(1, ceil(sqrt(number * box.width / box.height)))
    step = min(box.width / columns, box.height / ceil(number / columns), 24)
    circled = set(picture.circled)

    def dot(place: int, answer: bool) -> str:
        x = box.left + (place % columns + 0.5) * step
        y = box.top + (place // columns + 0.5) * step
        ring = ""
        if place in circled:
            ring = element("circle", class_="truth-line", cx=x, cy=y, r=0.48 * step)
        name = "dot-yes" if answer else "dot-no"
        return element("circle", class_=name, cx=x, cy=y, r=0.38 * step) + ring

    return "".join(dot(place, answer) for place, answer in enumerate(picture.answers))


@_shapes.register
def _(picture: Curves, box: _Box) -> str:
    rows = len(_legend(picture))
    left = box.left + (44 if picture.y is not None else 2)
    area = _Box(
        left, box.top + _LINE * rows + 4, box.right - left - 10, box.height - _LINE * (rows + 2) - 4
    )
    highest = max((y for curve in picture.curves for y in curve.y), default=1.0) or 1.0
    y_axis = picture.y or Axis("", 0, 1.05 * highest)
    parts = [_grid(picture.x, y_axis, area, box, has_heights=picture.y is not None)]
    parts += [_line(curve, picture.x, y_axis, area) for curve in picture.curves]
    parts += [_mark(mark, picture.x, area) for mark in picture.marks]
    entries = _legend(picture)
    for place, (name, role) in enumerate(entries):
        x, y = box.left, box.top + _LINE * place + 10
        parts.append(_path(f"{role}-line", f"M{x:.1f} {y - 4:.1f} h16"))
        parts.append(_text(_fitting(name, box.width - 22), x + 20, y))
    return "".join(parts)


def _legend(picture: Curves) -> list[tuple[str, Role]]:
    """Names and roles of curves and marks; those without a name belong to the one before."""
    entries = [(curve.name, curve.role) for curve in picture.curves]
    entries += [(mark.name, mark.role) for mark in picture.marks]
    return [entry for entry in entries if entry[0]]


def _grid(x_axis: Axis, y_axis: Axis, area: _Box, box: _Box, *, has_heights: bool) -> str:
    parts = []
    for tick, told in _ticks(x_axis, area.width, _ACROSS):
        x = _at(tick, x_axis, area.left, area.right)
        parts.append(_vertical("grid", x, area))
        parts.append(_tick(told, x, area.bottom + 12, box))
    if has_heights:
        for tick, told in _ticks(y_axis, area.height, _UPWARDS):
            y = _at(tick, y_axis, area.bottom, area.top)
            parts.append(_horizontal("grid", y, area))
            parts.append(_text(told, area.left - 4, y + 4, "end"))
    parts.append(_horizontal("zero", area.bottom, area))
    titles = x_axis.title
    if has_heights:
        titles = T.UPWARDS(across=titles, upwards=y_axis.title)
    parts.append(_text(_fitting(titles, area.width), area.right, area.bottom + 24, "end"))
    return "".join(parts)


def _line(curve: Curve, x_axis: Axis, y_axis: Axis, area: _Box) -> str:
    """A curve within its axes: points beyond the left and right ends are left out."""
    low, high = x_axis.least, x_axis.largest
    points = [
        (
            _at(x, x_axis, area.left, area.right),
            min(max(_at(y, y_axis, area.bottom, area.top), area.top), area.bottom),
        )
        for x, y in zip(curve.x, curve.y, strict=True)
        if low <= x <= high
    ]
    if len(points) == 1:
        ((x, y),) = points
        points = [(x - 3, y), (x + 3, y)]
    path = " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return _path(f"{curve.role}-line", f"M{path}") if points else ""


def _path(name: str, line: str) -> str:
    return element("path", class_=name, d=line)


def _vertical(name: str, x: float, area: _Box) -> str:
    return _path(name, f"M{x:.1f} {area.top:.1f} V{area.bottom:.1f}")


def _horizontal(name: str, y: float, area: _Box) -> str:
    return _path(name, f"M{area.left:.1f} {y:.1f} H{area.right:.1f}")


def _mark(mark: Mark, axis: Axis, area: _Box) -> str:
    if not axis.least <= mark.x <= axis.largest:
        return ""
    return _vertical(f"{mark.role}-line", _at(mark.x, axis, area.left, area.right), area)


@_shapes.register
def _(picture: Bars, box: _Box) -> str:
    names = min(max(len(bar.name) for bar in picture.bars) * _WIDER + 8, box.width * 0.42)
    texts = max(len(bar.text) for bar in picture.bars) * _WIDER + 6
    area = _Box(box.left + names, box.top, box.width - names - texts, box.height - 2 * _LINE)
    step = min(area.height / len(picture.bars), _BAR)
    parts = []
    for tick, told in _ticks(picture.axis, area.width, _ACROSS):
        x = _at(tick, picture.axis, area.left, area.right)
        parts.append(_vertical("grid", x, area))
        parts.append(_tick(told, x, area.bottom + 12, box))
    parts.append(_text(_fitting(picture.axis.title, box.width), box.right, area.bottom + 24, "end"))
    for place, bar in enumerate(picture.bars):
        middle = area.top + (place + 0.5) * step
        parts += _bar(bar, picture.axis, area, middle, step)
        parts.append(
            _text(_fitting(bar.name, names - 6, _WIDER), box.left, middle + 4, "start", "said")
        )
        parts.append(_text(bar.text, box.right, middle + 4, "end", "said"))
    return "".join(parts)


def _bar(bar: Bar, axis: Axis, area: _Box, middle: float, step: float) -> Iterator[str]:
    def at(value: float) -> float:
        return min(max(_at(value, axis, area.left, area.right), area.left), area.right)

    if bar.lower is not None and bar.upper is not None:
        line = f"M{at(bar.lower):.1f} {middle:.1f} H{at(bar.upper):.1f}"
        yield _path(f"{bar.role}-line", line)
        yield element("circle", class_=f"{bar.role}-bar", cx=at(bar.value), cy=middle, r=4)
        return
    start, end = sorted((at(max(axis.least, 0.0)), at(bar.value)))
    height = 0.62 * step
    box = _Box(start, middle - height / 2, max(end - start, 1), height)
    yield _rectangle(f"{bar.role}-bar", box)


def _rectangle(name: str, box: _Box) -> str:
    left, top, width, height = box
    return element("rect", class_=name, x=left, y=top, width=width, height=height, rx=2)


@_shapes.register
def _(picture: Table, box: _Box) -> str:
    ends, rows = _broken(picture, box.width)
    parts, top = [], box.top
    for number, row in enumerate(rows):
        high = _ROW * max(map(len, row))
        for column, lines in enumerate(row):
            start = box.left + ends[column]
            if (number - 1, column) in picture.marked:
                wide = ends[column + 1] - ends[column] - 2
                parts.append(_rectangle("marked", _Box(start - 3, top + 1, wide, high + 2)))
            name = "ink" if number else ""
            parts += [
                _text(line, start, top + _ROW * place, "start", name)
                for place, line in enumerate(lines, 1)
            ]
        top += high + 4
        if not number:
            parts.append(_horizontal("zero", top - 1, box))
    return "".join(parts)


def _broken(picture: Table, width: float) -> tuple[list[float], list[list[list[str]]]]:
    """Where the columns of a table begin, and its rows with each cell broken into lines."""
    rows = (picture.head, *picture.rows[:_MOST_ROWS])
    wanted = [max(len(text) for text in column) * _WIDER + 10 for column in zip(*rows, strict=True)]
    # Short columns get what they want, and long ones share the rest.
    left, widths = width, dict.fromkeys(range(len(wanted)), 0.0)
    for done, column in enumerate(sorted(widths, key=wanted.__getitem__)):
        widths[column] = min(wanted[column], left / (len(wanted) - done))
        left -= widths[column]
    spare = left / len(wanted)
    ends = [0.0, *accumulate(size + spare for size in widths.values())]
    room = [end - start - 6 for start, end in pairwise(ends)]
    broken = [
        [_lines(text, wide, _WIDER) for text, wide in zip(row, room, strict=True)] for row in rows
    ]
    return ends, broken


def _at(value: float, axis: Axis, start: float, end: float) -> float:
    """The place of a value, which may lie beyond both ends."""
    return start + axis.share_of(value) * (end - start)


def _ticks(axis: Axis, length: float, room: float) -> list[tuple[float, str]]:
    """Round numbers along an axis of a length, each as it is written, with room for each."""
    ticks = axis.ticks(min(_MOST_TICKS, int(length / room)))
    return [(tick, axis.text(tick, ticks)) for tick in ticks]


def _tick(told: str, x: float, y: float, box: _Box) -> str:
    """A tick below its place, moved inwards where its last letters would lie beyond the picture."""
    half = len(told) * _LETTER / 2
    return _text(told, max(min(x, box.right - half), box.left + half), y, "middle")


def _text(text: str, x: float, y: float, anchor: str = "start", name: str = "") -> str:
    return element("text", escape(text), class_=name, x=x, y=y, text_anchor=anchor)


def _fitting(text: str, width: float, letter: float = _LETTER) -> str:
    """A text on one line of a width."""
    return one_line(text, max(int(width / letter), 2))


def _lines(text: str, width: float, letter: float = _LETTER) -> list[str]:
    """A text on as many lines of a width as it needs; at least one."""
    return wrap(printable(text), max(int(width / letter), 4)) or [""]
