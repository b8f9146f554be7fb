"""Numbers in a cell of a survey file: a grammar of their own, as `float(text)` accepts more."""

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


def parse_typed(text: str) -> float | None:
    """Reads a number that somebody typed, whose decimal mark is a point or a comma.

    Returns:
        The number, or None where `parse_number` finds none with either mark.
    """
    number = parse_number(text)
    return parse_number(text, ",") if number is None else number
