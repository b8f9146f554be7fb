"""Rows of a file that are joined into one row of a person, with a column for each of them.

How the command line declares it (`--join-rows`) is written and read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dpdesk.data.joined_question import CellText, marked
from dpdesk.data.quotation_marks import parted, unquoted
from dpdesk.data.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import quoted
from dpdesk.numbers import PlainDigits

JOINED_MAX = 100
"""Most rows of a person that are joined."""


class JoinedRows(BaseModel):
    """Which rows of a file are one person's, and how many of them become one row.

    Attributes:
        by: The column that names the person of each row.
        most: Most rows of a person that are joined, the first ones of the file.
        same: Columns that a person has once: their first answer counts. Any other column becomes
            one for each row, empty where a person has fewer rows.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    by: Annotated[CellText, Field(min_length=1)]
    most: Annotated[int, Field(ge=2, le=JOINED_MAX), PlainDigits]
    same: Annotated[
        tuple[CellText, ...], Field(max_length=10_000, exclude_if=lambda names: not names)
    ] = ()

    def columns_of(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Returns the columns that each of some columns of a file becomes."""
        once, numbers, mark = {self.by, *self.same}, range(1, self.most + 1), "_"
        while any(f"{name}{mark}{n}" in once for name in names for n in numbers):
            mark += "_"
        return {
            name: (name,) if name in once else tuple(f"{name}{mark}{n}" for n in numbers)
            for name in names
        }

    @property
    def words(self) -> str:
        """The declaration for people."""
        if self.same:
            return T.ROWS_JOINED_BUT(most=self.most, by=self.by, names=quoted(self.same, 3))
        return T.ROWS_JOINED(most=self.most, by=self.by)

    @property
    def enforcement(self) -> str:
        """How the bound on a respondent's rows is kept, as sentences."""
        return T.FIRST_ROWS_JOINED(by=self.by, most=self.most)

    @property
    def written(self) -> str:
        """The declaration as the command line writes it, and `read` reads it."""
        same = f":{','.join(map(marked, self.same))}" if self.same else ""
        return f"{marked(self.by)}={self.most}{same}"

    @classmethod
    def read(cls, text: str) -> JoinedRows:
        """Reads `PERSON=N[:COLUMN,...]`; a name that holds `:`, `,`, `=` or `"` is quoted.

        Raises:
            ParameterError: It declares no rows that can be joined.
        """
        by, *rest = parted(text, "=", 1)
        most, *same = parted("".join(rest), ":", 1)
        names = tuple(map(unquoted, parted("".join(same), ","))) if same else ()
        try:
            return cls.model_validate({"by": unquoted(by), "most": most, "same": names})
        except ValidationError:
            raise ParameterError(T.BAD_JOINED_ROWS(text=text, most=JOINED_MAX)) from None
