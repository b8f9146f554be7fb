"""The synthetic rows of a plan: what they cost, how many, and which columns they have."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from dpdesk.cost import Epsilon
from dpdesk.numbers import PlainDigits
from dpdesk.queries.base import Delta
from dpdesk.synthesis.states import CLASSES, ROWS_MAX

COLUMNS_MAX = 100
"""Most columns of synthetic rows: all pairs of them are looked at."""


class Synthesis(BaseModel):
    """What synthetic rows cost and how they are made; whom it protects is `Statistics.unit`.

    Attributes:
        epsilon: The loss of all tables together.
        delta: The chance that its bound fails; 0 for a pure epsilon.
        rows: Number of synthetic rows; None for as many as the file seems to have.
        classes: Most classes that the numbers of a column are put into.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    epsilon: Epsilon = Decimal(1)
    delta: Delta = Decimal(0)
    rows: Annotated[int, Field(ge=1, le=ROWS_MAX), PlainDigits] | None = None
    classes: Annotated[int, Field(ge=2, le=100), PlainDigits] = CLASSES

    def with_fields(self, **changes: object) -> Synthesis:
        """Returns this with fields changed and validated again."""
        fields = {key: getattr(self, key) for key in Synthesis.model_fields}
        return Synthesis(**(fields | changes))
