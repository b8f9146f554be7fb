"""Domains that are a grid between public ends: of numbers, or of dates that are counted."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import PrivateAttr, model_validator

from dpdesk.domains.base import BaseDomain, NoOther
from dpdesk.domains.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.calendar import difference_unit

GRID_MAX = 1_000_000
# A cell is read as a float, whose neighbours lie 2^-52 of its size apart: up to this many steps
# from 0 the nearest grid point is unambiguous.
_STEPS_FROM_ZERO = 10**15


class NumericDomain(BaseDomain):
    """A grid from `lower` to `upper`, ends included: numbers, or dates that are counted."""

    holds_numbers: ClassVar[bool] = True
    no_other: ClassVar[NoOther | None] = NoOther(
        "other_of_numbers",
        "holds numbers",
        "Remove it; numbers beyond a bound are moved to the bound.",
    )
    count_words: ClassVar[str] = N_("{count} grid points")
    in_digits: ClassVar[bool] = True
    """Whether ends and step are numbers; else `bounds` are words."""
    adds_up: ClassVar[bool] = True
    """Whether a sum of answers means something; one of dates does not."""
    read_as: ClassVar[str] = N_("a number")
    """What an answer is read as, with its article."""
    field_names: ClassVar[tuple[str, str, str, str]]
    """Names of what declares it in a form: two ends, the step, and what it is measured or written
    in; to be translated."""
    field_hints: ClassVar[tuple[str, str, str, str]] = ("", "", "", "")
    """Examples of what is typed there."""

    _missing_share: float = PrivateAttr(0.0)

    @property
    def missing_share(self) -> float:
        # Above 0 a missing answer has the code m, behind those of the grid.
        return self._missing_share

    def with_missing(self, share: float) -> Self:
        domain = self.model_copy()
        domain._missing_share = share
        return domain

    @classmethod
    @abstractmethod
    def from_fields(
        cls, lower: str, upper: str, step: str, last: str, before: NumericDomain | None = None
    ) -> NumericDomain:
        """Returns the domain that somebody typed in a form of `field_names`.

        Args:
            lower: The first field.
            upper: The second one.
            step: The third one.
            last: The last one.
            before: What the form showed; it says what no field does.

        Raises:
            ParameterError: A field is invalid.
            pydantic.ValidationError: A field is invalid, or they do not fit together.
        """

    @property
    @abstractmethod
    def fields(self) -> tuple[str, str, str, str]:
        """What a form of `field_names` shows of it."""

    @property
    @abstractmethod
    def declaration(self) -> str:
        """What declares it on the command line, behind the column's name and `=`."""

    @property
    def coarser_levels(self) -> tuple[tuple[str, ...], ...]:
        """Labels of each point on levels that follow from the kind, each coarser than the last."""
        return ()

    @property
    @abstractmethod
    def codebook_fields(self) -> tuple[Decimal | str, Decimal | str, Decimal | str]:
        """The ends and the step as a codebook has them."""

    @property
    @abstractmethod
    def plain_bounds(self) -> tuple[float, float, float] | None:
        """Bounds and step, where the cells are plain numbers that can be compared with them."""

    @property
    def how_cells_are_read(self) -> Hashable | None:
        """What two grids must share to read the same numbers in cells; None for plain numbers."""
        return None

    @property
    @abstractmethod
    def written_how(self) -> str:
        """How cells are written; empty for numbers in plain digits, or dates of ISO 8601."""

    @abstractmethod
    def written_as(self, how: str) -> NumericDomain:
        """Returns the same domain for cells that are written in another way.

        Args:
            how: What `written_how` is to be; empty for plain numbers, or ISO 8601.

        Raises:
            ParameterError: This says nothing of how cells are written.
        """

    @property
    def cell_pattern(self) -> tuple[str, str]:
        """The regular expression of a cell of numbers and what groups its digits; empty for none.

        See `dpdesk.domains.written_numbers.cell_pattern`.
        """
        return "", ""

    @abstractmethod
    def numbers_in(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.float64]:
        """Returns the number of each text, in the unit of the grid, shape (len(texts),).

        NaN where a text is no answer of this kind.
        """

    @abstractmethod
    def number_of(self, bound: Decimal | str, *, is_upper: bool) -> Decimal | None:
        """Returns a bound that somebody wrote on the grid's scale; None if it is not a bound.

        Args:
            bound: A number, or a date that may be less exact than the grid.
            is_upper: Whether it is an upper bound, which a less exact date ends at.
        """

    @abstractmethod
    def text_at(self, place: int) -> str:
        """Returns the text of a point of the grid, which goes on beyond the ends."""

    @abstractmethod
    def numeric_cells(self, texts: Sequence[str]) -> Literal["no", "integer", "real"]:
        """Returns what kind of number the cells of a column with these texts hold."""

    if TYPE_CHECKING:
        # A field of plain numbers; of dates it follows from what they are counted by.
        @property
        def unit(self) -> str:
            """The unit of the numbers; may be empty."""

    @property
    def shown_unit(self) -> str:
        return self.unit

    @property
    def error_unit(self) -> str:
        return difference_unit(self.unit)

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
            raise ParameterError(T.STEP_OF_NOTHING())
        if self.grid_upper <= self.grid_lower:
            raise ParameterError(T.BOUNDS_SWAPPED())
        steps = (self.grid_upper - self.grid_lower) / self.grid_step
        if steps != steps.to_integral_value():
            raise ParameterError(T.NOT_WHOLE())
        if steps >= GRID_MAX:
            raise ParameterError(T.MANY_POINTS(most=GRID_MAX))
        if max(-self.grid_lower, self.grid_upper) > self.grid_step * _STEPS_FROM_ZERO:
            raise ParameterError(T.SMALL_STEP())
        return self

    @cached_property
    def size(self) -> int:
        return int((self.grid_upper - self.grid_lower) / self.grid_step) + 1

    @property
    def values(self) -> NDArray[np.float64]:
        """The grid points in the attribute's unit, shape (m,); read-only."""
        return _grid(float(self.grid_lower), float(self.grid_step), self.size)

    @property
    def span(self) -> float:
        return float(self.grid_upper - self.grid_lower)

    @property
    def rounded_ends(self) -> tuple[int, int]:
        """Number of points at either end over which a suggested bound is rounded."""
        return 1, 1

    @property
    def origin(self) -> float:
        return float(self.grid_lower)

    @property
    def noise_unit(self) -> float:
        return self.span / 2

    @property
    @abstractmethod
    def bounds(self) -> tuple[str, str, str]:
        """Lower bound, upper bound and step, as they are declared."""

    @property
    def two_answers(self) -> tuple[int, int]:
        last = self.size - 1
        return (0, 1) if self.size < 4 else (round(last / 4), round(3 * last / 4))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        return tuple(map(self.text_at, range(self.size)))

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
        return self.nearest(self.numbers_in(texts, decimal))

    def outside(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.bool_]:
        return self.beyond(self.numbers_in(texts, decimal))


# Cached here and not in the instance: pydantic compares instances by all their attributes, and
# comparing two arrays does not give a single truth value.
@lru_cache(maxsize=256)
def _grid(lower: float, step: float, size: int) -> NDArray[np.float64]:
    grid = np.asarray(lower + step * np.arange(size, dtype=np.float64))
    grid.flags.writeable = False
    return grid
