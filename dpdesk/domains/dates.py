"""Domains of dates and times of day: the same grid as that of numbers, counted on the calendar."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Annotated, ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError, model_validator

from dpdesk.domains.column_kind import ColumnKind
from dpdesk.domains.grid import NumericDomain
from dpdesk.domains.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import PlainDigits
from dpdesk.numbers.calendar import (
    PATTERN_MAX,
    UNITS,
    CalendarUnit,
    Moment,
    UnitName,
    iso_moment,
    pattern_reader,
    unit_named,
)

_STEPS: dict[str, tuple[UnitName, int]] = {
    "minute": ("minute", 1),
    "hour": ("hour", 1),
    "day": ("day", 1),
    "week": ("day", 7),
    "month": ("month", 1),
    "quarter": ("quarter", 1),
    "year": ("year", 1),
    "decade": ("year", 10),
}
_STEP = re.compile(r"(?:by +)?(?:([0-9]{1,6}) +)?([a-z]+?)s?", re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}")

DateText = Annotated[str, Field(max_length=PATTERN_MAX)]


class Date(NumericDomain):
    """Dates from `lower` to `upper` by a unit of the calendar, or times of a day.

    An answer that is more exact than the unit belongs to the unit that it lies in: 2024-03-05 to
    the month 2024-03, and with a step of several units to the step that began last.

    Attributes:
        lower, upper: The first and the last point, as they are released: ISO 8601, or 1987-Q2.
        by: The unit; "time" for minutes of a day.
        step: Number of units from one point to the next.
        pattern: How the file writes dates, such as DD.MM.YYYY; empty for ISO 8601.
    """

    kinds: ClassVar[tuple[ColumnKind, ...]] = ("date",)
    count_words: ClassVar[str] = N_("{count} dates")
    in_digits: ClassVar[bool] = False
    adds_up: ClassVar[bool] = False
    read_as: ClassVar[str] = N_("a date as declared")
    field_names: ClassVar[tuple[str, str, str, str]] = (
        N_("F&rom"),
        N_("&Until"),
        N_("&Step"),
        N_("&Written as"),
    )
    field_hints: ClassVar[tuple[str, str, str, str]] = (
        N_("1930-01"),
        N_("2010-12"),
        N_("month"),
        N_("DD.MM.YYYY"),
    )

    type: Literal["date"] = "date"
    lower: DateText
    upper: DateText
    by: UnitName
    step: Annotated[int, Field(ge=1, le=1_000_000), PlainDigits] = 1
    pattern: Annotated[DateText, Field(exclude_if=lambda pattern: not pattern)] = ""

    @model_validator(mode="after")
    def _ends_are_of_the_unit(self) -> Self:
        # Ends are read before the grid is looked at, so that a wrong one is named as such.
        for end in (self.lower, self.upper):
            moment = iso_moment(end)
            number = None if moment is None else self._unit.of(moment)
            if number is None or self._unit.text(number) != end:
                raise ParameterError(T.NO_DATE_OF_UNIT())
        pattern_reader(self.pattern)
        return self

    @classmethod
    def of(cls, lower: str, upper: str, step: str = "", pattern: str = "") -> Date:
        """Returns the dates between two ends that somebody typed.

        Ends may be less exact than the unit: from 1930 to 2010 by month begins with 1930-01 and
        ends with 2010-12. Where the last step would go beyond the end, the one before is the last.

        Args:
            lower: The first date, in ISO 8601 or as the pattern writes it.
            upper: The last one.
            step: The unit and how many of it, such as "month", "2 weeks" or "by 15 minutes";
                empty for the unit that the ends are written in.
            pattern: How cells are written.

        Raises:
            ParameterError: An end is not a date, or the step is not one.
            pydantic.ValidationError: They do not fit together.
        """
        first, last = (_typed_moment(end, pattern) for end in (lower, upper))
        by, length = _read_step(step, first, last)
        unit = unit_named(by)
        begin, end = unit.first_of(first), unit.last_of(last)
        if begin is None or end is None:
            raise ParameterError(T.DATE_AND_TIME())
        steps = (end - begin) // length
        return cls(
            lower=unit.text(begin),
            upper=unit.text(begin + steps * length),
            by=by,
            step=length,
            pattern=pattern,
        )

    @property
    def written_how(self) -> str:
        return self.pattern

    def written_as(self, how: str) -> Date:
        return Date.model_validate(self.model_dump() | {"pattern": how})

    @classmethod
    def from_fields(
        cls, lower: str, upper: str, step: str, last: str, before: NumericDomain | None = None
    ) -> Date:
        return cls.of(lower, upper, step, last)

    @property
    def fields(self) -> tuple[str, str, str, str]:
        return (*self.bounds, self.pattern)

    @property
    def declaration(self) -> str:
        return f"{self.lower}..{self.upper} by {self.step_words}{self._written}"

    @property
    def codebook_fields(self) -> tuple[Decimal | str, Decimal | str, Decimal | str]:
        return self.lower, self.upper, self.step_words + self._written

    @property
    def _written(self) -> str:
        return f" as {self.pattern}" if self.pattern else ""

    @property
    def _unit(self) -> CalendarUnit:
        return unit_named(self.by)

    @property
    def unit(self) -> str:
        """What its numbers count, such as "months since 1970-01"."""
        return self._unit.words

    @property
    def step_words(self) -> str:
        """The step, such as "month" or "7 days"."""
        name = self._unit.plural
        return name.removesuffix("s") if self.step == 1 else f"{self.step} {name}"

    @property
    def bounds(self) -> tuple[str, str, str]:
        return self.lower, self.upper, self.step_words

    @property
    def plain_bounds(self) -> tuple[float, float, float] | None:
        if self.by != "year" or self.pattern:
            return None
        return float(self.grid_lower), float(self.grid_upper), float(self.step)

    @property
    def words(self) -> str:
        return T.DATES(first=self.lower, last=self.upper, step=self.step_words)

    def label(self, code: int) -> str:
        return self.texts[code]

    def _number(self, end: str) -> Decimal:
        moment = iso_moment(end)
        number = None if moment is None else self._unit.of(moment)
        if number is None:
            raise ParameterError(T.NO_DATE())
        return Decimal(number)

    @cached_property
    def grid_lower(self) -> Decimal:
        return self._number(self.lower)

    @property
    def grid_step(self) -> Decimal:
        return Decimal(self.step)

    @cached_property
    def grid_upper(self) -> Decimal:
        return self._number(self.upper)

    def text_at(self, place: int) -> str:
        return self._unit.text(int(self.grid_lower) + self.step * place)

    def nearest(self, numbers: NDArray[np.float64]) -> NDArray[np.int32]:
        # A date belongs to the step that began last.
        lower = float(self.grid_lower)
        clamped = np.clip(numbers, lower, float(self.grid_upper))
        codes = np.floor((clamped - lower) / self.step)
        return np.where(np.isnan(numbers), -1.0, codes).astype(np.int32)

    def beyond(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        after = float(self.grid_upper) + self.step
        return np.asarray(~((numbers >= float(self.grid_lower)) & (numbers < after)))

    @property
    def rounded_ends(self) -> tuple[int, int]:
        if self.step > 1 or self.by == "time":
            return super().rounded_ends
        length = 10 if self.by in ("minute", "hour") else 4
        first, last = self.texts[0][:length], self.texts[-1][:length]
        whole = Date.of(first, last, self.by)
        at_lower = sum(text.startswith(first) for text in self.texts)
        at_upper = sum(text.startswith(last) for text in self.texts)
        return (
            at_lower if whole.lower == self.lower else 1,
            at_upper if whole.upper == self.upper else 1,
        )

    def between_steps(self, numbers: NDArray[np.float64]) -> NDArray[np.bool_]:
        return np.zeros(numbers.shape, dtype=np.bool_)

    @property
    def how_cells_are_read(self) -> Hashable | None:
        return self.by, self.pattern

    def numbers_in(self, texts: Sequence[str], decimal: str = ".") -> NDArray[np.float64]:
        read, of = pattern_reader(self.pattern), self._unit.of
        moments = map(read, texts)
        parsed = (None if moment is None else of(moment) for moment in moments)
        return np.fromiter((np.nan if x is None else x for x in parsed), np.float64, len(texts))

    def number_of(self, bound: Decimal | str, *, is_upper: bool) -> Decimal | None:
        text = f"{bound:f}" if isinstance(bound, Decimal) else bound
        moment = iso_moment(text)
        if moment is None:
            return None
        number = (self._unit.last_of if is_upper else self._unit.first_of)(moment)
        return None if number is None else Decimal(number)

    def numeric_cells(self, texts: Sequence[str]) -> Literal["no", "integer", "real"]:
        if any("." in text for text in texts):
            return "real"
        return "integer" if all(map(_WHOLE.fullmatch, texts)) else "no"

    @property
    def coarser_levels(self) -> tuple[tuple[str, ...], ...]:
        moments = [iso_moment(text) for text in self.texts]
        known = [moment for moment in moments if moment is not None]
        if self.by == "time":
            hours = (moment.minute // 60 for moment in known)
            return (tuple(f"{hour:02}:00 to {hour:02}:59" for hour in hours),)
        place = UNITS.index(self._unit)
        coarser = [unit for unit in UNITS[place + 1 :] if unit.name != "time"]
        levels = [tuple(unit.text(unit.index(moment)) for moment in known) for unit in coarser]
        decades = (moment.year // 10 * 10 for moment in known)
        levels.append(tuple(f"{decade:04} to {decade + 9:04}" for decade in decades))
        return tuple(levels)

    def rounder(self) -> Date | None:
        """Returns the dates from and to rounder ones; None where they are round.

        Days and times become those of whole years, other dates those of whole decades.
        """
        if self.by == "time":
            return None
        length = 4 if self.by in ("minute", "hour", "day") else 3
        first = max(self.lower[:length].ljust(4, "0"), "0001")
        last = self.upper[:length].ljust(4, "9")
        try:
            found = Date.of(first, last, self.step_words, self.pattern)
        except (ParameterError, ValidationError):
            return None
        return None if (found.lower, found.upper) == (self.lower, self.upper) else found

    def canonical(self, texts: Sequence[str]) -> Sequence[str]:
        numbers = self.numbers_in(texts)
        codes, beyond = self.nearest(numbers), self.beyond(numbers)
        known = self.texts
        return [
            text if out else known[code]
            for text, code, out in zip(texts, codes.tolist(), beyond.tolist(), strict=True)
        ]


def _typed_moment(end: str, pattern: str) -> Moment:
    """Reads an end of a declaration."""
    moment = iso_moment(end) or pattern_reader(pattern)(end)
    if moment is None:
        raise ParameterError(T.NO_DATE())
    return moment


_OF_EXACTNESS: tuple[UnitName, ...] = ("year", "quarter", "month", "day", "minute", "time")


def _read_step(step: str, first: Moment, last: Moment) -> tuple[UnitName, int]:
    """Returns the unit and the number of units of a step in words."""
    if not step.strip():
        return _OF_EXACTNESS[max(first.finest, last.finest)], 1
    found = _STEP.fullmatch(step.strip())
    if found is None or found[2].lower() not in _STEPS or int(found[1] or 1) < 1:
        raise ParameterError(T.NO_STEP())
    by, times = _STEPS[found[2].lower()]
    length = times * int(found[1] or 1)
    if first.finest == _OF_EXACTNESS.index("time") and by in ("minute", "hour"):
        return "time", length * (60 if by == "hour" else 1)
    return by, length
