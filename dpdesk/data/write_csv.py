"""Writes CSV tables: UTF-8, RFC 4180, lines ended by LF, no formula that a spreadsheet would run.

A cell that starts with = + - @, or with one of their full-width forms, which some spreadsheets take
for them, may be executed when a CSV file is opened in a spreadsheet; so may one that starts with a
tab or a line end (OWASP, "CSV injection"). Several spreadsheets and converters strip blanks first,
so blanks and zero-width characters in front of such a sign do not protect. An apostrophe in front
of the cell does.

A plain number such as -2.25 is not a formula and stays as it is. To make restoring exact, a text
that already has apostrophes in front of such a start gets one more.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path

from dpdesk.data.write_file import write_file
from dpdesk.domains.look_alike import UNSEEN

Cell = str | int | float | Decimal | None

_UNSEEN = rf"[\s\x00-\x1f{UNSEEN}]"
_SIGNS = "=+\\-@＝＋－＠﹦﹢﹣﹫"
_STARTS = re.compile(rf"'*(?:[\t\r\n]|{_UNSEEN}*+[{_SIGNS}])")
_NUMBER = re.compile(r" *[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)? *")


def neutralise(text: str) -> str:
    """Returns a text that is safe in a CSV file opened in a spreadsheet."""
    return "'" + text if _STARTS.match(text) and not _NUMBER.fullmatch(text) else text


def restore(text: str) -> str:
    """Returns the original of a neutralised text: `restore(neutralise(text)) == text`.

    Releases of earlier versions can be read too: they put an apostrophe before negative numbers.
    """
    return text[1:] if text.startswith("'") and _STARTS.match(text, 1) else text


def write_table_csv(
    path: Path,
    header: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    *,
    overwrite: bool = True,
    private: bool = False,
) -> None:
    """Writes a small table: numbers unchanged, text neutralised, None as an empty cell.

    Raises:
        ReleaseError: The file cannot be written.
    """
    write_file(path, table_csv(header, rows), overwrite=overwrite, private=private)


def table_csv(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Returns a small table as `write_table_csv` writes it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([neutralise(name) for name in header])
    for row in rows:
        if len(row) != len(header):
            raise ValueError("A row of a table has one cell per column.")
        writer.writerow([neutralise(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()
