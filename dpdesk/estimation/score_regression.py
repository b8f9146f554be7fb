"""Logistic and multinomial regression on released records by corrected scores.

The derivative of the log-likelihood of true answers is a sum over records of (1[y] - P_y(x)) x. As
a function of protected answers it has an unbiased score: the sum over all their combinations of the
product of their scores times the function there (Nakamura 1990, Biometrika 77, 127-137). So each
record counts in every cell with the weight of its scores, which may be negative; slopes where the
weighted derivative is 0 are consistent, whatever the predictors have in common. Their error is by
the spread of the records' parts of it, which holds sampling and noise together.
"""

from __future__ import annotations

import numpy as np

from dpdesk.errors import InputError
from dpdesk.estimation.answer_cells import AnswerCells, is_positive
from dpdesk.estimation.record_patterns import Patterns
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Places
from dpdesk.numbers.arrays import Floats

_PRODUCTS = 1 << 21


def score_regression(cells: AnswerCells) -> tuple[Floats, Floats]:
    """Returns the slopes and their covariance.

    Args:
        cells: The rows of the regression.

    Returns:
        Slopes of each category of the outcome but the first, shape ((m - 1) p,), one category's
        after another's.

    Raises:
        InputError: No slopes fit best.
    """
    together = cells.predictors.together
    whole = together.whole
    weights = whole.weights[cells.order]
    counts = np.zeros((*cells.x.shape[:2], cells.categories))
    totals = np.zeros(cells.x.shape[:2])
    step = max(1, _PRODUCTS // (counts[0].size + 1))
    for start in range(0, cells.order.size, step):
        part = slice(start, start + step)
        of_cells, of_outcome, answered = _scores(cells, whole.take(cells.order[part]))
        weighted = of_cells * weights[part, None]
        products = weighted[:, :, None] * of_outcome[:, None, :]
        group = cells.groups[part]
        first = np.flatnonzero(np.diff(group, prepend=-1))
        counts[group[first]] += np.add.reduceat(products, first, axis=0)
        totals[group[first]] += np.add.reduceat(weighted * answered[:, None], first, axis=0)
    slopes = cells.fit(counts, totals)
    bend = cells.information(totals, slopes)
    if not is_positive(bend):
        raise InputError(T.NOT_ESTIMABLE())
    back = np.linalg.inv(bend)
    if together.designed:
        left = _residuals(cells, slopes, np.arange(whole.size), cells.group_of_each, step)
        spread = together.covariance_of_parts(left)
        return slopes.T.ravel(), np.asarray(back @ spread @ back)
    left = _residuals(cells, slopes, cells.order, cells.groups, step)
    spread = (left.T * whole.squares[cells.order]) @ left
    spread *= together.records / max(together.records - 1, 1)
    return slopes.T.ravel(), np.asarray(back @ spread @ back)


def _scores(cells: AnswerCells, rows: Patterns) -> tuple[Floats, Floats, Floats]:
    """The scores of the cells, of the outcome's categories, and of that it is given."""
    tables = tuple(rows.scores(attribute) for attribute in cells.attributes)
    outcome = rows.scores(cells.outcome)[:, cells.of_outcome]
    whole = np.ones(rows.size) if cells.outcome.missing is None else outcome.sum(axis=1)
    return cells.of_predictors(tables, rows.size), outcome, whole


def _residuals(cells: AnswerCells, slopes: Floats, at: Places, groups: Places, step: int) -> Floats:
    """Returns each record's part of the derivative, shape (n, (m - 1) p)."""
    chances = np.exp(cells.log_chances(slopes))
    size = cells.x.shape[2]
    found = np.empty((at.size, (cells.categories - 1) * size))
    for start in range(0, at.size, step):
        part = slice(start, start + step)
        rows = cells.predictors.together.whole.take(at[part])
        of_cells, outcome, whole = _scores(cells, rows)
        own = chances[groups[part]]
        for y in range(1, cells.categories):
            apart = of_cells * (outcome[:, [y]] - whole[:, None] * own[:, :, y])
            place = slice((y - 1) * size, y * size)
            found[part, place] = (apart @ cells.of_cells) * cells.kept[groups[part]]
    return found
