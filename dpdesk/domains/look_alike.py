"""Texts that look alike: they differ only in blanks and in letters that nobody sees."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from unicodedata import normalize

UNSEEN = (
    "\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f"
    "\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8"
    "\\U0001bca0-\\U0001bca3\\U0001d173-\\U0001d17a\\U000e0000-\\U000e0fff"
)
"""Letters that show nothing, as ranges of a regular expression's class: soft hyphens, letters
without width, marks of direction, fillers (Default_Ignorable_Code_Point of the Unicode Character
Database, DerivedCoreProperties.txt)."""

_NOTHING = re.compile(rf"[{UNSEEN}\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]+")


def as_seen(text: str) -> str:
    """Returns a text as a reader sees it.

    What shows nothing is left out, each run of blanks of any kind is one, those at the ends are
    none, and a letter with an accent is one letter. Capitals stay: a reader sees them.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    return " ".join(normalize("NFC", _NOTHING.sub("", text)).split())


def look_alike(texts: Iterable[str]) -> int:
    """Returns how many of some texts look like another one of them."""
    return sum(times for times in Counter(map(as_seen, texts)).values() if times > 1)
