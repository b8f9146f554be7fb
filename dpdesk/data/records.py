"""The reports in the records of a release, whichever file the records were read from.

`TextRecords` and `CutRecords` are records read as text; `columnar_records` reads Parquet.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from dpdesk.data.output_fields import BitsField, IntegersField, SymbolField
from dpdesk.data.table import SurveyTable, TextColumn

ReportField = SymbolField | BitsField | IntegersField

# Bits are passed on in blocks of rows, so that 10,000 indicator columns need no second table.
_BLOCK_BITS = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The cells of one field in some consecutive records.

    Attributes:
        reports: Codes, bits or whole numbers, shape (rows, columns); negative where a cell is
            invalid for the field.
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
        """The line of a record in its text file, both from 1; None for other files."""

    @abstractmethod
    def texts(self, name: str) -> TextColumn:
        """The texts of a column that was released unchanged."""

    @abstractmethod
    def blocks(self, field: ReportField) -> Iterator[Cells]:
        """The cells of a field whose columns all exist, from the first record to the last.

        Codes and whole numbers come as one block, indicators in blocks whose size depends only on
        their number, so that sums over them are the same from every file.
        """


def rows_of_a_block(field: BitsField) -> int:
    """Number of records of indicators that are passed on at a time."""
    return max(1, _BLOCK_BITS // len(field.names))


class TextRecords(Records):
    """The records of a table of texts.

    Args:
        table: The table, its texts as before `neutralise`.
    """

    def __init__(self, table: SurveyTable) -> None:
        self._table = table
        self.rows = table.rows
        self.names = frozenset(table.names)

    def line(self, record: int) -> int | None:
        """The line of a record."""
        return record + self._table.reading.header_rows

    def texts(self, name: str) -> TextColumn:
        """The texts of a column."""
        return self._table.column(name)

    def blocks(self, field: ReportField) -> Iterator[Cells]:
        """The cells of a field."""
        if isinstance(field, BitsField):
            yield from self._bits(field)
            return
        if isinstance(field, SymbolField):
            code_of = {text: code for code, text in enumerate(field.texts)}
            columns = [self._cells(field.name, lambda text: code_of.get(text, -1))]
        else:
            columns = [
                self._cells(name, partial(_whole, limit=limit, blanks=field.blanks))
                for name, limit in zip(field.names, field.limits, strict=True)
            ]
        yield _beside([c.reports for c in columns], [c.empty for c in columns])

    def _bits(self, field: BitsField) -> Iterator[Cells]:
        code_of = {"0": 0, "1": 1}
        columns = [
            self._cells(name, lambda text: code_of.get(text, -1), np.int8) for name in field.names
        ]
        step = rows_of_a_block(field)
        for start in range(0, self.rows, step):
            rows = slice(start, start + step)
            yield _beside([c.reports[rows] for c in columns], [c.empty[rows] for c in columns])

    def _cells(
        self, name: str, read: Callable[[str], int], kind: type[np.signedinteger] = np.int64
    ) -> Cells:
        texts = self._table.column(name)
        reports = np.array([read(text) for text in texts.distinct], dtype=kind)
        empty = np.array([text == "" for text in texts.distinct], dtype=np.bool_)
        return Cells(reports[texts.codes], empty[texts.codes])


class CutRecords(Records):
    """Records of a text file whose indicators were read separately.

    Args:
        rows: Number of records.
        indicators: The bits of each field, int8, shape (rows, k), by the names of its columns;
            a record whose cells are empty has -1 in all of them.
        rest: The other columns, if there are any.
    """

    def __init__(
        self,
        rows: int,
        indicators: Mapping[tuple[str, ...], npt.NDArray[np.int8]],
        rest: SurveyTable | None,
    ) -> None:
        self.rows = rows
        self._indicators = indicators
        self._rest = None if rest is None else TextRecords(rest)
        names = frozenset(name for names in indicators for name in names)
        self.names = names if self._rest is None else names | self._rest.names

    def line(self, record: int) -> int | None:
        """The line of a record, below the header."""
        return record + 1

    def texts(self, name: str) -> TextColumn:
        """The texts of one of the other columns."""
        assert self._rest is not None  # noqa: S101 - `names` has no text without it
        return self._rest.texts(name)

    def blocks(self, field: ReportField) -> Iterator[Cells]:
        """The cells of a field."""
        if not isinstance(field, BitsField):
            assert self._rest is not None  # noqa: S101 - `names` has no such column without it
            yield from self._rest.blocks(field)
            return
        bits = self._indicators[field.names]
        step = rows_of_a_block(field)
        for start in range(0, self.rows, step):
            block = bits[start : start + step]
            yield Cells(block, block[:, :1] < 0)


def _beside(
    reports: list[npt.NDArray[np.signedinteger]], empty: list[npt.NDArray[np.bool_]]
) -> Cells:
    # Stacked as rows, then transposed: writing columns one by one misses the cache at every cell.
    return Cells(np.ascontiguousarray(np.stack(reports).T), np.stack(empty).T)


def _whole(text: str, limit: int, *, blanks: bool) -> int:
    """Reads a whole number from 0 up to one below the limit; -1 for anything else.

    Where there are blanks, an empty cell is the last of the numbers, and written in no other way.
    """
    if blanks:
        limit -= 1
        if text == "":
            return limit
    plain = text.isascii() and text.isdigit() and len(text) <= len(str(limit))
    return int(text) if plain and int(text) < limit else -1
