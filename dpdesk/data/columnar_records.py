"""Records of a release that were read from Parquet: the columns as `ParquetRecords` wrote them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from dpdesk.data.output_fields import BitsField, SymbolField, parquet_values
from dpdesk.data.records import Cells, Records, ReportField, rows_of_a_block
from dpdesk.data.table import TextColumn
from dpdesk.errors import InputError

_REMEDY = "Open the records as the release wrote them."


class ColumnarRecords(Records):
    """The records of a Parquet file.

    Args:
        path: The file.

    Raises:
        InputError: The file cannot be read, is no table, or repeats the name of a column.
    """

    def __init__(self, path: Path) -> None:
        self._table = _read(path)
        self.rows = self._table.num_rows
        self._place = {name: i for i, name in enumerate(self._table.column_names)}
        self.names = frozenset(self._place)
        if len(self._place) != self._table.num_columns:
            raise InputError(f"{path.name} has two columns of one name.", remedy=_REMEDY)

    def line(self, record: int) -> int | None:
        """None: the file has no lines."""
        return None

    def texts(self, name: str) -> TextColumn:
        """The texts of a column, every one there."""
        column = self._column(name, _is_text, "texts")
        if column.null_count:
            missing = np.asarray(pc.is_null(column))
            raise InputError(
                f"Record {int(np.flatnonzero(missing)[0]) + 1} of column {name} is empty.",
                column=name,
                remedy=_REMEDY,
            )
        return TextColumn.from_arrow(name, _joined(column.cast(pa.string())).dictionary_encode())

    def blocks(self, field: ReportField) -> Iterator[Cells]:
        """The cells of a field."""
        if isinstance(field, BitsField):
            columns = [self._column(name, pa.types.is_integer, "0 and 1") for name in field.names]
            step = rows_of_a_block(field)
            for start in range(0, self.rows, step):
                yield _bits([column.slice(start, step) for column in columns])
        elif isinstance(field, SymbolField):
            yield self._symbols(field)
        else:
            columns = [self._column(n, pa.types.is_integer, "whole numbers") for n in field.names]
            numbers = [_whole(column) for column in columns]
            reports = np.stack(numbers, axis=1)
            reports[reports >= np.array(field.limits)] = -1
            yield Cells(reports, np.stack([np.asarray(pc.is_null(c)) for c in columns], axis=1))

    def _symbols(self, field: SymbolField) -> Cells:
        values = parquet_values(field)
        fits, what = {
            "no": (_is_text, "texts"),
            "integer": (pa.types.is_integer, "whole numbers"),
            "real": (pa.types.is_floating, "numbers"),
        }[field.numeric]
        column = _joined(self._column(field.name, fits, what).cast(values.type))
        # A value that stands for no text has no position; nor has null, unless a text is empty.
        codes = pc.fill_null(pc.index_in(column, value_set=values), -1)
        return Cells(np.asarray(codes)[:, None], np.asarray(pc.is_null(column))[:, None])

    def _column(self, name: str, fits: Callable[[pa.DataType], bool], what: str) -> pa.ChunkedArray:
        column = self._table.column(self._place[name])
        if not fits(column.type):
            raise InputError(
                f"The column {name} does not hold {what}, as the release does.",
                column=name,
                remedy=_REMEDY,
            )
        return column


def _read(path: Path) -> pa.Table:
    try:
        table = pq.ParquetFile(path).read()
    except (OSError, pa.ArrowException):
        # Its text may quote the file; nothing of it travels on.
        table = None
    if table is None:
        raise InputError(f"{path.name} cannot be read as a Parquet file.", remedy=_REMEDY)
    return table


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _joined(column: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)


def _whole(column: pa.ChunkedArray) -> npt.NDArray[np.int64]:
    """Whole numbers; a negative one where a cell is empty or beyond 64 bits with a sign."""
    signed = pc.cast(column, pa.int64(), safe=False)
    return np.asarray(pc.fill_null(signed, -1))


def _bits(columns: list[pa.ChunkedArray]) -> Cells:
    reports = np.empty((len(columns), len(columns[0])), dtype=np.int8)
    empty = np.zeros((len(columns), 1), dtype=np.bool_)
    if any(column.null_count for column in columns):
        empty = np.stack([np.asarray(pc.is_null(column)) for column in columns])
    for row, column in zip(reports, columns, strict=True):
        numbers = np.asarray(pc.fill_null(column, -1) if column.null_count else column)
        row[:] = np.where((numbers == 0) | (numbers == 1), numbers, -1)
    return Cells(np.ascontiguousarray(reports.T), empty.T)
