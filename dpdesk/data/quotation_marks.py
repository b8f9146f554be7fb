"""Texts in quotation marks, as one types them: `"a, b"`, with those within doubled."""

from __future__ import annotations

QUOTED = r'"(?:[^"]|"")*"'
"""Pattern of a text in quotation marks, with them."""


def quoted(text: str) -> str:
    """Returns a text in quotation marks, those within doubled."""
    return '"' + text.replace('"', '""') + '"'


def unquoted(typed: str) -> str:
    """Returns what is meant by a text: without the marks around it, if they are there."""
    is_quoted = len(typed) > 1 and typed[0] == typed[-1] == '"'
    return typed[1:-1].replace('""', '"') if is_quoted else typed


def parted(typed: str, mark: str, most: int = 0) -> list[str]:
    """Parts a text at a mark that no quotation marks enclose.

    Args:
        typed: The text.
        mark: The character between two parts.
        most: At how many marks it is parted; 0 for all.
    """
    parts: list[str] = []
    start, is_quoted = 0, False
    for place, sign in enumerate(typed):
        is_quoted ^= sign == '"'
        if sign == mark and not is_quoted and (not most or len(parts) < most):
            parts.append(typed[start:place])
            start = place + 1
    return [*parts, typed[start:]]
