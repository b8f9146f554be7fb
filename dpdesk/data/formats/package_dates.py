"""Dates and times in the files of SPSS, Stata and SAS: what their numbers mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from dpdesk.data.formats.number_cells import (
    NumberText,
    day_text,
    duration_text,
    moment_text,
    number_text,
)

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
        is_time = bool(re.fullmatch(r"HH:MM(:SS)?", found[2]))
        return _stata_time if is_time else _stata_moment
    return _STATA_PERIODS.get(found[1])
