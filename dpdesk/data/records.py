"""Records of a release as the reports they hold, whichever file they were read from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.output_fields import BitsField, IntegersField, SymbolField
from dpdesk.data.table import TextColumn

ReportField = SymbolField | BitsField | IntegersField

# Bits are handed on in blocks of rows, so that 10,000 indicator columns need no second table.
_BLOCK_BITS = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of one field in some consecutive records.

    Attributes:
        reports: Codes, bits or whole numbers, shape (rows, columns); negative where a cell holds
            nothing that the field can hold.
        empty: Which cells are empty, of a shape that broadcasts to that of `reports`.
    """

    reports: npt.NDArray[Any]
    empty: npt.NDArray[np.bool_]


class Records(ABC):
    """Released records, at least one.

    Attributes:
        rows: Number of records.
        names: Names of their columns.
    """

    rows: int
    names: frozenset[str]

    @abstractmethod
    def line(self, record: int) -> int | None:
        """The line of a text file on which a record stands, both from 1; else None."""

    @abstractmethod
    def texts(self, name: str) -> TextColumn:
        """The texts of a column that was kept as it is."""

    @abstractmethod
    def blocks(self, field: ReportField) -> Iterator[Cells]:
        """The cells of a field whose columns are all there, from the first record to the last.

        Codes and whole numbers come as one block, indicators in blocks that depend on their
        number alone, so that sums over them are the same from every file.
        """


def rows_of_a_block(field: BitsField) -> int:
    """How many records of indicators are handed on at a time."""
    return max(1, _BLOCK_BITS // len(field.names))
