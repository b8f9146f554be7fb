"""What columns that are released as they are tell of who is who: a function of the release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.disclosure.texts import T
from dpdesk.i18n import Message, quoted

SMALL = 5
"""Groups of fewer records than this are small."""

_NAMES_MOST = 8


@dataclass(frozen=True)
class KeptColumns:
    """How many records stand out on the answers that are released as they are.

    Attributes:
        names: Names of the columns; survey weights are no answers.
        rows: Number of records.
        unique_rows: Records that are the only one with their answers.
        rows_below: Records whose answers fewer than `SMALL` records have, themselves included.
    """

    names: tuple[str, ...]
    rows: int
    unique_rows: int
    rows_below: int

    def counts(self) -> Message:
        """Returns how many stand out, in words that need no knowledge of the field."""
        if not self.rows_below:
            return T.KEPT_SAFE(rows=self.rows, others=SMALL - 1)
        if not self.unique_rows:
            return T.KEPT_BELOW(count=self.rows_below, rows=self.rows, others=SMALL - 1)
        return T.KEPT_UNIQUE(count=self.unique_rows, rows=self.rows)

    def sentence(self) -> Message:
        """Returns the columns and how many stand out on them."""
        return T.KEPT(columns=quoted(self.names, _NAMES_MOST), counts=self.counts())


def kept_columns(columns: Sequence[CodedColumn], rows: int) -> KeptColumns | None:
    """Returns how many records stand out on some columns; None without columns or records.

    Args:
        columns: The columns as they are released, one code per text.
        rows: Number of records.
    """
    if not columns or not rows:
        return None
    classes = Classes(columns, rows)
    names = tuple(column.name for column in columns)
    return KeptColumns(names, rows, classes.unique_rows, classes.rows_below(SMALL))
