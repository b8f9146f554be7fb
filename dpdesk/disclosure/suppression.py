"""Suppression of cells: single answers are blanked until every class is large enough.

A blanked cell reads `*`, a value of its own: two records are alike if their cells are, blanked ones
included, so that what is promised can be counted on the file that is written. Then each record of a
class that is too small needs a blanked cell at least, as no other record can become equal to it:
that is the lower bound to which the greedy choice is compared. Choosing the fewest cells is NP-hard
(Meyerson & Williams 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from math import comb

import numpy as np

from dpdesk.disclosure.classes import Classes, CodedColumn
from dpdesk.disclosure.coarsened import Coarsened
from dpdesk.disclosure.coarsening import Report
from dpdesk.disclosure.hierarchies import ALL
from dpdesk.disclosure.information_loss import CoarseColumn
from dpdesk.disclosure.levelled import LevelledColumn
from dpdesk.disclosure.requirement import Requirement, grouped, judged
from dpdesk.disclosure.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Flags

_PATTERNS_MOST = 5_000


def suppress_cells(
    columns: Sequence[LevelledColumn],
    sensitive: Sequence[CodedColumn],
    rows: int,
    requirement: Requirement,
    levels: Sequence[int],
    importance: Sequence[float],
    report: Report = lambda stage, done: None,
) -> tuple[Coarsened, int, int]:
    """Blanks cells until every class fulfils a requirement.

    Sets of columns are tried in the order of their importance: of the records that are still in bad
    classes, those that form good ones without these columns lose these cells. What is left when all
    columns were tried is left out.

    Args:
        columns: The quasi-identifiers.
        sensitive: The sensitive columns.
        rows: Number of records.
        requirement: What every class has to fulfil; k and distinct l. Entropy l and t are refused:
            a part of a class that breaks them may fulfil them, so that the bound would not hold.
        levels: The level of each column.
        importance: What a blanked cell of each column costs, above 0.
        report: Receives progress; may raise to stop.

    Returns:
        The file, the number of blanked cells, and the least number that any choice needs which
        leaves out as many records.

    Raises:
        ParameterError: More records would be left out than may be, or it asks for entropy l or t.
    """
    requirement.check(rows, sensitive)
    if requirement.l_entropy > 1 or requirement.t is not None:
        raise ParameterError(T.CELLS_FOR_K_AND_L())
    own = [column.at(level) for column, level in zip(columns, levels, strict=True)]
    bad = _bad(own, sensitive, requirement)
    first = int(np.count_nonzero(bad))
    blanked = np.zeros((len(columns), rows), dtype=np.bool_)
    for done, pattern in enumerate(_patterns(importance)):
        places = np.flatnonzero(bad)
        if len(places) < requirement.k:
            break
        report("Blanking cells", min(done / _PATTERNS_MOST, 1.0))
        rest = [
            CodedColumn(column.name, column.codes[places], column.levels)
            for place, column in enumerate(own)
            if place not in pattern
        ]
        told = [
            CodedColumn(column.name, column.codes[places], column.levels) for column in sensitive
        ]
        good = places[~_bad(rest, told, requirement, len(places))]
        for place in pattern:
            blanked[place, good] = True
        bad[good] = False
    left = int(np.count_nonzero(bad))
    if left > requirement.suppressed_most:
        said = T.CELLS_LEAVE_OUT(count=left, most=requirement.suppressed_most)
        raise ParameterError(said)
    coarse = tuple(
        _blanked(column, level, flags & ~bad)
        for column, level, flags in zip(columns, levels, blanked, strict=True)
    )
    result = Coarsened(coarse, tuple(sensitive), ~bad, requirement, None)
    return result, int(np.count_nonzero(blanked)), max(first - left, 0)


def _bad(
    columns: Sequence[CodedColumn],
    sensitive: Sequence[CodedColumn],
    requirement: Requirement,
    rows: int | None = None,
) -> Flags:
    """Returns which records are in classes that break a requirement."""
    rows = len(columns[0].codes) if rows is None else rows
    groups = grouped(columns, sensitive, np.ones(rows, dtype=np.int64))
    whole = Requirement(requirement.k, requirement.l_distinct, requirement.l_entropy, None, rows)
    return np.asarray(judged(groups, sensitive, whole).left_out[Classes(columns, rows).of_row])


def _patterns(importance: Sequence[float]) -> Iterator[tuple[int, ...]]:
    """Yields sets of columns, those that cost least first; of many columns small sets and all."""
    every = range(len(importance))
    sizes, total = [], 0
    for size in range(1, len(importance)):
        total += comb(len(importance), size)
        if total > _PATTERNS_MOST:
            break
        sizes.append(size)
    sets = chain.from_iterable(combinations(every, size) for size in sizes)
    yield from sorted(sets, key=lambda one: (sum(importance[place] for place in one), one))
    yield tuple(every)


def _blanked(column: LevelledColumn, level: int, flags: Flags) -> CoarseColumn:
    labels = column.labels[level]
    star = labels.index(ALL) if ALL in labels else len(labels)
    codes = np.where(flags, star, column.maps[level][column.codes])
    members = [np.flatnonzero(column.maps[level] == code) for code in range(len(labels))]
    if star == len(labels):
        labels = (*labels, ALL)
        members.append(np.arange(column.values))
    return CoarseColumn(column.name, codes, labels, tuple(members), column.at(0))
