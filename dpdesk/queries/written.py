"""Names as a phrase writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dpdesk.queries.base import Query

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
        "from",
        "to",
        "at",
        "least",
        "most",
        "between",
    ]
)

_PLAIN = re.compile(r'[^\s",;=<>]+')


def is_keyword(word: str) -> bool:
    """Whether a word belongs to the grammar: a name that does is put in quotation marks."""
    # The kinds of queries use this module themselves.
    from dpdesk.queries.registry import QUERIES

    return word.lower() in _keywords(QUERIES)


@lru_cache(maxsize=8)
def _keywords(kinds: tuple[type[Query], ...]) -> frozenset[str]:
    return _COMMON.union(*(kind.words for kind in kinds))


def written(name: str) -> str:
    """Returns a name as a phrase writes it: in quotation marks where it could be misread."""
    if _PLAIN.fullmatch(name) and not is_keyword(name):
        return name
    return '"' + name.replace('"', '""') + '"'


def written_list(names: Sequence[str], between: str = ", ") -> str:
    """Returns names with a word or sign between them."""
    return between.join(written(name) for name in names)


def between_words(lower: Decimal | None, upper: Decimal | None) -> str:
    """Returns the bounds of a query's own, as a phrase writes them; "" where it has none."""
    if lower is not None and upper is not None:
        return f" between {lower:f} and {upper:f}"
    if lower is not None:
        return f" at least {lower:f}"
    return "" if upper is None else f" at most {upper:f}"
