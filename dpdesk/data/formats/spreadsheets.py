"""Workbooks of Excel and OpenDocument: one sheet of them is the table.

calamine reads a sheet. What it does not tell, such as formulas that were never calculated, is found
in the sheet's own text first.
"""

from __future__ import annotations

import io
import re
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import islice, takewhile
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.column_description import ColumnDescription
from dpdesk.data.formats import packed
from dpdesk.data.formats.base import (
    CellFormat,
    FileContent,
    FileTable,
    column_of,
    require_columns,
)
from dpdesk.data.formats.excel_writer import (
    LABELS_SHEET,
    RECORDS_SHEET,
    ExcelRecords,
    labels_told,
)
from dpdesk.data.formats.number_cells import (
    duration_text,
    encoded_numbers,
    encoded_texts,
    number_text,
)
from dpdesk.data.formats.sheet_text import SheetFacts, opendocument_facts, workbook_facts
from dpdesk.data.formats.texts import T
from dpdesk.data.header import Merged, find_names, numbered_names
from dpdesk.data.own_process import run_apart
from dpdesk.data.reading import HEADER_ROWS_MAX
from dpdesk.data.source import no_tick
from dpdesk.data.survey_platforms import HeaderTold, header_told
from dpdesk.data.table import TextColumn
from dpdesk.errors import InputError
from dpdesk.i18n import N_, quoted

_CELLS = 1 << 20
"""Cells that are encoded together."""

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_PACKAGE = "EncryptedPackage".encode("utf-16-le")
_FILEPASS = re.compile(rb"\x09\x08\x10\0\0\x06\x05\0.{12}(?:\x86\0\0\0)?\x2f\0", re.DOTALL)
"""The first record of a workbook in BIFF8, with that of a password behind it."""

_duration = duration_text(1)

_LEAP_YEAR = 1900
"""Of which Excel has a day too many."""

_NOTE_COLUMNS = 2
_CODEBOOK_ROWS = 20_000


class Spreadsheet(CellFormat):
    """A workbook of sheets."""

    parts = frozenset({"sheet", "header_rows", "platform"})
    reads_apart = True

    @classmethod
    @abstractmethod
    def facts(cls, raw: bytes, name: str, sheet: str) -> SheetFacts:
        """Returns what calamine does not tell of a sheet.

        Raises:
            InputError: The file is damaged.
        """

    @classmethod
    def scattered(cls, raw: bytes, name: str) -> tuple[str, SheetFacts] | None:
        """Returns a sheet that must not be read, of a format that reads all sheets at once."""
        return None

    @classmethod
    @abstractmethod
    def is_locked(cls, raw: bytes, name: str) -> bool:
        """Whether only a password opens a workbook, where calamine does not say so."""

    @classmethod
    def told(cls, book: Any, sheet: str, name: str) -> Mapping[str, ColumnDescription]:
        """Returns what another sheet of a workbook that dpdesk wrote says of the columns."""
        return {}

    @classmethod
    def _workbook(cls, raw: bytes, name: str) -> Any:
        import python_calamine

        if cls.is_locked(raw, name):
            raise InputError(T.LOCKED(file=name))
        is_archive = raw.startswith(packed.SIGNATURE)
        # Also finds what is damaged, or unpacks to more than it says.
        if is_archive and packed.with_archive(raw, name, lambda archive: archive.testzip()):
            raise InputError(T.DAMAGED(file=name))
        found = cls.scattered(raw, name)
        if found is not None:
            raise _scattered(found[1], found[0], name)
        return _guarded(lambda: python_calamine.load_workbook(io.BytesIO(raw)), name)

    @classmethod
    def tables(cls, raw: bytes, name: str) -> tuple[str, ...]:
        room = packed.most_unpacked(len(raw))
        return run_apart(room, name, no_tick, cls._listed, raw, name)

    @classmethod
    def _listed(cls, raw: bytes, name: str) -> tuple[str, ...]:
        return _sheets(cls._workbook(raw, name))

    @classmethod
    def cells(cls, file: FileContent) -> FileTable:
        book = cls._workbook(file.raw, file.name)
        listed = _sheets(book)
        for sheet in _candidates(file, listed):
            found, facts = cls._opened(book, sheet, file)
            if found.height > 1:
                break
        notices: list[str] = []
        is_chosen = bool(file.reading.sheet) or file.has_blank_records
        for later in () if is_chosen else _visible(book)[listed.index(sheet) + 1 :]:
            table_after, its_facts = cls._opened(book, later, file)
            if _describes(found, table_after):
                notices.append(T.DESCRIBED_SHEET_READ(first=sheet, table=later))
                sheet, found, facts = later, table_after, its_facts
                break
        if facts.uncalculated:
            first = facts.first_uncalculated
            raise InputError(
                T.UNCALCULATED(count=facts.uncalculated, sheet=sheet, file=file.name, cell=first)
            )
        table = _table(found, file, facts)
        notices += table.notices
        told = cls.told(book, sheet, file.name)
        if facts.errors:
            notices.append(T.ERRORS_EMPTIED(count=facts.errors))
        if facts == SheetFacts() and (mixed := sum(map(_has_times_among_dates, table.columns))):
            notices.append(T.TIMES_AMONG_DATES(count=mixed))
        others = [one for one in listed if one != sheet and not (told and one == LABELS_SHEET)]
        if others and not file.reading.sheet:
            notices.append(T.SHEET_READ(sheet=sheet, others=quoted(others)))
        return replace(
            table,
            chosen={**table.chosen, "sheet": sheet},
            notices=tuple(notices),
            described={**table.described, **told},
        )

    @classmethod
    def _opened(cls, book: Any, sheet: str, file: FileContent) -> tuple[Any, SheetFacts]:
        """Returns a sheet, and what calamine does not tell of it."""
        facts = cls.facts(file.raw, file.name, sheet)
        file.tick()
        if facts.is_scattered:
            raise _scattered(facts, sheet, file.name)
        packed.require_sane(facts.room, len(file.raw), file.name)
        return _guarded(lambda: book.get_sheet_by_name(sheet), file.name), facts


def _describes(sheet: Any, other: Any) -> bool:
    """Whether a sheet lists the columns of another, or is a note of two columns beside a table."""
    is_larger = other.width > sheet.width and other.height > sheet.height
    if sheet.width <= _NOTE_COLUMNS and is_larger:
        return True
    if sheet.height > _CODEBOOK_ROWS or not other.height:
        return False
    lines = [tuple(map(_text_of_cell, row)) for row in islice(other.iter_rows(), HEADER_ROWS_MAX)]
    names = set(filter(None, find_names(lines)[0]))
    columns = (
        {_text_of_cell(cell) for cell in cells} for cells in zip(*sheet.iter_rows(), strict=True)
    )
    return len(names) > 1 and any(2 * len(names & listed) > len(names) for listed in columns)


def _has_times_among_dates(column: TextColumn) -> bool:
    """Whether numbers below 1 may have become times, where calamine alone reads the numbers."""
    return all(
        pc.any(pc.match_substring_regex(column.dictionary, form)).as_py()
        for form in (r"^\d{4}-\d\d-\d\d", r"^\d\d:\d\d:\d\d")
    )


class Excel(Spreadsheet):
    """Workbooks of Excel, old and new."""

    key = "Excel"
    title = N_("Excel")
    endings = (".xlsx", ".xlsm", ".xlsb", ".xls")
    writers = (ExcelRecords,)

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        return raw.startswith(_OLE) or any(
            name.startswith("xl/workbook.") for name in packed.members(raw)
        )

    @classmethod
    def is_locked(cls, raw: bytes, name: str) -> bool:
        return raw.startswith(_OLE) and (_PACKAGE in raw or _FILEPASS.search(raw) is not None)

    @classmethod
    def told(cls, book: Any, sheet: str, name: str) -> Mapping[str, ColumnDescription]:
        if sheet != RECORDS_SHEET or LABELS_SHEET not in book.sheet_names:
            return {}
        found = _guarded(lambda: book.get_sheet_by_name(LABELS_SHEET), name)
        return labels_told([tuple(map(_text_of_cell, row)) for row in found.iter_rows()] or [()])

    @classmethod
    def facts(cls, raw: bytes, name: str, sheet: str) -> SheetFacts:
        if "xl/workbook.xml" not in packed.members(raw):
            return SheetFacts()
        return packed.with_archive(raw, name, lambda archive: workbook_facts(archive, sheet))


class OpenDocument(Spreadsheet):
    """Workbooks of LibreOffice and others."""

    key = "OpenDocument"
    title = N_("OpenDocument")
    endings = (".ods",)

    @classmethod
    def recognises(cls, raw: bytes) -> bool:
        return b"mimetypeapplication/vnd.oasis.opendocument.spreadsheet" in raw[:200]

    @classmethod
    def is_locked(cls, raw: bytes, name: str) -> bool:
        listed = "META-INF/manifest.xml"
        if listed not in packed.members(raw):
            return False
        return packed.with_archive(
            raw, name, lambda archive: b"encryption-data" in archive.read(listed)
        )

    @classmethod
    def facts(cls, raw: bytes, name: str, sheet: str) -> SheetFacts:
        found = packed.with_archive(raw, name, opendocument_facts)
        return found.get(sheet, SheetFacts())

    @classmethod
    def scattered(cls, raw: bytes, name: str) -> tuple[str, SheetFacts] | None:
        found = packed.with_archive(raw, name, opendocument_facts)
        for sheet, told in found.items():
            if told.is_scattered:
                return sheet, told
        packed.require_sane(sum(told.room for told in found.values()), len(raw), name)
        return None


def _guarded(work: Any, name: str) -> Any:
    """Returns the result of calamine, whose own errors may quote the file."""
    import python_calamine

    try:
        return work()
    except python_calamine.PasswordError:
        refused = T.LOCKED(file=name)
    except (python_calamine.CalamineError, OSError, ValueError):
        refused = T.DAMAGED(file=name)
    except BaseException as error:
        # What Rust's code calls a panic is no Exception.
        if type(error).__name__ != "PanicException":
            raise
        refused = T.DAMAGED(file=name)
    raise InputError(refused)


def _sheets(book: Any) -> tuple[str, ...]:
    """The names of sheets with cells: charts have none; hidden ones come last."""
    kept = [one for one in book.sheets_metadata if str(one.typ).endswith("WorkSheet")]
    visible = _visible(book)
    return (*visible, *(one.name for one in kept if one.name not in visible))


def _visible(book: Any) -> list[str]:
    return [
        one.name
        for one in book.sheets_metadata
        if str(one.typ).endswith("WorkSheet") and str(one.visible).endswith(".Visible")
    ]


def _candidates(file: FileContent, listed: tuple[str, ...]) -> tuple[str, ...]:
    """The sheet that is declared; else all, of which the first with more than one row is read."""
    wanted = file.reading.sheet
    if not listed:
        raise InputError(T.NO_SHEETS(file=file.name))
    if wanted and wanted not in listed:
        raise InputError(T.NO_SHEET(file=file.name, sheet=wanted, sheets=quoted(listed)))
    return (wanted,) if wanted else (*listed, listed[0])


def _scattered(facts: SheetFacts, sheet: str, name: str) -> InputError:
    return InputError(T.SCATTERED(sheet=sheet, file=name, rows=facts.rows, columns=facts.columns))


def _require_apart(merged: Sequence[Merged], end: int, sheet: Any, name: str) -> None:
    """Refuses cells that are merged below the header, unless they are empty."""
    below = {first: last for first, last in merged if last[0] >= end}
    tops = {top for top, _ in below}
    rows = {top: row for top, row in enumerate(sheet.iter_rows() if below else ()) if top in tops}
    for (top, left), last in below.items():
        place = left - sheet.start[1]
        if not any(cell != "" for cell in rows.get(top, [])[place : place + 1]):
            continue
        cells = f"{cell_name(top, left)}:{cell_name(*last)}"
        raise InputError(T.MERGED_CELLS(sheet=sheet.name, file=name, cells=cells))


def cell_name(row: int, column: int) -> str:
    """Returns the name of a cell, such as B7, from its row and column, counted from 0."""
    letters, rest = "", column + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def _table(sheet: Any, file: FileContent, facts: SheetFacts) -> FileTable:
    if sheet.start is None or not any(map(_filled, sheet.iter_rows())):
        raise InputError(T.EMPTY(file=file.name))
    width = sheet.width
    require_columns(width, file.name)
    above = _blank_above(sheet, file)
    merged = facts.merged if sheet.merged_cell_ranges is None else sheet.merged_cell_ranges
    header = _header(sheet, file, above, merged)
    _require_apart(merged, above + header.rows, sheet, file.name)
    rows = islice(_dated_rows(sheet, facts), above + header.rows, None)
    names = header.names
    pieces: list[list[pa.DictionaryArray]] = [[] for _ in names]
    count = 0
    for block in _blocks(rows, max(1, _CELLS // width)):
        file.tick()
        count += len(block)
        for place in range(width):
            pieces[place].append(_encoded_cells([row[place] for row in block]))
    columns = tuple(
        column_of(name, found, file.name, place)
        for place, (name, found) in enumerate(zip(names, pieces, strict=True), start=1)
    )
    return FileTable(
        columns,
        count,
        chosen={"header_rows": header.rows, "platform": header.platform},
        notices=header.notices,
        described=header.described,
        questions=header.questions,
    )


def _header(sheet: Any, file: FileContent, above: int, merged: Sequence[Merged]) -> HeaderTold:
    """What the rows above the answers say, below so many blank ones."""
    reading = file.reading
    if not reading.header_rows:
        return HeaderTold(numbered_names(sheet.width), 0)
    first = islice(sheet.iter_rows(), above, above + HEADER_ROWS_MAX)
    start, end = sheet.start[1], sheet.start[1] + sheet.width
    return header_told(
        [tuple(map(_text_of_cell, row)) for row in first],
        None if file.detects_names else reading.header_rows,
        reading.platform,
        detects=file.detects_platform,
        merged=[
            ((top - above, left - start), (bottom - above, min(right, end - 1) - start))
            for (top, left), (bottom, right) in merged
            if start <= left < end
        ],
    )


def _blank_above(sheet: Any, file: FileContent) -> int:
    """How many blank rows stand above the names of the columns."""
    # Without names, the first row is an answer.
    if not file.reading.header_rows:
        return 0
    return sum(1 for _ in takewhile(lambda row: not _filled(row), sheet.iter_rows()))


def _filled(row: Sequence[Any]) -> int:
    """How many cells of a row are not empty."""
    return sum(cell != "" for cell in row)


def _blocks(rows: Iterator[list[Any]], size: int) -> Iterator[list[list[Any]]]:
    while block := list(islice(rows, size)):
        yield block


def _dated_rows(sheet: Any, facts: SheetFacts) -> Iterator[list[Any]]:
    """The rows of a sheet, with what calamine makes of the numbers behind dates put right.

    calamine takes each midnight for a date; it is a moment where its own cell shows the time. It
    takes -9 for midnight and -1 too, which are codes in a column of dates, and shows two days as
    February 28, 1900. The format of the cell decides and not the others of its column: an answer
    changes the text of no other one.
    """
    if not facts.moments and not facts.undated:
        yield from sheet.iter_rows()
        return
    left = sheet.start[1]
    at = {column - left for _, column in (*facts.moments, *facts.undated)}
    places = sorted(place for place in at if 0 <= place < sheet.width)
    for number, row in enumerate(sheet.iter_rows()):
        for place in places:
            cell, where = row[place], (number, place + left)
            if type(cell) is date and where in facts.moments:
                row[place] = datetime.combine(cell, time())
            undated = facts.undated.get(where)
            if undated is not None and _is_wrong(cell, undated):
                row[place] = undated
        yield row


def _is_wrong(cell: Any, number: float) -> bool:
    """Whether calamine makes a time or date of a number that stands for none.

    Where days are counted from 1904, each number that is not negative stands for one.
    """
    if number < 0:
        return isinstance(cell, (date, time))
    return isinstance(cell, date) and cell.year == _LEAP_YEAR


def _encoded_cells(cells: list[Any]) -> pa.DictionaryArray:
    """The cells of a column as texts; a column of numbers alone by its distinct ones."""
    if cells and all(type(cell) is float for cell in cells):
        return encoded_numbers(np.array(cells))
    return encoded_texts([_text_of_cell(cell) for cell in cells])


def _text_of_cell(cell: Any) -> str:
    """The text of a cell: digits, a date in ISO 8601, or what is written in it."""
    match cell:
        case str():
            return cell
        case bool():
            return "TRUE" if cell else "FALSE"
        case int() | float():
            return number_text(cell)
        case datetime() | time():
            written = cell.isoformat()
            return written.rstrip("0") if "." in written else written
        case date():
            return cell.isoformat()
        case timedelta():
            return _duration(cell.total_seconds())
        case _:
            return ""
