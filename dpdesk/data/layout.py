"""Where the columns of a file of fixed width stand."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from dpdesk.data.texts import T
from dpdesk.errors import ParameterError

POSITION_MAX = 1_000_000
"""Last position of a line that a column can have."""


class LayoutField(BaseModel):
    """One column.

    Attributes:
        name: Its name.
        start: Its first position in a line, from 1.
        width: Positions that it takes.
        label: The question, or a longer name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: Annotated[str, Field(min_length=1, max_length=1000)]
    start: Annotated[int, Field(ge=1, le=POSITION_MAX, strict=True)]
    width: Annotated[int, Field(ge=1, le=POSITION_MAX, strict=True)]
    label: Annotated[str, Field(max_length=1000, exclude_if=lambda label: not label)] = ""

    @model_validator(mode="after")
    def _ends_in_the_line(self) -> LayoutField:
        if self.end > POSITION_MAX:
            raise ParameterError(T.ENDS_BEHIND(name=self.name, most=POSITION_MAX))
        return self

    @property
    def end(self) -> int:
        """Its last position."""
        return self.start + self.width - 1
