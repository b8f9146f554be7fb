"""Reads a matrix from a small text file."""

from __future__ import annotations

import csv
from pathlib import Path

from dpdesk.data.regular_file import FileRefusedError, read_regular
from dpdesk.data.texts import T
from dpdesk.errors import InputError

_MOST_BYTES = 1 << 20


def read_matrix(path: Path) -> list[list[str]]:
    """Reads a file of rows, separated by commas, semicolons or tabs; blank lines are skipped.

    Args:
        path: A file in UTF-8 without a header, of at most 1 MB.

    Returns:
        The cells of each row, without blanks around them, not interpreted.

    Raises:
        InputError: The file cannot be read.
    """
    try:
        text = read_regular(path, _MOST_BYTES).decode("utf-8-sig")
        separator = next((s for s in ";\t" if s in text), ",")
        rows = list(csv.reader(text.splitlines(), delimiter=separator))
    except FileRefusedError as refused:
        reason = refused.reason
    except UnicodeDecodeError:
        reason = T.NOT_UTF8()
    except csv.Error:
        reason = T.OPEN_QUOTE_OR_LONG_CELL()
    else:
        return [[cell.strip() for cell in row] for row in rows if any(map(str.strip, row))]
    raise InputError(T.BAD_MATRIX(file=path.name, reason=reason))
