"""A released column as files of statistics programs hold it: numbers, labels, codes of no answer.

Such a program wants one type in a column, and knows what a value means. Everything here follows
from the public plan and, of columns that are released as they are, from the released texts: neither
the order of a dictionary nor a label says more of the data than the records do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from math import floor, isfinite, isnan
from string import ascii_lowercase
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.column_description import Level
from dpdesk.data.missing_codes import CodeRange, TypedCodes
from dpdesk.domains import parse_number
from dpdesk.numbers.calendar import UnitName, iso_moment, unit_named

CellKind = Literal[
    "number", "text", "moment", "clock", "minute", "hour", "time", "day", "month", "quarter"
]
"""What the cells of a column are; all but the first two are dates and times, counted in that unit.

Moments and times of a day (clock) that have seconds are counted in milliseconds.
"""

_WITH_SECONDS: dict[UnitName, CellKind] = {"minute": "moment", "time": "clock"}
_SECONDS = re.compile(r"(?::([0-9]{2}(?:\.[0-9]{1,3})?))?")
_MILLISECONDS = 60_000
"""Milliseconds of a minute."""
_SHORT_CODE = 8
"""Most bytes of a text that SPSS can declare to be missing."""
_TAG = re.compile(r"\.[a-z]")
_FIRST_YEAR, _LAST_YEAR = 1583, 9999
"""Dates of other years are no dates to SPSS, which begins with the Gregorian calendar."""
_WHOLE_MOST = 2.0**53


@dataclass(frozen=True, eq=False)
class WrittenColumn:
    """One column of the records, and what is said of it.

    Attributes:
        name: Its name in `records.csv`, before a formula is neutralised.
        label: The question, or a longer name.
        level: Level of measurement.
        texts: Every text that a cell can have, each once; empty where cells are whole numbers.
        limit: How many whole numbers a cell can have, from 0 on; 0 where cells are texts.
        meanings: What a text means.
        answers: The texts that are answers of a list, in its order; empty for other columns.
        no_answer: The text among `texts` that stands for "no answer"; empty for none.
        missing: Codes that mean "no answer" in a column that is released as it is; of others, those
            of the survey, of which the first that suits stands for `no_answer`.
        are_codes_kept: Whether a cell can hold these codes.
        is_ordered: Whether the answers of the list are in an order.
        are_numbers: Whether texts are numbers, however they are written.
        decimal: Decimal mark of these numbers.
        unit: The unit of its dates; None for no dates.
        is_weight: Whether respondents are weighted by it.
    """

    name: str
    label: str = ""
    level: Level = ""
    texts: tuple[str, ...] = ()
    limit: int = 0
    meanings: Mapping[str, str] = field(default_factory=dict)
    answers: tuple[str, ...] = ()
    no_answer: str = ""
    missing: TypedCodes = field(default_factory=TypedCodes)
    are_codes_kept: bool = False
    is_ordered: bool = False
    are_numbers: bool = False
    decimal: str = "."
    unit: UnitName | None = None
    is_weight: bool = False

    @cached_property
    def kind(self) -> CellKind:
        """What its cells are."""
        if self.limit:
            return "number"
        if self.unit is not None and self.unit != "year":
            return self._plain_kind if self._dates is None else self._dates[0]
        return self._plain_kind

    @property
    def _plain_kind(self) -> CellKind:
        if self.answers:
            is_list = self.is_ordered or all(map(_is_plain, self.answers))
            return "number" if is_list else "text"
        is_given = any(text and not self.is_code(text) for text in self.texts)
        return "number" if is_given and not any(map(self.shows_text, self.texts)) else "text"

    def shows_text(self, text: str) -> bool:
        """Whether a column without a list holds texts, and not numbers, where a cell has this."""
        return bool(text) and not self.is_code(text) and self._number(text) is None

    def is_code(self, text: str) -> bool:
        """Whether a text is a declared code of no answer."""
        return text in self.missing.tokens

    @cached_property
    def numbers(self) -> NDArray[np.float64]:
        """The number of each text, shape (len(texts),); NaN for an empty cell.

        A text that is no number has the code that stands for it. Dates are counted in their unit,
        from 1970 on.
        """
        if self.kind not in ("number", "text") and self._dates is not None:
            return self._dates[1]
        codes = self.codes
        found = (codes[text] if text in codes else self._number(text) for text in self.texts)
        return np.array([np.nan if number is None else number for number in found])

    @cached_property
    def codes(self) -> Mapping[str, float]:
        """The number that stands for each text that is not a number, in a column of numbers."""
        if self.kind != "number" or not self.texts:
            return {}
        if self.is_ordered and not all(map(_is_plain, self.answers)):
            known = {text: float(place) for place, text in enumerate(self.answers, start=1)}
            rest = [text for text in self.texts if text and text not in known]
        else:
            known = {}
            rest = [text for text in self.texts if text and self._number(text) is None]
        taken = {*known.values(), *(n for t in self.texts if (n := self._number(t)) is not None)}
        for text in rest:
            known[text] = self._free_code(text, taken)
            taken.add(known[text])
        return known

    @cached_property
    def tags(self) -> Mapping[str, str]:
        """The letter of Stata's extended missing value for each text that has one.

        Every other code of no answer gets a letter of its own, as Stata has no codes among its
        numbers; where there are more than letters, they stay numbers.
        """
        if self.kind != "number" or not self.texts:
            return {}
        found = {text: text[1] for text in self.texts if _TAG.fullmatch(text)}
        declared = [code[1] for code in self.missing.tokens if _TAG.fullmatch(code)]
        if self.no_answer and declared:
            found[self.no_answer] = declared[0]
        others = [t for t in self.texts if t and t not in found and self._is_no_answer(t)]
        free = [letter for letter in ascii_lowercase if letter not in {*declared, *found.values()}]
        if len(others) <= len(free):
            found |= zip(others, free, strict=False)
        return found

    @property
    def number_labels(self) -> Iterator[tuple[str, float, str]]:
        """Yields text, number and meaning of every number that means something, in their order."""
        codes = self.codes
        for text, number in zip(self.texts, self.numbers.tolist(), strict=True):
            # A report with noise that is 98 by chance is no code.
            own = self.missing.labels.get(text, "") if self.are_codes_kept else ""
            meaning = self.meanings.get(text) or own or (text if text in codes else "")
            if meaning and not np.isnan(number):
                yield text, number, meaning
        if self.are_codes_kept:
            known = set(self.texts)
            for text, meaning in self.missing.labels.items():
                number = _plain_number(text)
                if number is not None and text not in known:
                    yield text, number, meaning

    @property
    def text_labels(self) -> Iterator[tuple[str, str]]:
        """Yields each text that means something with its meaning, in a column of texts.

        Codes of no answer that no cell has are among them, as among the numbers.
        """
        meanings = {text: self.meanings.get(text, "") for text in self.texts}
        if self.are_codes_kept:
            meanings |= dict.fromkeys((t for t in self.missing_texts if t not in meanings), "")
        for text, meaning in meanings.items():
            told = meaning or (self.missing.labels.get(text, "") if self.are_codes_kept else "")
            if text and told:
                yield text, told

    @cached_property
    def with_short_code(self) -> WrittenColumn:
        """The column of texts with a code for "no answer" that SPSS can declare to be missing.

        Its own text if that is short enough, else the first declared code that is, else NA. The
        label says what it is. The same column where every one of these is an answer.
        """
        own = self.no_answer
        if self.kind != "text" or not own or len(own.encode()) <= _SHORT_CODE:
            return self
        fits = (c for c in (*self.missing.tokens, "NA") if c and len(c.encode()) <= _SHORT_CODE)
        code = next((code for code in fits if code not in self.texts), None)
        if code is None:
            return self
        return replace(
            self,
            texts=tuple(code if text == own else text for text in self.texts),
            meanings={**self.meanings, code: self.meanings.get(own, own)},
            no_answer=code,
        )

    @property
    def missing_numbers(self) -> tuple[float, ...]:
        """The numbers that mean "no answer", each once."""
        codes = self.codes
        found = [codes[self.no_answer]] if self.no_answer in codes else []
        if self.are_codes_kept:
            plain = (_plain_number(text) for text in self.missing.tokens)
            found += [number for number in plain if number is not None]
            found += [codes[text] for text in self.missing.tokens if text in codes]
        return tuple(dict.fromkeys(found))

    @property
    def missing_ranges(self) -> tuple[CodeRange, ...]:
        """Ranges of numbers that mean "no answer"."""
        return self.missing.ranges if self.are_codes_kept and self.kind == "number" else ()

    @property
    def missing_texts(self) -> tuple[str, ...]:
        """Texts that mean "no answer", in a column of texts."""
        own = (self.no_answer,) if self.no_answer else ()
        kept = tuple(t for t in self.missing.tokens if t) if self.are_codes_kept else ()
        return tuple(dict.fromkeys((*own, *kept)))

    @cached_property
    def text_bytes(self) -> int:
        """Bytes of its longest text in UTF-8, at least 1."""
        return max((len(text.encode()) for text in self.texts), default=1) or 1

    @cached_property
    def text_signs(self) -> int:
        """Characters of its longest text as Excel counts them, in UTF-16."""
        return max((len(text.encode("utf-16-le")) // 2 for text in self.texts), default=0)

    @cached_property
    def has_fractions(self) -> bool:
        """Whether some of its moments have fractions of a second."""
        return self.kind in ("moment", "clock") and bool(np.any(self.numbers % 1000 > 0))

    @cached_property
    def are_whole(self) -> bool:
        """Whether its numbers are whole, so that a program of statistics shows no decimals."""
        return bool(self.whole.all())

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Which of `numbers` are whole; an empty cell is taken for one that is."""
        numbers = self.numbers
        is_whole = (np.abs(numbers) <= _WHOLE_MOST) & (numbers == np.floor(numbers))
        return np.asarray(is_whole | np.isnan(numbers))

    @cached_property
    def decimals(self) -> int:
        """Most digits behind the decimal mark of its numbers, as their texts have them."""
        found = 0
        for text, number in zip(self.texts, self.numbers.tolist(), strict=True):
            if text in self.codes or isnan(number):
                continue
            digits = text.strip().rpartition(self.decimal)[2] if self.decimal in text else ""
            if not digits.isdecimal():
                # In scientific notation, or written by a program that uses another mark.
                digits = f"{Decimal(repr(number)):f}".partition(".")[2].rstrip("0")
            found = max(found, len(digits))
        return found

    @cached_property
    def _dates(self) -> tuple[CellKind, NDArray[np.float64]] | None:
        """What the dates are counted in, and that of each text.

        None where some text is no date, is beyond every calendar, or says more than milliseconds.
        """
        if self.unit is None or self.unit == "year" or self.are_numbers:
            return None
        if (plain := self._counted(self.unit, 1)) is not None:
            return self.unit, plain
        finer = _WITH_SECONDS.get(self.unit)
        found = None if finer is None else self._counted(self.unit, _MILLISECONDS)
        return None if finer is None or found is None else (finer, found)

    def _counted(self, name: UnitName, parts: int) -> NDArray[np.float64] | None:
        """The date of each text in parts of a unit; None where some text says more than that."""
        unit, found = unit_named(name), []
        for text in self.texts:
            moment = iso_moment(text) if text else None
            number = None if moment is None else unit.of(moment)
            if moment is None or number is None:
                if text:
                    return None
                found.append(np.nan)
                continue
            # Databases write a blank where ISO 8601 has a T.
            rest = text.replace(" ", "T", 1).removeprefix(unit.text(number))
            seconds = _SECONDS.fullmatch(rest)
            # Files of statistics programs are read with their seconds, which may all be 0.
            number_of = None if seconds is None else parse_number(seconds[1] or "0")
            past = 0 if number_of is None else round(1000 * number_of)
            if seconds is None or (parts == 1 and past):
                return None
            if self.unit != "time" and not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
                return None
            found.append(float(number * parts + past))
        return np.array(found)

    def _number(self, text: str) -> float | None:
        return self._read(text) if self.are_numbers else _plain_number(text)

    def _read(self, text: str) -> float | None:
        number = parse_number(text, self.decimal)
        return number if number is not None and isfinite(number) else None

    def _is_no_answer(self, text: str) -> bool:
        """Whether a text is the one that stands for no answer, or a code that a cell can hold."""
        if text == self.no_answer or (self.are_codes_kept and self.is_code(text)):
            return True
        number = self._number(text)
        ranges = () if number is None else self.missing_ranges
        return any(one.holds(np.array([number]))[0] for one in ranges)

    def _free_code(self, text: str, taken: set[float]) -> float:
        """Returns a number for a text: a declared code of no answer, else the next free one."""
        if text == self.no_answer:
            for code in self.missing.tokens:
                number = _plain_number(code)
                if number is not None and number not in taken:
                    return number
        number = float(floor(max(taken, default=0.0)) + 1)
        for _ in self.missing.ranges:
            for one in self.missing.ranges:
                if one.holds(np.array([number]))[0] and one.upper is not None:
                    number = float(floor(one.upper) + 1)
        return number


def _plain_number(text: str) -> float | None:
    """Returns the number of a text that is written as a program writes it; 007 is a text."""
    number = parse_number(text)
    if number is None or not isfinite(number) or abs(number) > _WHOLE_MOST:
        return None
    return number if text == (str(int(number)) if number.is_integer() else repr(number)) else None


def _is_plain(text: str) -> bool:
    return _plain_number(text) is not None
