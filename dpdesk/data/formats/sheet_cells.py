"""The cells of a sheet as calamine reads them: dates put right, and the text of each."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np
import pyarrow as pa

from dpdesk.data.formats.number_cells import (
    duration_text,
    encoded_numbers,
    encoded_texts,
    number_text,
)
from dpdesk.data.formats.sheet_text import SheetFacts

_duration = duration_text(1)

_LEAP_YEAR = 1900
"""Of which Excel has a day too many."""


def dated_rows(sheet: Any, facts: SheetFacts) -> Iterator[list[Any]]:
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


def encoded_cells(cells: list[Any]) -> pa.DictionaryArray:
    """The cells of a column as texts; a column of numbers alone by its distinct ones."""
    if cells and all(type(cell) is float for cell in cells):
        return encoded_numbers(np.array(cells))
    return encoded_texts([text_of_cell(cell) for cell in cells])


def text_of_cell(cell: Any) -> str:
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
