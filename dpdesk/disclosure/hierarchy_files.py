"""Files of levels: hierarchies as CSV tables of the usual form.

One row per value, the value first and then its label on each level, without a header. Instead of a
single number a row may begin with an interval such as `[20, 25)`, which holds the numbers from 20
to below 25. An empty first cell is the missing cell.
"""

from __future__ import annotations

from pathlib import Path

from dpdesk.data.output_fields import csv_cell
from dpdesk.data.read_file import load
from dpdesk.data.write_csv import restore
from dpdesk.disclosure.hierarchies import Hierarchy
from dpdesk.disclosure.texts import T
from dpdesk.errors import InputError


def read_hierarchy(path: Path, column: str, delimiter: str | None = None) -> Hierarchy:
    """Reads a file of levels.

    Args:
        path: A CSV file: one row per value, its labels behind it. A first row that begins with the
            name of the column is a header.
        column: Name of the column that the levels are of.
        delimiter: The character between cells; detected if None.

    Raises:
        InputError: The file cannot be read.
        ParameterError: It is no hierarchy.
    """
    try:
        table = load(path, header_rows=0, delimiter=delimiter)
    except InputError as error:
        raise InputError(T.LEVELS_UNUSABLE(column=column, reason=error.message)) from None
    cells = [[restore(text) for text in one.texts()] for one in table.columns]
    if cells[0][0] == column:
        cells = [one[1:] for one in cells]
    return Hierarchy(column, tuple(cells[0]), tuple(map(tuple, cells[1:])))


def hierarchy_text(hierarchy: Hierarchy) -> str:
    """Returns the content of a file of levels, as `read_hierarchy` reads it."""
    rows = zip(hierarchy.keys, *hierarchy.labels, strict=True)
    return "".join(",".join(csv_cell(cell) for cell in row) + "\n" for row in rows)
