"""Parquet files that hold the declared columns and nothing else: no index, no metadata."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from dpdesk.data.output_fields import (
    BitsField,
    Chunk,
    IntegersField,
    OutputField,
    PartialChunk,
    SymbolField,
    TextField,
    parquet_type,
    parquet_values,
    split_chunk,
)

# Bytes of values per row group: a group of ten thousand indicator columns needs a megabyte for
# its own description, so that groups must not be small.
_GROUP = 1 << 26
_MOST_ROWS = 1 << 20


class ParquetRecords:
    """Writes the records of a release to an open file, one row group after the other.

    Args:
        file: A file open for binary writing.
        fields: The fields of a record.
    """

    def __init__(self, file: BinaryIO, fields: Sequence[OutputField]) -> None:
        self._fields = tuple(fields)
        columns: list[pa.Field] = []
        for field in self._fields:
            if isinstance(field, BitsField):
                columns += [
                    pa.field(name, pa.int8(), nullable=field.optional) for name in field.names
                ]
            elif isinstance(field, IntegersField):
                columns += [
                    pa.field(name, pa.int64(), nullable=field.optional) for name in field.names
                ]
            else:
                columns.append(_column_type(field))
        self._schema = pa.schema(columns)
        self._writer = pq.ParquetWriter(
            file,
            self._schema,
            # The schema of Arrow would travel along as metadata.
            store_schema=False,
            compression="zstd",
            # Indicators are smaller without a dictionary of their two values.
            use_dictionary=[c.name for c in columns if c.type != pa.int8()] or False,
        )
        self._values = {
            index: parquet_values(field)
            for index, field in enumerate(self._fields)
            if isinstance(field, SymbolField)
        }
        record = sum(_width(field) for field in self._fields)
        self._rows_per_group = min(_MOST_ROWS, max(1, _GROUP // record))
        self._waiting: list[pa.Table] = []
        self._rows_waiting = 0

    def write(self, chunks: Sequence[Chunk], rows: int) -> None:
        """Appends `rows` records, one chunk per field."""
        start = 0
        while start < rows:
            stop = min(rows, start + self._rows_per_group - self._rows_waiting)
            self._waiting.append(self._table([chunk[start:stop] for chunk in chunks]))
            self._rows_waiting += stop - start
            start = stop
            if self._rows_waiting >= self._rows_per_group:
                self._flush()

    def close(self) -> None:
        """Writes what waits and the footer; the file itself stays open."""
        self._flush()
        self._writer.close()

    def abandon(self) -> None:
        """Gives up; what was written is worthless.

        The writer must be closed while its file is open: left to the garbage collector it would
        write its footer into a closed file, which ends the process.
        """
        self._waiting, self._rows_waiting = [], 0
        with suppress(OSError, pa.ArrowException):
            self._writer.close()

    def _flush(self) -> None:
        if self._rows_waiting:
            group = pa.concat_tables(self._waiting)
            self._waiting, self._rows_waiting = [], 0
            self._writer.write_table(group, row_group_size=self._rows_per_group)

    def _table(self, chunks: Sequence[Chunk]) -> pa.Table:
        arrays: list[pa.Array] = []
        for index, (field, chunk) in enumerate(zip(self._fields, chunks, strict=True)):
            if isinstance(field, TextField):
                assert not isinstance(chunk, PartialChunk)  # noqa: S101 - refused by `rows_of`
                arrays.append(pa.array(list(chunk), type=pa.string()))
                continue
            reports, absent = split_chunk(chunk)
            if isinstance(field, SymbolField):
                arrays.append(self._values[index].take(pa.array(reports, mask=absent)))
                continue
            # Copied by columns, since each becomes an array of its own.
            kind = np.int8 if isinstance(field, BitsField) else np.int64
            columns = np.ascontiguousarray(reports.T, dtype=kind)
            arrays += [pa.array(column, mask=absent) for column in columns]
        return pa.Table.from_arrays(arrays, schema=self._schema)


def _width(field: OutputField) -> int:
    """Most bytes of one record in memory; of texts that are not known, a guess."""
    if isinstance(field, BitsField):
        return len(field.names)
    if isinstance(field, IntegersField):
        return 8 * len(field.names)
    if isinstance(field, TextField):
        return 32
    longest = max((len(text) for text in field.texts), default=0)
    return 8 + (4 * longest if field.numeric == "no" else 0)


def _column_type(field: SymbolField | TextField) -> pa.Field:
    nullable = isinstance(field, SymbolField) and (
        field.optional or (field.numeric != "no" and "" in field.texts)
    )
    return pa.field(field.name, parquet_type(field), nullable=nullable)
