"""How a kept column is made coarser before it is released: one level of a hierarchy.

The levels are in the plan as in a file of levels, so that a plan can be written by hand and says by
itself what was done: for each value its label on every level. Level 0 is the value as it is.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dpdesk.disclosure.hierarchies import ALL, Hierarchy
from dpdesk.errors import ParameterError
from dpdesk.i18n import first_names, joined
from dpdesk.numbers import PlainDigits
from dpdesk.plan.texts import T

ROWS_MAX = 100_000
"""Most values that levels list."""

_NAMED = 3

Cell = Annotated[str, Field(max_length=1000)]


class Coarsening(BaseModel):
    """The level on which a kept column is released.

    Attributes:
        level: The level, from 1 on.
        rows: For each value, or interval of numbers such as "[20, 25)", the value and its label on
            each level. An empty value is the missing cell.
        levels_from_records: Whether the levels follow from the records, and not from what the
            column was declared to hold.
        level_from_records: Whether the level was chosen by looking at the records.
        confirmed: Whether the user confirmed that levels which follow from the records may be
            released.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    level: Annotated[int, Field(ge=1, le=1000), PlainDigits]
    rows: Annotated[tuple[tuple[Cell, ...], ...], Field(min_length=1, max_length=ROWS_MAX)]
    levels_from_records: bool = False
    level_from_records: bool = False
    confirmed: bool = False

    @model_validator(mode="after")
    def _is_hierarchy(self) -> Coarsening:
        heights = {len(row) - 1 for row in self.rows}
        if len(heights) > 1 or min(heights) < 1:
            raise ParameterError(T.UNEVEN_LEVELS())
        if self.level > min(heights):
            raise ParameterError(T.NO_LEVEL(level=self.level, highest=min(heights)))
        self.hierarchy("the column")
        return self

    @classmethod
    def of(
        cls,
        hierarchy: Hierarchy,
        level: int,
        *,
        level_from_records: bool = False,
        confirmed: bool = False,
    ) -> Coarsening:
        """Returns the coarsening to a level of a hierarchy.

        Args:
            hierarchy: The levels.
            level: The level, from 1 on.
            level_from_records: Whether it was chosen by looking at the records.
            confirmed: Whether levels that follow from the records may be released.
        """
        return cls(
            level=level,
            rows=tuple(zip(hierarchy.keys, *hierarchy.labels, strict=True)),
            levels_from_records=hierarchy.from_data,
            level_from_records=level_from_records,
            confirmed=confirmed and hierarchy.from_data,
        )

    def hierarchy(self, column: str) -> Hierarchy:
        """Returns the levels.

        Args:
            column: Name of the column.
        """
        keys, *levels = zip(*self.rows, strict=True)
        return Hierarchy(column, tuple(keys), tuple(levels), self.levels_from_records)

    @property
    def height(self) -> int:
        """The highest level."""
        return len(self.rows[0]) - 1

    @property
    def waits(self) -> bool:
        """Whether it has to be confirmed that levels which follow from the records are released."""
        return self.levels_from_records and not self.confirmed

    @property
    def origin(self) -> str:
        """What of it follows from the records, as the end of a sentence; empty for nothing."""
        facts = ((self.levels_from_records, T.LEVELS), (self.level_from_records, T.LEVEL))
        return joined([text() for is_true, text in facts if is_true])

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """The labels that are released, each once, in the order of their values."""
        return tuple(dict.fromkeys(row[self.level] for row in self.rows))

    def values_of(self, label: str) -> tuple[str, ...]:
        """Returns the values, or intervals of numbers, that a label stands for."""
        return tuple(row[0] for row in self.rows if row[self.level] == label)

    @cached_property
    def words(self) -> str:
        """What it does, as a clause: "merged into 3 groups (a, b, c)"."""
        if self.labels == (ALL,):
            return T.AS_STARS()
        if len(self.labels) == len(self.rows) and not self.hierarchy("").has_intervals:
            return T.OTHER_LABELS()
        listed = first_names(self.labels, _NAMED, more="{names} …")
        return T.MERGED_GROUPS(groups=len(self.labels), names=listed)
