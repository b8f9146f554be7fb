"""Encodes a column of text as codes of its declared domain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.encoding import UNREADABLE
from dpdesk.data.missing_codes import CodeRange
from dpdesk.data.reading import Reading
from dpdesk.data.spool import scratch
from dpdesk.data.table import TextColumn
from dpdesk.domains import AnyDomain, NumericDomain, parse_number
from dpdesk.i18n import joined
from dpdesk.numbers.arrays import pieces_of
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.texts import T


@dataclass(frozen=True, slots=True)
class EncodedColumn:
    """Codes of one column; the counts are private to the holder of the data.

    Attributes:
        code_of: Code of each distinct text of the column; -1 for none, and for a missing answer
            that stays blank.
        missing: Number of missing answers.
        outside: Number of answers outside the declared domain (clamped, put to "other", or
            without a code).
        unfit: Number of those that do not fit the domain: numbers outside the bounds, texts that
            are not numbers, and texts that are not categories unless "other" takes them.
        rounded: Number of answers within the bounds that lie between two steps of the grid, and
            become the nearest.
        unreadable: Number of those that cannot be read: not a number, or invalid bytes.
        uncoded: Number of answers without a code, other than missing ones that stay blank: they
            block a release of records.
        uncoded_missing: Number of those that are missing answers.
    """

    code_of: NDArray[np.int32]
    missing: int = 0
    outside: int = 0
    unfit: int = 0
    rounded: int = 0
    unreadable: int = 0
    uncoded: int = 0
    uncoded_missing: int = 0


def encode_column(
    column: ColumnPlan,
    texts: TextColumn,
    reading: Reading | None = None,
    *,
    answers_only: bool = False,
) -> EncodedColumn:
    """Encodes a column by its declared domain and its policy for missing answers.

    Each answer is read separately: none of them changes the meaning of another. The work is per
    distinct text, not per row.

    Args:
        column: The column of the plan, with a domain.
        texts: The column of the table.
        reading: How the file is read; the default reading if None.
        answers_only: Whether a missing answer that is protected with the numbers has no code, as
            statistics need it: they leave it out.
    """
    reading = Reading() if reading is None else reading
    domain = column.effective_domain
    assert column.domain is not None  # noqa: S101 - callers check the plan first
    assert domain is not None  # noqa: S101 - follows from the line above
    missing = missing_texts(column, texts, reading)
    code_of: NDArray[np.int32] = scratch(texts.distinct_count, np.dtype(np.int32), texts.name)
    treatment = column.missing.treatment
    # An answer that cannot be read or found counts as missing: nothing else is known of it.
    unread = treatment.code(domain, column.missing) if treatment.takes_unread else -1
    if answers_only and domain.holds_numbers and unread >= domain.size:
        unread = -1
    counted: Counter[str] = Counter()
    if isinstance(domain, NumericDomain):
        read = partial(_numbers_encoded, domain, texts.on_grid(domain, reading.decimal))
    else:
        read = partial(_texts_encoded, column, domain, texts, texts.holding(UNREADABLE))
    # Piece by piece: a real column can have as many different texts as there are rows.
    for some in pieces_of(texts.distinct_count):
        found, is_missing, times = read(some), missing[some], texts.counts[some]
        codes = code_of[some] = np.where(is_missing | (found.codes < 0), unread, found.codes)
        uncoded = codes < 0
        if treatment.stays_blank:
            uncoded &= ~is_missing
        answered = np.where(is_missing, 0, times)
        counted["missing"] += int(times @ is_missing)
        counted["outside"] += int(answered @ found.outside)
        counted["unfit"] += int(answered @ found.unfit)
        counted["rounded"] += int(answered @ found.rounded)
        counted["unreadable"] += int(answered @ found.unreadable)
        counted["uncoded"] += int(times @ uncoded)
        counted["uncoded_missing"] += int(times @ (uncoded & is_missing))
    return EncodedColumn(code_of, **counted)


@dataclass(frozen=True, slots=True)
class _Encoded:
    """Some distinct texts: their codes, and which of them are what `EncodedColumn` counts."""

    codes: NDArray[np.int32]
    outside: NDArray[np.bool_]
    unfit: NDArray[np.bool_]
    unreadable: NDArray[np.bool_]
    rounded: NDArray[np.bool_]


def _numbers_encoded(domain: NumericDomain, numbers: NDArray[np.float64], some: slice) -> _Encoded:
    """Encodes some distinct texts as the nearest of the domain's numbers."""
    own = numbers[some]
    outside, rounded = domain.beyond(own), domain.between_steps(own)
    return _Encoded(domain.nearest(own), outside, outside, np.isnan(own), rounded)


def _texts_encoded(
    column: ColumnPlan,
    domain: AnyDomain,
    texts: TextColumn,
    spoilt: NDArray[np.bool_],
    some: slice,
) -> _Encoded:
    """Encodes some distinct texts as answers that are listed."""
    assert column.domain is not None  # noqa: S101 - as in `encode_column`
    # Only the declared answers are valid: a cell with the same text as the category of missing
    # answers is outside the domain like any other.
    cells = texts.distinct_at(some)
    outside = column.domain.outside(cells)
    codes = domain.encode(cells)
    codes[outside] = domain.encode([column.other])[0] if column.other else -1
    unreadable = outside & spoilt[some]
    unfit = unreadable if column.other else outside
    return _Encoded(codes, outside, unfit, unreadable, np.zeros(len(codes), dtype=np.bool_))


def unknown_respondents(
    column: ColumnPlan, texts: TextColumn, reading: Reading
) -> NDArray[np.bool_]:
    """Returns which distinct texts of a column of respondents identify nobody.

    Two names with invalid bytes could be taken for one, so that they identify nobody.
    """
    unknown = missing_texts(column, texts, reading)
    unknown |= texts.blank
    unknown |= texts.holding(UNREADABLE)
    return unknown


def unread_texts(column: ColumnPlan, texts: TextColumn, reading: Reading) -> NDArray[np.bool_]:
    """Returns which distinct texts are answers that cannot be read or found in the domain.

    Numbers beyond the bounds are read, and categories outside are found where "other" takes them.

    Args:
        column: The column of the plan, with a domain.
        texts: The column of the table.
        reading: How the file is read.
    """
    domain = column.domain
    assert domain is not None  # noqa: S101 - callers check the plan first
    unread = ~missing_texts(column, texts, reading)
    if isinstance(domain, NumericDomain):
        numbers = texts.on_grid(domain, reading.decimal)
        for some in pieces_of(len(unread)):
            unread[some] &= np.isnan(numbers[some])
        return unread
    if column.other:
        unread &= texts.holding(UNREADABLE)
    for some in pieces_of(len(unread)):
        unread[some] &= domain.outside(texts.distinct_at(some))
    return unread


_ROWS_NAMED = 3


def locate_rows(texts: TextColumn, flags: NDArray[np.bool_]) -> str:
    """Returns in which rows some answers stand, as a sentence; for the holder of the data only.

    Args:
        texts: The column of the table.
        flags: Which distinct answers these are, shape (distinct_count,).
    """
    named = [f"{place + 1:,}" for place in texts.first_rows(flags, _ROWS_NAMED)]
    if not named:
        return ""
    every = [*named, *("" for _ in range(texts.rows_with(flags) - len(named)))]
    return T.IN_ROWS(rows=joined(every, _ROWS_NAMED))


def missing_texts(column: ColumnPlan, texts: TextColumn, reading: Reading) -> NDArray[np.bool_]:
    """Returns which distinct texts of a column mean "no answer".

    These are the texts that the column or the reading declares; if the empty cell is one of them,
    a cell of blanks is too, unless it is a category. Where the column holds numbers, codes are
    compared as numbers.
    """
    policy = column.missing
    declared = dict.fromkeys((*policy.tokens, *reading.missing))
    domain = column.domain
    for text in () if domain is None else domain.never_missing:
        declared.pop(text, None)
    as_numbers = domain is not None and domain.holds_numbers
    missing = among_codes(texts, declared, policy.ranges, reading.decimal, as_numbers=as_numbers)
    if "" in declared and texts.blank.any():
        listed = texts.among(() if domain is None else domain.listed)
        for some in pieces_of(len(missing)):
            missing[some] |= texts.blank[some] & ~listed[some]
    return missing


def among_codes(
    texts: TextColumn,
    tokens: Iterable[str],
    ranges: Iterable[CodeRange],
    decimal: str,
    *,
    as_numbers: bool,
) -> NDArray[np.bool_]:
    """Returns which distinct texts of a column are among some codes, shape (distinct_count,).

    Args:
        texts: The column.
        tokens: Single codes.
        ranges: Ranges of codes; only texts that are numbers lie in them.
        decimal: The decimal mark of numbers.
        as_numbers: Whether a code that is a number is every text of this number: -9, -9.0, " -9".
    """
    wanted, ranges = tuple(tokens), tuple(ranges)
    found = texts.among(wanted) if wanted else scratch(texts.distinct_count, np.dtype(np.bool_))
    codes = [number for t in wanted if (number := number_in(t, decimal)) is not None]
    if not ranges and not (as_numbers and codes):
        return found
    numbers = texts.numbers(decimal).values
    for some in pieces_of(len(numbers)):
        if as_numbers and codes:
            found[some] |= np.isin(numbers[some], codes)
        for one in ranges:
            found[some] |= one.holds(numbers[some])
    return found


def number_in(text: str, decimal: str) -> float | None:
    """Returns the number that a code is, by the decimal mark of the file or a point; or None."""
    number = parse_number(text, decimal)
    return parse_number(text) if number is None else number
