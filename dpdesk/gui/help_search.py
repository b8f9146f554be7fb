"""Finding words in the pages of the help.

A page declares other words for what it is about on a line of its own below its title, which no
reader of Markdown shows: `[keywords]: # "anonymize, k-anonymity"`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from dpdesk.resources import resource_root

_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKUP = re.compile(r"[*_`#|>]+|-{3,}|^\s*[-+]\s+|\s{2,}", re.MULTILINE)
_KEYWORDS = re.compile(r'^\[keywords\]: # "([^"]*)"$', re.MULTILINE)
_BRITISH = re.compile(r"is(?=(?:e[ds]?|ing|ations?)\b)")
_AROUND = 45
"""Letters before and after the first place of a word, in what is told of a hit."""
_TITLE_WORTH, _KEYWORD_WORTH, _PHRASE_WORTH = 1000, 700, 500
"""A word in the title counts as much as so many in the text, and so do declared words and the words
as they stand."""
_OF_DEVELOPERS = "decisions/"
"""Pages of why it is built so; those of how it is used come first."""


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
    keywords: str

    def count(self, word: str) -> int:
        """How often the page says a word, or declares it."""
        return self.lower.count(word) + self.keywords.count(word)


def find_in_help(words: str) -> tuple[Hit, ...]:
    """Returns the pages that hold or declare all words, parts of words too; the best first.

    Pages of decisions follow those for users. British and American spellings, "randomised" and
    "randomized", are one word.

    Args:
        words: What is looked for, in any case of letters; nothing finds nothing.
    """
    wanted = _words_of(words)
    if not wanted:
        return ()
    found = []
    for page in _pages():
        counts = [page.count(word) for word in wanted]
        if all(counts):
            in_title = sum(word in _spelt(page.title) for word in wanted)
            declared = sum(word in page.keywords for word in wanted)
            together = page.count(" ".join(wanted)) if len(wanted) > 1 else 0
            worth = _TITLE_WORTH * in_title + _KEYWORD_WORTH * declared + sum(counts)
            found.append((worth + _PHRASE_WORTH * together, page, sum(counts)))
    found.sort(key=lambda one: (one[1].name.startswith(_OF_DEVELOPERS), -one[0], one[1].name))
    return tuple(
        Hit(page.name, page.title, _excerpt(page, wanted), count) for _, page, count in found
    )


def unknown_words(words: str) -> tuple[str, ...]:
    """Returns those of some words that no page holds, as they were typed."""
    return tuple(
        word
        for word in words.split()
        if not any(page.count(spelt) for spelt in _words_of(word) for page in _pages())
    )


@cache
def _pages() -> tuple[_Page, ...]:
    folder = resource_root() / "docs"
    pages = []
    for path in sorted(folder.rglob("*.md")):
        name = path.relative_to(folder).with_suffix("").as_posix()
        written = path.read_text(encoding="utf-8")
        title = next((line[2:] for line in written.splitlines() if line.startswith("# ")), name)
        declared = _KEYWORDS.search(written)
        shown = _KEYWORDS.sub("", written)
        text = " ".join(_MARKUP.sub(" ", _LINK.sub(r"\1", shown)).split())
        keywords = _spelt(declared[1]) if declared else ""
        pages.append(_Page(name, title, text, _spelt(text), keywords))
    return tuple(pages)


def _words_of(words: str) -> list[str]:
    return _spelt(words).split()


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
