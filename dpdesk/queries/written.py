"""Names as a phrase writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal

from dpdesk.queries.bounds import bound_words

_COMMON = frozenset(
    [
        "of",
        "rows",
        "with",
        "by",
        "where",
        "and",
        "or",
        "is",
        "not",
        "from",
        "to",
        "at",
        "least",
        "most",
        "between",
    ]
)

_PLAIN = re.compile(r'[^\s",;=<>]+')


_reserved: set[str] = set()


def reserve(words: Iterable[str]) -> None:
    """Makes words part of the grammar; each kind of query reserves its own."""
    _reserved.update(words)


def is_keyword(word: str) -> bool:
    """Whether a word belongs to the grammar: a name that does is put in quotation marks."""
    return word.lower() in _COMMON or word.lower() in _reserved


def is_common(word: str) -> bool:
    """Whether a word belongs to the grammar of every kind, whatever the columns are."""
    return word.lower() in _COMMON


def written(name: str) -> str:
    """Returns a name as a phrase writes it: in quotation marks where it could be misread."""
    if _PLAIN.fullmatch(name) and not is_keyword(name):
        return name
    return '"' + name.replace('"', '""') + '"'


def written_list(names: Sequence[str], between: str = ", ") -> str:
    """Returns names with a word or sign between them."""
    return between.join(written(name) for name in names)


def write_phrase(*words: str) -> str:
    """Returns words of the grammar and names with blanks between them, without empty ones."""
    return " ".join(filter(None, words))


def between_words(
    lower: Decimal | str | None,
    upper: Decimal | str | None,
    first: str = "between",
    to: str = "and",
) -> str:
    """Returns bounds as a phrase writes them; "" where there are none."""
    low, high = bound_words(lower), bound_words(upper)
    if low and high:
        return write_phrase(first, low, to, high)
    return write_phrase("at least", low) if low else write_phrase("at most", high) if high else ""
