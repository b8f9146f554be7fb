"""Dates as a grid: the calendar, patterns, hostile texts, and what a domain of dates answers."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from dpdesk.domains import Date, Domain, Integer
from dpdesk.errors import ParameterError
from dpdesk.numbers.calendar import (
    UNITS,
    CalendarUnit,
    date_text,
    difference_unit,
    iso_moment,
    pattern_reader,
    unit_named,
)
from tests.refusals import refused

EPOCH = date(1970, 1, 1)


def test_that_every_day_of_five_centuries_is_counted_and_written_as_the_calendar_has_it() -> None:
    unit, day, last = unit_named("day"), date(1599, 12, 1), date(2101, 2, 1)
    while day < last:
        moment = iso_moment(day.isoformat())
        assert moment is not None
        number = unit.of(moment)
        assert number == (day - EPOCH).days
        assert unit.text(number) == day.isoformat()
        day += timedelta(days=1)


def test_that_only_days_of_the_calendar_are_read() -> None:
    read = {
        (year, month, day)
        for year in (1900, 1999, 2000, 2023, 2024)
        for month in range(14)
        for day in range(33)
        if iso_moment(f"{year:04}-{month:02}-{day:02}") is not None
    }
    known = set()
    for year in (1900, 1999, 2000, 2023, 2024):
        day = date(year, 1, 1)
        while day.year == year:
            known.add((day.year, day.month, day.day))
            day += timedelta(days=1)
    assert read == known


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_that_every_number_of_a_unit_is_the_number_of_its_text(unit: CalendarUnit) -> None:
    first = {"time": 0, "year": 1}.get(unit.name, -3)
    for number in range(first, 1440):
        moment = iso_moment(unit.text(number))
        assert moment is not None
        assert unit.of(moment) == number


def test_that_reports_far_beyond_the_ends_have_texts_of_their_own() -> None:
    for name in ("day", "month", "quarter", "year"):
        text = unit_named(name).text
        numbers = range(-800_000, 4_000_000, 9_973)
        assert len({text(number) for number in numbers}) == len(numbers)
    assert unit_named("month").text(-12 * 1970 - 1) == "-0001-12"
    assert unit_named("month").text(12 * (12_034 - 1970) + 4) == "+12034-05"


@given(
    moment=st.datetimes(),
    pattern=st.sampled_from(
        [
            *("DD.MM.YYYY", "MM/DD/YYYY", "DD/MM/YYYY", "YYYY/MM/DD", "YYYYMMDD", "MM/YYYY"),
            *("DD.MM.YYYY hh:mm", "DD-MM-YYYYThh:mm:ss", "hh:mm"),
        ]
    ),
    padded=st.booleans(),
)
def test_that_a_pattern_reads_what_it_writes(moment: datetime, pattern: str, padded: bool) -> None:
    short = not padded and pattern != "YYYYMMDD"
    parts = {
        "YYYY": f"{moment.year:04}",
        "MM": f"{moment.month}" if short else f"{moment.month:02}",
        "DD": f"{moment.day}" if short else f"{moment.day:02}",
        "hh": f"{moment.hour}" if short else f"{moment.hour:02}",
        "mm": f"{moment.minute:02}",
        "ss": f"{moment.second:02}",
    }
    cell = pattern
    for part, digits in parts.items():
        cell = cell.replace(part, digits)
    found = pattern_reader(pattern)(f" {cell} ")
    assert found is not None
    if "YYYY" in pattern:
        assert (found.year, found.month) == (moment.year, moment.month)
    if "DD" in pattern:
        assert found.day == moment.day
    if "hh" in pattern:
        assert found.minute == 60 * moment.hour + moment.minute


@pytest.mark.parametrize(
    "pattern", ["", "DD.MM.YYYY", "MM/DD/YYYY", "YYYYMMDD", "DD.MM.YYYY hh:mm", "hh:mm"]
)
@given(text=st.text(max_size=24))
def test_that_no_text_stops_a_reader(pattern: str, text: str) -> None:
    found = pattern_reader(pattern)(text)
    assert found is None or 1 <= found.month <= 12


@pytest.mark.parametrize(
    "pattern",
    [
        *("DD", "MM.DD", "DD.YYYY", "YYYY.YYYY", "YY-MM-DD", "YYYY-DD", "YYYY hh:mm", "date"),
        *("DD.MM.JJJJ", "YYYY-MM-DD hh", "x" * 60),
    ],
)
def test_that_what_is_no_pattern_is_refused(pattern: str) -> None:
    with refused("numbers.no-pattern"):
        pattern_reader(pattern)


HOSTILE = (
    *("0000-00-00", "2023-02-29", "31/04/2024", "05.03.24", "03/05/24", "2024-13-01", "2024-00-10"),
    *("2024-03-05T10:20Z", "2024-03-05T10:20+01:00", "2024-03-05 25:00", "2024-03-05T10:60"),
    *("45356", "45356.5", "1710000000", "2024-3-5", "2024/03/05", "March 2024", "05-Mar-2024"),
    *("20240305", "2024-03-05-06", "２０２４-03-05", "2024-03-05\n2024", "-2024-03-05", "", " "),
    *("9999-99-99", "99.99.9999", "2024-W10", "2024-065", "1e3", "nan", "1985-1990"),
)
DAYS = Date.of("2000-01-01", "2030-12-31")


@pytest.mark.parametrize("text", HOSTILE)
def test_that_a_hostile_text_is_no_date(text: str) -> None:
    assert DAYS.encode([text]).tolist() == [-1]
    assert DAYS.outside([text]).tolist() == [True]
    assert list(DAYS.canonical([text])) == [text]


def test_that_a_text_is_no_date_of_a_finer_unit() -> None:
    assert DAYS.encode(["2024", "2024-03", "2024-Q1", "10:20"]).tolist() == [-1] * 4
    months = Date.of("2000", "2030", "month")
    assert months.encode(["2024", "2024-Q1"]).tolist() == [-1, -1]
    assert months.texts[months.encode(["2024-03-31T23:59:59"])[0]] == "2024-03"


def test_that_dates_beyond_the_ends_are_moved_to_them() -> None:
    months = Date.of("2000-01", "2002-12")
    texts = ["1999-12", "2000-01", "2002-12", "2003-01"]
    assert months.encode(texts).tolist() == [0, 0, 35, 35]
    assert months.outside(texts).tolist() == [True, False, False, True]


def test_that_a_date_belongs_to_the_step_that_it_lies_in() -> None:
    weeks = Date.of("2024-01-01", "2024-12-31", "week")
    assert (weeks.upper, weeks.size) == ("2024-12-30", 53)
    texts = ["2024-01-01", "2024-01-07", "2024-01-08", "2024-12-31", "2025-01-05", "2025-01-06"]
    assert weeks.encode(texts).tolist() == [0, 0, 1, 52, 52, 52]
    assert weeks.outside(texts).tolist() == [False] * 5 + [True]
    assert not weeks.between_steps(weeks.numbers_in(texts)).any()
    shifts = Date.of("08:00", "20:00", "15 minutes")
    assert shifts.encode(["08:14", "08:15", "20:07"]).tolist() == [0, 1, 48]


MONTHS, YEARS, QUARTERS = "months since 1970-01", "years since year 0", "quarters since 1970-Q1"
SINCE, CLOCK, HOURS = "days since 1970-01-01", "minutes since 00:00", "hours since 1970-01-01T00:00"
NIGHT = "2024-02-28T00:00..2024-02-29T23:00 by hour"
MARCH = "2024-03-05..2024-03-31 by day as DD.MM.YYYY"


@pytest.mark.parametrize(
    ("ends", "declaration", "size", "unit", "error"),
    [
        (("1930", "2010", "month"), "1930-01..2010-12 by month", 972, MONTHS, "months"),
        (("1930", "2010"), "1930..2010 by year", 81, YEARS, "years"),
        (("1930", "2010", "decade"), "1930..2010 by 10 years", 9, YEARS, "years"),
        (("1987-Q2", "1990", "quarter"), "1987-Q2..1990-Q4 by quarter", 15, QUARTERS, "quarters"),
        (("2023", "2024", "day"), "2023-01-01..2024-12-31 by day", 731, SINCE, "days"),
        (("08:00", "20:00", "by hour"), "08:00..20:00 by 60 minutes", 13, CLOCK, "minutes"),
        (("2024-02-28", "2024-02-29", "hour"), NIGHT, 48, HOURS, "hours"),
        (("05.03.2024", "31.03.2024", "", "DD.MM.YYYY"), MARCH, 27, SINCE, "days"),
    ],
)
def test_that_ends_and_steps_are_declared_in_words(
    ends: tuple[str, ...], declaration: str, size: int, unit: str, error: str
) -> None:
    dates = Date.of(*ends)
    assert (dates.declaration, dates.size) == (declaration, size)
    assert (dates.shown_unit, dates.error_unit, difference_unit(unit)) == (unit, error, error)
    assert (dates.texts[0], dates.texts[-1]) == (dates.lower, dates.upper)
    assert TypeAdapter(Domain).validate_json(dates.model_dump_json()) == dates
    assert Date.of(*dates.fields) == Date.from_fields(*dates.fields) == dates
    if not dates.pattern:
        assert dates.encode(dates.texts).tolist() == list(range(size))
    for code in (0, size // 2, size - 1):
        number = float(dates.values[code])
        assert date_text(number, dates.unit) == dates.texts[code]
        assert date_text(number + 0.4, dates.unit) == date_text(number, dates.unit)


@pytest.mark.parametrize(
    "ends",
    [
        ("2010", "1930", "month"),
        ("1930-13", "2010-01"),
        ("1930", "10:20"),
        ("08:00", "20:00", "month"),
        ("1930", "2010", "fortnight"),
        ("1930", "2010", "0 years"),
        ("1930", "1930"),
        ("0001-01-01", "9999-12-31"),
        ("1930", "2010", "month", "DD.MM"),
        ("soon", "later"),
    ],
)
def test_that_what_is_no_grid_of_dates_is_refused(ends: tuple[str, ...]) -> None:
    with pytest.raises((ParameterError, ValidationError)):
        Date.of(*ends)


def test_that_a_plan_holds_ends_as_they_are_released() -> None:
    fields = {"type": "date", "lower": "1930", "upper": "2010-12", "by": "month"}
    with pytest.raises(ValidationError):
        Date.model_validate(fields)
    assert Date.model_validate(fields | {"lower": "1930-01"}) == Date.of("1930", "2010", "month")


def test_that_a_bound_that_is_less_exact_begins_and_ends_where_it_does() -> None:
    months = Date.of("1930", "2010", "month")
    for bound in ("1987", Decimal(1987)):
        assert months.number_of(bound, is_upper=False) == 12 * 17
        assert months.number_of(bound, is_upper=True) == 12 * 17 + 11
    assert months.number_of("1987-Q2", is_upper=True) == 12 * 17 + 5
    assert months.number_of("1987-06-30", is_upper=True) == 12 * 17 + 5
    assert months.number_of("10:20", is_upper=True) is None
    assert months.number_of(Decimal("19.5"), is_upper=True) is None
    days = Date.of("2023", "2024", "day")
    assert days.number_of("2024-02", is_upper=True) == (date(2024, 2, 29) - EPOCH).days


def test_that_the_grid_of_dates_is_that_of_whole_numbers() -> None:
    months = Date.of("2000-01", "2001-12", "2 months")
    numbers = Integer(lower=360, upper=382, step=2)
    assert np.array_equal(months.values, numbers.values)
    assert (months.span, months.noise_unit, months.origin, months.size, months.two_answers) == (
        (numbers.span, numbers.noise_unit, numbers.origin, numbers.size, numbers.two_answers)
    )


def test_that_rounder_ends_are_those_of_years_and_decades() -> None:
    found = [
        Date.of(*ends).rounder()
        for ends in (("1932-03", "2007-05"), ("2021-02-03", "2023-05-06"), ("1930", "2009"))
    ]
    told = [None if one is None else one.declaration for one in found]
    assert told == ["1930-01..2009-12 by month", "2021-01-01..2023-12-31 by day", None]


def test_that_dates_are_told_from_numbers_in_cells() -> None:
    months, years = Date.of("1930-01", "2010-12"), Date.of("1930", "2010")
    assert months.numeric_cells(months.texts) == "no"
    assert years.numeric_cells(years.texts) == "integer"
    assert months.numeric_cells(["-651.67", "200.1"]) == "real"
