"""Numbers clamped to declared bounds, as whole steps from the middle of the bounds."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from decimal import Decimal
from math import prod, sqrt
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from dpdesk.domains import NumericDomain
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Counts
from dpdesk.queries.base import Part, Query
from dpdesk.queries.bound import MeasuredQuery, Wanted, measured_parts
from dpdesk.queries.coded_rows import CodedRows
from dpdesk.queries.columns import By, ColumnQuery, by_words, keys_of
from dpdesk.queries.condition import (
    Domains,
    domain_in,
    numbers_in,
    off_grid,
    require_conditions,
    require_numbers_only,
)
from dpdesk.queries.contribution import Contribution
from dpdesk.queries.phrase_reader import PhraseReader
from dpdesk.queries.texts import T
from dpdesk.queries.unit import PrivacyUnit, counts_all_rows
from dpdesk.queries.written import Bound, between_words, write_phrase, written

# Joint counts of groups and grid points up to this size are one fast count.
_JOINT_MAX = 8_000_000
_LARGEST_SUM = 1 << 62


_CLAMPED = N_(
    "Answers beyond it are moved to it. Declare it from what you know beforehand, never from the "
    "data: closer bounds need less noise."
)
Lower = Annotated[Bound | None, Field(title=N_("Smallest that counts"), description=_CLAMPED)]
"""The lower bound of a query's own; None is that of the domain."""
Upper = Annotated[Bound | None, Field(title=N_("Largest that counts"), description=_CLAMPED)]
"""The upper bound of a query's own; None is that of the domain."""


@dataclass(frozen=True)
class Clamp:
    """The declared bounds of a column within a query.

    Numbers beyond a bound are moved to it. A number is held as its distance from the middle in
    half steps, d = 2 code - (first + last), a whole number in [-reach, reach]: sums of d have half
    the sensitivity of sums of distances from an end.

    Attributes:
        domain: The column's declared grid.
        first, last: Codes of the bounds.
    """

    domain: NumericDomain
    first: int
    last: int

    @classmethod
    def of(
        cls, domain: NumericDomain, lower: Decimal | str | None, upper: Decimal | str | None
    ) -> Clamp:
        """Makes the bounds of a query; None is the bound of the domain.

        Raises:
            ParameterError: A bound is off the grid or outside it, or nothing lies between them.
        """
        first = 0 if lower is None else grid_code(domain, lower)
        last = domain.size - 1 if upper is None else grid_code(domain, upper, is_upper=True)
        if first >= last:
            raise ParameterError(T.CROSSED_BOUNDS())
        return cls(domain, first, last)

    @property
    def is_whole(self) -> bool:
        """Whether the bounds are those of the domain."""
        return self.reach == self.domain.size - 1

    @property
    def reach(self) -> int:
        """Distance of a bound from the middle, in half steps."""
        return self.last - self.first

    @property
    def half_step(self) -> float:
        """Half a step of the grid, in the column's unit."""
        return float(self.domain.grid_step) / 2

    @property
    def even_spread(self) -> float:
        """Standard deviation of numbers that are spread evenly between the bounds."""
        return self.reach * self.half_step / sqrt(3)

    @property
    def middle(self) -> float:
        """The middle of the bounds, in the column's unit."""
        return float(self.domain.grid_lower + self.domain.grid_step * (self.first + self.last) / 2)

    @property
    def lower(self) -> float:
        """The lower bound, in the column's unit."""
        return float(self.domain.grid_lower + self.domain.grid_step * self.first)

    @property
    def upper(self) -> float:
        """The upper bound, in the column's unit."""
        return float(self.domain.grid_lower + self.domain.grid_step * self.last)

    def contribution(self, groups: int) -> Contribution:
        """Returns what a row adds to one of so many sums of distances."""
        return Contribution(
            -self.reach,
            self.reach,
            groups,
            # 0 lies between both numbers, so that skipping a row adds nothing.
            may_skip=True,
            adds=T.DISTANCE(),
        )

    def distances(self) -> Counts:
        """Returns d of every code of the domain, shape (domain size,)."""
        codes = np.clip(np.arange(self.domain.size, dtype=np.int64), self.first, self.last)
        return 2 * codes - (self.first + self.last)

    def sums(
        self,
        rows: CodedRows,
        query: NumbersQuery,
        weights: tuple[Counts, ...],
    ) -> tuple[Counts, ...]:
        """Sums functions of the answers over the rows of each group, exactly.

        Args:
            rows: The data.
            query: The query, with its column, its groups and its conditions.
            weights: What each code adds, shape (domain size,) each.

        Returns:
            One vector per entry of `weights`, shape (groups,).

        Raises:
            ParameterError: A sum could leave the range of exact whole numbers.
        """
        for weight in weights:
            if rows.rows * int(np.abs(weight).max()) >= _LARGEST_SUM:
                raise ParameterError(T.SUMS_TOO_LARGE(column=query.column))
        by, where = query.by, query.where
        rows, column = rows.numbered(query.column)
        groups = prod(domain_in(rows.domains, name).size for name in by)
        if groups * self.domain.size <= _JOINT_MAX:
            joint = rows.count((*by, column), where).reshape(-1, self.domain.size)
            return tuple(joint @ weight for weight in weights)
        wide = [domain_in(rows.domains, name).size + 1 for name in by]
        sums = [np.zeros(prod(wide), dtype=np.int64) for _ in weights]
        for piece in rows.pieces():
            meets = rows.meeting(piece, where, (column, *by))
            codes = rows.codes[column][piece]
            codes = codes if meets is None else codes[meets]
            cells = rows.cells(piece, by, meets)
            for into, weight in zip(sums, weights, strict=True):
                np.add.at(into, cells, weight[codes])
        inner = (into.reshape(wide)[(slice(1, None),) * len(wide)] for into in sums)
        return tuple(np.ascontiguousarray(part).reshape(-1) for part in inner)


class NumbersQuery(ColumnQuery):
    """A query of numbers, clamped to declared bounds, in all or per declared group.

    Attributes:
        column: The column of numbers.
        lower, upper: Bounds to which numbers are clamped; None is the bound of the domain.
        by: Columns to group by.
    """

    lower: Lower = None
    upper: Upper = None
    by: By = ()

    @property
    def measure(self) -> str:
        """What is asked of the numbers, such as "mean"."""
        return self.words[0]

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.column, *self.by, *self._conditioned())))

    @property
    def subject(self) -> str:
        bounds = between_words(self.lower, self.upper)
        return write_phrase(self.measure, "of", written(self.column), bounds, by_words(self.by))

    @classmethod
    def read(cls, phrase: PhraseReader, fields: dict[str, Any]) -> Query | None:
        if not phrase.take_any(*cls.words, *cls.synonyms):
            return None
        phrase.take("of")
        return cls(**phrase.column(fields))

    def clamp_in(self, domains: Domains) -> Clamp:
        """Returns the bounds within the declared domain, having checked the conditions.

        Raises:
            ParameterError: The column holds no numbers, or bounds or conditions do not fit.
        """
        require_conditions(domains, self.where)
        return Clamp.of(numbers_in(domains, self.column), self.lower, self.upper)


class AverageQuery(NumbersQuery):
    """A query whose sums are divided by a number of rows, which may be public."""

    averages = True

    @abstractmethod
    def summed(self, clamp: Clamp, groups: int, public: bool) -> list[Wanted]:
        """Returns the sums that are measured beside the numbers of rows.

        Args:
            clamp: The bounds.
            groups: Number of groups.
            public: Whether the number of rows is public, so that it needs no noise.
        """

    def calibrated(
        self, domains: Domains, unit: PrivacyUnit, complete: bool
    ) -> tuple[tuple[tuple[str, ...], ...], tuple[Part, ...], Clamp]:
        """Returns the keys, the calibrated parts and the bounds.

        The last part is the numbers of rows, unless they are public.

        Args:
            domains: The declared domains.
            unit: Whom it protects.
            complete: Whether the curator states that every row has an answer.

        Raises:
            ParameterError: A column, category, bound or noise does not suit.
        """
        keys, clamp = keys_of(domains, self.by), self.clamp_in(domains)
        public = counts_all_rows(complete, self.where, self.by, unit)
        if public:
            require_numbers_only(domains, self.column)
        wanted = self.summed(clamp, len(keys), public)
        if not public:
            wanted.append(("rows", 1.0, Contribution(1, 1, len(keys), may_skip=True)))
        return keys, measured_parts(self, unit, wanted), clamp


@dataclass(frozen=True)
class BoundAverage(MeasuredQuery):
    """An average from noisy sums and a noisy or public number of rows.

    Attributes:
        clamp: The bounds.
    """

    query: AverageQuery
    clamp: Clamp

    @abstractmethod
    def summed(self, distances: Counts) -> tuple[Counts, ...]:
        """Returns what each code adds to the sums, shape (domain size,) each.

        Args:
            distances: Distance of each code from the middle, in half steps.
        """

    def sums(self, rows: CodedRows) -> tuple[Counts, ...]:
        distances = self.clamp.distances()
        weights = (*self.summed(distances), np.ones_like(distances))[: len(self.parts)]
        return self.clamp.sums(rows, self.query, weights)


def grid_code(domain: NumericDomain, bound: Decimal | str, *, is_upper: bool = False) -> int:
    """Returns the code of a point of the grid that is written as a number or date.

    Args:
        domain: The grid.
        bound: The number or date.
        is_upper: Whether a date that is less exact than the grid means its end.

    Raises:
        ParameterError: It is no point of the grid.
    """
    number = domain.number_of(bound, is_upper=is_upper)
    steps = Decimal(-1) if number is None else (number - domain.grid_lower) / domain.grid_step
    if steps != steps.to_integral_value() or not 0 <= steps < domain.size:
        raise off_grid(domain)
    return int(steps)
