"""Writes the records of a release as a workbook of Excel: a sheet of records, one of labels.

Texts are written as texts, never as formulas, whatever they begin with. The workbook holds no time
of its own, so that equal contents make equal files.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from dpdesk.data.formats.labelled_writer import LabelledRecords, Places, too_many_columns
from dpdesk.data.output_fields import BitsField, IntegersField, OutputField, SymbolField, Unfit
from dpdesk.data.written_column import WrittenColumn
from dpdesk.i18n import N_

ROWS_MOST, COLUMNS_MOST, SIGNS_MOST = 1_048_576, 16_384, 32_767
RECORDS_SHEET, LABELS_SHEET = "records", "labels"
LABELS_HEADER = ("column", "label", "level", "value", "meaning", "no answer")
_DAYS_TO_1970 = 25_569
"""Days from 1899-12-30, where Excel counts from, to 1970-01-01."""
_FIRST_DAY = -25_508
"""1900-03-01: before it Excel counts a day that never was."""
_MOMENT = "yyyy-mm-ddThh:mm"
_FORMS = {"day": "yyyy-mm-dd", "minute": _MOMENT, "hour": _MOMENT}
_XML_OF_A_CELL = 100
WAITING = ".rows"
"""What the name of the folder ends with in which rows wait for the workbook."""


class ExcelRecords(LabelledRecords):
    """A workbook of Excel 2007 and later."""

    name = "records.xlsx"
    meaning = N_("the same for Excel, with a sheet of labels")
    content = "The same records as a workbook; its second sheet says what values mean."

    @classmethod
    def most_bytes_of_one(cls, field: OutputField) -> int:
        """Returns the text of a cell twice: as it waits, and unpacked in the workbook."""
        if isinstance(field, BitsField | IntegersField):
            return 2 * _XML_OF_A_CELL * len(field.names)
        longest = 0
        if isinstance(field, SymbolField):
            longest = max((len(text.encode()) for text in field.texts), default=0)
        return 2 * (_XML_OF_A_CELL + 6 * longest)

    @classmethod
    def most_bytes_of_texts(cls, total: int, longest: int, rows: int) -> int:
        """Returns each text twice, each sign escaped."""
        return 12 * total

    @classmethod
    def refusal(cls, columns: Sequence[WrittenColumn], rows: int) -> Unfit | None:
        """Returns why a sheet of Excel cannot hold such records."""
        if rows + 1 > ROWS_MOST:
            return Unfit(
                f"a sheet has room for {ROWS_MOST - 1:,} records, and these are {rows:,}.",
                "Release fewer records,",
            )
        if len(columns) > COLUMNS_MOST:
            return too_many_columns("a sheet has", COLUMNS_MOST, len(columns))
        for column in columns:
            if column.text_signs > SIGNS_MOST:
                return Unfit(
                    f"{column.name} has an answer of more than {SIGNS_MOST:,} characters.",
                    "Shorten it in the file, drop this column,",
                )
        if sum(1 for _ in label_rows(columns)) + 1 > ROWS_MOST:
            return Unfit(
                f"its labels are more than the {ROWS_MOST:,} rows of a sheet.",
                "Drop the columns with most labels,",
            )
        return None

    @classmethod
    def read_texts(cls, column: WrittenColumn) -> tuple[str, ...]:
        """Returns numbers with their shortest digits, and moments with their seconds."""
        if _is_dated(column):
            # A moment without seconds has sixteen signs.
            return tuple(f"{t}:00" if "T" in t and len(t) == 16 else t for t in column.texts)
        return super().read_texts(column) if column.kind == "number" else column.texts

    def _begin(self) -> None:
        super()._begin()
        import xlsxwriter

        # Rows wait beside the workbook, where room was reserved, and not among files of others.
        self._waiting = Path(f"{self._file.name}{WAITING}")
        self._waiting.mkdir()
        where = {"constant_memory": True, "tmpdir": str(self._waiting)}
        self._book = xlsxwriter.Workbook(self._file, where)
        self._book.use_zip64()
        # A time of its own would make equal contents unequal files.
        self._book.set_properties({"created": datetime(1980, 1, 1)})  # noqa: DTZ001 - no zone in it
        self._forms = {
            kind: self._book.add_format({"num_format": form}) for kind, form in _FORMS.items()
        }
        bold = self._book.add_format({"bold": True})
        self._sheet = self._book.add_worksheet(RECORDS_SHEET)
        self._sheet.freeze_panes(1, 0)
        for place, name in enumerate(self._names):
            self._sheet.write_string(0, place, name, bold)
        self._written = [self._cells_of(column) for column in self._columns]
        self._bold = bold

    def close(self) -> None:
        """Writes the labels and packs the workbook."""
        sheet = self._book.add_worksheet(LABELS_SHEET)
        for at, head in enumerate(LABELS_HEADER):
            sheet.write_string(0, at, head, self._bold)
        for row, cells in enumerate(label_rows(self._columns), start=1):
            for place, cell in enumerate(cells):
                if isinstance(cell, float):
                    sheet.write_number(row, place, cell)
                elif cell:
                    sheet.write_string(row, place, cell)
        self._book.close()
        self._clear()

    def abandon(self) -> None:
        """Gives up, and removes the rows that wait."""
        self._book.fileclosed = True
        self._clear()

    def _clear(self) -> None:
        for sheet in self._book.worksheets():
            sheet.row_data_fh.close()
        shutil.rmtree(self._waiting, ignore_errors=True)

    def _write_rows(self, cells: list[Places], rows: int) -> None:
        number, text, start = self._sheet.write_number, self._sheet.write_string, self.rows + 1
        lists = [places.tolist() for places in cells]
        kinds = list(zip(self._written, lists, strict=True))
        for row in range(rows):
            is_blank = True
            for place, ((values, form), own) in enumerate(kinds):
                code = own[row]
                if code < 0:
                    continue
                value = code if values is None else values[code]
                if type(value) is str:
                    text(start + row, place, value)
                elif value is not None:
                    number(start + row, place, value, form)
                else:
                    continue
                is_blank = False
            if is_blank:
                # A sheet ends at its last cell: without one this record might not be there.
                text(start + row, 0, "")

    def _cells_of(self, column: WrittenColumn) -> tuple[list[str | float | None] | None, Any]:
        """The value of each text, None for whole numbers themselves; and how values look."""
        if column.limit:
            return None, None
        if _is_dated(column):
            per_day = {"day": 1, "minute": 1440, "hour": 24}[column.kind]
            days = (column.numbers / per_day + _DAYS_TO_1970).tolist()
            return [None if day != day else day for day in days], self._forms[column.kind]
        if column.kind == "number":
            numbers = column.numbers.tolist()
            return [None if number != number else number for number in numbers], None
        return [text or None for text in column.texts], None


def _is_dated(column: WrittenColumn) -> bool:
    """Whether Excel has such dates: months and times of day stay texts, as do days before 1900."""
    if column.kind not in _FORMS:
        return False
    per_day = {"day": 1, "minute": 1440, "hour": 24}[column.kind]
    return bool(np.nanmin(column.numbers, initial=np.inf) >= _FIRST_DAY * per_day)


def label_rows(columns: Sequence[WrittenColumn]) -> Iterator[tuple[str | float, ...]]:
    """Yields a row for each column, and one for each of its values that means something."""
    for column in columns:
        yield column.name, column.label, column.level, "", "", ""
        if column.kind == "number":
            missing = set(column.missing_numbers)
            for _, number, meaning in column.number_labels:
                yield column.name, "", "", number, meaning, "yes" if number in missing else ""
            for one in column.missing_ranges:
                yield column.name, "", "", one.text, column.missing.labels.get(one.text, ""), "yes"
            continue
        none = set(column.missing_texts)
        for value in column.texts:
            if value and (told := column.meanings.get(value)):
                yield column.name, "", "", value, told, "yes" if value in none else ""
