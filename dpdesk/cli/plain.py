"""Text for a terminal: names from a file must not be able to command it."""

from __future__ import annotations


def plain(text: str) -> str:
    """Returns text with every character that a terminal would act on made visible."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)
