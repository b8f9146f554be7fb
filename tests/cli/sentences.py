"""What the program says of an error."""

from __future__ import annotations


def one_sentence(said: str) -> bool:
    """Whether an error is told in one line, without what led to it."""
    return said.startswith("dpdesk: ") and said.count("\n") == 1 and "Traceback" not in said
