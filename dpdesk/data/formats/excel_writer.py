"""Writes the records of a release as a workbook of Excel: a sheet of records, one of labels.

Texts are written as texts, never as formulas, whatever they begin with.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import cast, get_args

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.column_description import ColumnDescription, Level, codes_of_no_answer
from dpdesk.data.formats.labelled_writer import LabelledRecords, Places, too_many_columns
from dpdesk.data.formats.number_cells import moment_text, texts_of_numbers
from dpdesk.data.formats.workbook import BOLD, DAY, MOMENT, SECOND, Cells, Workbook, cells_of
from dpdesk.data.missing_codes import CodeRange, read_codes
from dpdesk.data.output_fields import BitsField, IntegersField, OutputField, SymbolField, Unfit
from dpdesk.data.written_column import WrittenColumn
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_

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
_ROWS_AT_ONCE = 10_000


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
    def refusal(cls, columns: Sequence[WrittenColumn], rows: int) -> Unfit | None:
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
        if _is_dated(column):
            if column.kind == "day":
                return column.texts
            milliseconds = column.numbers * (_PER_DAY["moment"] // _PER_DAY[column.kind])
            return tuple(texts_of_numbers(milliseconds, _moment))
        return super().read_texts(column) if column.kind == "number" else column.texts

    def _begin(self) -> None:
        super()._begin()
        self._book = Workbook(self._file, (RECORDS_SHEET, LABELS_SHEET))
        self._values = [_values_of(column, at) for at, column in enumerate(self._columns)]
        longest = (0 if own is None else max(map(len, own)) for own in self._values)
        record = sum(_XML_OF_A_CELL + cell for cell in longest)
        self._sheet = self._book.sheet(1, most_bytes=record * self._most_rows)
        self._sheet.append([cells_of(at, [n], BOLD) for at, n in enumerate(self._names)], 1)

    def close(self) -> None:
        self._sheet.close()
        self._sheet = self._book.sheet(2)
        self._sheet.append([cells_of(at, [n], BOLD) for at, n in enumerate(LABELS_HEADER)], 1)
        rows = label_rows(self._columns)
        while some := list(islice(rows, _ROWS_AT_ONCE)):
            told = [
                cells_of(at, [None if row[at] == "" else row[at] for row in some])
                for at in range(len(LABELS_HEADER))
            ]
            self._sheet.append(told, len(some))
        self._sheet.close()
        self._book.close()

    def abandon(self) -> None:
        self._book.abandon(self._sheet)

    def _write_rows(self, cells: list[Places], rows: int) -> None:
        found = [
            cells_of(at, [None if code < 0 else code for code in codes.tolist()])
            if values is None
            else values[codes]
            for at, (values, codes) in enumerate(zip(self._values, cells, strict=True))
        ]
        # A sheet ends at its last cell: without one the last records might not be there.
        is_blank = np.logical_and.reduce([own == "" for own in found])
        if is_blank.any():
            found[0] = np.where(is_blank, cells_of(0, [""])[0], found[0])
        self._sheet.append(found, rows)


def _values_of(column: WrittenColumn, at: int) -> Cells | None:
    """The cells of each text, and behind them that of an empty cell; None for whole numbers.

    Of whole numbers there may be more than fit into a list.
    """
    if column.limit > _LISTED_MOST:
        return None
    values: list[str | float | None]
    style = 0
    if column.limit:
        values = list(range(column.limit))
    elif _is_dated(column):
        style = {"day": DAY, "moment": SECOND}.get(column.kind, MOMENT)
        days = column.numbers / _PER_DAY[column.kind] + _DAYS_TO_1970
        values = _given(days)
    elif column.kind == "number":
        values = _given(column.numbers)
    else:
        values = [text or None for text in column.texts]
    return cells_of(at, [*values, None], style)


def _given(numbers: NDArray[np.float64]) -> list[str | float | None]:
    """Numbers as values; NaN as none."""
    return [None if number != number else number for number in numbers.tolist()]


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
