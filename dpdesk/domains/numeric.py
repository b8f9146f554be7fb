"""Domains of numbers: a public interval with a public grid."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, PlainSerializer, PrivateAttr, model_validator

from dpdesk.domains.base import BaseDomain, NoOther
from dpdesk.domains.cell_numbers import parse_number
from dpdesk.domains.column_kind import ColumnKind
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import is_number

GRID_MAX = 1_000_000
_BOUND = 10**15
# A cell is read as a float, whose neighbours lie 2^-52 of its size apart: up to this many steps
# from 0 the nearest grid point is unambiguous.
_STEPS_FROM_ZERO = 10**15


def _exact_number(number: object) -> object:
    """Refuses what Python would convert, but nobody typed as a number: True, 0.1, "1_000"."""
    if isinstance(number, bool) or not isinstance(number, (str, int, Decimal)):
        raise ParameterError("A bound or step is an exact number, not a float or a truth value.")
    if isinstance(number, str) and ("e" in number.lower() or not is_number(number)):
        raise ParameterError(
            "A bound or step is a number in plain digits.", remedy="Type it such as -12.5."
        )
    return number


ExactInteger = Annotated[int, BeforeValidator(_exact_number), Field(ge=-_BOUND, le=_BOUND)]
"""A whole number of a plan."""

ExactDecimal = Annotated[
    Decimal,
    BeforeValidator(_exact_number),
    Field(ge=-_BOUND, le=_BOUND, max_digits=24, decimal_places=9, allow_inf_nan=False),
    PlainSerializer(lambda number: format(number, "f"), return_type=str),
]
"""A decimal that a plan stores as text, so that a bound is what was typed."""


class NumericDomain(BaseDomain):
    """A domain of integers or reals: a grid from `lower` to `upper`, ends included."""

    holds_numbers: ClassVar[bool] = True
    no_other: ClassVar[NoOther | None] = NoOther(
        "other_of_numbers",
        "holds numbers",
        "Remove it; numbers beyond a bound are moved to the bound.",
    )
    count_words: ClassVar[str] = N_("{count} grid points")

    unit: str = Field(default="", max_length=100)
    _missing_share: float = PrivateAttr(0.0)

    @property
    def missing_share(self) -> float:
        """Supposed share of missing answers, for planning; 0 where every answer is a number.

        Above 0 an answer can be missing: it has the code m, behind those of the grid.
        """
        return self._missing_share

    def with_missing(self, share: float) -> Self:
        """Returns this domain with missing answers; a plan stores them with its policy.

        Args:
            share: Their supposed share, above 0 and below 1.
        """
        domain = self.model_copy()
        domain._missing_share = share
        return domain

    @property
    @abstractmethod
    def grid_lower(self) -> Decimal:
        """The first grid point."""

    @property
    @abstractmethod
    def grid_step(self) -> Decimal:
        """The distance between neighbouring grid points."""

    @property
    @abstractmethod
    def grid_upper(self) -> Decimal:
        """The last grid point."""

    @model_validator(mode="after")
    def _grid_is_whole(self) -> NumericDomain:
        if self.grid_step <= 0:
            raise ParameterError("The grid's step must be above 0.", remedy="Type a positive step.")
        if self.grid_upper <= self.grid_lower:
            raise ParameterError(
                "The upper bound must be above the lower bound.", remedy="Correct the bounds."
            )
        steps = (self.grid_upper - self.grid_lower) / self.grid_step
        if steps != steps.to_integral_value():
            raise ParameterError(
                "The bounds are not a whole number of steps apart.",
                remedy="Choose a step that divides the interval, or move a bound.",
            )
        if steps >= GRID_MAX:
            raise ParameterError(
                "The grid has more than 1,000,000 points.", remedy="Choose a larger step."
            )
        if max(-self.grid_lower, self.grid_upper) > self.grid_step * _STEPS_FROM_ZERO:
            raise ParameterError(
                "The step is too small for numbers of this size.", remedy="Choose a larger step."
            )
        return self

    @cached_property
    def size(self) -> int:
        """Number of grid points, m."""
        return int((self.grid_upper - self.grid_lower) / self.grid_step) + 1

    @property
    def values(self) -> NDArray[np.float64]:
        """The grid points in the attribute's unit, shape (m,); read-only."""
        return _grid(float(self.grid_lower), float(self.grid_step), self.size)

    @property
    def span(self) -> float:
        """Width of the interval in the attribute's unit."""
        return float(self.grid_upper - self.grid_lower)

    @property
    def origin(self) -> float:
        """The lower bound in the attribute's unit."""
        return float(self.grid_lower)

    @property
    def noise_unit(self) -> float:
        """Half the width of the interval in the attribute's unit."""
        return self.span / 2

    @property
    def shown_unit(self) -> str:
        """The attribute's unit."""
        return self.unit

    @property
    def error_unit(self) -> str:
        """The attribute's unit."""
        return self.unit

    @property
    def bounds(self) -> tuple[str, str, str]:
        """Lower bound, upper bound and step in plain digits."""
        return f"{self.grid_lower:f}", f"{self.grid_upper:f}", f"{self.grid_step:f}"

    @property
    def two_answers(self) -> tuple[int, int]:
        """The quarter points of the grid."""
        last = self.size - 1
        return (0, 1) if self.size < 4 else (round(last / 4), round(3 * last / 4))

    @property
    def words(self) -> str:
        """What an answer can be, in words."""
        unit = f" {self.unit}" if self.unit else ""
        first, last = self.texts[0], self.texts[-1]
        return f"numbers from {first} to {last}{unit} in steps of {self.grid_step}"

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Released text of each code, length m, with the digits of the grid."""
        digits = max(0, *(-int(d.as_tuple().exponent) for d in (self.grid_lower, self.grid_step)))
        quantum = Decimal(1).scaleb(-digits)
        return tuple(
            format((self.grid_lower + self.grid_step * i).quantize(quantum), "f")
            for i in range(self.size)
        )

    def label(self, code: int) -> str:
        """Returns the number with its unit, for people."""
        return f"{self.texts[code]} {self.unit}".strip()

    def nearest(self, numbers: NDArray[np.float64]) -> NDArray[np.int32]:
        """Returns the code of the grid point nearest to each number, shape of `numbers`.

        Numbers beyond a bound are clamped to it; of two nearest points that of even code is
        taken; -1 for NaN, which stands for "no number".
        """
        # Clamped before the division, which would overflow for a number such as 1e308.
        clamped = np.clip(numbers, float(self.grid_lower), float(self.grid_upper))
        codes = np.rint((clamped - float(self.grid_lower)) / float(self.grid_step))
        return np.where(np.isnan(numbers), -1.0, codes).astype(np.int32)

    def beyond(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Returns which numbers lie outside the bounds or are NaN, shape of `numbers`."""
        inside = (numbers >= float(self.grid_lower)) & (numbers <= float(self.grid_upper))
        return np.asarray(~inside)

    def between_steps(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Returns which numbers within the bounds are no grid point, shape of `numbers`.

        A number that is written with a grid point's digits is read as its nearest float, and so
        is the point: they differ by a few of the float's last digits at most.
        """
        points = float(self.grid_lower) + self.nearest(numbers) * float(self.grid_step)
        largest = max(abs(float(self.grid_lower)), abs(float(self.grid_upper)))
        # `_STEPS_FROM_ZERO` bounds the rounding of this product to a small part of a step.
        close = 8 * np.spacing(largest)
        return np.asarray(~self.beyond(numbers) & (np.abs(numbers - points) > close))

    def encode(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.int32]:
        """Returns the code of the grid point nearest to each text, shape (len(texts),).

        Numbers beyond a bound are clamped to it; -1 if the text is not a number.
        """
        return self.nearest(_numbers(texts, decimal))

    def outside(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.bool_]:
        """Returns which texts are not a number within the bounds, shape (len(texts),)."""
        return self.beyond(_numbers(texts, decimal))


def _numbers(texts: Sequence[str], decimal: str) -> NDArray[np.float64]:
    parsed = (parse_number(text, decimal) for text in texts)
    return np.fromiter((np.nan if x is None else x for x in parsed), np.float64, len(texts))


class Integer(NumericDomain):
    """Whole numbers from `lower` to `upper` in steps of `step`."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("integer",)

    type: Literal["integer"] = "integer"
    lower: ExactInteger
    upper: ExactInteger
    step: ExactInteger = 1

    @property
    def grid_lower(self) -> Decimal:
        """The first grid point."""
        return Decimal(self.lower)

    @property
    def grid_step(self) -> Decimal:
        """The distance between neighbouring grid points."""
        return Decimal(self.step)

    @property
    def grid_upper(self) -> Decimal:
        """The last grid point."""
        return Decimal(self.upper)


class Real(NumericDomain):
    """Real numbers from `lower` to `upper`, rounded to a public resolution."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("real",)

    type: Literal["real"] = "real"
    lower: ExactDecimal
    upper: ExactDecimal
    resolution: ExactDecimal

    @property
    def grid_lower(self) -> Decimal:
        """The first grid point."""
        return self.lower

    @property
    def grid_step(self) -> Decimal:
        """The distance between neighbouring grid points."""
        return self.resolution

    @property
    def grid_upper(self) -> Decimal:
        """The last grid point."""
        return self.upper


# Cached here and not in the instance: pydantic compares instances by all their attributes, and
# comparing two arrays does not give a single truth value.
@lru_cache(maxsize=256)
def _grid(lower: float, step: float, size: int) -> NDArray[np.float64]:
    grid = np.asarray(lower + step * np.arange(size, dtype=np.float64))
    grid.flags.writeable = False
    return grid
