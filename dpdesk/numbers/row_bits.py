"""Whether something holds of each of many rows, in a bit each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers import arrays
from dpdesk.numbers.arrays import Flags, pieces_of

Bits = NDArray[np.uint8]
"""Bits of rows, eight in a byte, the first row in the highest bit; those behind the last are 0."""


class RowBits:
    """Of which rows something holds.

    Args:
        rows: Number of rows.
        bits: A bit of each, shape (ceil(rows / 8),), which is not copied; all are 0 if None.

    Attributes:
        rows: Number of rows.
        bits: A bit of each.
    """

    def __init__(self, rows: int, bits: Bits | None = None) -> None:
        self.rows = rows
        self.bits: Bits = np.zeros(-(-rows // 8), dtype=np.uint8) if bits is None else bits

    @property
    def count(self) -> int:
        """Of how many rows it holds."""
        return sum(
            int(np.bitwise_count(self.bits[some]).sum()) for some in pieces_of(len(self.bits))
        )

    def pieces(self) -> Iterator[slice]:
        """Cuts the rows into pieces, each of which begins with a byte of its own."""
        return pieces_of(self.rows, -(-arrays.ROWS_TOGETHER // 8) * 8)

    def put(self, rows: slice, flags: Flags) -> None:
        """Says of which of some rows it holds.

        Args:
            rows: One of `pieces`.
            flags: Which of them, shape (rows,).
        """
        self.bits[_bytes_of(rows)] = np.packbits(flags)

    def add(self, rows: NDArray[np.int64]) -> None:
        """Lets it hold of further rows."""
        np.bitwise_or.at(self.bits, rows >> 3, (128 >> (rows & 7)).astype(np.uint8))

    def at(self, rows: NDArray[np.int64]) -> Flags:
        """Returns whether it holds of each of some rows."""
        return np.asarray((self.bits[rows >> 3] << (rows & 7) & 128) > 0)

    def flags(self) -> Iterator[tuple[slice, Flags]]:
        """Yields rows, piece by piece, and of which of them it holds."""
        for rows in self.pieces():
            packed = self.bits[_bytes_of(rows)]
            yield rows, np.unpackbits(packed, count=rows.stop - rows.start).view(np.bool_)


def _bytes_of(rows: slice) -> slice:
    return slice(rows.start // 8, -(-rows.stop // 8))
