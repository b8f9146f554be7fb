"""A made-up query: everything that dpdesk knows of it is said here."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from dpdesk.domains import ExactDecimal
from dpdesk.numbers.arrays import Counts
from dpdesk.queries.base import ExpectedError, ExpectedSize, Query, Statistic
from dpdesk.queries.bound import MeasuredQuery, Noisy, measured_parts
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.columns import ColumnQuery
from dpdesk.queries.condition import Domains, numbers_in, require_conditions
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.queries.written import written


class Tail(ColumnQuery):
    """How many numbers lie beyond a bound."""

    title = "Tail"
    summary = "How many numbers of a column lie beyond a bound."
    words = ("tail", "above", "below")
    examples = ("tail of age above 65",)
    form = ("column", "side", "bound", "where", "noise")
    counts_rows = True
    local = "count"

    kind: Literal["tail"] = "tail"
    side: Annotated[Literal["above", "below"], Field(title="On the side")] = "above"
    bound: Annotated[ExactDecimal, Field(title="Bound", description="Not counted itself")] = (
        Decimal(0)
    )

    @classmethod
    def read(cls, phrase: PhraseReader, fields: dict[str, Any]) -> Query | None:
        """Reads "tail of age above 65"."""
        if not phrase.take("tail", "of"):
            return None
        column, side = phrase.column_name(), "below" if phrase.take("below") else "above"
        if side == "above":
            phrase.expect("above")
        return cls(column=column, side=side, bound=phrase.number(), **phrase.where(fields))

    @property
    def subject(self) -> str:
        """What is asked."""
        return f"tail of {written(self.column)} {self.side} {self.bound:f}"

    def unit_in(self, domains: Domains) -> str:
        """Returns rows."""
        return "rows"

    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundTail:
        """Calibrates the count."""
        require_conditions(domains, self.where)
        numbers = np.asarray(numbers_in(domains, self.column).values, dtype=np.float64)
        above = self.side == "above"
        inside = numbers > float(self.bound) if above else numbers < float(self.bound)
        parts = measured_parts(self, unit, [("rows", 1.0, Contribution(1, 1, may_skip=True))])
        return BoundTail(self, domains, unit, ((),), parts, tuple(inside.tolist()))


@dataclass(frozen=True)
class BoundTail(MeasuredQuery):
    """A count with noise.

    Attributes:
        inside: Which numbers of the declared grid count, shape (domain size,).
    """

    query: Tail
    inside: tuple[bool, ...]

    def sums(self, rows: CodedRows) -> tuple[Counts, ...]:
        """The exact count."""
        rows, column = rows.numbered(self.query.column)
        counts = rows.count((column,), self.query.where)
        return (counts[np.asarray(self.inside)].sum().reshape(1),)

    def statistics(
        self, noisy: Noisy, rows: int | None, confidence: float
    ) -> tuple[Statistic, ...]:
        """The noisy count with the interval of its noise."""
        half, value = self.parts[0].half_width(confidence), float(noisy[0][0])
        return (Statistic((), value, value - half, value + half, possible=(0, np.inf)),)

    def expected_error(self, respondents: int, confidence: float = 0.95) -> ExpectedError:
        """The half-width of the noise."""
        return ExpectedError(self.parts[0].half_width(confidence), "rows")

    def expected_size(self, rows: int) -> ExpectedSize:
        """The count itself."""
        share = float(np.mean(self.inside))
        return ExpectedSize(f"a count of about {rows * share:,.0f} rows", rows * share)
