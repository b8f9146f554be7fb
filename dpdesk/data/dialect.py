"""How a delimited text is written: where fields and records end, and guesses of its marks.

The user can overrule every guess. Where fields and records end is read from the bytes alone, not
left to a parser: a quotation mark toggles between inside and outside, and a doubled one toggles
twice, so that the outside is exact without looking at more than one byte on either side (RFC 4180,
section 2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpdesk.data.reading import DELIMITERS
from dpdesk.data.table import TextColumn

Bytes = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LF, CR = ord("\n"), ord("\r")
_BLOCK = 1 << 21


@dataclass(frozen=True)
class Separators:
    """The separators and quotation marks of one block of bytes.

    Attributes:
        offsets: Positions, in the whole text, of the separators outside quotation marks, ascending.
        record_ends: For each of them whether it ends a record, not only a field.
        quotes: Positions of all quotation marks, ascending.
        opens: For each of them whether it opens; every other one closes.
        quoted_line_ends: Number of line ends within quotation marks.
        inside_after: Whether the block ends within quotation marks.
    """

    offsets: Offsets
    record_ends: Flags
    quotes: Offsets
    opens: Flags
    quoted_line_ends: int
    inside_after: bool


def separators(
    text: Bytes, delimiter: int, *, quote: str = '"', has_cr: bool = True
) -> Iterator[Separators]:
    """Walks over a text, block by block, in constant memory.

    Args:
        text: The text; uint8, shape (n,).
        delimiter: Code of the delimiter.
        quote: The quotation mark, or empty for none.
        has_cr: False if the text is known to hold no CR, which saves a pass.

    Yields:
        The separators of each block, in the order of the text.
    """
    inside = False
    for start in range(0, len(text), _BLOCK):
        block = _block(text, start, delimiter, quote, inside, has_cr)
        inside = block.inside_after
        yield block


def _block(
    text: Bytes, start: int, delimiter: int, quote: str, inside: bool, has_cr: bool
) -> Separators:
    block = text[start : start + _BLOCK]
    line_end = block == LF
    if has_cr:
        # A CR ends a record unless an LF follows, which then ends it.
        cr = np.flatnonzero(block == CR)
        following = text[np.minimum(cr + start + 1, len(text) - 1)]
        line_end[cr[following != LF]] = True
    separator = line_end | (block == delimiter)
    quotes = np.flatnonzero(block == ord(quote)) if quote else np.empty(0, dtype=np.int64)
    quoted_line_ends, inside_after = 0, inside
    if quotes.size or inside:
        within = _within_quotes(len(block), quotes, inside)
        quoted_line_ends = int(np.count_nonzero(line_end & within))
        separator &= ~within
        inside_after = inside ^ bool(quotes.size & 1)
    local = np.flatnonzero(separator)
    opens = (np.arange(quotes.size) & 1).astype(np.bool_) == inside
    return Separators(
        offsets=local + start,
        record_ends=line_end[local],
        quotes=quotes + start,
        opens=opens,
        quoted_line_ends=quoted_line_ends,
        inside_after=inside_after,
    )


def _within_quotes(size: int, quotes: Offsets, inside: bool) -> Flags:
    toggles = np.zeros(size, dtype=np.uint8)
    toggles[quotes] = 1
    if size and inside:
        toggles[0] ^= 1
    return np.bitwise_xor.accumulate(toggles).view(np.bool_)


_SAMPLE_BYTES = 1 << 18
# A comma can be a decimal mark, and text holds commas; the other three seldom occur in every line
# as often as in the first unless they delimit.
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

    The delimiter is the one that occurs in each record as often as in the first one. If none occurs
    in the first record the table has one column, and the result is a delimiter that does not occur
    in the text.

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
    """Number of fields of each record that is not blank; at least one number."""
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
    with a point. In a file delimited by commas it never is one: there it groups thousands.
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
