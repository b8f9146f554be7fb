"""Workbooks, as XlsxWriter, openpyxl and the program LibreOffice write them."""

from __future__ import annotations

import datetime
import io
import struct
import zipfile
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from openpyxl.utils.datetime import CALENDAR_MAC_1904

from dpdesk.cli.main import main
from dpdesk.data.formats.packed import UNPACKED_MAX, require_sane
from dpdesk.data.formats.sheet_text import SheetFacts
from dpdesk.data.formats.spreadsheets import Excel, cell_name
from dpdesk.data.formats.texts import T
from dpdesk.data.read_file import load, load_declared, tables_in
from dpdesk.data.table import SurveyTable
from dpdesk.data.texts import T as DataT
from dpdesk.errors import InputError
from dpdesk.i18n import quoted
from dpdesk.plan import load_plan
from tests.refusals import refused

MOMENT = datetime.datetime(2024, 1, 31, 5, 6, 7, 250_000)  # noqa: DTZ001


def workbook(path: Path) -> Path:
    """A workbook with a sheet of notes, one of answers and a hidden one."""
    book = xlsxwriter.Workbook(path)
    book.add_worksheet("Read me").write(0, 0, "A survey")
    sheet = book.add_worksheet("Answers & more")
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss.000"})
    for place, name in enumerate(("id", "share", "day", "moment", "code", "ok", "sum", "lost")):
        sheet.write(0, place, name)
    for row, share in enumerate((0.1, 3.0, 12345.678), start=1):
        sheet.write(row, 0, row)
        sheet.write(row, 1, share)
        sheet.write_datetime(row, 2, datetime.date(2024, 1, 30 + row % 2), day)
        sheet.write_datetime(row, 3, MOMENT, moment)
        sheet.write_string(row, 4, "007" if row % 2 else 'a, "b"')
        sheet.write(row, 5, row % 2 == 1)
        sheet.write_formula(row, 6, "=A2+1", None, row + 1)
    sheet.write_formula(1, 7, "=1/0", None, "#DIV/0!")
    book.add_worksheet("Old").hide()
    book.close()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return workbook(tmp_path / "survey.xlsx")


def texts(table: SurveyTable) -> list[list[str]]:
    return [column.texts() for column in table.columns]


def test_that_the_first_sheet_with_rows_is_read_digit_by_digit(path: Path) -> None:
    table = load(path)
    assert texts(table) == [
        ["1", "2", "3"],
        ["0.1", "3", "12345.678"],
        ["2024-01-31", "2024-01-30", "2024-01-31"],
        ["2024-01-31T05:06:07.25"] * 3,
        ["007", 'a, "b"', "007"],
        ["TRUE", "FALSE", "TRUE"],
        ["2", "3", "4"],
        ["", "", ""],
    ]
    assert table.reading.sheet == "Answers & more"
    assert table.reading.words == "Excel file, table “Answers & more”"
    assert T.ERRORS_EMPTIED(count=1) in table.notices
    others = quoted(["Read me", "Old"])
    assert T.SHEET_READ(sheet="Answers & more", others=others) in table.notices
    assert not table.is_reading_found
    assert texts(load_declared(path, table.reading)) == texts(table)


def test_that_a_sheet_is_chosen_and_kept_in_the_plan(path: Path, tmp_path: Path) -> None:
    assert tables_in(path) == ("Read me", "Answers & more", "Old")
    plan = tmp_path / "plan.json"
    words = ["draft", str(path), "-o", str(plan), "--sheet", "Answers & more"]
    assert main(words) == 0
    reading = load_plan(plan).reading
    assert reading is not None
    assert reading.options == "--format Excel --sheet 'Answers & more'"
    sheets = quoted(["Read me", "Answers & more", "Old"])
    with refused("data.formats.no-sheet", sheet="Nowhere", sheets=sheets):
        load(path, sheet="Nowhere")
    with refused("data.unused-part", part="delimiter"):
        load(path, delimiter=";")


def test_that_headers_can_have_more_rows_or_none(path: Path) -> None:
    assert load(path, header_rows=2).rows == 2
    without = load(path, header_rows=0)
    assert (without.names[0], without.rows, without.text(0, 0)) == ("column 1", 4, "id")


@pytest.mark.parametrize(
    ("fill", "message", "values"),
    [
        (lambda sheet: sheet.merge_range("A2:B3", "x"), "merged-cells", {"cells": "A2:B3"}),
        (
            lambda sheet: sheet.write(1_048_575, 16_383, 1),
            "scattered",
            {"rows": 1_048_576, "columns": 16_384},
        ),
        (lambda sheet: None, "no-answers", {"file": "t.xlsx"}),
    ],
)
def test_that_a_sheet_that_is_no_table_is_refused(
    tmp_path: Path, fill: object, message: str, values: dict[str, object]
) -> None:
    book = xlsxwriter.Workbook(tmp_path / "t.xlsx")
    sheet = book.add_worksheet("Data")
    sheet.write(0, 0, "a")
    assert callable(fill)
    fill(sheet)
    book.close()
    with refused(f"data.formats.{message}", **values):
        load(tmp_path / "t.xlsx")


def test_that_formulas_that_were_never_calculated_are_refused_by_their_place(
    tmp_path: Path,
) -> None:
    book = openpyxl.Workbook()
    for row in (["a", "b"], [1, "=A2+1"], [2, "=A3+1"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    with refused("data.formats.uncalculated", count=2, cell="B2"):
        load(tmp_path / "t.xlsx")


def test_that_blank_rows_are_skipped_and_equal_names_numbered(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["a", "a", None], [1, 2, 3], [], [4, 5, 6]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    table = load(tmp_path / "t.xlsx")
    assert table.names == ("a", "a (2)", "column 3")
    assert texts(table) == [["1", "4"], ["2", "5"], ["3", "6"]]
    assert DataT.BLANK_ROWS(count=1) in table.notices


def test_that_midnight_is_a_moment_where_its_cell_shows_the_time(tmp_path: Path) -> None:
    book = xlsxwriter.Workbook(tmp_path / "t.xlsx")
    sheet = book.add_worksheet("Data")
    sheet.write_row(2, 1, ("n", "when", "day"))
    forms = ("yyyy-mm-dd hh:mm:ss", 22, '[$-407]dd/mm/yyyy "um" h:mm', 'yyyy-mm-dd "h"')
    for place, form in enumerate(forms, start=3):
        shown = book.add_format({"num_format": form})
        sheet.write(place, 1, place)
        sheet.write_datetime(place, 2, datetime.date(2024, 1, place), shown)
        sheet.write_datetime(
            place, 3, datetime.date(2024, 1, place), book.add_format({"num_format": 14})
        )
    sheet.write_datetime(7, 2, MOMENT, shown)
    book.close()
    table = load(tmp_path / "t.xlsx")
    midnights = [f"2024-01-0{day}T00:00:00" for day in (3, 4, 5)]
    assert texts(table)[1] == [*midnights, "2024-01-06", "2024-01-31T05:06:07.25"]
    assert texts(table)[2] == [*(f"2024-01-0{day}" for day in (3, 4, 5, 6)), ""]
    assert texts(load_declared(tmp_path / "t.xlsx", table.reading)) == texts(table)


@pytest.mark.parametrize("is_1904", [False, True])
def test_that_numbers_before_the_first_date_are_numbers(is_1904: bool, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    if is_1904:
        book.epoch = CALENDAR_MAC_1904
    sheet = book.active
    cells = (45000, -9, -1, -0.75, 0.5, 59, 60, 61)
    forms = ("yyyy-mm-dd", "dd/mm/yyyy hh:mm", "General")
    for column, form in enumerate(forms, start=2):
        sheet.cell(3, column, form)
        for row, number in enumerate(cells, start=4):
            sheet.cell(row, column, number).number_format = form
    book.save(tmp_path / "t.xlsx")
    table = load(tmp_path / "t.xlsx")
    first = ("2027-03-16", "1904-02-29", "1904-03-01", "1904-03-02")
    usual = ("2023-03-15", "1900-02-28", "60", "1900-03-01")
    last, *days = first if is_1904 else usual
    assert texts(table)[0] == [last, "-9", "-1", "-0.75", "12:00:00", *days]
    moments = [day if day == "60" else f"{day}T00:00:00" for day in (last, *days)]
    assert texts(table)[1] == [moments[0], "-9", "-1", "-0.75", "12:00:00", *moments[1:]]
    assert texts(table)[2] == [str(number) for number in cells]
    assert texts(load_declared(tmp_path / "t.xlsx", table.reading)) == texts(table)


def test_that_codes_among_dates_that_cannot_be_told_apart_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = openpyxl.Workbook()
    for row, number in enumerate((45000, -9, -8), start=2):
        book.active.cell(row, 1, number).number_format = "yyyy-mm-dd"
        book.active.cell(row, 2, number)
    book.active.append(("day", "n"))
    book.active.move_range("A5:B5", rows=-4)
    book.save(tmp_path / "t.xlsx")
    table = load(tmp_path / "t.xlsx")
    assert (texts(table)[0], table.notices) == (["2023-03-15", "-9", "-8"], ())
    # In older files nothing but calamine reads the numbers.
    monkeypatch.setattr(Excel, "reads_apart", False)
    monkeypatch.setattr(Excel, "facts", classmethod(lambda *_: SheetFacts()))
    table = load(tmp_path / "t.xlsx")
    assert texts(table)[0] == ["2023-03-15", "00:00:00", "00:00:00"]
    assert table.notices == (T.TIMES_AMONG_DATES(count=1),)


def test_that_the_first_sheet_with_an_answer_is_read_and_no_note_below_it(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active["B7"] = "Survey of 2024"
    for name, rows in (("one", [("a", "b"), (1, 2)]), ("more", [("z",), (5,), (6,)])):
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(tmp_path / "t.xlsx")
    table = load(tmp_path / "t.xlsx")
    assert (table.names, texts(table)) == (("a", "b"), [["1"], ["2"]])
    others = quoted(["Sheet", "more"])
    assert T.SHEET_READ(sheet="one", others=others) in table.notices


def test_that_a_table_may_stand_anywhere_in_its_sheet(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for place, cells in enumerate((("a", "b"), (1, 2), (3, None)), start=4):
        for column, value in zip("CD", cells, strict=True):
            book.active[f"{column}{place}"] = value
    book.save(tmp_path / "t.xlsx")
    table = load(tmp_path / "t.xlsx")
    assert (table.names, texts(table)) == (("a", "b"), [["1", "3"], ["2", ""]])
    assert table.notices == ()
    assert texts(load_declared(tmp_path / "t.xlsx", table.reading)) == texts(table)


def test_that_names_below_a_title_are_read_as_header_lines(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in ([], ["A survey of 2024"], [], ["a", "b"], [1, 2]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    table = load(tmp_path / "t.xlsx")
    assert DataT.NAMES_BELOW(lines=3) in table.notices
    assert table.reading.header_rows == 3
    assert (table.names, texts(table)) == (("a", "b"), [["1"], ["2"]])
    assert texts(load_declared(tmp_path / "t.xlsx", table.reading)) == texts(table)


def test_that_a_damaged_or_locked_workbook_is_refused(path: Path, tmp_path: Path) -> None:
    raw = path.read_bytes()
    for end in (30, 1000, len(raw) - 10):
        path.write_bytes(raw[:end])
        with pytest.raises(InputError, match=r"damaged or incomplete|ZIP archive"):
            load(path)
    path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(2000))
    with refused("data.formats.damaged"):
        load(path)


def opendocument(path: Path, rows: str) -> Path:
    """A workbook as LibreOffice writes it, with some rows."""
    spaces = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"'
        for short in ("office", "table", "text")
    )
    content = (
        f'<?xml version="1.0"?><office:document-content {spaces} office:version="1.2">'
        "<office:body><office:spreadsheet>"
        f'<table:table table:name="Data">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
        '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
        "</manifest:manifest>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", kind, zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", manifest)
    return path


def row(*cells: str, times: int = 1) -> str:
    return (
        f'<table:table-row table:number-rows-repeated="{times}">{"".join(cells)}</table:table-row>'
    )


def cell(text: str, kind: str = "string", **more: object) -> str:
    value = {"float": f'office:value="{text}"', "date": f'office:date-value="{text}"'}.get(kind, "")
    extra = " ".join(f'table:{key.replace("_", "-")}="{told}"' for key, told in more.items())
    return (
        f'<table:table-cell office:value-type="{kind}" {value} {extra}>'
        f"<text:p>{text}</text:p></table:table-cell>"
    )


def test_that_a_workbook_of_opendocument_is_read(tmp_path: Path) -> None:
    rows = row(cell("a"), cell("b"), cell("c"))
    rows += row(cell("0.1", "float"), cell("2024-01-31", "date"), cell("x"))
    rows += row(cell("3", "float"), cell("2024-02-01", "date"), cell("y, z"))
    rows += row('<table:table-cell table:number-columns-repeated="1024"/>', times=1_048_573)
    table = load(opendocument(tmp_path / "t.ods", rows))
    assert table.names == ("a", "b", "c")
    assert texts(table) == [["0.1", "3"], ["2024-01-31", "2024-02-01"], ["x", "y, z"]]
    assert table.reading.words == "OpenDocument file, table “Data”"


def test_that_merged_and_scattered_cells_of_opendocument_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.ods"
    opendocument(path, row(cell("a"), cell("b")) + row(cell("x", number_columns_spanned=2)))
    with refused("data.formats.merged-cells"):
        load(path)
    far = row('<table:table-cell table:number-columns-repeated="16383"/>', cell("x"))
    empty = row('<table:table-cell table:number-columns-repeated="16384"/>', times=1_000_000)
    opendocument(path, row(cell("a")) + empty + far)
    with refused("data.formats.scattered"):
        load(path)


@pytest.mark.parametrize(
    "rows",
    [
        row(cell("x"), cell("y"), times=10_000_000),
        row(cell("x", number_columns_repeated=16_384), times=1_048_576),
        row(cell("x", number_columns_repeated=100), times=40_000),
        row(cell("x" * 30_000, number_columns_repeated=100), times=1_000),
        row(cell("x", number_columns_repeated=1 << 63), times=1 << 32),
    ],
    ids=["rows", "sheet", "cells", "texts", "more than counts"],
)
def test_that_repeated_cells_are_refused_before_they_take_their_room(
    rows: str, tmp_path: Path
) -> None:
    path = opendocument(tmp_path / "t.ods", row(cell("a"), cell("b")) + rows)
    assert path.stat().st_size < 1200
    with pytest.raises(InputError, match=r"256 MB|is damaged"):
        load(path)


def test_that_what_unpacks_to_far_more_is_refused() -> None:
    require_sane(200 << 20, 1, "a table")
    require_sane(2 << 30, 20 << 20, "a table")
    for unpacked, packed in ((300 << 20, 1 << 20), (UNPACKED_MAX + 1, UNPACKED_MAX)):
        with refused("data.formats.unpacks-to-more"):
            require_sane(unpacked, packed, "a table")


def test_that_a_workbook_that_unpacks_to_far_more_is_refused(path: Path) -> None:
    raw = io.BytesIO(path.read_bytes())
    with zipfile.ZipFile(raw, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/picture.bin", bytes(300 << 20))
    path.write_bytes(raw.getvalue())
    with refused("data.formats.unpacks-to-more"):
        load(path)


def test_that_cells_are_named_as_spreadsheets_name_them() -> None:
    assert [cell_name(0, n) for n in (0, 25, 26, 701, 702)] == ["A1", "Z1", "AA1", "ZZ1", "AAA1"]


def compound(*names: str, content: bytes = b"") -> bytes:
    """A document of OLE that holds parts of these names (MS-CFB), with some content behind."""
    head = bytearray(512)
    head[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    struct.pack_into("<HHHHH", head, 24, 0x3E, 3, 0xFFFE, 9, 6)
    struct.pack_into("<II", head, 44, 1, 1)
    struct.pack_into("<III", head, 56, 4096, 0xFFFFFFFE, 0)
    struct.pack_into("<I", head, 68, 0xFFFFFFFE)
    struct.pack_into("<109I", head, 76, 0, *([0xFFFFFFFF] * 108))
    table = struct.pack("<II", 0xFFFFFFFD, 0xFFFFFFFE).ljust(512, b"\xff")
    listed = b""
    for place, name in enumerate(("Root Entry", *names)):
        entry = bytearray((name + "\0").encode("utf-16-le").ljust(128, b"\0"))
        struct.pack_into("<HBB", entry, 64, 2 * len(name) + 2, 2 if place else 5, 1)
        struct.pack_into("<III", entry, 68, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF if place else 1)
        struct.pack_into("<I", entry, 116, 0xFFFFFFFE)
        listed += entry
    return bytes(head) + table + listed.ljust(512, b"\0") + content


BIFF8 = struct.pack("<HHHHHHII", 0x809, 16, 0x600, 5, 0, 0, 0, 0)
MANIFEST = "<manifest:file-entry><manifest:encryption-data/></manifest:file-entry>"


@pytest.mark.parametrize("kind", ["xlsx", "xls", "xls of a protected one", "ods", "new ods"])
def test_that_a_locked_workbook_is_called_locked(kind: str, tmp_path: Path) -> None:
    password = struct.pack("<HHH", 0x2F, 2, 0)
    raw = {
        "xlsx": compound("EncryptionInfo", "EncryptedPackage"),
        "xls": compound("Workbook", content=BIFF8 + password),
        "xls of a protected one": compound(
            "Workbook", content=BIFF8 + struct.pack("<HH", 0x86, 0) + password
        ),
    }
    path = tmp_path / f"t.{kind[-3:] if kind.endswith('ods') else kind[:4].strip()}"
    if kind in raw:
        path.write_bytes(raw[kind])
    else:
        secret = "content.xml" if kind == "ods" else "encrypted-package"
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
            archive.writestr(secret, bytes(range(256)))
            archive.writestr("META-INF/manifest.xml", MANIFEST)
    with refused("data.formats.locked"):
        load(path)


def test_that_names_are_trimmed_in_every_format(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for line in ((" age ", "sex\xa0", "\n"), (30, "f", 1), (40, "m", 2)):
        book.active.append(line)
    book.save(tmp_path / "t.xlsx")
    (tmp_path / "t.csv").write_text('" age ","sex\xa0"," "\n30,f,1\n40,m,2\n')
    (tmp_path / "t.json").write_text('[{" age ": 30, "sex\xa0": "f", " ": 1}]')
    for name in ("t.xlsx", "t.csv", "t.json"):
        assert load(tmp_path / name).names == ("age", "sex", "column 3")
