"""The sum of a column of numbers, in all or per declared group."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Counts
from dpdesk.queries.base import ExpectedError, ExpectedSize, Statistic
from dpdesk.queries.bound import MeasuredQuery, Noisy, measured_parts
from dpdesk.queries.clamped import Clamp, NumbersQuery
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.columns import keys_of
from dpdesk.queries.condition import Domains
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.texts import T
from dpdesk.queries.unit import PrivacyUnit
from dpdesk.queries.written import write_phrase

_FINEST = 1_000_000


@dataclass(frozen=True, slots=True)
class GridOrigin:
    """The finest step of which both 0 and every point of the grid are a whole number.

    Attributes:
        step: The step, in the column's unit.
        first: The lower bound of the query in these steps.
        stride: Distance of neighbouring grid points in these steps.
        least, largest: The bounds of the query in these steps.
    """

    step: float
    first: int
    stride: int
    least: int
    largest: int

    @classmethod
    def of(cls, clamp: Clamp) -> GridOrigin:
        """Finds the step of a clamp.

        Raises:
            ParameterError: The grid misses 0 by a fraction for which no common step is fine enough.
        """
        step = Fraction(clamp.domain.grid_step)
        offset = Fraction(clamp.domain.grid_lower) / step
        stride = offset.denominator
        if stride > _FINEST:
            raise ParameterError(T.NO_COMMON_STEP())
        begin = offset.numerator
        least, largest = begin + stride * clamp.first, begin + stride * clamp.last
        return cls(float(step / stride), begin, stride, least, largest)

    def values(self, clamp: Clamp) -> Counts:
        """Returns the number of every code in these steps, clamped, shape (domain size,)."""
        codes = np.clip(np.arange(clamp.domain.size, dtype=np.int64), clamp.first, clamp.last)
        return self.first + self.stride * codes


class Sum(NumbersQuery):
    """The sum of numbers, clamped to declared bounds; a missing answer adds nothing."""

    title = N_("Sum")
    summary = N_("The sum of a column of numbers, in all or in each group.")
    words = ("sum",)
    synonyms = ("total",)
    examples = ("sum of children",)
    form = ("column", "by", "where", "noise", "lower", "upper")
    local = "sum"

    kind: Literal["sum"] = "sum"

    def bind(self, domains: Domains, unit: PrivacyUnit) -> BoundSum:
        keys = keys_of(domains, self.by)
        clamp = self.clamp_in(domains)
        if not clamp.domain.adds_up:
            raise ParameterError(T.DATES(column=self.column))
        origin = GridOrigin.of(clamp)
        contribution = Contribution(
            origin.least, origin.largest, len(keys), may_skip=True, adds=T.STEPS()
        )
        wanted = [(write_phrase("sum of", self.column), origin.step, contribution)]
        parts = measured_parts(self, unit, wanted)
        return BoundSum(self, domains, unit, keys, parts, clamp, origin)


@dataclass(frozen=True)
class BoundSum(MeasuredQuery):
    """Sums with noise added to each."""

    query: Sum
    clamp: Clamp
    origin: GridOrigin

    def sums(self, rows: CodedRows) -> tuple[Counts, ...]:
        values = self.origin.values(self.clamp)
        return self.clamp.sums(rows, self.query, (values,))

    def statistics(
        self, noisy: Noisy, rows: int | None, confidence: float
    ) -> tuple[Statistic, ...]:
        half = self.parts[0].half_width(confidence)
        step = self.origin.step
        possible = self._possible(rows)
        return tuple(
            Statistic(key, step * s, step * s - half, step * s + half, possible=possible)
            for key, s in zip(self.keys, noisy[0].tolist(), strict=True)
        )

    def _possible(self, rows: int | None) -> tuple[float, float]:
        most = float("inf") if rows is None else float(rows)
        low, high = min(self.clamp.lower, 0.0), max(self.clamp.upper, 0.0)
        # 0 times infinity would be NaN.
        return (low * most if low else 0.0, high * most if high else 0.0)

    def expected_error(self, respondents: int, confidence: float = 0.95) -> ExpectedError:
        return ExpectedError(self.parts[0].half_width(confidence), self.clamp.domain.error_unit)

    def expected_size(self, rows: int) -> ExpectedSize:
        summed = rows * self._selected(self.query.where) / len(self.keys)
        return ExpectedSize(T.SIZE_OF_SUM(count=round(summed)), summed * self.clamp.even_spread / 2)
