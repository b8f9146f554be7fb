"""CSV files: UTF-8, RFC 4180, lines ended by LF, no formula that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.neutralise import neutralise
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
    csv_cell,
    field_names,
    split_chunk,
)
from dpdesk.data.write_file import write_file
from dpdesk.i18n import N_

Cell = str | int | float | Decimal | None

# Bytes of text that are assembled at once.
_PIECE = 1 << 23


def write_table_csv(
    path: Path,
    header: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    overwrite: bool = True,
) -> None:
    """Writes a small table; numbers as they are, text neutralised, None as an empty cell.

    Args:
        path: The file.
        header: Names of the columns.
        rows: One sequence of cells per row, as long as the header.
        overwrite: Whether an earlier file of this name may be replaced.

    Raises:
        ReleaseError: The file cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([neutralise(name) for name in header])
    for row in rows:
        if len(row) != len(header):
            raise ValueError("A row of a table has one cell per column.")
        writer.writerow([neutralise(cell) if isinstance(cell, str) else cell for cell in row])
    write_file(path, text.getvalue(), overwrite=overwrite)


class CsvRecords(RecordFile):
    """Writes the records of a release to an open file, in memory that rows do not enlarge.

    Every cell is quoted once, when its field is declared; a chunk then only joins ready bytes,
    which is several times faster than a writer that looks at each cell.

    Args:
        file: A file open for binary writing; the header is written at once.
        fields: The fields of a record.
    """

    name = "records.csv"
    meaning = N_("the sanitized answers, one line per respondent")
    content = "The sanitized records: one row per respondent."

    @classmethod
    def most_bytes(cls, field: OutputField, rows: int) -> int:
        """Returns room for every cell at its longest, with the mark behind it."""
        if isinstance(field, BitsField):
            row = 2 * len(field.names)
        elif isinstance(field, IntegersField):
            row = sum(len(str(limit)) + 1 for limit in field.limits)
        elif isinstance(field, SymbolField):
            texts = (len(csv_cell(text).encode("utf-8")) for text in field.texts)
            row = max(texts, default=0) + 1
        else:
            row = 4
        return rows * row + bytes_of_names(field)

    def __init__(self, file: BinaryIO, fields: Sequence[OutputField]) -> None:
        self._file = file
        self._fields = tuple(fields)
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
            return pc.if_else(pa.array(absent), pa.scalar(b"," * (columns - 1)), cells)
        assert not isinstance(chunk, PartialChunk)  # noqa: S101 - refused by `rows_of`
        encoded = pa.array(list(chunk), type=pa.string()).dictionary_encode()
        cells = [self._cell(text).encode("utf-8") for text in encoded.dictionary.to_pylist()]
        return pa.array(cells, type=pa.binary()).take(encoded.indices)

    def _report_cells(self, index: int, reports: npt.NDArray[Any]) -> pa.Array:
        field = self._fields[index]
        if isinstance(field, BitsField):
            return _indicator_cells(reports)
        if isinstance(field, IntegersField):
            return _integer_cells(reports)
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


def _integer_cells(numbers: npt.NDArray[np.int64]) -> pa.Array:
    """Each row of whole numbers as one text `17,4`."""
    columns = (pa.array(numbers[:, part]) for part in range(numbers.shape[1]))
    texts = [column.cast(pa.string()).cast(pa.binary()) for column in columns]
    return texts[0] if len(texts) == 1 else pc.binary_join_element_wise(*texts, b",")


def _contents(texts: pa.Array) -> memoryview:
    """All bytes of an array of texts, one after the other."""
    _, offsets, data = texts.buffers()
    bounds = np.frombuffer(offsets, dtype=np.int32)
    first, last = int(bounds[texts.offset]), int(bounds[texts.offset + len(texts)])
    return memoryview(data)[first:last]
