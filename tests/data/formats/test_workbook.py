"""Workbooks hold what XlsxWriter, which is compared with files of Excel, would have written."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import numpy as np
import openpyxl
import pytest
import xlsxwriter

from dpdesk.data.formats.workbook import BOLD, Workbook, cells_of
from dpdesk.data.output_fields import SymbolField
from dpdesk.data.record_files import RECORD_FILES, record_files
from dpdesk.data.write_records import RecordWriter
from dpdesk.data.written_column import WrittenColumn
from dpdesk.engine.jobs import Cancelled

TEXTS = (
    *("a", "=1+1", " a", "a ", "\ta", "a\nb", "a\r\nb", "<&>\"'", "_x0041_", "_x0041", "_xFFFF_"),
    *("\0", "\x01b", "\x1f", "\ufffe", "\uffff", "bé 😀", "\u2028", "\xa0a", "_X0041_", ""),
)
NUMBERS = (0, 1, -7, 0.1, -0.25, 1e-9, 1e300, 123456789, 2.5e20, 45_000.375)


def _sheet_data(raw: bytes) -> str:
    """The rows of the first sheet."""
    with zipfile.ZipFile(io.BytesIO(raw)) as book:
        xml = book.read("xl/worksheets/sheet1.xml").decode()
    found = re.search("<sheetData>.*</sheetData>", xml, re.DOTALL)
    assert found is not None
    return found[0]


def _written(write: Callable[[BinaryIO], object]) -> bytes:
    file = io.BytesIO()
    write(file)
    return file.getvalue()


def _ours(file: BinaryIO, most_bytes: int = 0) -> None:
    book = Workbook(file, ("records",))
    sheet = book.sheet(1, most_bytes=most_bytes)
    sheet.append([cells_of(0, ["text"], BOLD), cells_of(26, ["number"], BOLD)], 1)
    numbers = [*NUMBERS, *[None] * (len(TEXTS) - len(NUMBERS))]
    sheet.append([cells_of(0, TEXTS), cells_of(26, numbers)], len(TEXTS))
    sheet.close()
    book.close()


def _of_xlsxwriter(file: BinaryIO) -> None:
    book = xlsxwriter.Workbook(file, {"constant_memory": True})
    bold = book.add_format({"bold": True})
    sheet = book.add_worksheet("records")
    sheet.write_string(0, 0, "text", bold)
    sheet.write_string(0, 26, "number", bold)
    for row, text in enumerate(TEXTS, start=1):
        sheet.write_string(row, 0, text)
        if row <= len(NUMBERS):
            sheet.write_number(row, 26, NUMBERS[row - 1])
    book.close()


def test_that_every_cell_is_written_as_xlsxwriter_writes_it() -> None:
    own, other = (_sheet_data(_written(write)) for write in (_ours, _of_xlsxwriter))
    # Of numbers alone the form differs, which readers read alike.
    numbers = re.compile("<v>([^<]*)</v>")
    assert numbers.sub("", own) == numbers.sub("", other)
    assert list(map(float, numbers.findall(own))) == list(map(float, numbers.findall(other)))


def test_that_a_number_keeps_all_its_digits() -> None:
    (cell,) = cells_of(2, [0.1 + 0.2])
    assert cell == '<c r="C\0"><v>0.30000000000000004</v></c>'


@pytest.mark.parametrize(("place", "letters"), [(0, "A"), (25, "Z"), (26, "AA"), (16_383, "XFD")])
def test_that_columns_are_named_as_in_a_sheet(place: int, letters: str) -> None:
    assert cells_of(place, [1])[0].startswith(f'<c r="{letters}\0"')


def test_that_a_sheet_of_more_than_two_gibibytes_is_announced() -> None:
    # Without an announcement such a part cannot be written; with one, a small part is still read.
    plain, announced = _written(_ours), _written(lambda file: _ours(file, most_bytes=3 << 30))
    assert len(announced) - len(plain) == 20
    book = openpyxl.load_workbook(io.BytesIO(announced))
    assert book["records"]["AA2"].value == 0
    assert _sheet_data(plain) == _sheet_data(announced)


@pytest.mark.parametrize("word", [kind.word() for kind in RECORD_FILES])
def test_that_a_cancel_waits_for_some_cells_alone_and_leaves_nothing(
    word: str, tmp_path: Path
) -> None:
    rows, ticks = 300_000, []

    def tick() -> None:
        ticks.append(None)
        if len(ticks) == 2:
            raise Cancelled

    files = [kind for kind in record_files([word]) if kind.word() == word]
    field, column = SymbolField("a", ("x", "y")), WrittenColumn("a", texts=("x", "y"))
    writer = RecordWriter(tmp_path, [field], [column], files, tick=tick)
    with pytest.raises(Cancelled), writer:
        writer.append([np.zeros(rows, dtype=np.int64)])
    assert len(ticks) == 2
    assert not list(tmp_path.iterdir())
