"""A made-up format of released records: an object of JSON on each line."""

from __future__ import annotations

import json
from collections.abc import Sequence

from dpdesk.data.output_fields import (
    Chunk,
    OutputField,
    RecordFile,
    SymbolField,
    TextField,
    field_names,
    split_chunk,
)


class LinesOfJson(RecordFile):
    """Writes every record as `{"column": cell, ...}`; a cell without a report is null."""

    name = "records.jsonl"
    meaning = "the same for programs that read line by line"
    content = "The same records, an object of JSON on each line."

    def write(self, chunks: Sequence[Chunk], rows: int) -> None:
        """Appends `rows` records."""
        names = field_names(self._fields)
        parts = [_cells(field, chunk) for field, chunk in zip(self._fields, chunks, strict=True)]
        for row in range(rows):
            cells = [cell for part in parts for cell in part[row]]
            line = json.dumps(dict(zip(names, cells, strict=True)), ensure_ascii=False)
            self._file.write(f"{line}\n".encode())

    @classmethod
    def most_bytes_of_one(cls, field: OutputField) -> int:
        """Returns room for names and cells of a row, each letter escaped."""
        texts = field.texts if isinstance(field, SymbolField) else ()
        longest = max((len(text.encode()) for text in texts), default=20)
        names = field_names((field,))
        return sum(len(name.encode()) for name in names) + len(names) * (6 * longest + 8)


def _cells(field: OutputField, chunk: Chunk) -> list[list[object]]:
    """Returns the cells of each row."""
    if isinstance(field, TextField):
        return [[text] for text in chunk]
    reports, absent = split_chunk(chunk)
    columns = len(field_names((field,)))
    rows = reports.reshape(len(reports), columns).tolist()
    if isinstance(field, SymbolField):
        rows = [[field.texts[code]] for (code,) in rows]
    gone = [False] * len(rows) if absent is None else absent.tolist()
    return [[None] * columns if lacks else row for row, lacks in zip(rows, gone, strict=True)]
