"""What the XML of a sheet shows beside its values: formulas without results, errors, its extent."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree

from dpdesk.data.header import Merged
from dpdesk.domains import parse_number

_SPARSE = 64
"""Cells of a sheet's extent for each that it holds; a sheet with so many gaps is not a table."""

_EXTENT = 4_000_000
"""Cells of an extent that is never too large."""

_CELL_BYTES = 32

_CELL = re.compile(
    rb"<(?:\w+:)?c\b([^>]*)>\s*<(?:\w+:)?f\b(?:[^>]*/>|[^>]*>[^<]*</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>|</)"
)
_ERROR = re.compile(rb'<(?:\w+:)?c\b[^>]*\bt="e"')
_REFERENCE = re.compile(rb'\br="([A-Z]{1,3}[0-9]{1,7})"')
_COLUMN = re.compile(rb'<(?:\w+:)?c r="([A-Z]{1,3})')
_ROW = re.compile(rb'<(?:\w+:)?row\b[^>]*?\br="([0-9]{1,9})"')
_NO_LETTERS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
"""Parts of a number format that stand for themselves, and colours or languages in brackets."""
_UNDATED = (
    rb"[^>]*>\s*(?:<(?:\w+:)?f\b[^>]*(?:/>|>[^<]*</(?:\w+:)?f>)\s*)?"
    rb"<(?:\w+:)?v>(-[0-9.eE+-]+|60(?:\.[0-9]+)?)<"
)
"""What stands behind the place of a cell with a number before 1900, or with the day that Excel has
between February 28 and March 1, 1900."""

_DATES_BUILT_IN = [str(number) for number in (*range(14, 23), *range(45, 48))]
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_FORMAT = f"{_MAIN}numFmt"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"


@dataclass(frozen=True, slots=True)
class SheetFacts:
    """What calamine does not tell of a sheet.

    Attributes:
        rows: Rows from the first to the last cell.
        columns: Columns, alike.
        filled: Cells that it holds.
        uncalculated: Formulas without a result.
        first_uncalculated: Name of the cell of the first of them.
        errors: Cells that hold an error in place of a value.
        merged: Cells that are merged, where calamine does not tell of them.
        moments: Cells whose own format shows a date with a time of day, by row and column from 0.
        undated: Numbers of cells whose format shows a date where there is none, by the same.
    """

    rows: int = 0
    columns: int = 0
    filled: int = 0
    uncalculated: int = 0
    first_uncalculated: str = ""
    errors: int = 0
    merged: tuple[Merged, ...] = ()
    moments: frozenset[tuple[int, int]] = frozenset()
    undated: Mapping[tuple[int, int], float] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """Bytes of memory that its cells take at least, once they are read."""
        return _CELL_BYTES * self.rows * self.columns

    @property
    def is_scattered(self) -> bool:
        """Whether reading it would take room for far more cells than it holds."""
        extent = self.rows * self.columns
        return extent > _EXTENT and extent > _SPARSE * self.filled


def workbook_facts(archive: zipfile.ZipFile, sheet: str) -> SheetFacts:
    """Looks at a sheet of a workbook of Excel.

    Raises:
        ValueError: The archive is no workbook.
    """
    path = _sheet_path(archive, sheet)
    if path is None:
        return SheetFacts()
    text = archive.read(path)
    styles = _date_styles(archive)
    cells = _COLUMN.findall(text)
    columns = {_column_number(letters) for letters in set(cells)}
    rows = max((int(number) for number in set(_ROW.findall(text))), default=0)
    uncalculated = [found[1] for found in _CELL.finditer(text) if b't="str"' not in found[1]]
    first = _REFERENCE.search(uncalculated[0]) if uncalculated else None
    return SheetFacts(
        rows=rows,
        columns=max(columns, default=0),
        filled=len(cells),
        uncalculated=len(uncalculated),
        first_uncalculated=first[1].decode() if first else "",
        errors=len(_ERROR.findall(text)),
        moments=frozenset(
            place for place, _ in _cells_of([n for n, is_moment in styles if is_moment], text)
        ),
        undated={
            place: number
            for place, shown in _cells_of([n for n, _ in styles], text, _UNDATED)
            if (number := parse_number(shown.decode())) is not None
        },
    )


def _sheet_path(archive: zipfile.ZipFile, sheet: str) -> str | None:
    """Where the archive holds a sheet, by the lists of the workbook."""
    try:
        book = ElementTree.fromstring(archive.read("xl/workbook.xml"))  # noqa: S314 - no entities
        links = ElementTree.fromstring(archive.read("xl/_rels/workbook.xml.rels"))  # noqa: S314
    except (KeyError, ElementTree.ParseError):
        return None
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    for entry in book.iter():
        if entry.tag.endswith("}sheet") and entry.get("name") == sheet:
            target = targets.get(entry.get(_RELATION)) or ""
            path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
            return path if path in archive.namelist() else None
    return None


def _cells_of(
    styles: list[int], sheet: bytes, behind: bytes = b""
) -> Iterator[tuple[tuple[int, int], bytes]]:
    """The cells of a sheet with one of some styles: row and column from 0, and the last group."""
    if not styles:
        return
    wanted = "|".join(map(str, styles))
    cell = rf'<(?:\w+:)?c\b(?=[^>]*\ss="(?:{wanted})")[^>]*\br="([A-Z]{{1,3}})([0-9]{{1,7}})"'
    for found in re.finditer(cell.encode() + behind, sheet):
        yield (int(found[2]) - 1, _column_number(found[1]) - 1), found[found.re.groups]


def _date_styles(archive: zipfile.ZipFile) -> list[tuple[int, bool]]:
    """Numbers of the styles of cells that show a date or time, and which show both."""
    try:
        root = ElementTree.fromstring(archive.read("xl/styles.xml"))  # noqa: S314 - no entities
    except (KeyError, ElementTree.ParseError):
        return []
    formats = dict.fromkeys(_DATES_BUILT_IN, "d") | {"22": "d h"}
    formats |= {one.get("numFmtId", ""): one.get("formatCode", "") for one in root.iter(_FORMAT)}
    cells = root.find(f"{_MAIN}cellXfs")
    codes = [formats.get(style.get("numFmtId", ""), "") for style in cells or ()]
    letters = [_NO_LETTERS.sub("", code).lower() for code in codes]
    return [
        (place, "h" in shown and ("y" in shown or "d" in shown))
        for place, shown in enumerate(letters)
        # General, the format of all that has none, has none of these letters.
        if set("ymdhs") & set(shown)
    ]


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - ord("A") + 1
    return number


_TABLE = re.compile(
    rb'<table:table\s[^>]*?table:name="([^"]*)"[^>]*>(.*?)</table:table>', re.DOTALL
)
_PART = re.compile(rb"<table:(table-row|(?:covered-)?table-cell)\b([^>]*)>")
_REPEATED = re.compile(rb'table:number-(?:rows|columns)-repeated="([0-9]{1,9})"')
_SPANNED = re.compile(rb'table:number-(rows|columns)-spanned="([0-9]{1,9})"')


def opendocument_facts(archive: zipfile.ZipFile) -> dict[str, SheetFacts]:
    """Looks at the sheets of a workbook of OpenDocument, by their names.

    Raises:
        ValueError: The archive is no workbook.
    """
    try:
        text = archive.read("content.xml")
    except KeyError:
        raise ValueError from None
    return {_plain(found[1]): _table_facts(found[2]) for found in _TABLE.finditer(text)}


def _table_facts(text: bytes) -> SheetFacts:
    row = rows = columns = filled = repeated = 0
    column, merged = 0, list[Merged]()
    for part in _PART.finditer(text):
        kind, attributes = part[1], part[2]
        count = _REPEATED.search(attributes)
        times = int(count[1]) if count else 1
        if kind == b"table-row":
            row, column, repeated = row + times, 0, times
            continue
        column += times
        spans = {found[1]: int(found[2]) for found in _SPANNED.finditer(attributes)}
        down, right = spans.get(b"rows", 1), spans.get(b"columns", 1)
        if down > 1 or right > 1:
            first = (row - 1, column - 1)
            merged.append((first, (first[0] + down - 1, first[1] + right - 1)))
        if b"office:value-type" in attributes or b"calcext:value-type" in attributes:
            rows, columns = row, max(columns, column)
            # A cell that is repeated takes its room each time.
            filled += times * repeated
    return SheetFacts(rows=rows, columns=columns, filled=filled, merged=tuple(merged))


def _plain(name: bytes) -> str:
    text = name.decode("utf-8", "replace")
    for mark, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'")):
        text = text.replace(mark, sign)
    return text.replace("&amp;", "&")
