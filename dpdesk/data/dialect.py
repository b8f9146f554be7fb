"""How a delimited text is written: where fields and records end, and guesses of its marks.

The user can overrule every guess. Where fields and records end is read from the bytes alone, not
left to a parser: a quotation mark toggles between inside and outside, and a doubled one toggles
twice, so that the outside is exact without looking at more than one byte on either side (RFC 4180,
section 2).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpdesk.data.reading import DELIMITERS, HEADER_ROWS_MAX
from dpdesk.data.table import TextColumn

Bytes = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LF, CR = ord("\n"), ord("\r")


@dataclass(frozen=True)
class Separators:
    """The separators and quotation marks of a text that begins outside quotation marks.

    Attributes:
        offsets: Positions of the separators outside quotation marks, ascending.
        record_ends: For each of them whether it ends a record, not only a field.
        quotes: Positions of all quotation marks, ascending; every other one opens.
        quoted_line_ends: Positions of line ends within quotation marks, ascending.
        ends_inside: Whether the text ends within quotation marks.
    """

    offsets: Offsets
    record_ends: Flags
    quotes: Offsets
    quoted_line_ends: Offsets
    ends_inside: bool


def separators(text: Bytes, delimiter: int, *, quote: str = '"') -> Separators:
    """Finds where fields and records end.

    Args:
        text: The text; uint8, shape (n,). A CR at its end ends a record.
        delimiter: Code of the delimiter.
        quote: The quotation mark, or empty for none.
    """
    line_end = text == LF
    cr = np.flatnonzero(text == CR)
    if cr.size:
        # A CR ends a record unless an LF follows, which then ends it.
        following = text[np.minimum(cr + 1, len(text) - 1)]
        line_end[cr[following != LF]] = True
    separator = line_end | (text == delimiter)
    quotes = np.flatnonzero(text == ord(quote)) if quote else np.empty(0, dtype=np.int64)
    quoted_line_ends = np.empty(0, dtype=np.int64)
    if quotes.size:
        within = _within_quotes(len(text), quotes)
        quoted_line_ends = np.flatnonzero(line_end & within)
        separator &= ~within
    offsets = np.flatnonzero(separator)
    return Separators(offsets, line_end[offsets], quotes, quoted_line_ends, bool(quotes.size & 1))


def _within_quotes(size: int, quotes: Offsets) -> Flags:
    toggles = np.zeros(size, dtype=np.uint8)
    toggles[quotes] = 1
    return np.bitwise_xor.accumulate(toggles).view(np.bool_)


SAMPLE_BYTES = 1 << 18
"""Bytes by which a delimiter is guessed."""
# A comma can be a decimal mark, and text holds commas; the other three seldom occur in every line
# as often as in the first unless they delimit.
_PRECEDENCE = ("\t", ";", "|", ",")
_MANY_VALUES = 2_000
_MOSTLY_ALIKE = 0.5
_TABLE_LINES = 3
"""Least lines of a table below a title."""
_TABLE_ALIKE = 0.9
"""Least share of them that have as many fields: another one is told by its line."""
_POINT = re.compile(r"\s*[+-]?[0-9]*\.[0-9]+\s*")
_COMMA = re.compile(r"\s*[+-]?[0-9]*,[0-9]+\s*")
_WHOLE = re.compile(r"\s*[+-]?[0-9]*\s*")
_THOUSANDS = re.compile(r"\s*[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+\s*")
"""Where a comma parts groups of three digits everywhere, nothing tells whether it is decimal."""
_SEP_LINE = re.compile(rb'"?sep=([^\r\n"\x00\x80-\xff])"?(\r\n|\n|\r)', re.IGNORECASE)


def declared_delimiter(text: bytes | bytearray) -> tuple[str, int] | None:
    """The delimiter of a `sep=` line, as spreadsheets write it, and where the table starts."""
    match = _SEP_LINE.match(text)
    return (match[1].decode("ascii"), match.end()) if match else None


def sniff_delimiter(sample: bytes, complete: bool, rest: Callable[[], Iterable[bytes]]) -> str:
    """Guesses the delimiter from the first bytes of a table.

    The delimiter is the one that occurs in each record as often as in the first one. If none occurs
    in the first record the table has one column, and the result is a delimiter that does not occur
    in the text.

    Args:
        sample: The first `SAMPLE_BYTES` bytes as UTF-8, from the beginning of the first record.
        complete: Whether they are the whole table.
        rest: Begins to read the whole text, piece by piece; asked only where there is one column.
    """
    widths = {mark: record_widths(sample, mark, complete) for mark in DELIMITERS}
    alike = {mark: float(np.mean(found == found[0])) for mark, found in widths.items()}
    several = [mark for mark in _PRECEDENCE if widths[mark][0] > 1]
    titled = [mark for mark in _PRECEDENCE if title_records(widths[mark])]
    if titled and all(alike[mark] < _MOSTLY_ALIKE for mark in several):
        # What stands in the first record is of a title.
        return titled[0]
    if several:
        return max(several, key=alike.__getitem__)
    marks = {mark: ord(mark) for mark in DELIMITERS}
    present = {mark for mark, code in marks.items() if code in sample}
    for piece in () if complete else rest():
        present |= {mark for mark, code in marks.items() if code in piece}
    for mark in DELIMITERS:
        if mark not in present or (complete and bool(np.all(widths[mark] == 1))):
            return mark
    return ","


def record_widths(sample: bytes, mark: str, complete: bool) -> Offsets:
    """Returns the number of fields of each record that is not blank; at least one number.

    Args:
        sample: The first bytes of a table, from the beginning of the first record.
        mark: The delimiter.
        complete: Whether they are the whole table.
    """
    if complete:
        sample += b"\n"
    found = separators(np.frombuffer(sample, dtype=np.uint8), ord(mark))
    stops = np.flatnonzero(found.record_ends)
    if not stops.size:
        return np.array([found.offsets.size + 1])
    widths = np.diff(stops, prepend=-1)
    lengths = np.diff(found.offsets[stops], prepend=-1) - 1
    kept = widths[(lengths > 0) | (widths > 1)]
    return kept if kept.size else np.array([1])


def title_records(widths: Offsets) -> int:
    """Returns how many records stand above a table, like a title: those of other fields; else 0.

    Args:
        widths: Number of fields of each of the first records.
    """
    columns = int(np.bincount(widths).argmax())
    first = int(np.argmax(widths == columns))
    table = widths[first:]
    # A single column may hold a sentence with a comma, but not in nearly every line as many.
    is_table = table.size >= _TABLE_LINES and np.mean(table == columns) >= _TABLE_ALIKE
    return first if columns > 1 and first < HEADER_ROWS_MAX and is_table else 0


def sniff_decimal(columns: Iterable[TextColumn], delimiter: str) -> str:
    """Guesses the decimal mark from the distinct answers of all columns.

    A comma is the decimal mark if some column holds numbers with a comma, not all of them like
    thousands (1,200), and none holds numbers with a point. In a file delimited by commas it never
    is one: there it groups thousands.
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
        comma = comma or (_holds_numbers(texts, _COMMA) and not _are_thousands(texts))
    return "," if comma else "."


def _are_thousands(texts: list[str]) -> bool:
    return all(_THOUSANDS.fullmatch(text) or _WHOLE.fullmatch(text) for text in texts)


def _holds_numbers(texts: list[str], fraction: re.Pattern[str]) -> bool:
    if not any(fraction.fullmatch(text) for text in texts):
        return False
    return all(fraction.fullmatch(text) or _WHOLE.fullmatch(text) for text in texts)
