"""Writes the records of a release in every format at once: CSV and Parquet."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
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
    RecordFile,
    SymbolField,
    TextField,
    bytes_of_names,
    field_names,
    parquet_type,
    parquet_values,
    rows_of,
    split_chunk,
)
from dpdesk.data.write_csv import CsvRecords
from dpdesk.errors import ReleaseError
from dpdesk.i18n import N_

# Bytes of values per row group: a group of ten thousand indicator columns needs a megabyte for
# its own description, so that groups must not be small.
_GROUP = 1 << 26
_MOST_ROWS = 1 << 20


class ParquetRecords(RecordFile):
    """Writes the records of a release to an open file, one row group after the other.

    Args:
        file: A file open for binary writing.
        fields: The fields of a record.
    """

    name = "records.parquet"
    meaning = N_("the same for statistics software")
    content = "The same records with types."

    @classmethod
    def most_bytes(cls, field: OutputField, rows: int) -> int:
        """Returns room without compression; texts are written as places in a list of them."""
        if isinstance(field, BitsField):
            row = len(field.names)
        else:
            row = 8 * len(field.names) if isinstance(field, IntegersField) else 8
        return rows * row + bytes_of_names(field)

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


RECORD_FILES: tuple[type[RecordFile], ...] = (CsvRecords, ParquetRecords)
"""Every format of released records, in the order of lists. Adding one is a class and a word."""


def most_bytes(field: OutputField, rows: int) -> int:
    """Returns the most bytes that a field can take in all files of a release together."""
    return sum(kind.most_bytes(field, rows) for kind in RECORD_FILES)


class RecordWriter:
    """Writes the records of a release into a folder in each of `RECORD_FILES`, chunk by chunk.

    Used as a context it closes at the end and aborts on an error.

    Args:
        folder: An existing folder that holds none of the files.
        fields: The fields of a record, at least one; names of columns differ.

    Raises:
        ReleaseError: The files cannot be made.
        ValueError: Names of columns repeat, or there is none.
    """

    def __init__(self, folder: Path, fields: Sequence[OutputField]) -> None:
        names = field_names(fields)
        if not names or len(set(names)) != len(names):
            raise ValueError("The columns of a release have names that differ, at least one.")
        self._fields = tuple(fields)
        self.rows = 0
        self.paths: tuple[Path, ...] = ()
        self._open: list[BinaryIO] = []
        self._files: list[RecordFile] = []
        try:
            for kind in RECORD_FILES:
                path = folder / kind.name
                self._open.append(_create(path))
                self.paths = (*self.paths, path)
            for kind, file in zip(RECORD_FILES, self._open, strict=True):
                self._files.append(kind(file, self._fields))
        except BaseException:
            self.abort()
            raise

    def append(self, chunks: Sequence[Chunk]) -> None:
        """Appends records.

        Args:
            chunks: One chunk per field, all with the same number of rows.

        Raises:
            ReleaseError: The disk refuses; all files are removed.
            ValueError: A chunk does not fit its field; nothing is written.
        """
        if len(chunks) != len(self._fields):
            raise ValueError("A release gets one chunk per field.")
        counts = {rows_of(field, chunk) for field, chunk in zip(self._fields, chunks, strict=True)}
        if len(counts) != 1:
            raise ValueError("The chunks of a release have the same number of rows.")
        (rows,) = counts
        self._guarded(lambda: self._write(chunks, rows))
        self.rows += rows

    def _write(self, chunks: Sequence[Chunk], rows: int) -> None:
        for file in self._files:
            file.write(chunks, rows)

    def close(self) -> None:
        """Completes all files and waits until they are on the disk.

        Raises:
            ReleaseError: The disk refuses; all files are removed.
        """
        self._guarded(self._finish)

    def _finish(self) -> None:
        for written in self._files:
            written.close()
        for file in self._open:
            file.flush()
            os.fsync(file.fileno())
            file.close()

    def abort(self) -> None:
        """Removes all files; after it, or after `close`, the writer is of no use."""
        for written in self._files:
            written.abandon()
        for file in self._open:
            # Closing flushes, which fails once more on a full disk.
            with suppress(OSError):
                file.close()
        for path in self.paths:
            path.unlink(missing_ok=True)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
            return
        except (OSError, pa.ArrowException) as error:
            reason = getattr(error, "strerror", None) or "the file system refused"
            self.abort()
        raise ReleaseError(
            f"The records could not be written: {reason}.",
            remedy="Choose a folder with more space that you may write to.",
        )

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()


def _create(path: Path) -> BinaryIO:
    try:
        return path.open("xb")
    except OSError as error:
        reason = error.strerror or "the file system refused"
    raise ReleaseError(
        f"{path.name} cannot be made: {reason}.",
        remedy="Choose an empty folder that you may write to.",
    )
