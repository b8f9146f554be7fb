"""How far synthetic rows are off from noise: what fitting leaves of it, and what drawing rows adds.

Fitting all noisy tables together is a weighted least squares fit. All cells of a table have the
same weight, so that it takes main effects and interactions apart: the shares of a column are the
mean of all tables that hold it, weighted by their precision, and a table of two columns has the
noise of its own interaction and that of the shares of both. The precision of a column's shares is

    1 / v + sum over its tables of 1 / (v' k),

v being the variance of a cell of its own table, v' that of a table of two and k the states of the
other column. Shares cannot be negative and sum to 1: the fit is nearest to the noisy table among
those, which takes noise from cells that are rare. What that leaves of the mean distance is said by
`projection`.

Drawing rows rounds the expected numbers of rows of each cell of a clique up or down.

Which tables are measured is known after a release; before it, it is averaged over some choices
that hold each column equally often. Shares are those of the released rows after a
release; before it all answers are equally common, which noise moves furthest. Nothing reads data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import hypot, inf, log, pi, prod, sqrt
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.synthesis.budget import SynthesisBudget
from dpdesk.synthesis.junction_tree import CELLS_MAX, Clique, junction_tree
from dpdesk.synthesis.projection import GRID, equal_shares, projected

Tables = Sequence[Clique] | NDArray[np.int64]
"""The columns of some tables, as many in each."""

_GOLDEN = (sqrt(5) - 1) / 2
_CHOICES = 32
"""Choices of tables that a forecast is averaged over."""
_FEW_CHOICES = 4
_TAKEN = 1 << 14
"""More than all tables that are measured; what counts them is of 16 bits, which is read fast."""
_TREE_COLUMNS = 40
"""Of more columns fewer choices are looked at, and not their cliques: that takes a while."""
_ROUNDING = 1 / 6
"""Mean variance of a number that is rounded up or down at random: the mean of f (1 - f)."""
_NEGLIGIBLE = 0.005
"""Part of the rows by which their number may be off before it is averaged over: scales are rounded
to a hundredth, so that less would change nothing."""
_SIXTHS = np.array([-1.3830, -0.6745, -0.2104, 0.2104, 0.6745, 1.3830])
"""Normal quantiles of 1/12, 3/12 and so on."""
_Z = normal_quantile(0.95)
_LAPLACE_Z = log(20) / sqrt(2)
"""The 95 % quantile of Laplace's law with variance 1."""


@dataclass(frozen=True, eq=False)
class ReleasedErrors:
    """The errors of the shares of synthetic rows.

    Attributes:
        budget: The loss.
        sizes: Number of states of each column.
        rows: Number of rows of the file: supposed, or as the tables tell it.
        rounds: Number of rounds that the loss is divided among.
        pairs: The tables of two columns that were measured; None where that is not known yet.
    """

    budget: SynthesisBudget
    sizes: tuple[int, ...]
    rows: int
    rounds: int
    pairs: tuple[Clique, ...] | None = None

    @property
    def pair_places(self) -> NDArray[np.int64]:
        """Every two columns in their order, shape (pairs, 2)."""
        return _pairs_of(len(self.sizes))

    @property
    def pair_cells(self) -> NDArray[np.int64]:
        """Number of cells of the table of each two columns, shape (pairs,)."""
        return np.asarray(np.array(self.sizes)[self.pair_places].prod(axis=1))

    def distances(self, columns: Tables) -> Floats:
        """Returns the mean total variation of some tables, if all answers are equally common.

        Args:
            columns: The columns of each table: one, or two of which it is supposed that their table
                is measured; as many in each. Shape of the result: (tables,).
        """
        spread, own = self._noise(columns)
        cells = self._cells(columns)
        fitted = np.zeros(spread.shape)
        for scale in self._scales:
            at, logs = np.log(np.maximum(spread * cells * scale, GRID[0])), np.log(GRID)
            normal, laplace = (np.interp(at, logs, found) for found in equal_shares(scale))
            fitted += (own * laplace + (1 - own) * normal) / len(self._scales)
        drawn = cells * np.sqrt(self._drawn(columns)) / self.rows / sqrt(2 * pi)
        return np.asarray(np.minimum(np.hypot(fitted.mean(axis=0), drawn), 1.0))

    def distance(self, columns: Clique, shares: Floats) -> float:
        """Returns the mean total variation of a table of one column, or of two if measured.

        Args:
            columns: Its columns, ascending.
            shares: Its shares, as they are released.

        Raises:
            ValueError: Nothing is released: which tables are measured is not known.
        """
        if self.pairs is None:
            raise ValueError("Shares are known after a release alone.")
        spread, own = (float(part.mean()) for part in self._noise([columns]))
        drawn = shares.size * sqrt(float(self._drawn([columns])[0])) / self.rows / sqrt(2 * pi)
        fitted = fmean(projected(shares, spread * scale, own, scale) for scale in self._scales)
        return min(1.0, hypot(fitted, drawn))

    def half_widths(self, columns: Tables) -> Floats:
        """Returns the 95 % error of the share of a cell that is as common as the others.

        Args:
            columns: As for `distances`.
        """
        spread, own = self._noise(columns)
        fitted = ((own * _LAPLACE_Z + (1 - own) * _Z) * spread).mean(axis=0)
        drawn = _Z * np.sqrt(self._drawn(columns)) / self.rows
        return np.asarray(np.hypot(fitted, drawn))

    def _cells(self, columns: Tables) -> Floats:
        return np.asarray(np.array(self.sizes, dtype=np.float64)[np.array(columns)].prod(axis=1))

    def _noise(self, columns: Tables) -> tuple[Floats, Floats]:
        """The standard deviation of a share after fitting, and the part of the cell's own draw.

        Shape of both: (choices, tables).
        """
        places, sizes = np.array(columns), np.array(self.sizes, dtype=np.float64)
        part = (sizes - 1) / sizes
        precision = self._precision
        if places.shape[1] == 1:
            found = part[places[:, 0]] / precision[:, places[:, 0]]
            own = found / self._column_cell_variance
        else:
            one, other = places.T
            each = 1 / self._pair_cell_variance
            # In each choice the table itself is measured.
            lacks = ~self._chosen[:, one, other]
            first = precision[:, one] + lacks * each / sizes[other]
            second = precision[:, other] + lacks * each / sizes[one]
            interaction = self._pair_cell_variance * part[one] * part[other]
            found = interaction + part[one] / first / sizes[other] ** 2
            found = found + part[other] / second / sizes[one] ** 2
            own = interaction * part[one] * part[other] / found
        if not self.budget.is_pure:
            own = np.zeros(found.shape)
        return np.sqrt(found) / self.rows, own

    @cached_property
    def _column_cell_variance(self) -> float:
        """Variance of a cell of the table of one column."""
        return self.budget.shares_noise(sum(self.sizes)).variance

    @cached_property
    def _pair_cell_variance(self) -> float:
        """Variance of a cell of a table of two columns."""
        return self.budget.table_noise(4, self.rounds).variance if self.rounds else inf

    @cached_property
    def _chosen(self) -> NDArray[np.bool_]:
        """Which tables of two columns are measured, shape (choices, columns, columns)."""
        if self.pairs is None:
            return _supposed(self.sizes, self.rounds)
        return _matrix(len(self.sizes), self.pairs)[np.newaxis]

    @cached_property
    def _precision(self) -> Floats:
        """1 by the variance of a state's count after fitting, shape (choices, columns)."""
        sizes = np.array(self.sizes, dtype=np.float64)
        return np.asarray(
            1 / self._column_cell_variance + self._chosen @ (1 / sizes) / self._pair_cell_variance
        )

    @property
    def rows_deviation(self) -> float:
        """Standard deviation of the number of rows that the tables tell; 0 where it is public."""
        if self.budget.unit.rows_are_public:
            return 0.0
        each = 1 / np.array(self.sizes, dtype=np.float64)
        of_pairs = (each @ self._chosen @ each).mean() / 2
        return float(
            1 / sqrt(each.sum() / self._column_cell_variance + of_pairs / self._pair_cell_variance)
        )

    @cached_property
    def _scales(self) -> tuple[float, ...]:
        """What the noisy shares sum to, by the number of rows that the tables tell.

        The middles of six parts that are equally likely, or 1 alone.
        """
        off = self.rows_deviation
        if off < _NEGLIGIBLE * self.rows:
            return (1.0,)
        told = np.maximum(self.rows + off * _SIXTHS, 1.0) / self.rows
        scales = told if self.pairs is not None else 1 / told
        # Rounded, so that few laws are kept.
        return tuple(max(round(scale, 2), 0.01) for scale in scales.tolist())

    def _drawn(self, columns: Tables) -> Floats:
        """Variance of the number of rows of a cell, from drawing whole rows, shape (tables,)."""
        places, sizes = np.array(columns), np.array(self.sizes, dtype=np.float64)
        if places.shape[1] == 1:
            return np.asarray(self._state_rounding[places[:, 0]])
        one, other = places.T
        return np.asarray(
            self._state_rounding[one] / sizes[other] + self._state_rounding[other] / sizes[one]
        )

    @cached_property
    def _state_rounding(self) -> Floats:
        """The same of each state of a column."""
        one, other = np.nonzero(np.triu(self._chosen[0]))
        pairs = tuple(zip(one.tolist(), other.tolist(), strict=True))
        given = np.minimum(_given_cells(self.sizes, pairs), self.rows)
        return np.asarray(given * np.minimum(self.rows / (given * np.array(self.sizes)), _ROUNDING))


# Cached: the distances and the verdicts of one state of the page ask for the same.
@lru_cache(maxsize=8)
def supposed_errors(budget: SynthesisBudget, sizes: tuple[int, ...], rows: int) -> ReleasedErrors:
    """Returns the errors of synthetic rows before a release.

    Args:
        budget: The loss.
        sizes: Number of states of each column.
        rows: Supposed number of rows of the file.
    """
    return ReleasedErrors(budget, sizes, rows, budget.rounds_for(rows, sizes))


@lru_cache(maxsize=4)
def _pairs_of(columns: int) -> NDArray[np.int64]:
    return np.stack(np.triu_indices(columns, 1), axis=1)


@lru_cache(maxsize=4)
def _pairs_with(columns: int) -> tuple[NDArray[np.int64], ...]:
    """The places of the pairs that hold each column."""
    place = np.zeros((columns, columns), dtype=np.int64)
    one, other = _pairs_of(columns).T
    place[one, other] = place[other, one] = np.arange(one.size)
    return tuple(np.delete(place[column], column) for column in range(columns))


def _matrix(columns: int, pairs: Sequence[Clique]) -> NDArray[np.bool_]:
    found = np.zeros((columns, columns), dtype=np.bool_)
    for one, other in pairs:
        found[one, other] = found[other, one] = True
    return found


@lru_cache(maxsize=16)
def _supposed(sizes: tuple[int, ...], rounds: int) -> NDArray[np.bool_]:
    """Choices of tables, as good as drawn but always the same, shape (choices, columns, columns).

    What is known least is furthest off, and is measured next: a pair of the columns that the fewest
    tables hold, any of them.
    """
    count = len(sizes)
    pairs, pairs_with = _pairs_of(count), _pairs_with(count)
    places = _GOLDEN * (pairs @ (count, 1) + 1)
    free = np.array(sizes)[pairs].prod(axis=1) <= CELLS_MAX
    if rounds >= free.sum():
        return _matrix(count, pairs[free].tolist())[np.newaxis]
    found = []
    for run in range(_CHOICES if count <= _TREE_COLUMNS else _FEW_CHOICES):
        # How many tables hold the columns of each pair that is left.
        held = np.where(free, 0, _TAKEN).astype(np.int16)
        taken = []
        for step in range(rounds):
            (least,) = np.nonzero(held == held.min())
            # Multiples of the golden section, less their whole part, are spread evenly.
            ties = places[least] * (run * rounds + step + 1)
            taken.append(at := int(least[(ties - np.floor(ties)).argmin()]))
            for column in pairs[at].tolist():
                held[pairs_with[column]] += 1
            held[at] = _TAKEN
        found.append(_matrix(count, pairs[taken].tolist()))
    return np.array(found)


@lru_cache(maxsize=16)
def _given_cells(sizes: tuple[int, ...], pairs: tuple[Clique, ...]) -> NDArray[np.int64]:
    """In how many cells of other columns the rows of each column are drawn, at most."""
    most: NDArray[np.int64] = np.maximum(CELLS_MAX // np.array(sizes), 1)
    if len(sizes) > _TREE_COLUMNS:
        return most
    found: dict[int, int] = {}
    for clique in junction_tree(sizes, pairs).cliques:
        for column in clique:
            if column not in found:
                found[column] = prod(sizes[other] for other in clique if other in found)
    return np.asarray(np.minimum([found[at] for at in range(len(sizes))], most), dtype=np.int64)
