"""Numbers as surveys write them, without the freedoms of `float(text)`."""

from __future__ import annotations

import re

_POINT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_LONGEST = 64


def parse_number(text: str, decimal: str = ".") -> float | None:
    """Reads a number written in ASCII digits.

    Args:
        text: The cell's text; blanks around it are ignored.
        decimal: The decimal mark, "." or ",".

    Returns:
        The number, or None when the text is not a finite number of this form ("nan", "inf",
        "1_000" and digits of other scripts are not).
    """
    written = text.strip(" \t\u00a0")
    if len(written) > _LONGEST:
        return None
    if decimal == ",":
        if "." in written:
            return None
        written = written.replace(",", ".")
    if not _POINT.fullmatch(written):
        return None
    number = float(written)
    return number if abs(number) != float("inf") else None
