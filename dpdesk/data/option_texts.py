"""Recognises cells that list several options of a question, and which options these are.

An option may hold the sign that stands between two of them, as programs on the web allow it:
"Newspapers, magazines". Nothing tells but its halves, which never stand alone.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from dpdesk.data.table import TextColumn
from dpdesk.domains import NOTHING, OPTIONS_MAX, OptionSet

CATEGORIES_MOST = 1_000
"""Most different texts that are suggested as categories."""

CATEGORY_LETTERS = 200
"""Most letters of a category or option that is suggested."""

_SEPARATORS = (";", "|", ",", "/")
_SETS_LEAST = 2
_TOGETHER = 10
"""Least answers in which two parts stand together before they are taken for halves of one."""


def options_in(column: TextColumn, answered: npt.NDArray[np.bool_]) -> OptionSet | None:
    """Returns the options of which cells hold several, or None if they do not seem to.

    Cells that list options are more various than the options: the parts of all cells are fewer
    than the cells that differ. Parts that leave a bracket open, or that always stand together, are
    taken for one option.

    Args:
        column: The column.
        answered: Which distinct texts are answers, shape (distinct_count,).
    """
    if not _SETS_LEAST < np.count_nonzero(answered) <= CATEGORIES_MOST * OPTIONS_MAX:
        return None
    codes = np.flatnonzero(answered)
    cells = [column.distinct[code] for code in codes]
    for separator in _SEPARATORS:
        written = [list(filter(str.strip, cell.split(separator))) for cell in cells]
        parts = [list(map(str.strip, listed)) for listed in written]
        glued = _always_together(parts, column.counts[codes].tolist())
        parts = [_glued(listed, glued, separator) for listed in written]
        sets = sum(len(listed) > 1 for listed in parts)
        options = {part for listed in parts for part in listed} - {NOTHING}
        if sets >= _SETS_LEAST and 2 <= len(options) <= min(OPTIONS_MAX, len(cells) - 1):
            values = sorted(options)
            if max(map(len, values)) <= CATEGORY_LETTERS:
                with suppress(ValidationError):
                    return OptionSet(values=tuple(values), separator=separator)
    return None


def _always_together(
    cells: Sequence[Sequence[str]], counts: Sequence[int]
) -> frozenset[tuple[str, str]]:
    """Returns neighbours of which neither stands without the other, in enough answers."""
    behind: defaultdict[str, set[str]] = defaultdict(set)
    before: defaultdict[str, set[str]] = defaultdict(set)
    given: Counter[tuple[str, str]] = Counter()
    for parts, count in zip(cells, counts, strict=True):
        for one, other in pairwise(["", *parts, ""]):
            behind[one].add(other)
            before[other].add(one)
            given[one, other] += count
    return frozenset(
        (one, other)
        for (one, other), count in given.items()
        if one and other and count >= _TOGETHER and len(behind[one]) == len(before[other]) == 1
    )


def _glued(written: Sequence[str], glued: frozenset[tuple[str, str]], separator: str) -> list[str]:
    """Returns the parts of a cell, those joined that are halves of an option."""
    made: list[str] = []
    last = ""
    for text in written:
        part = text.strip()
        is_open = made and sum(map(made[-1].count, "([{")) > sum(map(made[-1].count, ")]}"))
        if is_open or (last, part) in glued:
            made[-1] += separator + text.rstrip()
        else:
            made.append(part)
        last = part
    return made
