"""Reads many texts as numbers at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.spool import chunked_values
from dpdesk.numbers.arrays import pieces_of

# The grammar of `domains.parse_number`, with exponents short enough never to overflow.
_NUMBER = r"^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,2})?$"
_PADDED = r"^[+-]?0[0-9]"
_LONGEST = 64
_BLANKS = " \t\u00a0"


@dataclass(frozen=True)
class NumberTexts:
    """The numbers of some texts.

    Attributes:
        values: The number of each text, NaN if it is not one; float64, shape (k,).
        texts: The texts.
        decimal: Their decimal mark.
    """

    values: npt.NDArray[np.float64]
    texts: pa.Array
    decimal: str

    @cached_property
    def decimals(self) -> int:
        """Most digits after the decimal mark that any of them needs."""
        pieces = _written_pieces(self.texts, self.decimal)
        return max((_decimals(pc.drop_null(some)) for some in pieces), default=0)

    @cached_property
    def padded(self) -> bool:
        """Whether one starts with a superfluous zero, as codes do."""
        pieces = _written_pieces(self.texts, self.decimal)
        found = (pc.match_substring_regex(some, _PADDED) for some in pieces)
        return any(pc.any(flags, min_count=0).as_py() for flags in found)

    def take(self, places: npt.NDArray[np.int64]) -> NumberTexts:
        """Returns the numbers of some of the texts, by their places."""
        return NumberTexts(self.values[places], self.texts.take(places), self.decimal)

    @property
    def is_number(self) -> npt.NDArray[np.bool_]:
        """Which texts are numbers, shape (k,)."""
        return self.is_number_at(slice(None))

    def is_number_at(self, places: slice) -> npt.NDArray[np.bool_]:
        """Which of some of the texts are numbers; of many, all flags would take much memory."""
        return ~np.isnan(self.values[places])


def read_numbers(texts: pa.Array, decimal: str) -> NumberTexts:
    """Reads texts as numbers with this decimal mark.

    Args:
        texts: A pyarrow array of text without nulls.
        decimal: `.` or `,`.
    """
    pieces = (
        pc.fill_null(pc.cast(some, pa.float64()), float("nan")).to_numpy(zero_copy_only=False)
        for some in _written_pieces(texts, decimal)
    )
    values = chunked_values(pieces, np.dtype(np.float64))
    values.flags.writeable = False
    return NumberTexts(values, texts, decimal)


def _written_pieces(texts: pa.Array, decimal: str) -> Iterator[pa.Array]:
    """Yields the texts some at a time, as `_written` makes them."""
    return (_written(texts[some], decimal) for some in pieces_of(len(texts)))


def _written(texts: pa.Array, decimal: str) -> pa.Array:
    """The texts that are numbers, with a decimal point and no plus; null for the others."""
    written = pc.utf8_trim(texts, characters=_BLANKS)
    possible = pc.less_equal(pc.utf8_length(written), _LONGEST)
    if decimal == ",":
        possible = pc.and_(possible, pc.invert(pc.match_substring(written, ".")))
        written = pc.replace_substring(written, ",", ".")
    possible = pc.and_(possible, pc.match_substring_regex(written, _NUMBER))
    # The cast does not accept a leading plus.
    unsigned = pc.utf8_ltrim(written, characters="+")
    return pc.if_else(possible, unsigned, pa.scalar(None, type=texts.type))


def _decimals(numbers: pa.Array) -> int:
    if not len(numbers):
        return 0
    if pc.any(pc.match_substring_regex(numbers, "[eE]")).as_py():
        # Scientific notation hides how many digits were meant; nine is what a domain can hold.
        return 9
    fractional = numbers.filter(pc.match_substring(numbers, "."))
    if not len(fractional):
        return 0
    needed = pc.utf8_rtrim(fractional, characters="0")
    after = pc.subtract(pc.utf8_length(needed), pc.add(pc.find_substring(needed, "."), 1))
    return int(pc.max(after).as_py())
