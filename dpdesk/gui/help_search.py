"""Finding words in the pages of the help."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from dpdesk.resources import resource_root

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"[*_`#|>]+|^\s*[-+]\s+|\s{2,}", re.MULTILINE)
_AROUND = 45
"""Letters before and after the first place of a word, in what is told of a hit."""
_TITLE_WORTH = 1000
"""A word in the title counts as much as so many in the text."""


@dataclass(frozen=True)
class Hit:
    """A page that holds all words.

    Attributes:
        page: Its path below `docs`, without suffix.
        title: Its title.
        excerpt: The words around the first place.
        count: How often the words stand on it.
    """

    page: str
    title: str
    excerpt: str
    count: int


@dataclass(frozen=True)
class _Page:
    name: str
    title: str
    text: str
    lower: str


def find_in_help(words: str) -> tuple[Hit, ...]:
    """Returns the pages that hold all words, parts of words too; the best first.

    Args:
        words: What is looked for, in any case of letters; nothing finds nothing.
    """
    wanted = [word for word in words.lower().split() if word]
    if not wanted:
        return ()
    found = []
    for page in _pages():
        counts = [page.lower.count(word) for word in wanted]
        if all(counts):
            in_title = sum(word in page.title.lower() for word in wanted)
            found.append((_TITLE_WORTH * in_title + sum(counts), page, sum(counts)))
    found.sort(key=lambda one: (-one[0], one[1].name))
    return tuple(
        Hit(page.name, page.title, _excerpt(page, wanted), count) for _, page, count in found
    )


@cache
def _pages() -> tuple[_Page, ...]:
    folder = resource_root() / "docs"
    pages = []
    for path in sorted(folder.rglob("*.md")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        written = path.read_text(encoding="utf-8")
        title = next((line[2:] for line in written.splitlines() if line.startswith("# ")), name)
        text = " ".join(_MARKUP.sub(" ", _LINK.sub(r"\1", written)).split())
        pages.append(_Page(name, title, text, text.lower()))
    return tuple(pages)


def _excerpt(page: _Page, wanted: list[str]) -> str:
    # Behind the title, which stands above it already.
    behind = len(page.title) + 1
    places = [page.lower.find(word, behind) for word in wanted]
    place = min((place for place in places if place >= 0), default=0)
    start, end = max(place - _AROUND, 0), min(place + _AROUND, len(page.text))
    left = page.text[start:end]
    if start > 0:
        left = f"…{left.partition(' ')[2]}"
    return f"{left.rpartition(' ')[0]}…" if end < len(page.text) else left
