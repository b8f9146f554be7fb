"""Recognises numbers that are written with a unit or with grouped digits: 77.0 kg, 1.234,5.

They are texts until the curator says how to read them: 1,200 may be a thousand or a little more
than one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from dpdesk.data.table import Flags, TextColumn
from dpdesk.data.texts import T
from dpdesk.domains.written_numbers import Writing, number_reader

_CURRENCY = r"[^\w\s+.,'’−-]{1,3}|[A-Z]{3}|[A-Z]{1,2}\$|(?:Fr|Rs|kr|zł)\.?"
"""What may stand before a number: "Group 1" and "Q3" are names."""
_DIGITS = r"[0-9][0-9.,'’ \u00a0\u202f\u2009]*?"
_CELL = re.compile(rf"\s*-?((?:{_CURRENCY})?)\s*[+−-]?({_DIGITS})\s*([^0-9+.,'’-]{{0,20}}?)\s*")
_MARKS = (("", "."), ("", ","), (",", "."), (".", ","), (" ", ","), (" ", "."), ("'", "."))
"""Grouping and decimal mark, those without grouping first."""
_SPACE = r"[ \t\x{00a0}\x{202f}\x{2009}]"
_LIKE_NUMBER = (
    rf"^{_SPACE}*[+\x{{2212}}-]?(?:(?:[0-9]+|[0-9]{{1,3}}(?:(?:{_SPACE}[0-9]{{3}})+"
    r"|(?:['\x{2019}][0-9]{3})+))(?:[.,][0-9]+)?"
    r"|[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]{1,3}(?:\.[0-9]{3})+(?:,[0-9]+)?)"
    rf"{_SPACE}*$"
)
"""Numbers without a unit in any of these ways, in the grammar of RE2."""
_MOSTLY = 0.8
_FIRST_LOOK = 200
_FEW = 12
"""With fewer different answers and no mark in them, such as "3 times", they are categories."""


@dataclass(frozen=True, slots=True)
class MarkedNumbers:
    """How the numbers of a column can be read.

    Attributes:
        writings: The ways; two where a mark may part thousands or be the decimal mark.
        unread: Number of respondents whose answer is no such number.
        answers: Number of all answers.
        has_plain: Whether plain numbers are among them, whose decimal mark may part thousands.
    """

    writings: tuple[Writing, ...]
    unread: int
    answers: int
    has_plain: bool = False

    @property
    def reason(self) -> str:
        """What they look like, as a full sentence without answers."""
        if self.has_plain:
            return T.THOUSANDS_OR_DECIMALS()
        return T.UNITS() if self.writings[0].unit else T.OTHER_MARKS()


def marked_numbers(column: TextColumn, answered: Flags, decimal: str) -> MarkedNumbers | None:
    """Returns how the numbers of a column are written; None where they are plain, or none.

    Args:
        column: The column.
        answered: Which of its distinct texts are answers, shape (distinct_count,).
        decimal: The decimal mark of plain numbers.
    """
    places = np.flatnonzero(answered & (column.counts > 0))
    if len(places) < 2:
        return None
    counts = column.counts[places]
    total = int(counts.sum())
    are_plain = ~np.isnan(column.numbers(decimal).values[places])
    has_plain = bool(counts[are_plain].sum() > (1 - _MOSTLY) * total)
    if has_plain and not _may_part_thousands(column, places, are_plain, decimal):
        return None
    texts: list[str] = column.dictionary.take(places).to_pylist()
    look = texts[:: max(1, len(texts) // _FIRST_LOOK)]
    found = [match for text in look if (match := _CELL.fullmatch(text)) is not None]
    beside = Counter((match[1].strip(), match[3].strip()) for match in found)
    if not beside or beside.most_common(1)[0][1] < _MOSTLY / 2 * len(look):
        return None
    if len(texts) <= _FEW and not any(set(match[2]) - set("0123456789") for match in found):
        return None
    if any(match[2].startswith("0") and match[2][1:2].isdigit() for match in found):
        # Codes, such as 0017B.
        return None
    (before, after), _ = beside.most_common(1)[0]
    shares: dict[Writing, int] = {}
    for grouping, mark in _MARKS:
        writing = Writing(before, grouping, mark, after)
        read = number_reader(writing)
        given = int(counts[[read(text) is not None for text in texts]].sum())
        if given >= _MOSTLY * total:
            shares[writing] = given
    best = max(shares.values(), default=0)
    right = [writing for writing, given in shares.items() if given == best]
    if not right:
        return None
    return MarkedNumbers(_told_apart(right, texts), total - best, total, has_plain)


def _may_part_thousands(
    column: TextColumn, places: npt.NDArray[np.intp], are_plain: Flags, decimal: str
) -> bool:
    """Tells whether the decimal mark of plain numbers may part their thousands: 20.030 beside 379.

    Decimals of one length would stand behind every number, and those without their last zeros
    would differ in length.
    """
    mark = re.escape(decimal)
    thousands = rf"^{_SPACE}*[+-]?[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+{_SPACE}*$"
    are_thousands = column.matching(thousands)[places]
    if not are_thousands.any():
        return False
    are_small = column.matching(rf"^{_SPACE}*[+-]?(?:0|[1-9][0-9]{{0,2}}){_SPACE}*$")[places]
    end_in_zero = are_thousands & column.matching(rf"0{_SPACE}*$")[places]
    others = are_plain & ~are_small & ~are_thousands
    return bool(are_small.any() and end_in_zero.any() and not others.any())


def numbers_with_minus_sign(column: TextColumn, decimal: str) -> Flags:
    """Which distinct texts are plain numbers but for a minus sign that is no hyphen: −5.5.

    bool, shape (distinct_count,).
    """
    return column.matching(rf"^{_SPACE}*\x{{2212}}[0-9]+(?:{re.escape(decimal)}[0-9]*)?{_SPACE}*$")


def numbers_in_any_way(column: TextColumn) -> Flags:
    """Which distinct texts are numbers with one or the other decimal mark, grouped or not.

    No units are among them. bool, shape (distinct_count,).
    """
    return column.matching(_LIKE_NUMBER)


def describe_unlike(
    column: TextColumn, unlike: npt.NDArray[np.int64], answers: int, decimal: str
) -> tuple[str, bool]:
    """Returns how some numbers differ from the plain ones, and whether by their minus alone."""
    count = int(column.counts[unlike].sum())
    if numbers_with_minus_sign(column, decimal)[unlike].all():
        example = f"-9999..9999 as 1234{decimal}5"
        return T.MINUS_SIGNS(count=count, answers=answers, example=example), True
    return T.NUMBERS_UNLIKE(count=count, answers=answers), False


def _told_apart(writings: list[Writing], texts: list[str]) -> tuple[Writing, ...]:
    """Returns one of the ways that read the same numbers, and no more than two others."""
    found: dict[tuple[float | None, ...], Writing] = {}
    for writing in writings:
        read = number_reader(writing)
        found.setdefault(tuple(read(text) for text in texts), writing)
    return tuple(found.values())[:2]
