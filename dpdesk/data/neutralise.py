"""Text that a spreadsheet would run as a formula, made harmless in CSV files and restored.

A cell that starts with = + - @, a tab or a carriage return may be executed when a CSV file is
opened in a spreadsheet (OWASP, "CSV injection"). An apostrophe in front of it prevents that. So
that restoring is exact, text that already has apostrophes in front of such a start gets one more.
"""

from __future__ import annotations

import re

_DANGEROUS = re.compile(r"'*[=+\-@\t\r]")
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r]")


def neutralise(text: str) -> str:
    """The text as it may stand in a CSV file that someone opens in a spreadsheet."""
    return "'" + text if _DANGEROUS.match(text) else text


def restore(text: str) -> str:
    """The text that `neutralise` was given: `restore(neutralise(text)) == text` for every text."""
    return text[1:] if _NEUTRALISED.match(text) else text
