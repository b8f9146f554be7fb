"""Records whose true answers are one of few cells: the multinomial logit of weighted cells.

Rows are the combinations of what was released as it is (groups) and of the protected answers of the
predictors (cells). With x the columns of a row, category y of the outcome has the probability
P_y = exp(x b_y) / sum exp(x b), where b is 0 of the first category.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.errors import InputError, ParameterError
from dpdesk.estimation.predictors import Predictors, one_of_a_list
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Categories, Places
from dpdesk.numbers.arrays import Floats

MOST_ENTRIES = 20_000_000
"""Most numbers of a matrix: rows times columns, or rows times categories."""
_STEPS, _HALVINGS = 100, 40
_FLAT, _NEAR, _STEEPEST = 1e-14, 1e-9, 60.0
_ROUNDING = 1e-10
_CERTAIN = 30.0
"""Log odds that no data show: slopes that lead to them grow without end."""
_SETTLED = 0.05
"""Change of log odds by the last of Newton's steps that is still a step at a maximum."""


@dataclass(frozen=True, slots=True, eq=False)
class AnswerCells:
    """The rows of a regression on categories.

    Attributes:
        predictors: The columns and the outcome.
        attributes: The protected predictors.
        outcome: The outcome.
        places: For each attribute the places of its given categories, "no answer" left out.
        of_outcome: Those of the outcome.
        order: Positions of the different records, those of a group together.
        groups: The group of each of these, from 0.
        starts: Where each group begins.
        x: The columns of each row, shape (groups, cells, p).
        kept: Those of each group that were released as they are, shape (groups, p).
        of_cells: The rest of each column, shape (cells, p).
    """

    predictors: Predictors
    attributes: tuple[Categories, ...]
    outcome: Categories
    places: tuple[Places, ...]
    of_outcome: Places
    order: Places
    groups: Places
    starts: Places
    x: Floats
    kept: Floats
    of_cells: Floats

    @classmethod
    def of(cls, predictors: Predictors) -> AnswerCells:
        """Builds the rows.

        Raises:
            ParameterError: A predictor holds numbers, or an attribute several answers at once.
            InputError: There are too many rows.
        """
        for variable in predictors.protected:
            if variable.are_numbers:
                raise ParameterError(T.NUMBER_IN_LOGISTIC(column=variable.name))
        attributes = tuple(one_of_a_list(v.categories()) for v in predictors.protected)
        outcome = one_of_a_list(predictors.outcome.categories())
        places = tuple(_given(attribute) for attribute in attributes)
        shape = tuple(found.size for found in places)
        cells, size = int(np.prod(shape, dtype=np.float64)), len(predictors.names)
        order = np.argsort(predictors.groups, kind="stable")
        _, first, groups = np.unique(
            predictors.groups[order], return_index=True, return_inverse=True
        )
        width = max(size, _given(outcome).size)
        if first.size * cells * width > MOST_ENTRIES:
            raise InputError(T.MANY_COMBINATIONS())
        of_cells = np.ones((cells, size))
        grid = np.indices(shape).reshape(len(shape), cells)
        for place, functions in enumerate(predictors.functions):
            for attribute, given, codes in zip(attributes, places, grid, strict=True):
                function = functions.get(attribute.name)
                if function is not None:
                    of_cells[:, place] *= function[given[codes]]
        kept = predictors.kept[predictors.groups[order[first]]]
        return cls(
            predictors,
            attributes,
            outcome,
            places,
            _given(outcome),
            order,
            groups.astype(np.int64),
            first.astype(np.int64),
            kept[:, None, :] * of_cells,
            kept,
            of_cells,
        )

    @property
    def categories(self) -> int:
        """Number of categories of the outcome, m."""
        return int(self.of_outcome.size)

    @property
    def group_of_each(self) -> Places:
        """The group of each of the different records, in their own order."""
        of_each = self.predictors.groups
        group = np.empty(int(of_each.max()) + 1, dtype=np.int64)
        group[of_each[self.order]] = self.groups
        return np.asarray(group[of_each])

    def of_predictors(self, tables: tuple[Floats, ...], rows: int) -> Floats:
        """Returns the products over the attributes, shape (rows, cells).

        Args:
            tables: What each attribute's categories have in each record, shape (rows, k).
            rows: Number of records.
        """
        found = np.ones((rows, 1))
        for table, given in zip(tables, self.places, strict=True):
            found = (found[:, :, None] * table[:, None, given]).reshape(rows, -1)
        return found

    def log_chances(self, slopes: Floats) -> Floats:
        """Returns log P of each row, shape (groups, cells, m).

        Args:
            slopes: Of each column and each category but the first, shape (p, m - 1).
        """
        heights = np.zeros((self.categories, *self.x.shape[:2]))
        for y in range(1, self.categories):
            np.clip(self.x @ slopes[:, y - 1], -_STEEPEST, _STEEPEST, out=heights[y])
        top = heights.max(axis=0)
        heights -= top
        heights -= np.log(np.exp(heights).sum(axis=0))
        return np.moveaxis(heights, 0, 2)

    def is_told(self, slopes: Floats, move: Floats) -> bool:
        """Whether slopes at which the likelihood is flat are its maximum.

        Towards a maximum at infinity it flattens too, but each of Newton's steps still moves some
        row's log odds by about 1; at a maximum the last step is next to nothing.

        Args:
            slopes: The slopes, shape (p, m - 1).
            move: Newton's next step there, of the same shape.
        """
        return bool(
            np.abs(self.x @ slopes).max() < _CERTAIN and np.abs(self.x @ move).max() < _SETTLED
        )

    def gradient(self, counts: Floats, totals: Floats, slopes: Floats) -> Floats:
        """Returns the derivative of the weighted log-likelihood, shape ((m - 1) p,)."""
        apart = counts - totals[:, :, None] * np.exp(self.log_chances(slopes))
        found = np.einsum("gcy,gcp->yp", apart[:, :, 1:], self.x, optimize=True)
        return np.asarray(found.ravel())

    def information(self, totals: Floats, slopes: Floats) -> Floats:
        """Returns minus its second derivative, shape ((m - 1) p, (m - 1) p)."""
        chances = np.exp(self.log_chances(slopes))[:, :, 1:].reshape(-1, self.categories - 1)
        x, weight = self.x.reshape(-1, self.x.shape[2]), totals.ravel()
        size, free = x.shape[1], self.categories - 1
        found = np.empty((free, size, free, size))
        for y in range(free):
            for z in range(y, free):
                bend = chances[:, y] * ((y == z) - chances[:, z])
                found[y, :, z, :] = (x.T * (weight * bend)) @ x
                found[z, :, y, :] = found[y, :, z, :].T
        return found.reshape(free * size, free * size)

    def fit(self, counts: Floats, totals: Floats, start: Floats | None = None) -> Floats:
        """Returns the slopes of the largest weighted log-likelihood, shape (p, m - 1).

        Args:
            counts: Weight of each row and category, shape (groups, cells, m); single ones may be
                negative.
            totals: Weight of each row, shape (groups, cells).
            start: Where to begin; at 0 where nothing is said.

        Raises:
            InputError: There is none.
        """
        shape = (self.x.shape[2], self.categories - 1)
        here = np.zeros(shape) if start is None else start
        scale = float(np.abs(totals).sum())

        def height(slopes: Floats) -> float:
            logs = self.log_chances(slopes)
            heights = logs - logs[:, :, :1]
            return float((counts * heights).sum() + (totals * logs[:, :, 0]).sum())

        for _ in range(_STEPS):
            gradient = self.gradient(counts, totals, here)
            steep = self.information(totals, here)
            concave = is_positive(steep)
            if not concave:
                steep = self.information(np.abs(totals), here)
                if not is_positive(steep):
                    break
            step = np.linalg.solve(steep, gradient)
            promise = float(gradient @ step) / scale
            move = step.reshape(shape[::-1]).T
            if concave and promise < _FLAT:
                here = here + move
                if self.is_told(here, move):
                    return here
                break
            level = height(here)
            for _ in range(_HALVINGS):
                if height(here + move) > level:
                    break
                move = move / 2
            else:
                if concave and promise < _NEAR and self.is_told(here, move):
                    return here
                break
            here = here + move
        raise InputError(T.NOT_ESTIMABLE())


def is_positive(matrix: Floats) -> bool:
    """Whether a symmetric matrix is positive definite, but for rounding."""
    scale = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    if not (np.isfinite(matrix).all() and (scale > 0).all()):
        return False
    try:
        np.linalg.cholesky(matrix / np.outer(scale, scale) - _ROUNDING * np.eye(scale.size))
    except np.linalg.LinAlgError:
        return False
    return True


def _given(listed: Categories) -> Places:
    places = np.arange(len(listed.texts))
    return np.asarray(places[places != (-1 if listed.missing is None else listed.missing)])
