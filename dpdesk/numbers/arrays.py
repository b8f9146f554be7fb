"""The types of numpy's arrays that most files name, and rows that are looked at by pieces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

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


_Number = TypeVar("_Number", bound=np.generic)
_Number_co = TypeVar("_Number_co", bound=np.generic, covariant=True)


class OfRows(Protocol[_Number_co]):
    """Something of each row, such as its code."""

    def __getitem__(self, rows: slice | NDArray[np.intp], /) -> NDArray[_Number_co]:
        """Returns that of some rows."""


RowCodes: TypeAlias = OfRows[np.int32]
"""The codes of a column by row."""

RowNumbers: TypeAlias = OfRows[np.float64]
"""A number of each row."""


@dataclass(frozen=True, slots=True, eq=False)
class Mapped(Generic[_Number]):
    """What is looked up when it is asked for, and takes no memory of its own.

    Attributes:
        of: What each place has: a code, a number, or whether it is meant.
        places: The place of each row.
    """

    of: NDArray[_Number]
    places: OfRows[np.integer[Any]]

    def __getitem__(self, rows: slice | NDArray[np.intp]) -> NDArray[_Number]:
        return self.of.take(self.places[rows])


def may_wait(waiting: int, sorted_last: int, least: int) -> bool:
    """Whether what came in pieces waits for more before all is sorted anew.

    As much waits as was sorted the last time, so that each is sorted some few times and not once
    for every piece.

    Args:
        waiting: How many came since then.
        sorted_last: How many different ones were left when all was sorted.
        least: So many wait in any case.
    """
    return waiting <= max(least, sorted_last)


def pieces_of(rows: int, step: int | None = None, *, least: int = 0) -> Iterator[slice]:
    """Cuts rows into pieces that are looked at one after the other; the last may be shorter.

    Args:
        rows: Number of rows.
        step: Rows of a piece; `ROWS_TOGETHER` if None.
        least: Rows of a piece at least, where each piece takes the time of so many rows.
    """
    step = max(ROWS_TOGETHER if step is None else step, least)
    return (slice(start, min(start + step, rows)) for start in range(0, rows, step))
