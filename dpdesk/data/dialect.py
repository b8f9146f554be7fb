"""Guesses of how a delimited text is written; every guess can be overruled by the user."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from dpdesk.data.reading import DELIMITERS
from dpdesk.data.separators import Offsets, separators
from dpdesk.data.table import TextColumn

_SAMPLE_BYTES = 1 << 18
# A comma can be a decimal mark and text holds commas; the other three seldom stand in every line
# as often as in the first, unless they delimit.
_PRECEDENCE = ("\t", ";", "|", ",")
_MANY_VALUES = 2_000
_POINT = re.compile(r"\s*[+-]?[0-9]*\.[0-9]+\s*")
_COMMA = re.compile(r"\s*[+-]?[0-9]*,[0-9]+\s*")
_WHOLE = re.compile(r"\s*[+-]?[0-9]*\s*")
_SEP_LINE = re.compile(rb'"?sep=([^\r\n"\x00\x80-\xff])"?(\r\n|\n|\r)', re.IGNORECASE)


def declared_delimiter(text: bytes | bytearray) -> tuple[str, int] | None:
    """The delimiter of a `sep=` line, as spreadsheets write it, and where the table starts."""
    match = _SEP_LINE.match(text)
    return (match[1].decode("ascii"), match.end()) if match else None


def sniff_delimiter(text: bytes | bytearray, start: int, end: int) -> str:
    """Guesses the delimiter from the first 262,144 bytes of a table.

    The delimiter is the one that stands in each record as often as in the first one. Where none
    stands in the first record the table has one column, and the answer is a delimiter that does
    not stand in the text.

    Args:
        text: The file as UTF-8.
        start: Where the first record starts.
        end: Where the last record ends.
    """
    sample = bytes(text[start : min(end, start + _SAMPLE_BYTES)])
    complete = start + len(sample) >= end
    widths = {mark: _record_widths(sample, mark, complete) for mark in DELIMITERS}
    several = [mark for mark in _PRECEDENCE if widths[mark][0] > 1]
    if several:
        return max(several, key=lambda mark: float(np.mean(widths[mark] == widths[mark][0])))
    for mark in DELIMITERS:
        absent = text.find(mark.encode("ascii"), start, end) < 0
        if absent or (complete and bool(np.all(widths[mark] == 1))):
            return mark
    return ","


def _record_widths(sample: bytes, mark: str, complete: bool) -> Offsets:
    """Fields of each record that is not blank; at least one number."""
    if complete:
        sample += b"\n"
    bytes_of_text = np.frombuffer(sample, dtype=np.uint8)
    ends: list[int] = []
    offsets: list[int] = []
    for block in separators(bytes_of_text, ord(mark)):
        offsets.extend(block.offsets.tolist())
        ends.extend(block.record_ends.tolist())
    stops = np.flatnonzero(np.array(ends, dtype=np.bool_))
    if not stops.size:
        return np.array([len(offsets) + 1])
    widths = np.diff(stops, prepend=-1)
    lengths = np.diff(np.array(offsets)[stops], prepend=-1) - 1
    kept = widths[(lengths > 0) | (widths > 1)]
    return kept if kept.size else np.array([1])


def sniff_decimal(columns: Iterable[TextColumn], delimiter: str) -> str:
    """Guesses the decimal mark from the distinct answers of all columns.

    A comma is the decimal mark if some column holds numbers with a comma and none holds numbers
    with a point. In a file delimited by commas it never is: there it groups thousands.
    """
    if delimiter == ",":
        return "."
    comma = False
    for column in columns:
        if column.distinct_count > _MANY_VALUES:
            texts = [column.text(row) for row in range(min(column.rows, _MANY_VALUES))]
        else:
            texts = column.distinct
        if _holds_numbers(texts, _POINT):
            return "."
        comma = comma or _holds_numbers(texts, _COMMA)
    return "," if comma else "."


def _holds_numbers(texts: list[str], fraction: re.Pattern[str]) -> bool:
    if not any(fraction.fullmatch(text) for text in texts):
        return False
    return all(fraction.fullmatch(text) or _WHOLE.fullmatch(text) for text in texts)
