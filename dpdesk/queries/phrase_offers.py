"""What is offered to somebody who types a phrase: phrases like it, and words that can follow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from difflib import SequenceMatcher
from functools import lru_cache

from dpdesk.domains import ListedDomain
from dpdesk.errors import ParameterError
from dpdesk.queries.condition import ANSWERED, Domains
from dpdesk.queries.registry import QUERIES
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.queries.written import is_common, written

_OFFERED = 3
_COLUMNS = 12
_LISTED = 50
_LONGEST = 200
_TAIL = re.compile(r"\b(?:by|where)\b")
_WORD = re.compile(r'"(?:[^"]|"")*"?|[<>=]+|,|[^\s",=<>]+')
_BEFORE_COLUMNS = frozenset({"of", "by", "where", "and", ",", "with"})
_BEFORE_CATEGORIES = frozenset({"is", "=", "or", "has"})


def examples() -> tuple[str, ...]:
    """Returns phrases of each kind, for help."""
    return tuple(example for kind in QUERIES for example in kind.examples)


def nearest_phrases(text: str, domains: Domains) -> tuple[str, ...]:
    """Returns the three phrases that look most like a text.

    Args:
        text: What somebody typed.
        domains: The declared columns, which the phrases are about; without any, they are those of
            the help.
    """
    # Groups and conditions can follow anything.
    wanted = _significant(_TAIL.split(text, maxsplit=1)[0]) or _significant(text)
    columns = sorted(domains, key=lambda name: -_likeness(wanted, _significant(name)))[:_COLUMNS]
    offered = dict(_phrases({name: domains[name] for name in columns}))
    offered = offered or {phrase: kind.synonyms for kind in QUERIES for phrase in kind.examples}

    def unlike(phrase: str) -> float:
        words, synonyms = _significant(phrase), offered[phrase]
        same = [_likeness(wanted, words)]
        same += [_likeness(wanted, [synonym, *words[1:]]) for synonym in synonyms]
        return -max(same)

    return tuple(sorted(offered, key=unlike)[:_OFFERED])


def _significant(text: str) -> list[str]:
    """The words that say something, without capitals."""
    words = _WORD.findall(text.casefold()[:_LONGEST])
    return [word.strip('"') for word in words if not is_common(word) and word.strip('"<>=,?')]


def _likeness(wanted: list[str], words: list[str]) -> float:
    """How well words stand for others, from 0 to 2: of either, the mean of the best matches."""
    if not wanted or not words:
        return 0.0
    table = [[_alike(one, other) for other in words] for one in wanted]
    rows = [max(row) for row in table]
    columns: list[float] = [max(column) for column in zip(*table, strict=True)]
    return sum(rows) / len(rows) + sum(columns) / len(columns)


@lru_cache(maxsize=20_000)
def _alike(one: str, other: str) -> float:
    same: float = SequenceMatcher(None, one, other, autojunk=False).ratio()
    return same * same


def _phrases(domains: Domains) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Phrases of every kind about the columns that suit it, with other words for the kind."""
    for kind in QUERIES:
        asked: list[str] = []
        for _ in domains:
            try:
                query = kind.starting(domains, PrivacyUnit(), Decimal(1), asked)
            except ParameterError:
                break
            if query is None or (asked and set(query.columns) <= set(asked)):
                break
            asked += query.columns
            yield query.description, kind.synonyms
            if not query.columns:
                break


def completions(text: str, domains: Domains) -> tuple[str, ...]:
    """Returns the text with its last word completed, in each way that is possible.

    Args:
        text: What was typed so far.
        domains: The declared columns.
    """
    words = _WORD.findall(text)
    begun = words.pop() if words and not text.endswith((" ", ",")) else ""
    head = text[: len(text) - len(begun)]
    if not words:
        offered: Iterable[str] = (
            opening for example in examples() for opening in _openings(example.split())
        )
    else:
        offered = _words_after(words, domains)
    bare = begun.strip('"').casefold()
    fitting = [
        f"{head}{word}"
        for word in dict.fromkeys(offered)
        if word.strip('"').casefold().startswith(bare) and word != begun
    ]
    return tuple(fitting[:_LISTED])


def _openings(words: list[str]) -> Iterator[str]:
    """The beginning of a phrase, up to the first word that joins a name, with and without it."""
    ends = [n for n, word in enumerate(words) if word in _BEFORE_COLUMNS]
    end = ends[0] if ends else len(words) - 1
    yield " ".join(words[:end])
    if ends:
        yield " ".join(words[: end + 1])


def _words_after(words: list[str], domains: Domains) -> Iterator[str]:
    """Words that can follow others: categories of a column, else columns and joining words."""
    last = words[-1].lower()
    if last in _BEFORE_CATEGORIES:
        for word in reversed(words[:-1]):
            domain = domains.get(word.strip('"').replace('""', '"'))
            if isinstance(domain, ListedDomain):
                yield from map(written, domain.values[:_LISTED])
            if domain is not None and last == "is":
                yield from (ANSWERED, f"not {ANSWERED}")
            if domain is not None:
                return
    yield from map(written, domains)
    if last not in _BEFORE_COLUMNS | _BEFORE_CATEGORIES:
        yield from ("by", "where", "and", "is", "between", "at least", "at most")
        if any(domain.is_set for domain in domains.values()):
            yield "has"
