"""What the program says of an error."""

from __future__ import annotations

import re


def one_sentence(said: str) -> bool:
    """Whether an error is told in one line, without what led to it."""
    return said.startswith("dpdesk: ") and said.count("\n") == 1 and "Traceback" not in said


def told_by_label(said: str) -> dict[str, str]:
    """What a command prints beside each label, and in each row of a table beside its first cell."""
    rows = (re.split(r" {2,}", line.strip(), maxsplit=1) for line in said.splitlines())
    return {row[0]: row[1] for row in rows if len(row) == 2}
