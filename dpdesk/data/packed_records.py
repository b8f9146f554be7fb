"""The records of a release as rows of bytes, as few as their reports need.

A row can be moved as a whole, which is what bringing the records into another order takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.data.output_fields import (
    BitsField,
    Chunk,
    CodedTexts,
    OutputField,
    PartialChunk,
    SymbolField,
    TextField,
    split_chunk,
)

PackedRows = npt.NDArray[np.uint8]
"""Records as bytes, shape (rows, width)."""

# Rows of such a width are moved as numbers, in a third of the time.
_WIDTHS = (8, 16, 32)


class RecordLayout:
    """Where the reports of each field stand in the bytes of a record.

    Attributes:
        width: Bytes of a record.

    Args:
        fields: The fields of a record.
        texts: For each field of texts that are copied, all of its texts.
    """

    def __init__(self, fields: Sequence[OutputField], texts: Mapping[str, pa.Array]) -> None:
        self._fields = tuple(fields)
        self._texts = texts
        kinds = [self._kinds(field) for field in fields]
        flat = [kind for own in kinds for kind in own]
        ends = np.cumsum([np.dtype(kind).itemsize for kind in flat], dtype=int).tolist()
        self._first = np.cumsum([0, *map(len, kinds)]).tolist()
        used = ends[-1]
        self.width: int = next((width for width in _WIDTHS if used <= width), used)
        self._type = np.dtype(
            {
                "names": [str(place) for place in range(len(flat))],
                "formats": flat,
                "offsets": [0, *ends[:-1]],
                "itemsize": self.width,
            }
        )

    def pack(self, chunks: Sequence[Chunk], rows: int) -> PackedRows:
        """Returns records as bytes.

        Args:
            chunks: One chunk per field, all with the same number of rows; texts that are copied
                are `CodedTexts` of the texts of the layout.
            rows: Number of rows.
        """
        # Zeros, so that what memory held before never reaches a disk.
        packed = np.zeros(rows, dtype=self._type)
        for index, (field, chunk) in enumerate(zip(self._fields, chunks, strict=True)):
            for part, values in zip(self._parts(index), _packed(field, chunk), strict=True):
                packed[part] = values
        return packed.view(np.uint8).reshape(rows, self.width)

    def unpack(self, packed: PackedRows) -> list[Chunk]:
        """Returns the chunks of packed records, one per field."""
        records = np.ascontiguousarray(packed).reshape(-1).view(self._type)
        return [
            self._unpacked(field, [records[part] for part in self._parts(index)])
            for index, field in enumerate(self._fields)
        ]

    def _parts(self, index: int) -> list[str]:
        return [str(part) for part in range(self._first[index], self._first[index + 1])]

    def _kinds(self, field: OutputField) -> list[Any]:
        """The types of the numbers that a field takes."""
        if isinstance(field, TextField):
            return [_smallest(len(self._texts[field.name]))]
        if isinstance(field, SymbolField):
            # One more for a record without a report.
            return [_smallest(len(field.texts) + 1)]
        present = [np.bool_] if field.optional else []
        if isinstance(field, BitsField):
            return [*present, (np.uint8, (-(-len(field.names) // 8),))]
        return [*present, *map(_smallest, field.limits)]

    def _unpacked(self, field: OutputField, parts: list[npt.NDArray[Any]]) -> Chunk:
        if isinstance(field, TextField):
            return CodedTexts(self._texts[field.name], parts[0])
        if isinstance(field, SymbolField):
            codes = parts[0].astype(np.int32)
            if not field.optional:
                return codes
            present = codes < len(field.texts)
            codes[~present] = 0
            return PartialChunk(codes, present)
        numbers = parts[1:] if field.optional else parts
        reports: npt.NDArray[Any]
        if isinstance(field, BitsField):
            reports = np.unpackbits(numbers[0], axis=1, count=len(field.names))
        else:
            reports = np.stack(numbers, axis=1, dtype=np.int64, casting="unsafe")
        return PartialChunk(reports, parts[0].copy()) if field.optional else reports


def _packed(field: OutputField, chunk: Chunk) -> list[npt.NDArray[Any]]:
    """The numbers of a chunk, in the order of `RecordLayout._kinds`."""
    if isinstance(field, TextField):
        assert isinstance(chunk, CodedTexts)  # noqa: S101 - said in `pack`
        return [chunk.codes]
    reports, absent = split_chunk(chunk)
    if isinstance(field, SymbolField):
        return [reports if absent is None else np.where(absent, len(field.texts), reports)]
    if absent is not None:
        # A report that is not released is nowhere but in memory.
        reports = np.where(absent[:, None], 0, reports)
    numbers = [np.packbits(reports, axis=1)] if isinstance(field, BitsField) else [*reports.T]
    if not field.optional:
        return numbers
    return [np.ones(len(reports), np.bool_) if absent is None else ~absent, *numbers]


def _smallest(count: int) -> npt.DTypeLike:
    """The smallest type of whole numbers below a limit."""
    kinds = (np.uint8, np.uint16, np.uint32)
    return next((kind for kind in kinds if count <= np.iinfo(kind).max + 1), np.uint64)
