"""Writes a workbook of Excel (ECMA-376, Part 1) as it comes: no row waits in memory or on the disk.

Cells are made column by column from a list of every value, since millions of cells have few values.
A workbook has no more parts than a reader needs, and no time of its own, so that equal contents
make equal files.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, BinaryIO

import numpy as np
import numpy.typing as npt

Cells = npt.NDArray[np.object_]
"""Cells as XML, in which `_ROW` stands for the number of their row; empty for no cell."""

BOLD, DAY, MOMENT, SECOND = 1, 2, 3, 4
"""How a cell looks, by its place among the styles; 0 for plain cells."""

_ROW = "\0"
_FORMS = {
    DAY: "yyyy-mm-dd",
    MOMENT: 'yyyy-mm-dd"T"hh:mm',
    SECOND: 'yyyy-mm-dd"T"hh:mm:ss',
}
_FIRST_OWN_FORM = 164
"""Numbers below are taken by formats that every program knows."""

_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"

_SHEET_END = '</sheetData><pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75"' + (
    ' header="0.3" footer="0.3"/></worksheet>'
)
_FROZEN = (
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
    '<selection pane="bottomLeft"/>'
)

_ESCAPE = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
"""What Excel would take for one of its own escapes."""
_CONTROL = re.compile("[\0-\x08\x0b-\x1f\ufffe\uffff]")
"""Signs that XML cannot hold; \\r, which its readers make a line feed, among them."""
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


class Workbook:
    """A workbook whose sheets are written one after the other.

    Args:
        file: A file open for binary writing, in which one can go back.
        names: The names of its sheets, in their order; plain words.
    """

    def __init__(self, file: BinaryIO, names: Sequence[str]) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        for path, xml in _parts(names).items():
            with self._zip.open(_entry(path), "w") as part:
                part.write((_XML + xml).encode())

    def sheet(self, number: int, *, most_bytes: int = 0) -> Sheet:
        """Begins a sheet; the one before is closed.

        Args:
            number: Its place among the names, from 1.
            most_bytes: The most bytes that its rows take: a part of more than 2 GiB is announced.
        """
        entry = _entry(f"xl/worksheets/sheet{number}.xml")
        entry.file_size = most_bytes
        return Sheet(self._zip.open(entry, "w"), is_first=number == 1)

    def close(self) -> None:
        """Completes the workbook; the file itself stays open."""
        self._zip.close()

    def abandon(self, sheet: Sheet) -> None:
        """Gives up, so that nothing is written to the file later, when the workbook is deleted."""
        for part in (sheet, self._zip):
            with suppress(OSError, ValueError, RuntimeError, zipfile.LargeZipFile):
                part.close()


class Sheet:
    """A sheet whose rows are appended.

    Args:
        part: Where it is written.
        is_first: Whether it is shown when the workbook is opened.
    """

    def __init__(self, part: IO[bytes], *, is_first: bool) -> None:
        self._part, self._rows = part, 0
        chosen = ' tabSelected="1"' if is_first else ""
        part.write(
            f'{_XML}<worksheet xmlns="{_MAIN}"><sheetViews><sheetView{chosen} workbookViewId="0">'
            f'{_FROZEN}</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>'
            "<sheetData>".encode()
        )

    def append(self, columns: Sequence[Cells], rows: int) -> None:
        """Appends rows.

        Args:
            columns: The cells of each column, shape (rows,).
            rows: Number of rows.
        """
        table = np.empty((rows, len(columns)), dtype=np.object_)
        for place, cells in enumerate(columns):
            table[:, place] = cells
        lines = []
        for row, own in enumerate(table.tolist(), start=self._rows + 1):
            line = f'<row r="{_ROW}">{"".join(own)}</row>'
            lines.append(line.replace(_ROW, str(row)))
        self._part.write("".join(lines).encode())
        self._rows += rows

    def close(self) -> None:
        """Completes the sheet; may be called more than once."""
        if not self._part.closed:
            try:
                self._part.write(_SHEET_END.encode())
            finally:
                self._part.close()


def cells_of(place: int, values: Sequence[str | float | None], style: int = 0) -> Cells:
    """Returns values as cells of a column: numbers, texts, and None for no cell.

    Args:
        place: Place of the column, from 0.
        values: The values.
        style: How they look.
    """
    begin = f'<c r="{column_letters(place)}{_ROW}"' + (f' s="{style}"' if style else "")
    cells = np.empty(len(values), dtype=np.object_)
    cells[:] = [_cell(begin, value) for value in values]
    return cells


def _cell(begin: str, value: str | float | None) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        digits = str(value) if isinstance(value, int) else repr(value).removesuffix(".0")
        return f"{begin}><v>{digits}</v></c>"
    escaped = _CONTROL.sub(lambda sign: f"_x{ord(sign[0]):04X}_", _ESCAPE.sub("_x005F_", value))
    kept = ' xml:space="preserve"' if escaped != escaped.strip() else ""
    text = escaped.translate(_MARKUP)
    return f'{begin} t="inlineStr"><is><t{kept}>{text}</t></is></c>'


def column_letters(place: int) -> str:
    """Returns the letters of a column by its place from 0: A to Z, AA, and so on."""
    found, rest = "", place + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        found = chr(ord("A") + letter) + found
    return found


def _entry(path: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(path)
    entry.compress_type = zipfile.ZIP_DEFLATED
    # The same on every system.
    entry.create_system = 0
    return entry


def _parts(names: Sequence[str]) -> dict[str, str]:
    """Returns every part but the sheets, by its path."""
    numbers = range(1, len(names) + 1)
    sheets = {f"rId{n}": f"worksheets/sheet{n}.xml" for n in numbers}
    own = "".join(
        f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>'
        for n, name in zip(numbers, names, strict=True)
    )
    overrides = "".join(
        f'<Override PartName="/xl/{path}" ContentType="{_TYPES}.{kind}+xml"/>'
        for path, kind in (
            ("workbook.xml", "sheet.main"),
            ("styles.xml", "styles"),
            *((path, "worksheet") for path in sheets.values()),
        )
    )
    relation = f'<Relationship Id="{{}}" Type="{_RELATIONS}/{{}}" Target="{{}}"/>'.format
    styles_id = f"rId{len(names) + 1}"
    related = [relation(key, "worksheet", path) for key, path in sheets.items()]
    related.append(relation(styles_id, "styles", "styles.xml"))
    document = relation("rId1", "officeDocument", "xl/workbook.xml")
    return {
        "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
        f'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
        f"{overrides}</Types>",
        "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">{document}'
        "</Relationships>",
        "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_RELATIONS}"><bookViews>'
        f"<workbookView/></bookViews><sheets>{own}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
        f"{''.join(related)}</Relationships>",
        "xl/styles.xml": _styles(),
    }


def _styles() -> str:
    """Returns plain and bold cells, and those of dates."""
    font = '<font>{}<sz val="11"/><name val="Calibri"/><family val="2"/></font>'.format
    own = dict(zip(_FORMS, range(_FIRST_OWN_FORM, _FIRST_OWN_FORM + len(_FORMS)), strict=True))
    forms = "".join(
        f'<numFmt numFmtId="{own[style]}" formatCode="{form.replace(chr(34), "&quot;")}"/>'
        for style, form in _FORMS.items()
    )
    plain = 'fillId="0" borderId="0"'
    cells = [f'<xf numFmtId="0" fontId="0" {plain} xfId="0"/>']
    cells.append(f'<xf numFmtId="0" fontId="1" {plain} xfId="0" applyFont="1"/>')
    cells += [
        f'<xf numFmtId="{number}" fontId="0" {plain} xfId="0" applyNumberFormat="1"/>'
        for number in own.values()
    ]
    return (
        f'<styleSheet xmlns="{_MAIN}"><numFmts count="{len(own)}">{forms}</numFmts>'
        f'<fonts count="2">{font("")}{font("<b/>")}</fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        f'<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" {plain}/></cellStyleXfs>'
        f'<cellXfs count="{len(cells)}">{"".join(cells)}</cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
        "</styleSheet>"
    )
