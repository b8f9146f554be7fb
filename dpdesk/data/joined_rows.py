"""Rows of a file that are joined into one row of a person, with a column for each of them.

How the command line declares it (`--join-rows`) is written and read here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from dpdesk.data.joined_question import CellText
from dpdesk.data.quotation_marks import parted, quoted, unquoted
from dpdesk.i18n import quoted as quoted_names

JOINED_MAX = 100
"""Most rows of a person that are joined."""

_NAMED = 3
"""Most columns that are named."""


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
    most: Annotated[int, Field(ge=2, le=JOINED_MAX)]
    same: Annotated[
        tuple[CellText, ...], Field(max_length=10_000, exclude_if=lambda names: not names)
    ] = ()

    def columns_of(self, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Returns the columns that each column of a file becomes.

        Args:
            names: Names of the columns of the file.
        """
        once = {self.by, *self.same}
        numbers, mark = range(1, self.most + 1), "_"
        while True:
            made = {
                name: (name,) if name in once else tuple(f"{name}{mark}{n}" for n in numbers)
                for name in names
            }
            every = [name for own in made.values() for name in own]
            if len(set(every)) == len(every):
                return made
            # The file has a column of such a name.
            mark += "_"

    @property
    def words(self) -> str:
        """The declaration for people."""
        once = f", {quoted_names(self.same, _NAMED)} once" if self.same else ""
        return f"up to {self.most:,} rows of each {self.by} as one{once}"

    @property
    def enforcement(self) -> str:
        """How the bound on a respondent's rows is kept, as sentences."""
        return (
            f"The rows of each respondent, by the column “{self.by}”, are joined into one. Of "
            f"respondents with more, the first {self.most:,} are joined."
        )

    @property
    def written(self) -> str:
        """The declaration as the command line writes it, and `read` reads it."""
        by, *same = (
            quoted(name) if set(name) & set(':,="') else name for name in (self.by, *self.same)
        )
        return f"{by}={self.most}" + (f":{','.join(same)}" if same else "")

    @classmethod
    def read(cls, text: str) -> JoinedRows:
        """Reads `PERSON=N[:COLUMN,...]`; a name that holds `:`, `,`, `=` or `"` is quoted.

        Raises:
            pydantic.ValidationError: It declares no rows that can be joined.
        """
        by, *rest = parted(text, "=", 1)
        most, *same = parted("".join(rest), ":", 1)
        names = parted("".join(same), ",") if same else []
        return cls.model_validate(
            {"by": unquoted(by), "most": most, "same": tuple(map(unquoted, names))}
        )
