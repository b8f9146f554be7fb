"""Logistic and multinomial regression on released records by the likelihood of the reports.

Given the true answers reports are independent, so that a record has the likelihood
sum over cells c and categories y of pi_g(c) P_y(x_gc) L(c) L(y), with L the chances of its reports,
P the logit, and pi_g the distribution of the protected predictors among those with the same answers
in what was released as it is, which is left free (van den Hout & van der Heijden 2002,
International Statistical Review 70, 269-288; 2004, Sociological Methods & Research 32, 384-410).
Expectation maximisation finds the maximum, with Newton's steps where the surface is concave; errors
are by the observed information (Louis 1982, JRSS B 44, 226-233). It needs few combinations of
answers, each of many records.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dpdesk.errors import InputError
from dpdesk.estimation.answer_cells import MOST_ENTRIES, AnswerCells, is_positive
from dpdesk.estimation.record_patterns import Patterns
from dpdesk.estimation.texts import T
from dpdesk.estimation.variable import Categories, Places
from dpdesk.numbers.arrays import Floats

_RECORDS_OF_A_CELL = 20
"""Least number of records of each combination of predictors for a distribution that is free."""
_MOST_FREE = 600
_STEPS, _TRIED_EVERY = 3_000, 4
_FLAT, _EMPTY = 1e-12, 1e-7


def has_likelihood(cells: AnswerCells) -> bool:
    """Whether the likelihood of the reports is known, and tells of all that it leaves free."""
    listed = (*cells.attributes, cells.outcome)
    groups, width = cells.x.shape[:2]
    free = groups * (width - 1) + (cells.categories - 1) * cells.x.shape[2]
    entries = cells.order.size * width * cells.categories * max(free, 1)
    rows = cells.predictors.together.records
    return (
        all(one.chances is not None for one in listed)
        # The share of those who answered is a model of its own.
        and all(one.missing is None for one in listed)
        and free <= _MOST_FREE
        and entries <= 4 * MOST_ENTRIES
        and (width == 1 or rows >= _RECORDS_OF_A_CELL * groups * width)
    )


def likelihood_regression(cells: AnswerCells, *, by_sample: bool) -> tuple[Floats, Floats]:
    """Returns the slopes and their covariance.

    Args:
        cells: The rows of the regression, of which `has_likelihood`.
        by_sample: Whether errors are by the sample's weights, strata and clusters.

    Returns:
        Slopes of each category of the outcome but the first, shape ((m - 1) p,), one category's
        after another's.

    Raises:
        InputError: The likelihood has no maximum.
    """
    together = cells.predictors.together
    whole, mean_weight = together.whole, together.weight / together.records
    reports = _Reports.of(cells, whole.take(cells.order), cells.groups)
    weights = whole.weights[cells.order] / mean_weight
    top = _Climb(cells, reports, weights).top()
    back = top.inverse()
    size = cells.x.shape[2] * (cells.categories - 1)
    if by_sample:
        left = top.scores(_Reports.of(cells, whole, cells.group_of_each)) / mean_weight
        back = back @ together.covariance_of_parts(left) @ back
    return top.slopes.T.ravel(), np.asarray(back[:size, :size])


@dataclass(frozen=True, slots=True, eq=False)
class _Reports:
    """The chances of some records' reports.

    Attributes:
        of_cells: Under each cell, shape (n, cells).
        of_outcome: Under each category of the outcome, shape (n, m).
        groups: The group of each record, shape (n,).
    """

    of_cells: Floats
    of_outcome: Floats
    groups: Places

    @classmethod
    def of(cls, cells: AnswerCells, rows: Patterns, groups: Places) -> _Reports:
        """Reads them."""
        tables = tuple(_chances(attribute, rows) for attribute in cells.attributes)
        return cls(
            cells.of_predictors(tables, rows.size),
            _chances(cells.outcome, rows)[:, cells.of_outcome],
            groups,
        )


def _chances(listed: Categories, rows: Patterns) -> Floats:
    assert listed.chances is not None  # noqa: S101 - `has_likelihood`
    found = listed.chances(rows.reports[listed.name])
    return np.asarray(found / found.max(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Point:
    """Slopes and distributions, with what follows from them.

    Attributes:
        cells: The rows of the regression.
        slopes: Shape (p, m - 1).
        shares: Distribution of the cells in each group, shape (groups, cells).
    """

    cells: AnswerCells
    slopes: Floats
    shares: Floats

    @property
    def free(self) -> Places:
        """Which shares vary: those above 0 but the largest of each group, as flat places."""
        open_ = self.shares > _EMPTY
        open_[np.arange(open_.shape[0]), self.shares.argmax(axis=1)] = False
        return np.flatnonzero(open_)

    def joint(self) -> Floats:
        """Shares of cells and categories, shape (groups, cells, m)."""
        chances = np.exp(self.cells.log_chances(self.slopes))
        return np.asarray(self.shares[:, :, None] * chances)

    def expected(self, reports: _Reports) -> tuple[Floats, Floats]:
        """Returns the chance of each cell and category given the reports, and their likelihood."""
        found = self.joint()[reports.groups]
        found *= reports.of_cells[:, :, None]
        found *= reports.of_outcome[:, None, :]
        likelihood = found.sum(axis=(1, 2))
        return found / likelihood[:, None, None], likelihood

    def _directions(self) -> Floats:
        """Derivatives of the complete log-likelihood, shape (groups, cells, m, free)."""
        groups, width, size = self.cells.x.shape
        chances = np.exp(self.cells.log_chances(self.slopes))
        m = chances.shape[2]
        of_slopes = np.zeros((groups, width, m, m - 1, size))
        for y in range(1, m):
            apart = (np.arange(m) == y) - chances[:, :, [y]]
            of_slopes[:, :, :, y - 1] = apart[..., None] * self.cells.x[:, :, None, :]
        free = self.free
        of_shares = np.zeros((groups, width, free.size))
        group, cell = np.divmod(free, width)
        of_shares[group, :, np.arange(free.size)] = -self.shares[group, cell][:, None]
        of_shares[group, cell, np.arange(free.size)] += 1
        shape = (groups, width, m, free.size)
        flat = of_slopes.reshape(groups, width, m, -1)
        return np.concatenate((flat, np.broadcast_to(of_shares[:, :, None], shape)), axis=3)

    def scores(self, reports: _Reports) -> Floats:
        """Returns the derivative of each record's log-likelihood, shape (n, free)."""
        expected, _ = self.expected(reports)
        along = self._directions()
        n, flat = expected.shape[0], expected.reshape(expected.shape[0], -1)
        found = np.empty((n, along.shape[3]))
        table = along.reshape(along.shape[0], -1, along.shape[3])
        for group in range(table.shape[0]) if table.shape[0] <= n // 4 else ():
            inside = reports.groups == group
            found[inside] = flat[inside] @ table[group]
        if table.shape[0] > n // 4:
            found = np.einsum("nc,ncd->nd", flat, table[reports.groups], optimize=True)
        return found

    def newton(self, reports: _Reports, weights: Floats) -> tuple[Floats, Floats]:
        """Returns gradient and observed information, by Louis's formula."""
        expected, _ = self.expected(reports)
        counts = self.counts(expected, reports, weights)
        along = self._directions()
        along = along.reshape(-1, along.shape[3])
        told = self.scores(reports)
        gradient = weights @ told
        totals = counts.sum(axis=2)
        of_slopes = self.cells.information(totals, self.slopes)
        whole = np.zeros((along.shape[1], along.shape[1]))
        size = of_slopes.shape[0]
        whole[:size, :size] = of_slopes
        width = self.shares.shape[1]
        group, cell = np.divmod(self.free, width)
        share = self.shares[group, cell]
        same = group[:, None] == group
        bend = np.diag(share) - same * np.outer(share, share)
        whole[size:, size:] = bend * totals.sum(axis=1)[group][:, None]
        apart = (along.T * counts.ravel()) @ along - (told.T * weights) @ told
        return gradient, whole - apart

    def counts(self, expected: Floats, reports: _Reports, weights: Floats) -> Floats:
        """Adds up what is expected of the true answers, shape (groups, cells, m)."""
        found = np.zeros((*self.shares.shape, expected.shape[2]))
        first = np.flatnonzero(np.diff(reports.groups, prepend=-1))
        sums = np.add.reduceat(expected * weights[:, None, None], first, axis=0)
        found[reports.groups[first]] = sums
        return found

    def moved(self, step: Floats) -> _Point:
        """Returns the point a step away, on the scale of slopes and of log shares."""
        size = self.slopes.size
        slopes = self.slopes + step[:size].reshape(self.slopes.shape[::-1]).T
        heights: Floats = np.log(np.maximum(self.shares, 1e-300)).ravel()
        heights[self.free] += step[size:]
        heights = np.asarray(heights.reshape(self.shares.shape))
        shares = np.exp(heights - heights.max(axis=1, keepdims=True))
        return _Point(self.cells, slopes, shares / shares.sum(axis=1, keepdims=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Top:
    """The maximum, with the observed information there."""

    point: _Point
    information: Floats

    @property
    def slopes(self) -> Floats:
        """The slopes, shape (p, m - 1)."""
        return self.point.slopes

    def inverse(self) -> Floats:
        """The covariance by the observed information."""
        return np.asarray(np.linalg.inv(self.information))

    def scores(self, reports: _Reports) -> Floats:
        """The derivative of each record's log-likelihood."""
        return self.point.scores(reports)


class _Climb:
    """The way to the maximum."""

    def __init__(self, cells: AnswerCells, reports: _Reports, weights: Floats) -> None:
        self._cells, self._reports, self._weights = cells, reports, weights

    def top(self) -> _Top:
        """Returns the maximum.

        Raises:
            InputError: There is none.
        """
        groups, width, size = self._cells.x.shape
        even = np.full((groups, width), 1 / width)
        here = _Point(self._cells, np.zeros((size, self._cells.categories - 1)), even)
        for step in range(_STEPS):
            here = self._expected(here)
            if step % _TRIED_EVERY:
                continue
            gradient, information = here.newton(self._reports, self._weights)
            if not is_positive(information):
                continue
            move = np.asarray(np.linalg.solve(information, gradient), dtype=np.float64)
            there = here.moved(move)
            if float(gradient @ move) / self._weights.sum() < _FLAT:
                if not self._cells.is_told(here.slopes, there.slopes - here.slopes):
                    break
                return _Top(there, information)
            if self._height(there) > self._height(here):
                here = there
        raise InputError(T.NOT_ESTIMABLE())

    def _height(self, point: _Point) -> float:
        _, likelihood = point.expected(self._reports)
        with np.errstate(divide="ignore"):
            return float(self._weights @ np.log(likelihood))

    def _expected(self, here: _Point) -> _Point:
        expected, _ = here.expected(self._reports)
        counts = here.counts(expected, self._reports, self._weights)
        totals = counts.sum(axis=2)
        shares = totals / totals.sum(axis=1, keepdims=True)
        return _Point(self._cells, self._cells.fit(counts, totals, here.slopes), shares)
