"""Domains: the finite public set of values that an attribute can have.

A domain is a list of categories, a list of options of which an answer ticks any number, or a public
interval of numbers with a public grid. Numbers are read from text by a grammar of their own:
`float(text)` accepts more than a survey means.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import cached_property, lru_cache
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PrivateAttr,
    model_validator,
)

from dpdesk.errors import ParameterError
from dpdesk.numbers import is_number

_POINT = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_LONGEST = 64


def parse_number(text: str, decimal: str = ".") -> float | None:
    """Reads a number written in ASCII digits.

    Args:
        text: The cell's text; blanks around it are ignored.
        decimal: The decimal mark, "." or ",".

    Returns:
        The number, or None when the text is not a finite number of this form ("nan", "inf",
        "1_000" and digits of other scripts are not).
    """
    written = text.strip(" \t\u00a0")
    if len(written) > _LONGEST:
        return None
    if decimal == ",":
        if "." in written:
            return None
        written = written.replace(",", ".")
    if not _POINT.fullmatch(written):
        return None
    number = float(written)
    return number if abs(number) != float("inf") else None


def parse_typed(text: str) -> float | None:
    """Reads a number that somebody typed, whose decimal mark is a point or a comma.

    Returns:
        The number, or None where `parse_number` finds none with either mark.
    """
    number = parse_number(text)
    return parse_number(text, ",") if number is None else number


CATEGORIES_MAX = 1_000_000


class ListedDomain(BaseModel):
    """A finite list of values, in their order; what is estimated are their shares.

    Attributes:
        values: The values as the file writes them; at least two, all different, none empty.
        labels: What a value means, by value; one without an entry is its own label.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

    # Declared here for its place in files: before the values.
    type: Literal["categorical", "several"]
    values: tuple[Annotated[str, Field(min_length=1, max_length=1000)], ...] = Field(
        min_length=2, max_length=CATEGORIES_MAX
    )
    labels: Mapping[str, str] = Field(default_factory=dict)
    _missing_value: str = PrivateAttr("")

    @model_validator(mode="after")
    def _values_differ(self) -> Self:
        if len(set(self.values)) != len(self.values):
            raise ParameterError("A category is listed twice.", remedy="List each category once.")
        if not set(self.labels) <= set(self.values):
            raise ParameterError(
                "A label belongs to no category.", remedy="Label only the categories of the list."
            )
        return self

    @cached_property
    def _hash(self) -> int:
        return hash((type(self), self.values, tuple(sorted(self.labels.items()))))

    @property
    def missing_value(self) -> str:
        """The listed value that stands for "no answer"; empty where there is none."""
        return self._missing_value

    def with_missing_value(self, value: str) -> Self:
        """Returns this domain with a value for "no answer", which is appended if it lacks.

        A plan stores it with the column's policy for missing answers.
        """
        domain = self.with_categories(value).model_copy()
        domain._missing_value = value
        return domain

    def __hash__(self) -> int:
        return self._hash

    @property
    def size(self) -> int:
        """Number of listed values, k."""
        return len(self.values)

    @property
    def unit(self) -> str:
        """Listed values have no unit; their shares are given in per cent."""
        return ""

    @property
    def texts(self) -> tuple[str, ...]:
        """Released text of each listed value, length k."""
        return self.values

    def label(self, code: int) -> str:
        """Returns what the listed value at this position means, for people."""
        value = self.values[code]
        return self.labels.get(value, value)

    @cached_property
    def _code_of(self) -> dict[str, int]:
        return {value: code for code, value in enumerate(self.values)}

    def encode(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.int32]:
        """Returns the code of each text, shape (len(texts),); -1 if it is no answer of this."""
        raise NotImplementedError

    def outside(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.bool_]:
        """Returns which texts are no answer of this domain, shape (len(texts),)."""
        return np.asarray(self.encode(texts) < 0)

    def count_answers(
        self, codes: NDArray[np.integer], counts: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Returns how many respondents gave each listed value, shape (k,), by their codes."""
        given = np.zeros(self.size, dtype=np.int64)
        np.add.at(given, codes, counts)
        return given

    def changed(self, **changes: object) -> Self:
        """Returns this domain with fields changed and validated again.

        Raises:
            pydantic.ValidationError: A change is invalid.
        """
        fields = {key: getattr(self, key) for key in type(self).model_fields}
        return type(self)(**(fields | changes))

    def with_categories(self, *values: str) -> Self:
        """Returns this domain with the values that it lacks appended."""
        added = tuple(value for value in values if value not in self._code_of)
        return self.changed(values=self.values + added) if added else self


class Categorical(ListedDomain):
    """A finite list of categories, of which an answer is one."""

    type: Literal["categorical"] = "categorical"

    def encode(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.int32]:
        """Returns the code of each text, shape (len(texts),); -1 if it is not a category."""
        code_of = self._code_of
        return np.fromiter((code_of.get(t, -1) for t in texts), np.int32, len(texts))


OPTIONS_MAX = 30
"""Most options of a set: a set of 31 of them, with one for no answer, is a code of 32 bits."""


_SET = re.compile(r"set\((.+?)\)(?::(.[^:]{0,9})(?::(.*))?)?")

NOTHING = "(none)"
"""Text for no option at all, where a plan says nothing else."""


class OptionSet(ListedDomain):
    """The options of a question that may have several answers at once, or none.

    An answer is a set of options, written as their texts with a separator between them. Its code
    has bit j where the option j is ticked, so that there are 2^k codes.

    Attributes:
        separator: What stands between two options in a cell; blanks around them do not count.
        nothing: The cell of somebody who ticked no option. If it is empty, a blank cell is such
            an answer; else it tells nothing, and is missing where the column says so.
    """

    form: ClassVar[str] = "set(OPTION|OPTION|...)[:SEPARATOR[:NOTHING]]"
    """How a declaration in one line is written; a third part that is empty means blank cells."""
    example: ClassVar[str] = "set(TV|Web|Radio):,"

    type: Literal["several"] = "several"
    separator: Annotated[str, Field(min_length=1, max_length=10)] = ";"
    nothing: Annotated[str, Field(max_length=1000)] = NOTHING

    @model_validator(mode="after")
    def _cells_are_unambiguous(self) -> Self:
        if len(self.values) > OPTIONS_MAX + 1:
            raise ParameterError(
                f"A question with several answers has at most {OPTIONS_MAX} options.",
                remedy="Merge options that few people tick, or split the question.",
            )
        if not self.separator.strip() or not all(map(self.takes_option, self.values)):
            raise ParameterError(
                "An option holds the separator, or begins or ends with a blank.",
                remedy="Declare the separator that stands between options, such as ; or |.",
            )
        if self.nothing in self.values:
            raise ParameterError(
                "The text for no option at all is one of the options.",
                remedy="Leave it out of the list, or choose another text.",
            )
        return self

    def __hash__(self) -> int:
        return self._hash

    @classmethod
    def read(cls, text: str) -> OptionSet | None:
        """Reads a declaration of the form `form`; None if it is none.

        Raises:
            pydantic.ValidationError: It declares no options that can be told apart in a cell.
        """
        parts = _SET.fullmatch(text)
        if parts is None:
            return None
        given = {"separator": parts[2], "nothing": parts[3]}
        said = {name: part for name, part in given.items() if part is not None}
        return cls.model_validate({"values": tuple(parts[1].split("|"))} | said)

    def takes_option(self, text: str) -> bool:
        """Tells whether an option can have this text: a cell could be read back."""
        return self.separator not in text and text == text.strip()

    def encode(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.int32]:
        """Returns the code of each cell, shape (len(texts),); -1 if a part of it is no option."""
        return np.fromiter(map(self._code, texts), np.int32, len(texts))

    def _code(self, text: str) -> int:
        written = text.strip()
        if written == self.nothing:
            return 0
        parts = [part.strip() for part in written.split(self.separator)]
        codes = [self._code_of.get(part, -1) for part in parts if part]
        if not codes or min(codes) < 0:
            return -1
        return sum(1 << code for code in set(codes))

    def count_answers(
        self, codes: NDArray[np.integer], counts: NDArray[np.integer]
    ) -> NDArray[np.int64]:
        """Returns how many respondents ticked each option, shape (k,)."""
        ticked = self.ticked(np.asarray(codes, dtype=np.int32))
        return np.asarray(np.asarray(counts, dtype=np.int64) @ ticked)

    def ticked(self, codes: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Returns which options each code holds, shape (n, k)."""
        return np.asarray(codes[:, None] >> np.arange(self.size, dtype=np.int32) & 1 == 1)


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


class NumericDomain(BaseModel):
    """A domain of integers or reals: a grid from `lower` to `upper`, ends included."""

    model_config = ConfigDict(frozen=True, extra="forbid", ignored_types=(cached_property,))

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
    def grid_lower(self) -> Decimal:
        """The first grid point."""
        raise AttributeError("a numeric domain defines its own grid")

    @property
    def grid_step(self) -> Decimal:
        """The distance between neighbouring grid points."""
        raise AttributeError("a numeric domain defines its own grid")

    @property
    def grid_upper(self) -> Decimal:
        """The last grid point."""
        raise AttributeError("a numeric domain defines its own grid")

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


AnyDomain = Categorical | OptionSet | Integer | Real

Domain = Annotated[AnyDomain, Field(discriminator="type")]
"""Any domain, as a plan stores it; the tag is `type`."""
