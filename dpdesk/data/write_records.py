"""Writes the records of a release in every format at once: CSV and Parquet."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
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
    csv_cell,
    field_names,
    parquet_type,
    parquet_values,
    rows_of,
    split_chunk,
)
from dpdesk.errors import ReleaseError
from dpdesk.i18n import N_

# Bytes of text of a CSV file that are assembled at once.
_PIECE = 1 << 23
# Bytes of values per row group: a group of ten thousand indicator columns needs a megabyte for
# its own description, so that groups must not be small.
_GROUP = 1 << 26
_MOST_ROWS = 1 << 20


class CsvRecords(RecordFile):
    """Writes the records of a release to an open CSV file, in constant memory.

    Every possible cell is quoted once, when its field is declared; a chunk then only joins these
    bytes, which is several times faster than a writer that examines each cell.
    """

    name = "records.csv"
    meaning = N_("the sanitized answers, one line per respondent")
    content = "The sanitized records: one row per respondent."

    @classmethod
    def most_bytes_of_one(cls, field: OutputField) -> int:
        """Returns the bytes of every cell at its longest, with its separator."""
        if isinstance(field, BitsField):
            return 2 * len(field.names)
        if isinstance(field, IntegersField):
            return sum(max(len(str(limit)), 2) + 1 for limit in field.limits)
        if isinstance(field, SymbolField):
            texts = (len(csv_cell(text).encode("utf-8")) for text in field.texts)
            # An empty cell alone on its line takes two quotation marks.
            return max([*texts, 2]) + 1
        return 4

    def __init__(self, file: BinaryIO, fields: Sequence[OutputField]) -> None:
        super().__init__(file, fields)
        self._file = file
        names = field_names(self._fields)
        self._alone = len(names) == 1
        file.write((",".join(self._cell(name) for name in names) + "\n").encode("utf-8"))
        self._cells = {
            index: self._cells_of(field)
            for index, field in enumerate(self._fields)
            if isinstance(field, SymbolField)
        }
        bits = sum(2 * len(field.names) for field in self._fields if isinstance(field, BitsField))
        bits += sum(
            sum(len(str(limit)) + 1 for limit in field.limits)
            for field in self._fields
            if isinstance(field, IntegersField)
        )
        texts = [max(map(len, field.texts), default=0) for field in self._symbols()]
        self._rows_at_once = max(1, _PIECE // (bits + 4 * (sum(texts) + len(names)) + 1))

    def write(self, chunks: Sequence[Chunk], rows: int) -> None:
        """Appends `rows` records, one chunk per field."""
        for start in range(0, rows, self._rows_at_once):
            stop = min(rows, start + self._rows_at_once)
            lines = pc.binary_join_element_wise(
                *(
                    self._column(index, chunk[start:stop], stop - start)
                    for index, chunk in enumerate(chunks)
                ),
                # The separator of the columns comes last.
                b",",
            )
            joined = pc.binary_join_element_wise(lines, b"", b"\n")
            self._file.write(_contents(joined))

    def _symbols(self) -> list[SymbolField]:
        return [field for field in self._fields if isinstance(field, SymbolField)]

    def _cell(self, text: str, *, number: bool = False) -> str:
        # An empty cell alone on its line would be a blank line, which readers skip.
        return csv_cell(text, number=number) or ('""' if self._alone else "")

    def _cells_of(self, field: SymbolField) -> pa.Array:
        number = field.numeric != "no"
        cells = [self._cell(text, number=number).encode("utf-8") for text in field.texts]
        return pa.array(cells, type=pa.binary())

    def _column(self, index: int, chunk: Chunk, rows: int) -> pa.Array:
        field = self._fields[index]
        if not isinstance(field, TextField):
            reports, absent = split_chunk(chunk)
            cells = self._report_cells(index, reports)
            if absent is None:
                return cells
            columns = 1 if isinstance(field, SymbolField) else len(field.names)
            # As in `_cell`: an empty cell alone on its line.
            empty = b'""' if self._alone else b"," * (columns - 1)
            return pc.if_else(pa.array(absent), pa.scalar(empty), cells)
        assert not isinstance(chunk, PartialChunk)  # noqa: S101 - refused by `rows_of`
        encoded = pa.array(list(chunk), type=pa.string()).dictionary_encode()
        cells = [self._cell(text).encode("utf-8") for text in encoded.dictionary.to_pylist()]
        return pa.array(cells, type=pa.binary()).take(encoded.indices)

    def _report_cells(self, index: int, reports: npt.NDArray[Any]) -> pa.Array:
        field = self._fields[index]
        if isinstance(field, BitsField):
            return _indicator_cells(reports)
        if isinstance(field, IntegersField):
            return _integer_cells(field, reports)
        return self._cells[index].take(pa.array(reports))


def _indicator_cells(bits: npt.NDArray[np.uint8]) -> pa.Array:
    """Each row of 0 and 1 as one text `0,1,0`."""
    rows, k = bits.shape
    text = np.full((rows, 2 * k - 1), ord(","), dtype=np.uint8)
    text[:, 0::2] = bits + ord("0")
    offsets = np.arange(rows + 1, dtype=np.int32) * np.int32(2 * k - 1)
    return pa.Array.from_buffers(
        pa.binary(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(text)]
    )


def _integer_cells(field: IntegersField, numbers: npt.NDArray[np.integer[Any]]) -> pa.Array:
    """Each row of whole numbers as one text `17,4`."""
    columns = (pa.array(numbers[:, part]) for part in range(numbers.shape[1]))
    texts = [column.cast(pa.string()).cast(pa.binary()) for column in columns]
    if field.blanks:
        texts = [
            pc.if_else(pa.array(numbers[:, part] == limit - 1), pa.scalar(b""), text)
            for part, (text, limit) in enumerate(zip(texts, field.limits, strict=True))
        ]
    return texts[0] if len(texts) == 1 else pc.binary_join_element_wise(*texts, b",")


def _contents(texts: pa.Array) -> memoryview:
    """All bytes of an array of texts, one after the other."""
    _, offsets, data = texts.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int32)
    first, last = int(bounds[texts.offset]), int(bounds[texts.offset + len(texts)])
    return memoryview(data)[first:last]


class ParquetRecords(RecordFile):
    """Writes the records of a release to an open file, one row group after the other."""

    name = "records.parquet"
    meaning = N_("the same for statistics software")
    content = "The same records with types."

    @classmethod
    def most_bytes_of_one(cls, field: OutputField) -> int:
        """Returns room without compression; texts are written as places in a list of them."""
        if isinstance(field, BitsField):
            return len(field.names)
        return 8 * len(field.names) if isinstance(field, IntegersField) else 8

    def __init__(self, file: BinaryIO, fields: Sequence[OutputField]) -> None:
        super().__init__(file, fields)
        columns: list[pa.Field] = []
        for field in self._fields:
            if isinstance(field, BitsField):
                columns += [
                    pa.field(name, pa.int8(), nullable=field.optional) for name in field.names
                ]
            elif isinstance(field, IntegersField):
                columns += [
                    pa.field(name, pa.int64(), nullable=field.optional or field.blanks)
                    for name in field.names
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
            for part, column in enumerate(columns):
                arrays.append(pa.array(column, mask=_unwritten(field, part, column, absent)))
        return pa.Table.from_arrays(arrays, schema=self._schema)


def _unwritten(
    field: BitsField | IntegersField,
    part: int,
    column: npt.NDArray[Any],
    absent: npt.NDArray[np.bool_] | None,
) -> npt.NDArray[np.bool_] | None:
    """Which cells of a column are null; None if none is."""
    if isinstance(field, BitsField) or not field.blanks:
        return absent
    blank = np.asarray(column == field.limits[part] - 1)
    return blank if absent is None else blank | absent


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
