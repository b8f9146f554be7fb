"""Dates, and numbers with a unit, are recognised in the cells of a column, and never guessed."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date, timedelta

import numpy as np
import pytest

from dpdesk.data.date_texts import dates_in
from dpdesk.data.marked_numbers import marked_numbers
from dpdesk.data.suggest import suggest_column
from dpdesk.data.table import table_from_texts
from dpdesk.data.texts import T
from dpdesk.domains import Date, Integer, Real
from dpdesk.domains.written_numbers import Writing, number_reader, writing_of
from dpdesk.errors import ParameterError
from dpdesk.numbers.calendar import pattern_reader
from tests.refusals import refused

RANDOM = random.Random(3)
DAYS = [date(1950, 1, 1) + timedelta(days=RANDOM.randrange(20_000)) for _ in range(400)]


def suggested(cells: list[str], name: str = "q"):
    table = table_from_texts({name: cells})
    return suggest_column(table.column(name), table.reading)


@pytest.mark.parametrize(
    ("write", "pattern"),
    [
        (date.isoformat, ""),
        (lambda day: f"{day.isoformat()}T00:00:00", ""),
        (lambda day: f"{day:%Y-%m}", ""),
        (lambda day: f"{day.year}-Q{(day.month + 2) // 3}", ""),
        (lambda day: f"{day:%d.%m.%Y}", "DD.MM.YYYY"),
        (lambda day: f"{day.day}.{day.month}.{day.year}", "DD.MM.YYYY"),
        (lambda day: f"{day:%m/%d/%Y}", "MM/DD/YYYY"),
        (lambda day: f"{day:%d/%m/%Y %H:%M}", "DD/MM/YYYY hh:mm"),
        (lambda day: f"{day:%Y/%m/%d}", "YYYY/MM/DD"),
        (lambda day: f"{day.month}/{day.day}/{day.year} 1:05 PM", "MM/DD/YYYY hh:mm AM"),
        (lambda day: f"{day:%m/%d/%Y, %I:%M:%S}\u202fa.m.", "MM/DD/YYYY, hh:mm:ss AM"),
        (lambda day: f"{day.isoformat()} 12:00am", "YYYY-MM-DD hh:mm AM"),
        (lambda day: f"{day:%d.%m.%Y, %H:%M}", "DD.MM.YYYY, hh:mm"),
        (lambda day: f"{day:%m/%Y}", "MM/YYYY"),
        (lambda day: f"{day:%Y%m%d}", "YYYYMMDD"),
    ],
)
def test_that_dates_are_no_texts_of_thousands_of_categories(
    write: Callable[[date], str], pattern: str
) -> None:
    found = suggested([write(day) for day in DAYS])
    assert found.kind == "date"
    assert isinstance(found.domain, Date)
    assert found.domain.pattern == pattern
    assert found.domain.size <= 2_000
    assert (found.domain.lower[:4], found.domain.upper[:4]) == ("1950", "2004")
    assert not found.domain.outside([write(day) for day in DAYS]).any()


def test_that_amounts_with_one_decimal_are_no_months() -> None:
    # 2024.1 could be a month; nobody was asked in the year 4521.
    amounts = [f"{1_000 + row * 137 % 8_999}.{1 + row % 9}" for row in range(300)]
    assert suggested(amounts).kind == "real"
    ratios = [f"{1 + row % 12}.{1_000 + row * 137 % 8_999}" for row in range(300)]
    assert suggested(ratios).kind == "real"
    months = [f"{1_950 + row % 60}.{1 + row % 12:02}" for row in range(300)]
    assert suggested(months).kind == "date"


def test_that_days_of_few_years_stay_days_and_times_stay_times() -> None:
    few = suggested([(date(2022, 1, 1) + timedelta(days=i % 700)).isoformat() for i in range(900)])
    assert few.domain == Date.of("2022-01-01", "2023-12-31")
    clock = suggested([f"{8 + i % 12:02}:{i % 60:02}" for i in range(300)])
    assert clock.domain == Date.of("00:00", "23:59")


def test_that_hours_of_half_a_day_begin_at_midnight_and_at_noon() -> None:
    read = pattern_reader("MM/DD/YYYY hh:mm AM")
    cells = ("3/5/2024 12:00 AM", "3/5/2024 1:05 p.m.", "3/5/2024 12:59PM", "3/5/2024 13:00 PM")
    minutes = [None if (found := read(cell)) is None else found.minute for cell in cells]
    assert minutes == [0, 13 * 60 + 5, 12 * 60 + 59, None]
    times = [f"{1 + i % 12}:{i % 60:02} {'AP'[i % 2]}M" for i in range(300)]
    assert suggested(times).domain == Date.of("00:00", "23:59", pattern="hh:mm AM")
    for wrong in ("MM/DD/YYYY AM", "MM/DD/YYYY ss", "AM"):
        with pytest.raises(ParameterError):
            pattern_reader(wrong)


def test_that_the_order_of_day_and_month_is_left_open() -> None:
    cells = [f"{1 + i % 12:02}/{1 + i % 11:02}/{1990 + i % 20}" for i in range(500)]
    found = suggested(cells)
    assert (found.kind, found.domain) == ("date", None)
    assert found.reason == T.DAY_OR_MONTH()
    known = suggested([*cells, "13/01/1999"])
    assert isinstance(known.domain, Date)
    assert known.domain.pattern == "DD/MM/YYYY"
    # Where each order leaves some unread, neither is right.
    mixed = [*cells, *["13/01/1999"] * 20, *["01/13/1999"] * 20]
    assert suggested(mixed).domain is None


@pytest.mark.parametrize(
    ("cells", "told"),
    [
        ([f"{1 + i % 28:02}.{1 + i % 12:02}.{i % 90 + 10}" for i in range(300)], "short-years"),
        ([f"2024-01-{1 + i % 28:02}T10:20:00Z" for i in range(300)], "time-zones"),
        ([f"2024-01-{1 + i % 28:02} 10:{i % 60:02}+02:00" for i in range(300)], "time-zones"),
        ([f"2024/01/{1 + i % 28} 1:{i % 60:02}:09 PM GMT+1" for i in range(300)], "time-zones"),
        ([f"{1 + i % 12}/{1 + i % 28}/2024 10:20 CEST" for i in range(300)], "time-zones"),
        ([f"{1 + i % 12}/{1 + i % 28}/24, 1:20 PM" for i in range(300)], "short-years"),
        ([f"{1 + i % 28}-Mar-2024 1:20 PM" for i in range(300)], "month-names"),
        ([f"Dez. {1 + i % 28}, 2024" for i in range(300)], "month-names"),
    ],
)
def test_that_what_hinders_reading_is_told(cells: list[str], told: str) -> None:
    found = suggested(cells)
    assert (found.kind, found.domain) == ("date", None)
    assert getattr(found.reason, "id", "") == f"data.{told}"


def test_that_cells_in_another_way_are_counted() -> None:
    cells = [day.isoformat() for day in DAYS] + ["31/04/2024", "45356", "2023-02-29"] * 10
    found = suggested(cells)
    assert isinstance(found.domain, Date)
    assert found.reason == T.OTHERS_THAN_DATES(count=30, answers=430, pattern="ISO 8601")
    assert not any(cell in found.reason for cell in cells)


@pytest.mark.parametrize(
    "cells",
    [
        [str(1930 + i % 80) for i in range(300)],
        [f"{i % 40 + 18}-{i % 40 + 25}" for i in range(300)],
        [f"192.168.{i % 200}.{i % 7}" for i in range(300)],
        [str(44_000 + i % 900) for i in range(1800)],
        [f"{10_000_000 + 37 * i}" for i in range(300)],
        [f"{1100 + i % 90}01{1 + i % 28:02}" for i in range(300)],
    ],
)
def test_that_years_ranges_addresses_and_serial_numbers_are_no_dates(cells: list[str]) -> None:
    column = table_from_texts({"q": cells}).columns[0]
    assert dates_in(column, np.ones(column.distinct_count, dtype=np.bool_)) is None
    assert suggested(cells).kind != "date"


def grouped(number: float, decimals: int, thousands: str, mark: str) -> str:
    return f"{number:,.{decimals}f}".translate(str.maketrans({",": thousands, ".": mark}))


@pytest.mark.parametrize(
    ("write", "example", "unit"),
    [
        (lambda x: f"{x:.1f} kg", "1234.5 kg", "kg"),
        (lambda x: f"{x:.1f}kg", "1234.5 kg", "kg"),
        (lambda x: f"{x:.0f} %", "1234.5 %", "%"),
        (lambda x: grouped(100 * x, 2, " ", ","), "1 234,5", ""),
        (lambda x: grouped(100 * x, 2, ".", ","), "1.234,5", ""),
        (lambda x: grouped(100 * x, 2, "'", "."), "1'234.5", ""),
        (lambda x: "$" + grouped(100 * x, 2, ",", "."), "$1,234.5", "$"),
        (lambda x: "CHF " + grouped(100 * x, 2, "’", "."), "CHF 1'234.5", "CHF"),
        (lambda x: f"-€{x:.2f}", "€1234.5", "€"),
        (lambda x: f"{x:.2f}\u00a0m²".replace(".", ","), "1234,5 m²", "m²"),
    ],
)
def test_that_numbers_with_a_unit_or_groups_are_recognised_and_not_swallowed(
    write: Callable[[float], str], example: str, unit: str
) -> None:
    numbers = [RANDOM.uniform(1, 400) for _ in range(300)]
    cells = [write(number) for number in numbers]
    column = table_from_texts({"q": cells}).columns[0]
    found = marked_numbers(column, np.ones(column.distinct_count, dtype=np.bool_), ".")
    assert found is not None
    assert ([one.example for one in found.writings], found.unread) == ([example], 0)
    assert found.writings[0].unit == unit
    assert suggested(cells).kind == "real"
    assert suggested(cells).domain is None
    read = number_reader(found.writings[0])
    digits = ["".join(sign for sign in cell if sign.isdigit()).rstrip("²") for cell in cells]
    for cell, number in zip(cells, digits, strict=True):
        told = read(cell)
        assert told is not None
        assert f"{abs(told):.2f}".replace(".", "").strip("0") == number.strip("0")


def test_that_a_mark_with_two_meanings_is_asked_about() -> None:
    cells = [f"{1 + i % 9},{100 + i % 899}" for i in range(300)]
    column = table_from_texts({"q": cells}).columns[0]
    found = marked_numbers(column, np.ones(column.distinct_count, dtype=np.bool_), ".")
    assert found is not None
    assert {one.example for one in found.writings} == {"1234,5", "1,234.5"}
    assert sorted({number_reader(one)("1,200") for one in found.writings}) == [1.2, 1200.0]


@pytest.mark.parametrize(
    "cells",
    [
        [f"{i % 50}.5" for i in range(300)],
        [f"Group {i % 40}" for i in range(300)],
        [f"Q{i % 40}" for i in range(300)],
        [f"{i % 5} times" for i in range(300)],
        [f"{i:05}B" for i in range(300)],
        [f"{18 + i % 40}-{25 + i % 40}" for i in range(300)],
        [f"079 123 {i % 90 + 10} {i % 80 + 10}" for i in range(300)],
    ],
)
def test_that_plain_numbers_codes_and_categories_are_not_asked_about(cells: list[str]) -> None:
    column = table_from_texts({"q": cells}).columns[0]
    assert marked_numbers(column, np.ones(column.distinct_count, dtype=np.bool_), ".") is None


@pytest.mark.parametrize(
    ("example", "cell", "number"),
    [
        ("1234.5 kg", "77.0 kg", 77.0),
        ("1234.5 kg", "77 KG", 77.0),
        ("1234.5 kg", "77.0", None),
        ("1234.5 kg", "77.0 lb", None),
        ("1234.5 kg", "77,5 kg", None),
        ("1.234,5", "12.345,50", 12345.5),
        ("1.234,5", "12345,50", 12345.5),
        ("1.234,5", "1.23,5", None),
        ("1.234,5", "1.2345", None),
        ("1 234,5", "12\u202f345,50", 12345.5),
        ("$1,234.5", "-$1,200", -1200.0),
        ("$1,234.5", "$-1,200", -1200.0),
        ("$1,234.5", "-$-5", None),
        ("$1,234.5", "($5)", None),
        ("1234.5 %", "45 %", 45.0),
        ("1234.5 %", "1e3 %", None),
        ("1234.5 %", "٤٥ %", None),
        ("1234.5 kg", " kg", None),
        ("1234.5 kg", "9" * 400 + " kg", None),
    ],
)
def test_that_a_cell_is_read_as_the_example_says_and_not_otherwise(
    example: str, cell: str, number: float | None
) -> None:
    assert number_reader(writing_of(example))(cell) == number


@pytest.mark.parametrize(
    "example", ["", "1234", "1.234.5", "77.0 kg", "1,234,5", "12345", "x" * 99]
)
def test_that_what_is_no_example_is_refused(example: str) -> None:
    with refused("domains.no-writing"):
        writing_of(example)


def test_that_an_example_says_what_it_was_made_of() -> None:
    for before in ("", "$", "CHF"):
        for grouping, mark in (
            ("", "."),
            ("", ","),
            (",", "."),
            (".", ","),
            (" ", ","),
            ("'", "."),
        ):
            for after in ("", "%", "kg", "m²"):
                writing = Writing(before, grouping, mark, after)
                assert writing_of(writing.example) == writing


def test_that_numbers_as_written_are_codes_of_the_grid() -> None:
    weights = Real.model_validate(
        {"lower": "40", "upper": "150", "resolution": "0.5", "unit": "kg", "written": "1234.5 kg"}
    )
    texts = ["77.0 kg", "77 kg", "30.0 kg", "heavy", "77"]
    assert weights.encode(texts).tolist() == [74, 74, 0, -1, -1]
    assert weights.outside(texts).tolist() == [False, False, True, True, True]
    assert list(weights.canonical(texts)) == ["77", "77", "30", "heavy", "77"]
    assert weights.texts[74] == "77.0"
    plain = Integer(lower=0, upper=5)
    assert "written" not in plain.model_dump_json()
