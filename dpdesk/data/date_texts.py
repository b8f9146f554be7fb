"""Recognises dates in the cells of a column, and how they are written.

Whether 03/05/2024 is in March or in May is never guessed: both patterns are returned, and the
curator is asked. A year of two digits and a time with a zone are told as what hinders reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpdesk.data.table import Flags, TextColumn
from dpdesk.data.texts import T
from dpdesk.domains import Date
from dpdesk.errors import ParameterError
from dpdesk.numbers.calendar import UNITS, CalendarUnit, Moment, iso_moment, pattern_reader

GRID_POINTS = 2_000
"""Most dates of a suggested grid: by days for five years, by months for longer."""

_MOSTLY = 0.8
_FIRST_LOOK = 60
_DIGITS_ONLY = re.compile(r"[0-9]{8}")
_YEARS = range(1900, 2101)
"""Eight digits are dates where all of them lie in these years, else numbers."""
_AS_NUMBERS = re.compile(r"[0-9]+\.[0-9]+")
_LIKE_NUMBERS = ("YYYY.MM", "MM.YYYY")
"""Patterns that an amount such as an income with one decimal fits as well."""

_SIGNS = "./-"
_ORDERS = ("DD{0}MM{0}YYYY", "MM{0}DD{0}YYYY", "YYYY{0}MM{0}DD", "MM{0}YYYY", "YYYY{0}MM")
_CLOCKS: tuple[str, ...] = (
    "",
    " hh:mm",
    " hh:mm:ss",
    "Thh:mm",
    "Thh:mm:ss",
    ", hh:mm",
    ", hh:mm:ss",
)
_HALVES = ("", " hh:mm AM", " hh:mm:ss AM", ", hh:mm AM", ", hh:mm:ss AM")
_TIMES_OF_HALVES = ("hh:mm AM", "hh:mm:ss AM")
_OF_HALVES = re.compile(r"[0-9]\s?[AP]\.?M\b", re.IGNORECASE)
_TWO_DIGITS = re.compile(r"[0-9]{1,2}([./-])[0-9]{1,2}\1[0-9]{2}([, ].*)?")
_CLOCK = r"[0-9]{1,2}:[0-9]{2}[0-9:.,]*(?:\s?[AaPp]\.?[Mm]\.?)?"
_OFFSET = r"[+-][0-9]{1,2}(?::?[0-9]{2})?"
_ZONED = re.compile(
    rf"[0-9]{{1,4}}([./-])[0-9]{{1,2}}\1[0-9]{{1,4}},?[T ]{_CLOCK}"
    rf" ?(?:Z|{_OFFSET}|[A-Z]{{3,4}}(?:{_OFFSET})?)"
)
_MONTHS = (
    "jan feb mar apr may jun jul aug sep oct nov dec mär mrz mai okt dez "
    "fév fev avr juin aoû aou déc ene abr ago dic gen mag giu lug set ott"
)
_DAY = r"[0-9]{1,2}(?:st|nd|rd|th|\.)?"
_NAMED = re.compile(
    rf"(?:[a-zäéû]{{2,12}}\.?,? )?(?:{_DAY}[ -]?)?(?:{_MONTHS.replace(' ', '|')})[a-zéûç]{{0,7}}\.?"
    rf"[ ,-]{{1,2}}(?:{_DAY},? )?[0-9]{{2,4}}(?:[, ].*)?",
    re.IGNORECASE,
)
_HINDERED = (
    (_TWO_DIGITS, T.SHORT_YEARS),
    (_ZONED, T.TIME_ZONES),
    (_NAMED, T.MONTH_NAMES),
)


@dataclass(frozen=True, slots=True)
class DatesFound:
    """The dates of a column.

    Attributes:
        patterns: How they can be read; "" is ISO 8601. More than one where nothing in the cells
            tells whether the day or the month comes first; none where something hinders reading.
        unread: Number of respondents whose answer is no such date.
        answers: Number of all answers.
        hindered: Why they cannot be read, as a sentence; empty where they can.
    """

    patterns: tuple[str, ...]
    unread: int
    answers: int
    hindered: str = ""

    @property
    def reason(self) -> str:
        """Why the column holds dates, as a full sentence without answers."""
        if self.hindered:
            return self.hindered
        if len(self.patterns) > 1:
            return T.DAY_OR_MONTH()
        pattern = self.patterns[0] or "ISO 8601"
        if not self.unread:
            return T.DATES(answers=self.answers, pattern=pattern)
        return T.OTHERS_THAN_DATES(count=self.unread, answers=self.answers, pattern=pattern)


def dates_in(column: TextColumn, answered: Flags) -> DatesFound | None:
    """Returns how the dates of a column are written; None where it does not hold dates.

    Args:
        column: The column.
        answered: Which of its distinct texts are answers, shape (distinct_count,).
    """
    places = np.flatnonzero(answered & (column.counts > 0))
    if len(places) < 2:
        return None
    texts: list[str] = column.dictionary.take(places).to_pylist()
    counts = column.counts[places]
    total = int(counts.sum())
    first = texts[:: max(1, len(texts) // _FIRST_LOOK)]
    shares: dict[str, int] = {}
    for pattern in _patterns(first):
        read = pattern_reader(pattern)
        found = [read(text) for text in texts]
        if pattern == "YYYYMMDD" and not all(m is not None and m.year in _YEARS for m in found):
            continue
        if pattern in _LIKE_NUMBERS and not all(
            moment is not None and moment.year in _YEARS
            for text, moment in zip(texts, found, strict=True)
            if _AS_NUMBERS.fullmatch(text.strip())
        ):
            continue
        if not pattern and all(m is None or m.finest == 0 for m in found):
            # Years alone are numbers.
            continue
        shares[pattern] = int(counts[[moment is not None for moment in found]].sum())
    likely = {pattern: given for pattern, given in shares.items() if given >= _MOSTLY * total}
    if likely:
        best = max(likely.values())
        # One that reads every answer is right; of others nothing tells.
        kept = [pattern for pattern, given in likely.items() if given == best or best < total]
        return DatesFound(tuple(kept), total - best, total)
    for shape, why in _HINDERED:
        like = [shape.fullmatch(text.strip()) is not None for text in texts]
        if counts[like].sum() >= _MOSTLY * total:
            return DatesFound((), total, total, why())
    return None


def _patterns(texts: Sequence[str]) -> Iterator[str]:
    """Yields the patterns that read most of a few texts."""
    candidates = ["", "YYYYMMDD"] if all(map(_DIGITS_ONLY.fullmatch, texts)) else [""]
    joined = "\n".join(texts)
    has_halves = _OF_HALVES.search(joined) is not None
    candidates += _TIMES_OF_HALVES if has_halves else ()
    clocks: tuple[str, ...] = _HALVES if has_halves else _CLOCKS if ":" in joined else _CLOCKS[:1]
    if ", " not in joined:
        clocks = tuple(clock for clock in clocks if not clock.startswith(","))
    for sign in _SIGNS:
        if sign not in joined:
            continue
        # ISO 8601 has the other ones with a line.
        orders = _ORDERS if sign != "-" or has_halves else _ORDERS[:2] + _ORDERS[3:4]
        candidates += [
            order.format(sign) + clock
            for order in orders
            for clock in (clocks if "DD" in order else _CLOCKS[:1])
        ]
    for pattern in candidates:
        read = pattern_reader(pattern)
        if sum(read(text) is not None for text in texts) >= _MOSTLY / 2 * len(texts):
            yield pattern


def dates_of(column: TextColumn, answered: Flags, pattern: str | None = None) -> Date | None:
    """Returns dates that hold all answers of a column; None where the order of a day is open.

    Args:
        column: The column.
        answered: Which of its distinct texts are answers, shape (distinct_count,).
        pattern: How they are written; None to find out.

    Raises:
        ParameterError: They are no dates, or cannot be read as such, or are all the same.
    """
    if pattern is None:
        found = dates_in(column, answered)
        if found is None:
            years = _years(column, answered)
            if years is not None:
                return years
            raise ParameterError(T.NO_DATES(name=column.name))
        if found.hindered:
            raise ParameterError(T.HINDERED_DATES(name=column.name, reason=found.hindered))
        if len(found.patterns) > 1:
            return None
        pattern = found.patterns[0]
    domain = dates_written(column, answered, pattern)
    if domain is None:
        raise ParameterError(T.SINGLE_DATE(name=column.name))
    return domain


def dates_written(column: TextColumn, answered: Flags, pattern: str) -> Date | None:
    """Returns dates that hold all answers of a column; None where no two of them differ.

    Args:
        column: The column.
        answered: Which of its distinct texts are answers, shape (distinct_count,).
        pattern: How they are written.
    """
    places = np.flatnonzero(answered & (column.counts > 0))
    texts: list[str] = column.dictionary.take(places).to_pylist()
    moments = map(pattern_reader(pattern), texts)
    return suggested_dates([moment for moment in moments if moment is not None], pattern)


def _years(column: TextColumn, answered: Flags) -> Date | None:
    texts = [column.distinct[place] for place in np.flatnonzero(answered & (column.counts > 0))]
    moments = [iso_moment(text) for text in texts]
    known = [moment for moment in moments if moment is not None]
    return suggested_dates(known, "") if len(known) >= _MOSTLY * max(len(texts), 1) else None


def suggested_dates(moments: Sequence[Moment], pattern: str) -> Date | None:
    """Returns the dates that hold some moments, from the beginning to the end of whole years.

    They are counted by the finest unit that all moments have, or a coarser one where the grid
    would have more than `GRID_POINTS` dates.

    Returns:
        The dates; None where all moments are the same.
    """
    usual = _usual_exactness(moments)
    for unit in UNITS:
        if unit.needs > usual or (unit.name == "time") != (usual == _TIME):
            continue
        numbers = {number for moment in moments if (number := unit.of(moment)) is not None}
        if len(numbers) < 2 or (unit.name != "year" and max(numbers) - min(numbers) > GRID_POINTS):
            continue
        domain = _outward(unit, min(numbers), max(numbers), pattern)
        if domain.size <= GRID_POINTS or unit.name == "year":
            return domain
    return None


_TIME = UNITS[2].needs


def _usual_exactness(moments: Sequence[Moment]) -> int:
    """Returns how exact at least four of five moments are."""
    exact: npt.NDArray[np.int64] = np.sort([moment.finest for moment in moments])
    return int(exact[int((1 - _MOSTLY) * len(exact))]) if len(exact) else 0


def _outward(unit: CalendarUnit, first: int, last: int, pattern: str) -> Date:
    """Returns the dates of whole years, or days of minutes, that hold two numbers."""
    if unit.name == "time":
        return Date.of("00:00", "23:59", "minute", pattern)
    ends = (unit.text(first), unit.text(last))
    length = 4 if unit.name not in ("minute", "hour") else 10
    return Date.of(ends[0][:length], ends[1][:length], unit.name, pattern)
