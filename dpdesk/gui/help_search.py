"""Finding words in the pages of the help."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from dpdesk.resources import resource_root

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"[*_`#|>]+|-{3,}|^\s*[-+]\s+|\s{2,}", re.MULTILINE)
_BRITISH = re.compile(r"is(?=(?:e[ds]?|ing|ations?)\b)")
_AROUND = 45
"""Letters before and after the first place of a word, in what is told of a hit."""
_TITLE_WORTH, _PHRASE_WORTH = 1000, 500
"""A word in the title counts as much as so many in the text, and so do the words as they stand."""


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

    British and American spellings, "randomised" and "randomized", are one word.

    Args:
        words: What is looked for, in any case of letters; nothing finds nothing.
    """
    wanted = _spelt(words).split()
    if not wanted:
        return ()
    found = []
    for page in _pages():
        counts = [page.lower.count(word) for word in wanted]
        if all(counts):
            in_title = sum(word in _spelt(page.title) for word in wanted)
            together = page.lower.count(" ".join(wanted)) if len(wanted) > 1 else 0
            worth = _TITLE_WORTH * in_title + _PHRASE_WORTH * together + sum(counts)
            found.append((worth, page, sum(counts)))
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
        pages.append(_Page(name, title, text, _spelt(text)))
    return tuple(pages)


def _spelt(text: str) -> str:
    """A text in small letters and one spelling; as long as it was."""
    return _BRITISH.sub("iz", text.lower())


def _excerpt(page: _Page, wanted: list[str]) -> str:
    # Behind the title, which stands above it already.
    behind = len(page.title) + 1
    together = page.lower.find(" ".join(wanted), behind)
    places = [page.lower.find(word, behind) for word in wanted]
    apart = min((place for place in places if place >= 0), default=0)
    place = together if together >= 0 else apart
    # The title stands above it already.
    first = behind if len(page.text) > behind else 0
    start, end = max(place - _AROUND, first), min(place + _AROUND, len(page.text))
    left = page.text[start:end]
    if start > first:
        left = f"…{left.partition(' ')[2]}"
    return f"{left.rpartition(' ')[0]}…" if end < len(page.text) else left
