"""Writes the records of a release as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

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
    split_chunk,
)
from dpdesk.i18n import N_

# Bytes of text of a CSV file that are assembled at once.
_PIECE = 1 << 23


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

    def _begin(self) -> None:
        names = field_names(self._fields)
        self._alone = len(names) == 1
        self._file.write((",".join(self._cell(name) for name in names) + "\n").encode("utf-8"))
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
