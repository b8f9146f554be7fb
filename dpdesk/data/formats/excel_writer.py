"""Writes the records of a release as a workbook of Excel: a sheet of records, one of labels.

Texts are written as texts, never as formulas, whatever they begin with. Numbers of more digits than
XlsxWriter writes are texts, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.column_description import ColumnDescription, Level, codes_of_no_answer
from dpdesk.data.formats.labelled_writer import LabelledRecords, Places
from dpdesk.data.formats.number_cells import moment_text, texts_of_numbers
from dpdesk.data.formats.texts import T
from dpdesk.data.missing_codes import CodeRange, read_codes
from dpdesk.data.output_fields import BitsField, IntegersField, OutputField, SymbolField
from dpdesk.data.written_column import WrittenColumn
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, Message

if TYPE_CHECKING:
    from xlsxwriter.format import Format
    from xlsxwriter.worksheet import Worksheet

ROWS_MOST, COLUMNS_MOST, SIGNS_MOST = 1_048_576, 16_384, 32_767
RECORDS_SHEET, LABELS_SHEET = "records", "labels"
_YES = "yes"
LABELS_HEADER = ("column", "label", "level", "value", "meaning", "no answer")
_DAYS_TO_1970 = 25_569
"""Days from 1899-12-30, where Excel counts from, to 1970-01-01."""
_FIRST_DAY = -25_508
"""1900-03-01: before it Excel counts a day that never was."""
_PER_DAY = {"day": 1, "moment": 86_400_000, "minute": 1440, "hour": 24}
"""How often the dates that Excel has are counted in a day."""
_moment = moment_text(datetime(1970, 1, 1), 1000, is_date=False)  # noqa: DTZ001 - without a zone
_XML_OF_A_CELL = 100
_BYTES_OF_A_SIGN = 7
"""Most bytes that a byte of a text becomes: a control sign is written as _x0001_."""
_LISTED_MOST = 1 << 16
_NO_TIME = datetime(1980, 1, 1)  # noqa: DTZ001 - without a zone
"""When every workbook was made, so that equal contents make equal files."""
_MINUTES = 'yyyy-mm-dd"T"hh:mm'
_DATE_FORMATS = {"day": "yyyy-mm-dd", "moment": f"{_MINUTES}:ss"}

Value: TypeAlias = str | float | None
"""What a cell holds; None for no cell."""


class ExcelRecords(LabelledRecords):
    """A workbook of Excel 2007 and later."""

    name = "records.xlsx"
    meaning = N_("the same for Excel, with a sheet of labels")
    content = "The same records as a workbook; its second sheet says what values mean."

    @classmethod
    def most_bytes_of_one(cls, field: OutputField) -> int:
        if isinstance(field, BitsField | IntegersField):
            return _XML_OF_A_CELL * len(field.names)
        longest = 0
        if isinstance(field, SymbolField):
            longest = max((len(text.encode()) for text in field.texts), default=0)
        return _XML_OF_A_CELL + _BYTES_OF_A_SIGN * longest

    @classmethod
    def most_bytes_of_texts(cls, total: int, longest: int, rows: int) -> int:
        return _BYTES_OF_A_SIGN * total

    @classmethod
    def refusal(cls, columns: Sequence[WrittenColumn], rows: int) -> Message | None:
        if rows + 1 > ROWS_MOST:
            return T.RECORDS_DO_NOT_FIT(file=cls.name, most=ROWS_MOST - 1, records=rows)
        if (count := len(columns)) > COLUMNS_MOST:
            return T.COLUMNS_DO_NOT_FIT(file=cls.name, most=COLUMNS_MOST, columns=count)
        for column in columns:
            if column.text_signs > SIGNS_MOST:
                return T.LONG_EXCEL_TEXT(column=column.name, most=SIGNS_MOST, file=cls.name)
        if sum(1 for _ in label_rows(columns)) + 1 > ROWS_MOST:
            return T.LABELS_DO_NOT_FIT(file=cls.name, most=ROWS_MOST - 1)
        return None

    @classmethod
    def read_texts(cls, column: WrittenColumn) -> tuple[str, ...]:
        if _is_dated(column):
            if column.kind == "day":
                return column.texts
            milliseconds = column.numbers * (_PER_DAY["moment"] // _PER_DAY[column.kind])
            return tuple(texts_of_numbers(milliseconds, _moment))
        return super().read_texts(column) if column.kind == "number" else column.texts

    def _begin(self) -> None:
        # Only who writes a workbook waits for it to be imported.
        from xlsxwriter import Workbook

        super()._begin()
        self._folder = TemporaryDirectory(prefix="dpdesk-", ignore_cleanup_errors=True)
        options = {"constant_memory": True, "tmpdir": self._folder.name}
        self._book = Workbook(self._file, options)
        self._book.use_zip64()
        self._book.set_properties({"created": _NO_TIME})
        self._bold = self._book.add_format({"bold": True})
        self._values = [_values_of(column) for column in self._columns]
        self._formats = [
            self._book.add_format({"num_format": _DATE_FORMATS.get(column.kind, _MINUTES)})
            if _is_dated(column)
            else None
            for column in self._columns
        ]
        self._sheet = self._new_sheet(RECORDS_SHEET, self._names)

    def close(self) -> None:
        sheet = self._new_sheet(LABELS_SHEET, LABELS_HEADER)
        plain = (None,) * len(LABELS_HEADER)
        for row, cells in enumerate(label_rows(self._columns), start=1):
            _write_row(sheet, row, [None if cell == "" else cell for cell in cells], plain)
        self._book.close()
        self._folder.cleanup()

    def abandon(self) -> None:
        for sheet in self._book.worksheets():
            sheet.row_data_fh.close()
        self._folder.cleanup()

    def _new_sheet(self, name: str, header: Sequence[str]) -> Worksheet:
        sheet = self._book.add_worksheet(name)
        sheet.freeze_panes(1, 0)
        _write_row(sheet, 0, header, [self._bold] * len(header))
        return sheet

    def _write_rows(self, cells: list[Places], rows: int) -> None:
        columns = [
            [None if code < 0 else code for code in codes.tolist()]
            if values is None
            else values[codes].tolist()
            for values, codes in zip(self._values, cells, strict=True)
        ]
        for row, record in enumerate(zip(*columns, strict=True), start=self.rows + 1):
            _write_row(self._sheet, row, record, self._formats)


def _write_row(
    sheet: Worksheet, row: int, cells: Sequence[Value], formats: Sequence[Format | None]
) -> None:
    is_blank = True
    for column, (cell, look) in enumerate(zip(cells, formats, strict=True)):
        if cell is None:
            continue
        is_blank = False
        if not isinstance(cell, str):
            sheet.write_number(row, column, cell, look)
        elif cell.startswith("<r>") and cell.endswith("</r>"):
            # XlsxWriter takes it for its own XML where it is in one piece.
            sheet.write_rich_string(row, column, cell[:2], cell[2], cell[3:])
        else:
            sheet.write_string(row, column, cell, look)
    if is_blank:
        # A sheet ends at its last cell: without one the last records might not be there.
        sheet.write_string(row, 0, "")


def _values_of(column: WrittenColumn) -> NDArray[np.object_] | None:
    """The values of texts and of an empty cell; None for whole numbers, which may be too many."""
    if column.limit > _LISTED_MOST:
        return None
    if column.limit:
        values: list[Value] = list(range(column.limit))
    elif _is_dated(column):
        days = column.numbers / _PER_DAY[column.kind] + _DAYS_TO_1970
        values = [None if day != day else day for day in days.tolist()]
    elif column.kind == "number":
        values = [_number(number) for number in column.numbers.tolist()]
    else:
        values = [text or None for text in column.texts]
    return np.array([*values, None], dtype=np.object_)


def _number(number: float) -> Value:
    """A number as a value: NaN as none, one of more digits than XlsxWriter writes as a text."""
    if number != number:
        return None
    return number if float(f"{number:.16G}") == number else repr(number)


def _is_dated(column: WrittenColumn) -> bool:
    """Whether Excel has such dates: months and times of day stay texts, as do days before 1900."""
    per_day = _PER_DAY.get(column.kind)
    if per_day is None:
        return False
    return bool(np.nanmin(column.numbers, initial=np.inf) >= _FIRST_DAY * per_day)


def label_rows(columns: Sequence[WrittenColumn]) -> Iterator[tuple[str | float, ...]]:
    """Yields a row for each column, and one for each of its values that means something.

    The answers of a list are all there, in its order, and so is every code of no answer.
    """
    for column in columns:
        yield column.name, column.label, column.level, "", "", ""
        if column.kind == "number":
            missing = dict.fromkeys(column.missing_numbers)
            listed = set()
            for _, number, meaning in column.number_labels:
                listed.add(number)
                yield column.name, "", "", number, meaning, _YES if number in missing else ""
            for number in missing:
                if number not in listed:
                    yield column.name, "", "", number, "", _YES
            for one in column.missing_ranges:
                yield column.name, "", "", one.text, column.missing.labels.get(one.text, ""), _YES
            continue
        none = dict.fromkeys(column.missing_texts)
        meanings = {**dict.fromkeys(column.answers, ""), **dict.fromkeys(none, "")}
        meanings |= {text: told for text in column.texts if (told := column.meanings.get(text))}
        meanings |= {text: told for text in none if (told := column.missing.labels.get(text))}
        for value, told in meanings.items():
            if value:
                yield column.name, "", "", value, told, _YES if value in none else ""


def labels_told(rows: Iterable[Sequence[str]]) -> dict[str, ColumnDescription]:
    """Returns what a sheet of labels says of columns, by their names.

    Args:
        rows: Its rows as texts, its head first; of another sheet nothing is said.
    """
    head, *rest = rows
    if tuple(head) != LABELS_HEADER:
        return {}
    found: dict[str, list[Sequence[str]]] = {}
    for row in rest:
        found.setdefault(row[0], []).append(row)
    return {name: _described(own) for name, own in found.items()}


def _described(rows: Sequence[Sequence[str]]) -> ColumnDescription:
    """What the rows of a column say of it."""
    _, label, level, *_ = rows[0]
    values = {value: meaning or value for _, _, _, value, meaning, _ in rows[1:] if value}
    codes: list[str] = []
    ranges: list[CodeRange] = []
    for _, _, _, value, _, is_none in rows[1:]:
        if value and is_none == _YES:
            try:
                within = read_codes(value).ranges
            except ParameterError:
                within = ()
            ranges += within
            codes += () if within else (value,)
    return ColumnDescription(
        label=label,
        values={value: meaning for value, meaning in values.items() if value not in codes},
        missing=codes_of_no_answer(codes, ranges, values),
        level=cast("Level", level if level in get_args(Level) else ""),
    )
