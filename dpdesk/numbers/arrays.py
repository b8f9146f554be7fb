"""The types of numpy's arrays that most files name, and rows that are looked at by pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Real numbers."""

Counts = NDArray[np.int64]
"""How often each of several things occurs."""

Codes = NDArray[np.int32]
"""Positions of answers in their domain; -1 for none."""

Flags = NDArray[np.bool_]
"""Whether something holds, of each of several things."""


ROWS_TOGETHER = 1 << 20
"""Rows that are looked at together where there may be more of them than memory holds."""


class RowCodes(Protocol):
    """The codes of a column by row."""

    def __getitem__(self, rows: slice, /) -> Codes:
        """Returns the codes of some rows."""


@dataclass(frozen=True, slots=True)
class MappedCodes:
    """Codes that are looked up when they are asked for, and take no memory of their own.

    Attributes:
        code_of: The code of each place.
        places: The place of each row.
    """

    code_of: Codes
    places: RowCodes

    def __getitem__(self, rows: slice) -> Codes:
        return self.code_of.take(self.places[rows])


class RowNumbers(Protocol):
    """A number of each row."""

    def __getitem__(self, rows: slice, /) -> Floats:
        """Returns the numbers of some rows."""


@dataclass(frozen=True, slots=True)
class MappedNumbers:
    """Numbers that are looked up when they are asked for, and take no memory of their own.

    Attributes:
        number_of: The number of each place.
        places: The place of each row.
    """

    number_of: Floats
    places: RowCodes

    def __getitem__(self, rows: slice) -> Floats:
        return self.number_of.take(self.places[rows])


def pieces_of(rows: int, step: int | None = None, *, least: int = 0) -> Iterator[slice]:
    """Cuts rows into pieces that are looked at one after the other; the last may be shorter.

    Args:
        rows: Number of rows.
        step: Rows of a piece; `ROWS_TOGETHER` if None.
        least: Rows of a piece at least, where each piece takes the time of so many rows.
    """
    step = max(ROWS_TOGETHER if step is None else step, least)
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))
