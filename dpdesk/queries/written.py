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


def between_words(lower: Decimal | str | None, upper: Decimal | str | None) -> str:
    """Returns the bounds of a query's own, as a phrase writes them; "" where it has none."""
    if lower is not None and upper is not None:
        return f" between {bound_words(lower)} and {bound_words(upper)}"
    if lower is not None:
        return f" at least {bound_words(lower)}"
    return "" if upper is None else f" at most {bound_words(upper)}"
