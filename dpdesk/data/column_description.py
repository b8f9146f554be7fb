"""What a file says of a column beside its answers: labels, codes of no answer, level, weight.

A file of SPSS or Stata holds this in its head, where it was written before anybody answered. It is
public as a codebook is; what the answers show is not part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from dpdesk.data.missing_codes import CodeRange, TypedCodes
from dpdesk.domains import parse_number

Level = Literal["", "nominal", "ordinal", "scale"]
"""Level of measurement, as the programs name it; empty where the file does not say it."""

LABEL_MAX = 1000
"""Most characters of a column's label that a plan holds."""

MEANING_MAX = 200
"""Most characters of a label of a code of no answer that a plan holds."""


@dataclass(frozen=True, slots=True)
class ColumnDescription:
    """What a file says of one column.

    Attributes:
        label: The question, or a longer name.
        values: What a value means, by the value's text in a cell, in the order of the file.
        missing: Codes that mean "no answer".
        always_missing: Codes that the program always takes for no answer, declared or not.
        level: Level of measurement.
        is_weight: Whether the file is weighted by this column.
        is_record: Whether the column describes the record and is no answer: its number, its time,
            the address of a computer.
    """

    label: str = ""
    values: Mapping[str, str] = field(default_factory=dict)
    missing: TypedCodes = field(default_factory=TypedCodes)
    always_missing: tuple[str, ...] = ()
    level: Level = ""
    is_weight: bool = False
    is_record: bool = False

    @property
    def short_label(self) -> str:
        """The label as far as a plan holds it."""
        return shortened(self.label, LABEL_MAX)

    @property
    def has_codes(self) -> bool:
        """Whether it declares codes of no answer."""
        return bool(self.missing.tokens or self.missing.ranges)


def codes_of_no_answer(
    codes: Iterable[str], ranges: Iterable[CodeRange], values: Mapping[str, str]
) -> TypedCodes:
    """Returns codes of no answer with their labels.

    Args:
        codes: Single codes.
        ranges: Ranges of codes; a labelled value within one is listed by itself, too, so that its
            label is kept.
        values: What each value of the column means.
    """
    chosen = tuple(dict.fromkeys(ranges))
    numbers = [parse_number(text) for text in values]
    known = np.array([np.nan if number is None else number for number in numbers])
    within = np.zeros(known.size, dtype=np.bool_)
    for one in chosen:
        within |= one.holds(known)
    listed = (text for text, is_code in zip(values, within.tolist(), strict=True) if is_code)
    tokens = tuple(dict.fromkeys((*codes, *listed)))
    labels = {text: shortened(values[text], MEANING_MAX) for text in tokens if values.get(text)}
    return TypedCodes(tokens, chosen, labels)


def shortened(text: str, most: int) -> str:
    """Returns a text of at most so many characters; a longer one ends in an ellipsis."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
