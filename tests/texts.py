"""What a text says, where only its words are there: the values of an entry of a table of texts."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable

from dpdesk.i18n import Text


def values_in(entry: Text, text: str) -> list[dict[str, str]]:
    """Returns the values of an entry by placeholder, for each time that a text says it."""
    text = text.replace("\u00a0", " ")
    return [
        found.groupdict()
        for template in filter(None, (entry.english, entry.plural))
        for found in re.finditer(_pattern(template.replace("\u00a0", " ")), text)
    ]


def is_said(entry: Text, texts: str | Iterable[str]) -> bool:
    """Returns whether a text, or one of several, says an entry."""
    return any(values_in(entry, each) for each in ([texts] if isinstance(texts, str) else texts))


def only_said(entries: Iterable[Text], text: str) -> list[Text]:
    """Returns which of some entries a text says."""
    return [entry for entry in entries if is_said(entry, text)]


def _pattern(template: str) -> str:
    parts, seen = [], set[str]()
    for literal, name, _, _ in string.Formatter().parse(template):
        parts.append(re.escape(literal))
        if name:
            parts.append(f"(?P={name})" if name in seen else f"(?P<{name}>.+?)")
            seen.add(name)
    # A full stop is one only before white space: in 0.5 it is part of a value.
    return "".join(parts) + r"(?=\W?(?:\s|$))"
