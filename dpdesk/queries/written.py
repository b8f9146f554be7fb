"""Names as a phrase writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

_WORDS = """count share mean sum variance standard deviation median quantile quantiles histogram
most frequent of rows with by where and or is from to at least between the worth"""

KEYWORDS = frozenset(_WORDS.split())
"""Words of the grammar of phrases; a name that is one of them is put in quotation marks."""

_PLAIN = re.compile(r'[^\s",;=<>]+')


def written(name: str) -> str:
    """Returns a name as a phrase writes it: in quotation marks where it could be misread."""
    if _PLAIN.fullmatch(name) and name.lower() not in KEYWORDS:
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
