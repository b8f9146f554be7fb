"""Encodes a column of text as codes of its declared domain."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.encoding import UNREADABLE
from dpdesk.data.missing_codes import CodeRange
from dpdesk.data.reading import Reading
from dpdesk.data.table import TextColumn
from dpdesk.domains import NumericDomain, parse_number
from dpdesk.plan.column import ColumnPlan


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
    missing: int
    outside: int
    unfit: int
    rounded: int
    unreadable: int
    uncoded: int
    uncoded_missing: int


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
    is_missing = missing_texts(column, texts, reading)
    if isinstance(domain, NumericDomain):
        # All texts at once: a real column can have a million different ones.
        numbers = texts.on_grid(domain, reading.decimal)
        codes, outside = domain.nearest(numbers), domain.beyond(numbers)
        unfit, unreadable = outside, np.isnan(numbers)
        between = domain.between_steps(numbers)
    else:
        # Only the declared answers are valid: a cell with the same text as the category of missing
        # answers is outside the domain like any other.
        outside = column.domain.outside(texts.distinct)
        codes = domain.encode(texts.distinct)
        codes[outside] = domain.encode([column.other])[0] if column.other else -1
        unreadable = outside & texts.holding(UNREADABLE)
        unfit = unreadable if column.other else outside
        between = np.zeros(len(codes), dtype=np.bool_)
    codes[is_missing] = -1
    treatment = column.missing.treatment
    if treatment.takes_unread:
        # An answer that cannot be read or found counts as missing: nothing else is known of it.
        code = treatment.code(domain, column.missing)
        left_out = answers_only and domain.holds_numbers and code >= domain.size
        codes[is_missing | (codes < 0)] = -1 if left_out else code
    uncoded = codes < 0
    if treatment.stays_blank:
        uncoded &= ~is_missing
    return EncodedColumn(
        code_of=codes,
        missing=texts.rows_with(is_missing),
        outside=texts.rows_with(outside & ~is_missing),
        unfit=texts.rows_with(unfit & ~is_missing),
        rounded=texts.rows_with(between & ~is_missing),
        unreadable=texts.rows_with(unreadable & ~is_missing),
        uncoded=texts.rows_with(uncoded),
        uncoded_missing=texts.rows_with(uncoded & is_missing),
    )


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
    if "" in declared:
        # In place: there may be as many texts as respondents.
        given = texts.among(() if domain is None else domain.listed)
        np.logical_not(given, out=given)
        given &= texts.blank
        missing |= given
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
    found = texts.among(wanted)
    codes = [number for t in wanted if (number := number_in(t, decimal)) is not None]
    if not ranges and not (as_numbers and codes):
        return found
    numbers = texts.numbers(decimal).values
    if as_numbers and codes:
        found |= np.isin(numbers, codes)
    for one in ranges:
        found |= one.holds(numbers)
    return found


def number_in(text: str, decimal: str) -> float | None:
    """Returns the number that a code is, by the decimal mark of the file or a point; or None."""
    number = parse_number(text, decimal)
    return parse_number(text) if number is None else number
