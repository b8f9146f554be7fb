"""Dates and times in the files of SPSS, Stata and SAS: what their numbers mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.formats.number_cells import (
    NumberText,
    day_text,
    duration_text,
    moment_text,
    number_text,
)
from dpdesk.data.written_column import CellKind, WrittenColumn

_DAYS_TO_1970 = 141_428
"""From 1582-10-14, when dates of SPSS begin."""
_DAY = 86_400

_GREGORIAN = datetime(1582, 10, 14)  # noqa: DTZ001 - files hold moments without a zone
_SIXTIES = datetime(1960, 1, 1)  # noqa: DTZ001

_SPSS_DATE = re.compile(r"(A|E|J|S)?DATE|QYR|MOYR|WKYR")
_SPSS_MOMENT = re.compile(r"DATETIME|YMDHMS")
_SPSS_TIME = re.compile(r"D?TIME|MTIME")


def spss_text(display: str) -> NumberText | None:
    """Returns what writes the numbers of a display format of SPSS; None for digits."""
    word = display.rstrip("0123456789.").upper()
    if _SPSS_DATE.fullmatch(word):
        return moment_text(_GREGORIAN, 1, is_date=True)
    if _SPSS_MOMENT.fullmatch(word):
        return moment_text(_GREGORIAN, 1, is_date=False)
    return duration_text(1) if _SPSS_TIME.fullmatch(word) else None


@dataclass(frozen=True, slots=True)
class SpssDisplay:
    """How SPSS shows a column of dates.

    Attributes:
        word: The name of the format.
        number: Its number in a file.
        width: Signs of a date.
        decimals: Digits of a fraction of a second.
    """

    word: str
    number: int
    width: int
    decimals: int = 0

    @classmethod
    def of(cls, column: WrittenColumn) -> SpssDisplay | None:
        """Returns the display of a column; None where it holds no dates."""
        found = _SPSS_DISPLAYS.get(column.kind)
        if found is None or not column.has_fractions:
            return found
        # A point and three digits stand behind the seconds.
        return cls(found.word, found.number, found.width + 4, 3)

    @property
    def name(self) -> str:
        """The format as reading a file names it, such as DATETIME20."""
        return f"{self.word}{self.width}{f'.{self.decimals}' if self.decimals else ''}"


_SPSS_DISPLAYS: Mapping[CellKind, SpssDisplay] = {
    "moment": SpssDisplay("DATETIME", 22, 20),
    "clock": SpssDisplay("TIME", 21, 8),
    "minute": SpssDisplay("DATETIME", 22, 17),
    "hour": SpssDisplay("DATETIME", 22, 17),
    "time": SpssDisplay("TIME", 21, 5),
    "day": SpssDisplay("DATE", 20, 11),
    "month": SpssDisplay("MOYR", 28, 8),
    "quarter": SpssDisplay("QYR", 29, 8),
}


def spss_numbers(column: WrittenColumn) -> NDArray[np.float64]:
    """Returns the number of each text as SPSS counts: dates are seconds since 1582-10-14."""
    numbers = column.numbers
    if column.kind == "day":
        return (numbers + _DAYS_TO_1970) * _DAY
    if column.kind in ("moment", "clock"):
        # Divided at the end, so that a number is the one nearest to its digits.
        start = _DAYS_TO_1970 * _DAY if column.kind == "moment" else 0
        return (numbers + 1000 * start) / 1000
    if column.kind in ("minute", "hour"):
        return numbers * (60 if column.kind == "minute" else 3600) + _DAYS_TO_1970 * _DAY
    if column.kind == "time":
        return numbers * 60
    if column.kind in ("month", "quarter"):
        months = numbers * (1 if column.kind == "month" else 3)
        known = np.where(np.isnan(months), 0, months).astype(np.int64)
        days = known.astype("datetime64[M]").astype("datetime64[D]").astype(np.float64)
        return np.where(np.isnan(months), np.nan, (days + _DAYS_TO_1970) * _DAY)
    return numbers


_SAS_TIME = re.compile(r"TIME|TIMEAMPM|HHMM|TOD|(IS|E|B)8601TM|MMSS|HOUR")
_SAS_MOMENT = re.compile(r"(NL)?DATETIME|DT(DATE|MONYY|YEAR)|DATEAMPM|MDYAMPM|(IS|E|B)8601D[NT]")
_SAS_DATE = re.compile(
    r"(NL)?DATE|WEEKDAT[EX]|WORDDAT[EX]|MONYY|YYMON|JULIAN|(IS|E|B)8601DA|"
    r"(DDMMYY|MMDDYY|YYMMDD|MMYY|YYMM|YYQ)[BCDNPS]?"
)


def sas_text(display: str) -> NumberText | None:
    """Returns what writes the numbers of a display format of SAS; None for digits."""
    word = display.rstrip("0123456789.").upper()
    if _SAS_DATE.fullmatch(word):
        return day_text(_SIXTIES)
    if _SAS_MOMENT.fullmatch(word):
        return moment_text(_SIXTIES, 1, is_date=False)
    return duration_text(1) if _SAS_TIME.fullmatch(word) else None


_STATA_TIME = re.compile(r"%-?\d*(tc|td|tw|tm|tq|th|d)(.*)", re.DOTALL)


def _stata_time(number: float) -> str:
    is_of_one_day = 0 <= number < 86_400_000
    return (duration_text(1000) if is_of_one_day else _stata_moment)(number)


_stata_moment = moment_text(_SIXTIES, 1000, is_date=False)


def _period(parts: int, form: str) -> NumberText:
    """Returns what writes a number of parts of a year since 1960."""

    def text(number: float) -> str:
        if not float(number).is_integer():
            return number_text(number)
        years, part = divmod(int(number), parts)
        return form.format(1960 + years, part + 1)

    return text


_STATA_PERIODS: Mapping[str, NumberText] = {
    "tw": _period(52, "{:04}w{}"),
    "tm": _period(12, "{:04}-{:02}"),
    "tq": _period(4, "{:04}-Q{}"),
    "th": _period(2, "{:04}-H{}"),
}
"""Weeks of Stata are no weeks of the calendar: each year has 52 of them."""


def stata_text(display: str) -> NumberText | None:
    """Returns what writes the numbers of a display format of Stata; None for digits."""
    found = _STATA_TIME.match(display)
    if found is None:
        return None
    if found[1] in ("td", "d"):
        return day_text(_SIXTIES)
    if found[1] == "tc":
        is_time = bool(re.fullmatch(r"HH:MM(:SS(\.s{1,3})?)?", found[2]))
        return _stata_time if is_time else _stata_moment
    return _STATA_PERIODS.get(found[1])
