"""Names and bounds as a phrase writes them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import pairwise
from typing import Annotated, cast

from pydantic import AfterValidator, Field

from dpdesk.domains import ExactDecimal
from dpdesk.errors import ParameterError
from dpdesk.numbers import exact_number
from dpdesk.numbers.calendar import iso_moment
from dpdesk.queries.texts import T

_COMMON = frozenset(
    "of rows with by where and or is not from to at least most between".split()  # noqa: SIM905
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


def _require_date(text: str) -> str:
    if iso_moment(text) is None:
        raise ParameterError(T.NOT_A_BOUND())
    return text


DateBound = Annotated[str, Field(max_length=40), AfterValidator(_require_date)]
"""A date in ISO 8601."""

Bound = Annotated[ExactDecimal | DateBound, Field(union_mode="left_to_right")]
"""A number, or a date that may be less exact than the column."""


def read_bound(word: str) -> Decimal | str | None:
    """Reads a number or a date; None if a word is neither."""
    number = exact_number(word)
    return (word if iso_moment(word) is not None else None) if number is None else number


def bound_words(bound: Decimal | str | None) -> str:
    """Returns a bound as a phrase is typed."""
    return f"{bound:f}" if isinstance(bound, Decimal) else bound or ""


def increase(edges: Sequence[Decimal | str]) -> bool:
    """Tells whether each of some bounds lies above the one before."""
    # A number is a year among dates, and so is ordered as a text of four digits.
    if any(isinstance(edge, str) for edge in edges):
        return all(a < b for a, b in pairwise(map(bound_words, edges)))
    return all(a < b for a, b in pairwise(cast("Sequence[Decimal]", edges)))


def in_order(lower: Decimal | str | None, upper: Decimal | str | None) -> bool:
    """Tells whether no lower bound is above its upper bound, as far as this can be told alone."""
    if isinstance(lower, Decimal) and isinstance(upper, Decimal):
        return lower <= upper
    if not isinstance(lower, str) or not isinstance(upper, str):
        return True
    # Dates of ISO 8601 are ordered as their texts, and 2010 holds 2010-12.
    return lower <= upper or lower.startswith(upper)
