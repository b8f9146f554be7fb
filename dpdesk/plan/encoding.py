"""From a column of text to codes of its declared domain."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.number_texts import read_numbers
from dpdesk.data.table import TextColumn
from dpdesk.domains import NumericDomain
from dpdesk.plan.column import ColumnPlan


@dataclass(frozen=True, slots=True)
class EncodedColumn:
    """Codes of one column; the counts are private to the holder of the data.

    Attributes:
        code_of: Code of each distinct text of the column; -1 where there is none.
        missing: Number of missing answers.
        outside: Number of answers outside the declared domain (clamped, put to "other", or
            without a code).
        uncoded: Number of answers that have no code: they block a release.
        uncoded_missing: How many of those are missing answers.
    """

    code_of: NDArray[np.int32]
    missing: int
    outside: int
    uncoded: int
    uncoded_missing: int


def encode_column(column: ColumnPlan, texts: TextColumn, decimal: str = ".") -> EncodedColumn:
    """Encodes a column by its declared domain and its policy for missing answers.

    The work is per distinct text, not per row.

    Args:
        column: What the plan says; must have a domain.
        texts: The column of the table.
        decimal: Decimal mark of the file.
    """
    domain = column.effective_domain
    assert column.domain is not None  # noqa: S101 - callers check the plan first
    assert domain is not None  # noqa: S101 - follows from the line above
    is_missing = _are_missing(column, texts)
    if isinstance(domain, NumericDomain):
        # All texts at once: a real column can have a million different ones.
        numbers = read_numbers(texts.dictionary, decimal).values
        codes, outside = domain.nearest(numbers), domain.beyond(numbers)
    else:
        # Only the declared answers are answers: a cell that happens to read like the category of
        # missing answers is outside the domain like any other.
        outside = column.domain.outside(texts.distinct)
        codes = domain.encode(texts.distinct)
        codes[outside] = domain.texts.index(column.other) if column.other else -1
    codes[is_missing] = -1
    if column.missing.policy != "none":
        codes[is_missing] = domain.encode([column.missing.value])[0]
    uncoded = codes < 0
    return EncodedColumn(
        code_of=codes,
        missing=int(texts.counts[is_missing].sum()),
        outside=int(texts.counts[outside & ~is_missing].sum()),
        uncoded=int(texts.counts[uncoded].sum()),
        uncoded_missing=int(texts.counts[uncoded & is_missing].sum()),
    )


def _are_missing(column: ColumnPlan, texts: TextColumn) -> NDArray[np.bool_]:
    tokens = set(column.missing.tokens)
    return np.fromiter((text in tokens for text in texts.distinct), np.bool_, texts.distinct_count)
