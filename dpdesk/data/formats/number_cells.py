"""Texts of cells that a file holds as binary numbers: their digits, dates and times in ISO 8601."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

ENCODED = pa.dictionary(pa.int32(), pa.string())
"""How the pieces of a column are encoded."""

Floats = npt.NDArray[np.float64]
NumberText = Callable[[float], str]
"""Returns the text of a number that is not NaN."""

_WHOLE = 2.0**64
"""Whole numbers below it are written with all digits, as those of 64 bits are: a part of a table
may hold as whole numbers what another one, for the sake of its empty cells, does not."""

_DAY = 86_400


def number_text(number: float) -> str:
    """Returns the shortest digits that are this number: 0.1, and 3 for 3.0."""
    whole = int(number) if -_WHOLE < number < _WHOLE else None
    return str(whole) if whole is not None and whole == number else repr(float(number))


def single_text(number: float) -> str:
    """Returns the shortest digits that are this number in single precision: 0.1, 3.4e+38."""
    return _rounded_text(number, np.float32)


def half_text(number: float) -> str:
    """Returns the shortest digits that are this number in half precision: 0.1."""
    return _rounded_text(number, np.float16)


def _rounded_text(number: float, precision: type[np.floating[Any]]) -> str:
    if abs(number) < _WHOLE and float(number).is_integer():
        return number_text(number)
    return str(precision(number))


def texts_of_numbers(values: Floats, text: NumberText = number_text) -> list[str]:
    """Returns the texts of numbers; NaN is an empty cell.

    Args:
        values: The numbers, shape (n,).
        text: The text of a number.
    """
    return ["" if math.isnan(number) else text(number) for number in values.tolist()]


def encoded_numbers(
    values: Floats, text: NumberText = number_text, special: Sequence[str] | None = None
) -> pa.DictionaryArray:
    """Returns cells of numbers as texts; NaN is an empty cell.

    Args:
        values: The numbers, shape (n,).
        text: The text of a number.
        special: Texts of length n that stand in the place of a number where they are not empty.
    """
    distinct, codes = np.unique(values, return_inverse=True)
    texts = texts_of_numbers(distinct, text)
    if special is None:
        return encoded_codes(texts, codes)
    place = {word: len(texts) + index for index, word in enumerate(dict.fromkeys(special))}
    others = np.array([place[word] for word in special], dtype=np.int64)
    is_special = np.array([bool(word) for word in special], dtype=np.bool_)
    return encoded_codes([*texts, *place], np.where(is_special, others, codes))


def encoded_texts(cells: Sequence[str]) -> pa.DictionaryArray:
    """Returns cells that are texts."""
    return pa.array(cells, type=pa.string()).dictionary_encode()


def encoded_codes(
    texts: Sequence[str] | pa.Array, codes: npt.NDArray[np.integer[Any]]
) -> pa.DictionaryArray:
    """Returns cells by the positions of their texts, of which some may be equal or not occur."""
    # What no cell holds is no answer: a null that is not there, a category that nobody chose.
    occurs = np.bincount(codes, minlength=len(texts)) > 0
    known = texts if isinstance(texts, pa.Array) else pa.array(texts, type=pa.string())
    # Two numbers beyond the calendar can have one text.
    merged = known.filter(pa.array(occurs)).dictionary_encode()
    recode = np.zeros(len(texts), dtype=np.int32)
    recode[occurs] = merged.indices.to_numpy(zero_copy_only=False)
    return pa.DictionaryArray.from_arrays(pa.array(recode[codes]), merged.dictionary).cast(ENCODED)


def moment_text(origin: datetime, per_second: int, *, is_date: bool) -> NumberText:
    """Returns what writes a number of seconds, or parts of them, since an origin.

    A date with a time of day other than midnight is written with it; a number beyond the calendar
    stays a number: nothing is lost.

    Args:
        origin: The moment of number 0.
        per_second: How many of the units make a second.
        is_date: Whether a moment at midnight is written as a date.
    """

    def text(number: float) -> str:
        seconds = Decimal(repr(number)) / per_second
        whole = seconds.to_integral_value("ROUND_FLOOR")
        try:
            moment = origin + timedelta(seconds=int(whole))
        except OverflowError:
            return number_text(number)
        fraction = _fraction(seconds - whole)
        if is_date and not fraction and moment.time() == datetime.min.time():
            return moment.date().isoformat()
        return f"{moment.isoformat()}{fraction}"

    return text


def day_text(origin: datetime) -> NumberText:
    """Returns what writes a number of days since an origin."""
    seconds = moment_text(origin, 1, is_date=True)
    return lambda days: seconds(days * _DAY) if float(days).is_integer() else number_text(days)


def duration_text(per_second: int) -> NumberText:
    """Returns what writes a number of seconds, or parts of them, as hours, minutes and seconds.

    An infinite number stays one.
    """

    def text(number: float) -> str:
        if math.isinf(number):
            return number_text(number)
        seconds = abs(Decimal(repr(number))) / per_second
        whole = seconds.to_integral_value("ROUND_FLOOR")
        minutes, rest = divmod(int(whole), 60)
        hours, minutes = divmod(minutes, 60)
        sign = "-" if number < 0 else ""
        return f"{sign}{hours:02}:{minutes:02}:{rest:02}{_fraction(seconds - whole)}"

    return text


def _fraction(part: Decimal) -> str:
    """The digits of a fraction of a second with its point; empty for none."""
    return format(part, "f")[1:].rstrip("0") if part else ""
