"""Domains of numbers: a public interval with a public grid."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from decimal import Decimal
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BeforeValidator, Field, PlainSerializer, model_validator

from dpdesk.domains.cell_numbers import parse_number
from dpdesk.domains.column_kind import ColumnKind
from dpdesk.domains.grid import NumericDomain
from dpdesk.domains.texts import T
from dpdesk.domains.written_numbers import WRITTEN_MAX, cell_pattern, number_reader, writing_of
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import is_number

_BOUND = 10**15


def _exact_number(number: object) -> object:
    """Refuses what Python would convert, but nobody typed as a number: True, 0.1, "1_000"."""
    if isinstance(number, bool) or not isinstance(number, (str, int, Decimal)):
        raise ParameterError(T.NO_NUMBER())
    if isinstance(number, str) and ("e" in number.lower() or not is_number(number)):
        raise ParameterError(T.NO_NUMBER())
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


class PlainNumbers(NumericDomain):
    """A grid of numbers, which cells hold in digits."""

    field_names: ClassVar[tuple[str, str, str, str]] = (
        N_("Lo&wer bound"),
        N_("&Upper bound"),
        N_("&Step"),
        N_("U&nit"),
    )
    field_hints: ClassVar[tuple[str, str, str, str]] = ("", "", "", N_("such as years"))
    step_name: ClassVar[str] = "step"
    """The field of the distance between neighbouring grid points."""

    unit: str = Field(default="", max_length=100)
    written: Annotated[
        str, Field(max_length=WRITTEN_MAX, exclude_if=lambda written: not written)
    ] = ""
    """How the file writes 1234.5, where cells are not plain digits: 1.234,5 kg."""

    if TYPE_CHECKING:
        # Fields of every kind of number, each with a type of its own.
        lower: Decimal | int
        upper: Decimal | int

    @classmethod
    def from_fields(
        cls, lower: str, upper: str, step: str, last: str, before: NumericDomain | None = None
    ) -> Self:
        # The model reads the texts itself, so that a bound is exactly the typed number.
        typed = {"lower": lower, "upper": upper, cls.step_name: step, "unit": last}
        written = before.written if isinstance(before, PlainNumbers) else ""
        return cls.model_validate(typed | {"written": written})

    @model_validator(mode="after")
    def _writing_is_one(self) -> Self:
        if self.written:
            writing_of(self.written)
        return self

    @property
    def grid_lower(self) -> Decimal:
        return Decimal(self.lower)

    @property
    def grid_upper(self) -> Decimal:
        return Decimal(self.upper)

    @property
    def how_cells_are_read(self) -> Hashable | None:
        return self.written or None

    @property
    def written_how(self) -> str:
        return self.written

    def written_as(self, how: str) -> Self:
        unit = self.unit or (writing_of(how).unit[:100] if how else "")
        return type(self).model_validate(self.model_dump() | {"written": how, "unit": unit})

    @property
    def cell_pattern(self) -> tuple[str, str]:
        if not self.written:
            return "", ""
        writing = writing_of(self.written)
        return cell_pattern(writing), writing.grouping

    @property
    def bounds(self) -> tuple[str, str, str]:
        return f"{self.grid_lower:f}", f"{self.grid_upper:f}", f"{self.grid_step:f}"

    @property
    def fields(self) -> tuple[str, str, str, str]:
        return (*self.bounds, self.unit)

    @property
    def declaration(self) -> str:
        lower, upper, step = self.bounds
        written = f" as {self.written}" if self.written else ""
        return f"{lower}..{upper}/{step} {self.unit}".rstrip() + written

    @property
    def codebook_fields(self) -> tuple[Decimal | str, Decimal | str, Decimal | str]:
        return self.grid_lower, self.grid_upper, self.grid_step

    @property
    def plain_bounds(self) -> tuple[float, float, float] | None:
        if self.written:
            return None
        return float(self.grid_lower), float(self.grid_upper), float(self.grid_step)

    @property
    def words(self) -> str:
        last = f"{self.texts[-1]} {self.unit}".rstrip()
        return T.NUMBERS(first=self.texts[0], last=last, step=f"{self.grid_step:f}")

    @cached_property
    def _quantum(self) -> Decimal:
        digits = max(0, *(-int(d.as_tuple().exponent) for d in (self.grid_lower, self.grid_step)))
        return Decimal(1).scaleb(-digits)

    def text_at(self, place: int) -> str:
        return format((self.grid_lower + self.grid_step * place).quantize(self._quantum), "f")

    def label(self, code: int) -> str:
        return f"{self.texts[code]} {self.unit}".strip()

    def numbers_in(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.float64]:
        read = number_reader(writing_of(self.written)) if self.written else None
        parsed = (parse_number(text, decimal) if read is None else read(text) for text in texts)
        return np.fromiter((np.nan if x is None else x for x in parsed), np.float64, len(texts))

    def number_of(self, bound: Decimal | str, *, is_upper: bool) -> Decimal | None:
        return bound if isinstance(bound, Decimal) else None

    def canonical(self, texts: Sequence[str]) -> Sequence[str]:
        if not self.written:
            return texts
        numbers = self.numbers_in(texts).tolist()
        return [
            text if isnan(number) else f"{number:.15g}"
            for text, number in zip(texts, numbers, strict=True)
        ]

    def numeric_cells(self, texts: Sequence[str]) -> Literal["no", "integer", "real"]:
        return "real"


class Integer(PlainNumbers):
    """Whole numbers from `lower` to `upper` in steps of `step`."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("integer",)

    type: Literal["integer"] = "integer"
    lower: ExactInteger
    upper: ExactInteger
    step: ExactInteger = 1

    @property
    def grid_step(self) -> Decimal:
        return Decimal(self.step)

    def numeric_cells(self, texts: Sequence[str]) -> Literal["no", "integer", "real"]:
        # Reports such as Duchi's two numbers are fractions even if the answers are whole.
        return "real" if any("." in text for text in texts) else "integer"


class Real(PlainNumbers):
    """Real numbers from `lower` to `upper`, rounded to a public resolution."""

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("real",)
    step_name: ClassVar[str] = "resolution"
    field_names: ClassVar[tuple[str, str, str, str]] = (
        *PlainNumbers.field_names[:2],
        N_("Re&solution"),
        PlainNumbers.field_names[3],
    )

    type: Literal["real"] = "real"
    lower: ExactDecimal
    upper: ExactDecimal
    resolution: ExactDecimal

    @property
    def grid_step(self) -> Decimal:
        return self.resolution
