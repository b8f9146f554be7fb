"""Where fields and records end, found in the bytes alone: no parser is trusted with it.

A quotation mark toggles between inside and outside; a doubled one toggles twice, so that what
stands outside is exact without looking at more than one byte on either side (RFC 4180, section 2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Offsets = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

LF, CR = ord("\n"), ord("\r")
_BLOCK = 1 << 21


@dataclass(frozen=True)
class Separators:
    """What one block of bytes holds.

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
        quote: The quotation mark, or empty where there is none.
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
