"""Text for a terminal: names from a file must not be able to command it."""

from __future__ import annotations

_LONGEST = 1200
_END = 400


def plain(text: str) -> str:
    """Returns text with every character that a terminal would act on made visible."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)


def one_line(text: str) -> str:
    """Returns a message as one line of moderate length, its beginning and its end.

    A name can hold line ends and a thousand letters, and a word of the command line even more.
    """
    line = plain(" ".join(text.splitlines()))
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - _END]} … {line[-_END:]}"
