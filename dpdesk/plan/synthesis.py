"""The synthetic rows of a plan: what they cost, how many, and which combinations cannot be."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from dpdesk.cost import Epsilon
from dpdesk.numbers import PlainDigits
from dpdesk.queries.base import Delta
from dpdesk.queries.condition import Condition
from dpdesk.synthesis.states import CLASSES, ROWS_MAX

COLUMNS_MAX = 100
"""Most columns of synthetic rows: all pairs of them are looked at."""


IMPOSSIBLE_MOST = 200
"""Most combinations that are declared to be impossible."""


class Impossible(BaseModel):
    """A combination of answers that cannot be: no synthetic row has it.

    It is declared by the curator, is part of the plan, and stands in a report.

    Attributes:
        all_of: Conditions that cannot hold at once, two to six. A missing answer meets none but
            that it is missing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    all_of: Annotated[tuple[Condition, ...], Field(min_length=2, max_length=6)]

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of its columns, each once."""
        return tuple(dict.fromkeys(one.column for one in self.all_of))

    @property
    def description(self) -> str:
        """The combination as it is typed: "age is at most 14 and status is married"."""
        return " and ".join(one.description for one in self.all_of)


class Synthesis(BaseModel):
    """What synthetic rows cost and how they are made; whom it protects is `Statistics.unit`.

    Attributes:
        epsilon: The loss of all tables together.
        delta: The chance that its bound fails; 0 for a pure epsilon.
        rows: Number of synthetic rows; None for as many as the file seems to have.
        classes: Most classes that the numbers of a column are put into.
        impossible: Combinations of answers that cannot be, beside those that follow from who was
            asked (`MissingPolicy.asked`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    epsilon: Epsilon = Decimal(1)
    delta: Delta = Decimal(0)
    rows: Annotated[int, Field(ge=1, le=ROWS_MAX), PlainDigits] | None = None
    classes: Annotated[int, Field(ge=2, le=100), PlainDigits] = CLASSES
    impossible: Annotated[
        tuple[Impossible, ...],
        Field(max_length=IMPOSSIBLE_MOST, exclude_if=lambda impossible: not impossible),
    ] = ()

    def with_fields(self, **changes: object) -> Synthesis:
        """Returns this with fields changed and validated again."""
        fields = {key: getattr(self, key) for key in Synthesis.model_fields}
        return Synthesis(**(fields | changes))
