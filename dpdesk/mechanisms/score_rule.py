"""How the released cells of a report become scores, in numbers that any program can follow.

The scores are those of `BoundMechanism.report_scores` and `number_scores`. A rule names the way
and carries the numbers, so that the analysis scripts of a release need neither this program nor
the plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

RuleName = Literal["category", "columns", "index", "hash", "matrix", "filters", "number"]
Numbers = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class ScoreRule:
    """The way from released cells to scores, and its numbers.

    Attributes:
        name: The way:
            "category": the cell names the category that the report supports;
            "columns": a column for each category, which the report supports where it is 1 and says
            nothing of where it is empty;
            "index": the cell y supports category r = 1, 2, ... where y and r have an even number of
            binary places in common that are 1;
            "hash": the cells seed_a, seed_b and bucket support category v = 0, 1, ... where its
            hash is the bucket;
            "matrix": the scores of each report are a row of a matrix;
            "filters": the scores are least squares of debiased bits of Bloom filters;
            "number": the cell is a number, or empty for "none".
        numbers: By name, flat; a matrix row by row. For all rules of support `hit` and `miss` are
            the scores of a category that the report supports and of another, one or one for each.
        texts: Reports as they are written, for rules that look them up.
    """

    name: RuleName
    numbers: Mapping[str, Numbers]
    texts: tuple[str, ...] = field(default=())


def numbers_of(values: NDArray[np.float64] | Iterable[float] | float) -> Numbers:
    """Returns an array of any shape as plain numbers, row by row."""
    return tuple(np.asarray(values, dtype=np.float64).ravel().tolist())


def support_rule(
    name: RuleName,
    p: NDArray[np.float64] | float,
    q: NDArray[np.float64] | float,
    **more: Iterable[float] | float,
) -> ScoreRule:
    """Returns the rule of reports that support categories with the chances p and q."""
    gap = np.asarray(p) - np.asarray(q)
    numbers = {"hit": (1 - np.asarray(q)) / gap, "miss": -np.asarray(q) / gap}
    return ScoreRule(name, {key: numbers_of(found) for key, found in (numbers | more).items()})
