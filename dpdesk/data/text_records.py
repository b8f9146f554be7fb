"""Records of a release that were read as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np
import numpy.typing as npt

from dpdesk.data.output_fields import BitsField, SymbolField
from dpdesk.data.records import Cells, Records, ReportField, rows_of_a_block
from dpdesk.data.table import SurveyTable, TextColumn


class TextRecords(Records):
    """The records of a table of texts.

    Args:
        table: The table, its texts as they were before `neutralise`.
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
                self._cells(name, partial(_whole, limit=limit))
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
    """Records of a text file whose indicators were read apart from the other columns.

    Args:
        rows: Number of records.
        indicators: The bits of each field, int8, shape (rows, k), by the names of its columns;
            a record whose cells are empty has -1 in all of them.
        rest: The other columns, where there are any.
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
    # Stacked as rows and then turned: writing columns one by one misses the cache at every cell.
    return Cells(np.ascontiguousarray(np.stack(reports).T), np.stack(empty).T)


def _whole(text: str, limit: int) -> int:
    """Reads a whole number from 0 up to one below the limit; -1 for anything else."""
    plain = text.isascii() and text.isdigit() and len(text) <= len(str(limit))
    return int(text) if plain and int(text) < limit else -1
