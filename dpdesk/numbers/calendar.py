"""Dates and times as whole numbers: units of the calendar, their texts, and how cells write them.

A unit counts from an origin, so that a grid of dates is a grid of whole numbers: months since
1970-01, days since 1970-01-01, years as they are. Dates are those of the proleptic Gregorian
calendar (ISO 8601); days are counted by Howard Hinnant's `days_from_civil`, which has no first and
no last year, since a report may lie far beyond the declared ends.

A unit's words, such as "months since 1970-01", are those of the CF conventions: whoever sees them
beside a number can turn it into a date.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from math import floor
from typing import Literal

from dpdesk.errors import ParameterError
from dpdesk.numbers.texts import T

UnitName = Literal["minute", "hour", "time", "day", "month", "quarter", "year"]
"""Units of a grid of dates; "time" is a minute of the day."""

_MONTHS = 12
_MINUTES = 24 * 60


@dataclass(frozen=True, slots=True)
class Moment:
    """What a cell says of a date, as far as it says it: 1 where it says no more.

    Attributes:
        year, month, day: The date; of a time of day alone, the origin.
        minute: Minute of the day.
        finest: How exact it is: 0 a year, 1 a quarter, 2 a month, 3 a day, 4 a minute, 5 a time of
            day without a date.
    """

    year: int
    month: int = 1
    day: int = 1
    minute: int = 0
    finest: int = 0


_YEAR, _QUARTER, _MONTH, _DAY, _MINUTE, _TIME = range(6)


def _days(year: int, month: int, day: int) -> int:
    """Returns the days since 1970-01-01 (Hinnant, chrono-compatible low-level date algorithms)."""
    year -= month <= 2
    era, of_era = divmod(year, 400)
    of_year = (153 * ((month + 9) % _MONTHS) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468


def _date(days: int) -> tuple[int, int, int]:
    """Returns year, month and day of a number of days since 1970-01-01."""
    era, of_era = divmod(days + 719_468, 146_097)
    year = (of_era - of_era // 1460 + of_era // 36_524 - of_era // 146_096) // 365
    of_year = of_era - (365 * year + year // 4 - year // 100)
    shifted = (5 * of_year + 2) // 153
    month = (shifted + 2) % _MONTHS + 1
    day = of_year - (153 * shifted + 2) // 5 + 1
    return era * 400 + year + (month <= 2), month, day


def _year_text(year: int) -> str:
    """Four digits, or the sign and more of them that ISO 8601 has for other years."""
    return f"{year:04}" if 0 <= year <= 9999 else f"{year:+05}"


def _month_text(month: int) -> str:
    year, index = divmod(month, _MONTHS)
    return f"{_year_text(1970 + year)}-{index + 1:02}"


def _quarter_text(quarter: int) -> str:
    year, index = divmod(quarter, 4)
    return f"{_year_text(1970 + year)}-Q{index + 1}"


def _day_text(day: int) -> str:
    year, month, of_month = _date(day)
    return f"{_year_text(year)}-{month:02}-{of_month:02}"


def _minute_text(minute: int) -> str:
    day, of_day = divmod(minute, _MINUTES)
    return f"{_day_text(day)}T{of_day // 60:02}:{of_day % 60:02}"


def _time_text(minute: int) -> str:
    # Noise may lead beyond midnight: the sign and the hours say how far.
    hours, rest = divmod(abs(minute), 60)
    return f"{'-' if minute < 0 else ''}{hours:02}:{rest:02}"


def _minutes(moment: Moment) -> int:
    return _days(moment.year, moment.month, moment.day) * _MINUTES + moment.minute


@dataclass(frozen=True, slots=True)
class CalendarUnit:
    """A unit in which dates or times are counted.

    Attributes:
        name: Its name in a plan, and behind "by".
        plural: Its name behind a number other than 1.
        since: Where counting begins, as `text` writes it; "" for years, which are as they are.
        needs: How exact a cell must be, as `Moment.finest`.
        index: The number of a moment.
        text: The text of a number.
    """

    name: UnitName
    plural: str
    since: str
    needs: int
    index: Callable[[Moment], int]
    text: Callable[[int], str]

    @property
    def words(self) -> str:
        """The unit of its numbers, such as "months since 1970-01"."""
        return f"{self.plural} since {self.since or 'year 0'}"

    def of(self, moment: Moment) -> int | None:
        """Returns the number of a moment; None where it is less exact than the unit."""
        is_time = moment.finest == _TIME
        if is_time != (self.needs == _TIME) or moment.finest < self.needs:
            return None
        return self.index(moment)

    def last_of(self, moment: Moment) -> int | None:
        """Returns the number of the last one within a moment that may be less exact.

        1987 ends with 1987-12, or with 1987-12-31.
        """
        if (moment.finest == _TIME) != (self.needs == _TIME):
            return None
        return self.index(_end(moment))

    def first_of(self, moment: Moment) -> int | None:
        """Returns the number of the first one within a moment that may be less exact."""
        if (moment.finest == _TIME) != (self.needs == _TIME):
            return None
        return self.index(moment)


def _end(moment: Moment) -> Moment:
    """Returns the last minute of a moment."""
    if moment.finest >= _MINUTE:
        return moment
    months = {_YEAR: 12, _QUARTER: 3, _MONTH: 1, _DAY: 0}[moment.finest]
    following = moment.year * _MONTHS + moment.month - 1 + months
    day = _days(moment.year, moment.month, moment.day)
    last = _days(*divmod_month(following), 1) - 1 if months else day
    return Moment(*_date(last), _MINUTES - 1, _MINUTE)


def divmod_month(months: int) -> tuple[int, int]:
    """Returns the year and the month, from 1, of a number of months since year 0."""
    year, index = divmod(months, _MONTHS)
    return year, index + 1


UNITS: tuple[CalendarUnit, ...] = (
    CalendarUnit("minute", "minutes", "1970-01-01T00:00", _MINUTE, _minutes, _minute_text),
    CalendarUnit(
        "hour",
        "hours",
        "1970-01-01T00:00",
        _MINUTE,
        lambda moment: _minutes(moment) // 60,
        lambda hour: _minute_text(60 * hour),
    ),
    CalendarUnit("time", "minutes", "00:00", _TIME, lambda moment: moment.minute, _time_text),
    CalendarUnit(
        "day",
        "days",
        "1970-01-01",
        _DAY,
        lambda moment: _days(moment.year, moment.month, moment.day),
        _day_text,
    ),
    CalendarUnit(
        "month",
        "months",
        "1970-01",
        _MONTH,
        lambda moment: (moment.year - 1970) * _MONTHS + moment.month - 1,
        _month_text,
    ),
    CalendarUnit(
        "quarter",
        "quarters",
        "1970-Q1",
        _QUARTER,
        lambda moment: (moment.year - 1970) * 4 + (moment.month - 1) // 3,
        _quarter_text,
    ),
    CalendarUnit("year", "years", "", _YEAR, lambda moment: moment.year, _year_text),
)
"""All units, finest first."""

_BY_NAME: dict[str, CalendarUnit] = {unit.name: unit for unit in UNITS}
_BY_WORDS: dict[str, CalendarUnit] = {unit.words: unit for unit in UNITS}


def unit_named(name: str) -> CalendarUnit:
    """Returns a unit by its name in a plan.

    Raises:
        KeyError: There is none of this name.
    """
    return _BY_NAME[name]


def date_unit(unit: str) -> CalendarUnit | None:
    """Returns the unit of the calendar that the unit of a number names; None for any other."""
    return _BY_WORDS.get(unit)


def difference_unit(unit: str) -> str:
    """Returns the unit of a difference of two numbers of a unit: months of "months since …"."""
    found = date_unit(unit)
    return unit if found is None else found.plural


def per_unit(unit: str) -> str:
    """Returns what stands behind "per" for numbers of a unit: month of "months since …"."""
    plural = difference_unit(unit)
    return plural[:-1] if any(plural == one.plural for one in UNITS) else unit


_SHORT = {"minutes": "min", "hours": "h", "months": "mo", "quarters": "qtr"}


def short_unit(unit: str, most: int) -> str:
    """Returns a unit for a cell that has room for so many letters; else its first one.

    Months and minutes begin alike, and an m is a metre.
    """
    return unit if len(unit) <= most else _SHORT.get(unit, unit[:1])


def plain_unit(unit: str) -> str:
    """Returns the unit that the title of an axis names; "" for dates, which its ticks are."""
    return "" if date_unit(unit) else unit


def date_text(number: float, unit: str) -> str | None:
    """Returns the date that a number means in a unit: that of the nearest whole one.

    Args:
        number: The number.
        unit: Its unit.

    Returns:
        The date; None where the unit is not of the calendar.
    """
    found = date_unit(unit)
    return None if found is None else found.text(floor(number + 0.5))


_SMALL_STEPS: dict[str, tuple[int, ...]] = {
    "minute": (1, 5, 15, 30, 60, 180, 360, 720, 1440),
    "hour": (1, 3, 6, 12, 24),
    "time": (1, 5, 15, 30, 60, 120, 180, 240, 360, 720),
    "day": (1, 2, 7, 14),
}
_MONTH_STEPS = (1, 3, 6, *(12 * years for years in (1, 2, 5, 10, 20, 50, 100, 200, 500)))


def date_ticks(unit: str, first: float, last: float, most: int) -> list[tuple[float, str]] | None:
    """Returns where an axis of dates has its ticks, and what stands at each.

    Args:
        unit: The unit of the numbers.
        first: The least number of the axis.
        last: The largest one.
        most: Most ticks.

    Returns:
        Places with their texts, from the beginnings of days, months or years on; None where the
        unit is not of the calendar, or the axis reaches beyond the years 1 to 9999.
    """
    found = date_unit(unit)
    if found is None or not first < last:
        return None
    for step in _SMALL_STEPS.get(found.name, ()):
        if (last - first) / step <= most:
            start = -(-first // step) * step
            places = [start + step * i for i in range(int((last - start) / step) + 1)]
            return [(float(place), found.text(int(place))) for place in places]
    ends = [iso_moment(found.text(floor(end))) for end in (first, last)]
    if ends[0] is None or ends[1] is None or found.needs == _TIME:
        return None
    months = [end.year * _MONTHS + end.month - 1 for end in ends if end is not None]
    every = next(
        (one for one in _MONTH_STEPS if (months[1] - months[0]) / one <= most), _MONTH_STEPS[-1]
    )
    ticks = []
    for month in range(months[0] // every * every, months[1] + 1, every):
        moment = Moment(*divmod_month(month), finest=_MONTH)
        place = found.index(moment)
        if first <= place <= last:
            year, _ = divmod_month(month)
            text = _year_text(year) if every % _MONTHS == 0 else found.text(place)[:7]
            ticks.append((float(place), text))
    return ticks


_ISO = re.compile(
    r"([0-9]{4})(?:-([0-9]{2})(?:-([0-9]{2})"
    r"(?:[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]{1,9})?)?)?)?)?"
)
_ISO_QUARTER = re.compile(r"([0-9]{4})-?Q([1-4])")
_CLOCK = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]{1,9})?)?")
_BLANKS = " \t\u00a0"
_LONGEST = 40


def iso_moment(text: str) -> Moment | None:
    """Reads a date as ISO 8601 writes it: 2024, 2024-Q1, 2024-03, 2024-03-05, 2024-03-05T10:20.

    Seconds are left out; a time of day alone is 10:20. A text with a time zone is None, since the
    day may be another one at home; so is a date that the calendar lacks, such as 2023-02-29.
    """
    written = text.strip(_BLANKS)
    if len(written) > _LONGEST:
        return None
    found = _ISO.fullmatch(written)
    if found is not None:
        year, *parts = found.groups()
        return _moment(year, *parts)
    found = _ISO_QUARTER.fullmatch(written)
    if found is not None and int(found[1]):
        return Moment(int(found[1]), 3 * int(found[2]) - 2, finest=_QUARTER)
    found = _CLOCK.fullmatch(written)
    return None if found is None else _time(found[1], found[2], found[3])


def _time(hour: str, minute: str, second: str | None, half: str | None = None) -> Moment | None:
    if half is not None:
        # 12 AM is midnight and 12 PM noon.
        if not 1 <= int(hour) <= 12:
            return None
        hour = str(int(hour) % 12 + 12 * (half[0] in "Pp"))
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return None
    return Moment(1970, minute=60 * int(hour) + int(minute), finest=_TIME)


def _moment(
    year: str,
    month: str | None = None,
    day: str | None = None,
    hour: str | None = None,
    minute: str | None = None,
    second: str | None = None,
    half: str | None = None,
) -> Moment | None:
    """Returns what the calendar has; None for 2023-02-29, 31 April, the year 0 or 25 o'clock."""
    parts = int(year), int(month or 1), int(day or 1)
    if not parts[0] or _date(_days(*parts)) != parts or not 1 <= parts[1] <= _MONTHS:
        return None
    if hour is not None and minute is not None:
        clock = _time(hour, minute, second, half)
        return None if clock is None else Moment(*parts, clock.minute, _MINUTE)
    return Moment(*parts, finest=_DAY if day else _MONTH if month else _YEAR)


_TOKENS = {
    "YYYY": "year",
    "MM": "month",
    "DD": "day",
    "hh": "hour",
    "mm": "minute",
    "ss": "second",
    "AM": "half",
}
_HALF = "[AaPp]\\.?[Mm]\\.?"
_GAP = "[ \u00a0\u202f]?"
"""What may stand before AM and PM."""
_TOKEN = re.compile("|".join(_TOKENS))
PATTERN_MAX = 40


@lru_cache(maxsize=256)
def pattern_reader(pattern: str) -> Callable[[str], Moment | None]:
    """Returns what reads cells of a pattern such as DD.MM.YYYY; "" reads ISO 8601.

    Args:
        pattern: YYYY, MM, DD, hh, mm and ss with signs between them, and AM for hours of half a
            day. Where signs are, a day of one digit is read too.

    Raises:
        ParameterError: It has no year, the same part twice, another letter, or a day
            without its month.
    """
    if not pattern:
        return iso_moment
    parts = _TOKEN.findall(pattern)
    rest = _TOKEN.sub("", pattern)
    named = {_TOKENS[part] for part in parts}
    clock_only = named <= {"hour", "minute", "second", "half"} and {"hour", "minute"} <= named
    whole = "year" in named and (
        ("day" not in named or "month" in named)
        and ("hour" not in named or "day" in named)
        and (("hour" in named) == ("minute" in named))
        and ("hour" in named or named.isdisjoint({"second", "half"}))
    )
    if (
        len(named) != len(parts)
        or not (whole or clock_only)
        or any(sign.isalnum() and sign != "T" for sign in rest)
        or len(pattern) > PATTERN_MAX
    ):
        raise ParameterError(T.NO_PATTERN())
    expression = _expression(pattern)

    def read(text: str) -> Moment | None:
        found = expression.fullmatch(text.strip(_BLANKS)) if len(text) <= 2 * PATTERN_MAX else None
        if found is None:
            return None
        said = found.groupdict()
        if clock_only:
            return _time(said["hour"], said["minute"], said.get("second"), said.get("half"))
        return _moment(**said)

    return read


def _expression(pattern: str) -> re.Pattern[str]:
    """Returns the cells of a pattern; a part beside a sign may have one digit."""
    pieces, end = [], 0
    for match in _TOKEN.finditer(pattern):
        between = pattern[end : match.start()]
        if match[0] == "AM":
            pieces.append(f"{_GAP if between == ' ' else re.escape(between)}(?P<half>{_HALF})")
            end = match.end()
            continue
        pieces.append(re.escape(between))
        digits = "{4}"
        if match[0] != "YYYY":
            touches = match.start() == end > 0 or _TOKEN.match(pattern, match.end())
            digits = "{2}" if touches or match[0] in ("mm", "ss") else "{1,2}"
        pieces.append(f"(?P<{_TOKENS[match[0]]}>[0-9]{digits})")
        end = match.end()
    pieces.append(re.escape(pattern[end:]))
    return re.compile("".join(pieces))
