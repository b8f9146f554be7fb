"""The bytes of `records.csv` are those that a writer of one cell after the other would write."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pyarrow as pa
import pytest

from dpdesk.data.formats import csv_writer
from dpdesk.data.formats.csv_writer import CsvRecords
from dpdesk.data.output_fields import (
    BitsField,
    Chunk,
    CodedTexts,
    IntegersField,
    OutputField,
    PartialChunk,
    SymbolField,
    TextField,
    csv_cell,
    field_names,
)

ROWS = 3_000
ODD = ("red", "=1+1", 'a "b", c', "", "'=x", "line\nbreak", "ä", "-5")


def one_by_one(fields: list[OutputField], chunks: list[Chunk]) -> bytes:
    """The file as the rules have it: one cell after the other."""
    names = field_names(fields)
    lines = [[csv_cell(name) for name in names]]
    for row in range(ROWS):
        cells: list[str] = []
        for field, chunk in zip(fields, chunks, strict=True):
            if isinstance(field, TextField):
                cells.append(csv_cell(next(iter(chunk[row : row + 1]))))
                continue
            partial = isinstance(chunk, PartialChunk)
            is_absent = partial and not chunk.present[row]
            report = chunk.reports[row] if partial else chunk[row]
            if isinstance(field, SymbolField):
                number = field.numeric != "no"
                cells.append("" if is_absent else csv_cell(field.texts[report], number=number))
                continue
            for part, value in enumerate(report.tolist()):
                is_blank = (
                    isinstance(field, IntegersField)
                    and field.blanks
                    and value == field.limits[part] - 1
                )
                cells.append("" if is_absent or is_blank else str(value))
        lines.append(['""'] if cells == [""] else cells)
    return "".join(",".join(line) + "\n" for line in lines).encode()


def written(fields: list[OutputField], chunks: list[Chunk]) -> bytes:
    file = BytesIO()
    CsvRecords(file, fields).write(chunks, ROWS)
    return file.getvalue()


def drawn(field: OutputField, seed: int = 1, dtype: type = np.int32) -> Chunk:
    """A chunk of a field; of an optional one about half is absent."""
    generator = np.random.default_rng(seed)
    if isinstance(field, TextField):
        return CodedTexts(pa.array(ODD), generator.integers(0, len(ODD), ROWS).astype(dtype))
    if isinstance(field, SymbolField):
        reports = generator.integers(0, len(field.texts), ROWS).astype(dtype)
    elif isinstance(field, BitsField):
        reports = generator.integers(0, 2, (ROWS, len(field.names))).astype(np.uint8)
    else:
        reports = np.stack([generator.integers(0, k, ROWS) for k in field.limits], axis=1)
    return PartialChunk(reports, generator.random(ROWS) < 0.5) if field.optional else reports


def symbols(name: str, count: int, *, optional: bool = False) -> SymbolField:
    texts = tuple(f"{ODD[code % len(ODD)]} {code}" for code in range(count))
    return SymbolField(name, texts, "no", optional)


LINES: list[list[OutputField]] = [
    # Alone on their lines, where an empty cell is written as two quotation marks.
    [SymbolField("a", ODD)],
    [SymbolField("a", ODD, "no", True)],
    [SymbolField("a", ("-1", "", "2"), "integer", True)],
    [TextField("a")],
    [BitsField(("a",), True)],
    [IntegersField(("a",), (5,), True, True)],
    [IntegersField(("a",), (2**40,), True, True)],
    # Side by side: few combinations, many of them, and cells of no list between them.
    [symbols("a", 3), symbols("b", 50), symbols("c", 4, optional=True)],
    [symbols("a", 300), symbols("b", 200), symbols("c", 7), symbols("d", 2)],
    [symbols("a", 9_000), symbols("b", 2)],
    [TextField("a"), symbols("b", 7), TextField("c"), symbols("d", 2)],
    [BitsField(tuple("abcdefgh")), BitsField(("i", "j", "k"), True), symbols("l", 5)],
    [BitsField(tuple("abcdefghi"), True), symbols("l", 5), BitsField(tuple("mnopqrstuvw"))],
    [IntegersField(("a", "b"), (7, 2**33), True, True), symbols("c", 3)],
    [IntegersField(("a", "b", "c"), (3, 3, 3), False, True)],
]


@pytest.mark.parametrize("fields", LINES)
@pytest.mark.parametrize("piece", [1 << 20, 700])
def test_that_the_file_is_that_of_a_writer_of_one_cell_after_the_other(
    fields: list[OutputField], piece: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(csv_writer, "_PIECE", piece)
    chunks = [drawn(field, seed) for seed, field in enumerate(fields)]
    assert written(fields, chunks) == one_by_one(fields, chunks)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int32, np.int64])
def test_that_codes_of_any_type_are_written_alike(dtype: type) -> None:
    fields = [symbols("a", 200), TextField("b"), symbols("c", 200), symbols("d", 250)]
    chunks = [drawn(field, seed, dtype) for seed, field in enumerate(fields)]
    assert written(fields, chunks) == one_by_one(fields, chunks)


def test_that_texts_of_a_long_list_are_those_of_a_short_one(monkeypatch) -> None:
    fields = [TextField("a"), symbols("b", 3)]
    chunks = [drawn(field) for field in fields]
    short = written(fields, chunks)
    monkeypatch.setattr(csv_writer, "_TEXTS_MOST", 1)
    assert written(fields, chunks) == short == written(fields, [list(chunks[0]), chunks[1]])


def test_that_texts_beyond_what_an_array_holds_are_written_in_halves(monkeypatch) -> None:
    fields = [TextField("a"), symbols("b", 3)]
    chunks = [drawn(field) for field in fields]
    monkeypatch.setattr(csv_writer, "_ARRAY_BYTES", 50)
    assert written(fields, chunks) == one_by_one(fields, chunks)
