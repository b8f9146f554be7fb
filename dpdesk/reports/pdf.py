"""Sets a page of a report or a paper as a PDF for archives and for screen readers.

The page is the one model of the content: its own elements are read here, and a template of Typst
(`resources/report/page.typ`) lays them out. A report is therefore written once, and its two faces
cannot disagree. Texts reach the template as data, never as source: nothing that a user typed can
become markup.

The result is tagged and conforms to PDF/A-2a and to PDF/UA-1, as Typst checks while it writes: a
text without a glyph, a picture without a description or a heading that skips a level is an error.
The same page gives the same bytes: neither the clock nor a path of the machine is in them, and
fonts of the system are used for those letters alone that the bundled ones lack.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Literal, get_args

from dpdesk.errors import ReleaseError
from dpdesk.reports.texts import T
from dpdesk.resources import resource
from dpdesk.svg import drawing_style, paper_colours

Paper = Literal["a4", "letter"]
"""The size of the pages."""

PAPERS: tuple[Paper, ...] = get_args(Paper)
_PAPER_NAMES = {"a4": "a4", "letter": "us-letter"}

_VOID = frozenset({"meta", "br"})
_SKIPPED = frozenset({"style", "title", "meta", "head"})
_INLINE = frozenset({"b", "bdi", "br", "cite", "code", "span", "strong", "sup"})
_BLOCKS = frozenset(
    {"h1", "h2", "h3", "h4", "p", "div", "header", "section", "main", "body", "ul", "ol", "li"}
    | {"dl", "dt", "dd", "table", "thead", "tbody", "tfoot", "tr", "td", "th", "svg"}
)
_HEADINGS = ("h1", "h2", "h3", "h4")
_LINE_BREAKS_KEPT = frozenset({"dd", "text"})

_ROWS_KEPT_TOGETHER = 26
"""Most rows of a card that is not broken: more might not fit on one page."""

_OVERHANG = 20
"""Units of a drawing by which labels at its ends stick out, as a style sheet lets them."""

_LETTER_WIDTH = 0.57
"""Width of a digit in em, with room for the wider letters of units."""

_FEW, _HEAD_IN_ONE = 5, 14
"""Up to so many columns there is room for heads of so many characters on one line."""

_SHORT, _ROOM_FOR_SHORT = 20, 48
"""Most characters of a column of short words, and of all those of a table together."""

_LONGEST_NUMBER = 26
"""Most characters of a cell that is not broken."""

_LONGEST_WORD, _WORD_ROOM = 16, 1.2
"""Most characters of a word that is not broken, and its share of a table beside as many others."""


@dataclass(slots=True)
class Element:
    """An element of a page.

    Attributes:
        tag: Its name.
        attributes: Its attributes.
        children: Elements and texts in their order.
    """

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def classes(self) -> tuple[str, ...]:
        """Its classes."""
        return tuple(self.attributes.get("class", "").split())

    @property
    def elements(self) -> Iterator[Element]:
        """Its children that are no texts."""
        return (child for child in self.children if isinstance(child, Element))

    def below(self, tag: str) -> Iterator[Element]:
        """Yields every element of a name in it, at any depth."""
        for child in self.elements:
            if child.tag == tag:
                yield child
            yield from child.below(tag)

    def text(self) -> str:
        """Returns all its text, runs of white space as one space."""
        texts = (c if isinstance(c, str) else c.text() for c in self.children)
        return " ".join("".join(texts).split())


class _Reader(HTMLParser):
    """Reads a page of ours, whose tags match."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("page", {})
        self._open = [self.root]
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_endtag(self, tag: str) -> None:
        if len(self._open) == 1 or self._open.pop().tag != tag:
            raise ReleaseError(T.NO_PDF_OF_TAG(tag=tag))

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def pdf_of_page(page: str, paper: Paper = "a4", day: datetime.date | None = None) -> bytes:
    """Returns a page as PDF: tagged, PDF/A-2a and PDF/UA-1, the same bytes for the same page.

    Args:
        page: A page of dpdesk, such as `report_html` returns. Its title, language, author, date
            and description become those of the file.
        paper: The size of the pages.
        day: The date of the file if the page has none, as papers that are no release; PDF/A wants
            one. The day in universal time if it is None.

    Raises:
        ReleaseError: The page holds what cannot be set.
    """
    root = _Reader(page).root
    content = {
        "paper": _PAPER_NAMES[paper],
        "about": _about(root, day),
        "tokens": paper_colours(),
        "nodes": _Model().nodes(next(root.below("body"))),
    }
    for system_fonts in (False, True):
        try:
            return _compiled(content, system_fonts=system_fonts)
        except _UnsetError:
            continue
    try:
        return _compiled(_spelt_out(content), system_fonts=True)
    except _UnsetError as error:
        raise ReleaseError(T.NO_PDF(reason=str(error))) from None


def content_for(path: Path, page: str, paper: Paper = "a4") -> str | bytes:
    """Returns a page as it is written to a file: as PDF if its name ends so, else as it is.

    Args:
        path: The file.
        page: A page of dpdesk.
        paper: The size of the pages of a PDF.

    Raises:
        ReleaseError: The page holds what cannot be set.
    """
    return pdf_of_page(page, paper) if path.suffix.lower() == ".pdf" else page


class _UnsetError(Exception):
    """Typst refuses a page; the message is its reason."""


def _compiled(content: dict[str, Any], *, system_fonts: bool) -> bytes:
    import typst

    template = resource("report/page.typ").read_bytes()
    try:
        # Its own types cannot be inferred from bytes.
        written: bytes = typst.compile(  # type: ignore[misc]
            template,
            sys_inputs={"content": json.dumps(content)},
            font_paths=[str(resource("fonts"))],
            ignore_system_fonts=not system_fonts,
            # ISO 19005-2, level A, and ISO 14289-1.
            pdf_standards=["a-2a", "ua-1"],
        )
    except typst.TypstError as error:
        raise _UnsetError(str(error)) from None
    return written


def _spelt_out(content: dict[str, Any]) -> dict[str, Any]:
    """Returns the content with the number of each letter that no font has, such as [U+4E2D]."""
    letters = {c for c in json.dumps(content, ensure_ascii=False) if not c.isascii()}
    missing = {ord(c): f"[U+{ord(c):04X}]" for c in _without_glyph(sorted(letters))}

    def spelt(node: Any) -> Any:
        if isinstance(node, str):
            return node.translate(missing)
        if isinstance(node, list):
            return [spelt(each) for each in node]
        if isinstance(node, dict):
            return {name: spelt(each) for name, each in node.items()}
        return node

    spelt_out: dict[str, Any] = spelt(content)
    return spelt_out


def _without_glyph(letters: Sequence[str]) -> Iterator[str]:
    """Yields the letters that cannot be set, found by halves."""
    about = {"title": "Letters", "date": [2000, 1, 1]}
    content = {
        "paper": "a4",
        "about": about,
        "tokens": paper_colours(),
        "nodes": ["".join(letters)],
    }
    try:
        _compiled(content, system_fonts=True)
    except _UnsetError:
        if len(letters) == 1:
            yield letters[0]
        else:
            half = len(letters) // 2
            yield from _without_glyph(letters[:half])
            yield from _without_glyph(letters[half:])


def _about(root: Element, day: datetime.date | None) -> dict[str, Any]:
    """Returns title, language, author, date and description of a page."""
    told = {
        each.attributes.get("name"): each.attributes.get("content", "")
        for each in root.below("meta")
    }
    if told.get("date"):
        day = datetime.date.fromisoformat(told["date"])
    elif day is None:
        day = datetime.datetime.now(datetime.UTC).date()
    return {
        "title": next(root.below("title")).text(),
        "lang": next(root.below("html")).attributes.get("lang", "en"),
        "author": told.get("author", ""),
        "description": told.get("description", ""),
        "date": [day.year, day.month, day.day],
    }


class _Model:
    """Turns elements into what the template lays out: texts and dictionaries."""

    def __init__(self) -> None:
        self._level = 0

    def nodes(self, parent: Element, *, keeps_lines: bool = False) -> list[Any]:
        """Returns the content of an element."""
        keeps_lines = keeps_lines or bool(_LINE_BREAKS_KEPT & {parent.tag, *parent.classes})
        nodes: list[Any] = []
        for place, child in enumerate(parent.children):
            if isinstance(child, Element):
                nodes += self._node(child, keeps_lines=keeps_lines)
            elif child.strip() or not _is_beside_block(parent.children, place):
                nodes += _texts(child, keeps_lines=keeps_lines)
        return _trimmed(nodes)

    def _node(self, element: Element, *, keeps_lines: bool) -> Iterator[Any]:
        tag = element.tag
        if tag in _SKIPPED:
            return
        if tag == "svg":
            yield _drawing(element)
        elif tag == "table":
            yield self._table(element)
        elif tag == "br":
            yield {"tag": "br"}
        elif tag in _INLINE or tag in _BLOCKS:
            node: dict[str, Any] = {"tag": tag, "class": list(element.classes)}
            if tag in _HEADINGS:
                # No level is skipped, whichever heading a page begins with.
                self._level = min(_HEADINGS.index(tag) + 1, self._level + 1)
                node["level"] = self._level
            if "page-break-before" in element.attributes.get("style", ""):
                node["class"].append("new-page")
            node["keep"] = sum(1 for _ in element.below("tr")) <= _ROWS_KEPT_TOGETHER
            node["nodes"] = self.nodes(element, keeps_lines=keeps_lines)
            if tag == "bdi" and _RIGHT_TO_LEFT.search(element.text()):
                # An isolate: letters from right to left must not turn what stands around a name.
                node["nodes"] = ["\u2068", *node["nodes"], "\u2069"]
            yield node
        else:
            raise ReleaseError(T.NO_PDF_OF_TAG(tag=tag))

    def _table(self, table: Element) -> dict[str, Any]:
        parts = {part.tag: list(part.below("tr")) for part in table.elements}
        rows = [row for part in parts.values() for row in part]
        return {
            "tag": "table",
            "class": list(table.classes),
            "columns": _widths(rows, table.classes),
            **{
                name: [[self._cell(cell) for cell in row.elements] for row in parts.get(name, [])]
                for name in ("thead", "tbody", "tfoot")
            },
            "keep": len(rows) <= _ROWS_KEPT_TOGETHER,
        }

    def _cell(self, cell: Element) -> dict[str, Any]:
        return {
            "tag": cell.tag,
            "class": list(cell.classes),
            "span": int(cell.attributes.get("colspan", "1")),
            "nodes": self.nodes(cell),
        }


def _is_beside_block(children: Sequence[Element | str], place: int) -> bool:
    """Returns whether a child is next to a block, where white space is not shown."""
    beside = [*children[max(0, place - 1) : place], *children[place + 1 : place + 2]]
    return any(isinstance(child, Element) and child.tag in _BLOCKS for child in beside)


def _widths(rows: Sequence[Element], classes: Sequence[str]) -> list[str | list[float]]:
    """Returns the width of each column: of numbers in em, of words as a share of the rest.

    Numbers are not broken, words are; what a browser finds by trying is computed from the texts.
    """
    count = max(sum(int(c.attributes.get("colspan", "1")) for c in r.elements) for r in rows)
    lengths, words = [0.0] * count, [0.0] * count
    kinds = ["text"] * count
    for row in rows:
        place = 0
        for cell in row.elements:
            span = int(cell.attributes.get("colspan", "1"))
            if span == 1:
                text = cell.text()
                kinds[place] = next((k for k in ("plot", "n") if k in cell.classes), kinds[place])
                longest = max(map(len, text.split() or [""]))
                own = min(len(text), _LONGEST_NUMBER)
                if _heads_column(cell):
                    # Heads are broken between words.
                    in_one = min(len(text), _HEAD_IN_ONE) if count <= _FEW else 0
                    own = max(longest, in_one)
                lengths[place] = max(lengths[place], own)
                whole = _WORD_ROOM * min(longest, _LONGEST_WORD)
                words[place] = max(words[place], min(len(text), 60), whole, 6)
            place += span
    # Words of a few letters stand on one line, as long as there is room for longer ones.
    room: float = 0 if "dense" in classes else _ROOM_FOR_SHORT
    for place in sorted(range(count), key=words.__getitem__):
        if kinds[place] == "text" and words[place] <= _SHORT and words[place] <= room:
            kinds[place], lengths[place] = "short", words[place]
            room -= words[place]
    if "text" not in kinds and "short" in kinds:
        kinds[kinds.index("short")] = "text"
    return [
        "plot" if kind == "plot" else [0.0, word] if kind == "text" else [_LETTER_WIDTH * length]
        for kind, length, word in zip(kinds, lengths, words, strict=True)
    ]


def _heads_column(cell: Element) -> bool:
    """Returns whether a cell heads a column."""
    return cell.tag == "th" and cell.attributes.get("scope") == "col"


_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="%s">'
    '<style>%s text { font-family: "Inter"; }</style>%s</svg>'
)


def _drawing(svg: Element) -> dict[str, Any]:
    """Returns a drawing with the rules of the style sheet in it, and its description."""
    description = svg.attributes.get("aria-label", "")
    left, top, width, height = map(float, svg.attributes["viewbox"].split())
    box = f"{left - _OVERHANG:g} {top:g} {width + 2 * _OVERHANG:g} {height:g}"
    shapes = "".join(_markup(child) for child in svg.elements)
    return {
        "tag": "svg",
        "alt": description,
        "ratio": height / (width + 2 * _OVERHANG),
        "svg": _SVG % (box, drawing_style(), shapes),
    }


def _markup(element: Element) -> str:
    from html import escape

    attributes = "".join(f' {n}="{escape(v)}"' for n, v in element.attributes.items())
    return f"<{element.tag}{attributes}>{escape(element.text())}</{element.tag}>"


_BREAKABLE = re.compile(r"\S{17,}")
_AFTER = re.compile(r"[_./:;,|\\-]+(?=[^\W\d])|(?<=[a-z])(?=[A-Z])")
_ENDLESS = re.compile(r"([^\s\u200b]{12})(?=[^\s\u200b]{4})")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# A browser isolates a name that turns the direction of text; on paper the sign shows instead.
_TURNING = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)), "\ufffd")


def _texts(text: str, *, keeps_lines: bool) -> Iterator[Any]:
    """Yields a text as it is set: white space in one, long words with places to break at."""
    text = text.translate(_TURNING)
    lines = text.split("\n") if keeps_lines else [text]
    for place, line in enumerate(lines):
        if place:
            yield {"tag": "br"}
        if line:
            yield _BREAKABLE.sub(_broken, re.sub(r"[ \t\r\n\f]+", " ", line))


def _broken(word: re.Match[str]) -> str:
    parts = _AFTER.sub(lambda found: f"{found[0]}\u200b", word[0])
    return _ENDLESS.sub("\\1\u200b", parts)


def _trimmed(nodes: Iterable[Any]) -> list[Any]:
    """Returns nodes without white space at their ends, as a page shows them."""
    trimmed = [node for node in nodes if node != ""]
    while trimmed and trimmed[0] == " ":
        del trimmed[0]
    while trimmed and trimmed[-1] == " ":
        del trimmed[-1]
    return trimmed
