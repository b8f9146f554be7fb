"""The model of a joint distribution: of all that fit the noisy tables, that of largest entropy.

Each table has one parameter per cell, and the logarithm of a cell's chance is the sum of the
parameters of the tables at its states: a graphical model. Its tables are computed on a junction
tree (belief propagation), and its parameters by entropic mirror descent on the weighted squared
distance to the noisy tables (McKenna, Sheldon & Miklau 2019, "Graphical-model based estimation and
inference for differential privacy"). Everything here is computed from noisy tables alone, which
costs no epsilon.

Combinations that are declared to be impossible have chance 0, exactly and after every step: cells
that no possible row has are found once for each tree, and are never given a potential.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dpdesk.numbers.arrays import Flags, Floats
from dpdesk.synthesis.impossible import Zero, cliques_of, held, support
from dpdesk.synthesis.junction_tree import Clique, JunctionTree, junction_tree, spread

_TINY = 1e-300
"""Instead of the logarithm of 0."""

_STEP, _LONGER, _SHORTER, _STEP_MIN = 4.0, 1.5, 0.5, 1e-9
_CLOSE = 1e-7
"""The descent ends where a step gains no more than this part of the distance."""


@dataclass(frozen=True, eq=False)
class NoisyTable:
    """A table of counts with noise.

    Attributes:
        columns: Its columns, ascending.
        counts: Noisy counts, one axis per column.
        variance: Of the noise of a cell.
    """

    columns: Clique
    counts: Floats
    variance: float


class MarkovModel:
    """A graphical model of some columns, fitted to noisy tables.

    Args:
        sizes: Number of states of each column.
        zeros: Combinations that cannot be; some row must be possible.

    Attributes:
        tree: The junction tree of its tables and zeros.
        tables: The tables it is fitted to, in the order in which they were added; a cell that
            cannot be has the count 0.
        possible: Which cells of each clique a possible row can have.
    """

    def __init__(self, sizes: Sequence[int], zeros: Sequence[Zero] = ()) -> None:
        self.tables: list[NoisyTable] = []
        self.tree = junction_tree(sizes, cliques_of(zeros))
        self.possible = support(self.tree, zeros)
        self._zeros = tuple(zeros)
        self._parameters: list[Floats] = []
        self._step = _STEP
        self._beliefs: list[Floats] = []

    def add(self, tables: Sequence[NoisyTable]) -> None:
        """Adds tables to fit.

        A table of one column begins at its own shares. With one of two columns the shares of both
        begin at the mean of all tables that tell them, weighted by their precision: the descent
        would hardly leave shares that are nearly 0. Else parameters stay where they were.
        """
        for table in tables:
            if len(table.columns) == 2:
                known = [each.columns for each in self.tables]
                joined = [*cliques_of(self._zeros), *known]
                self.tree = self.tree.extended(joined, *table.columns)
                self.possible = support(self.tree, self._zeros)
            can_be = self.possible_cells(table.columns)
            # The noise of a cell that cannot be is noise alone.
            self.tables.append(replace(table, counts=np.where(can_be, table.counts, 0.0)))
            start = np.zeros(table.counts.shape)
            if len(table.columns) == 1:
                floor = max(np.sqrt(table.variance), 0.5)
                start = np.log(np.maximum(table.counts, floor))
            self._parameters.append(start)
            self._beliefs = []
            if len(table.columns) == 2:
                for column in table.columns:
                    self._align(column)

    def _align(self, column: int) -> None:
        """Moves the shares of a column to what all tables of it tell, with one step of fitting."""
        told, precision = np.zeros(self.tree.sizes[column]), 0.0
        own = -1
        for at, table in enumerate(self.tables):
            if column not in table.columns:
                continue
            if len(table.columns) == 1:
                own = at
            counts = _summed(table.counts, table.columns, (column,))
            weight = counts.size / (table.variance * table.counts.size)
            told += weight * counts
            precision += weight
        if own < 0:
            return
        floor = max(1 / np.sqrt(precision), 0.5)
        wanted = np.maximum(told / precision, floor)
        shares = np.maximum(self.table((column,)), _TINY)
        self._parameters[own] = self._parameters[own] + np.log(wanted / wanted.sum() / shares)
        self._beliefs = []

    def fit(self, rows: float, steps: int, tick: Callable[[], None] = lambda: None) -> float:
        """Moves the parameters towards the best fit.

        Args:
            rows: Number of rows by which counts become shares, above 0.
            steps: Most steps; a step costs a few passes over all cells of the tree.
            tick: Called before each step; may raise to stop.

        Returns:
            The weighted squared distance that is left.
        """
        largest = max(1 / table.variance for table in self.tables)
        goals = [(table.counts / rows, 1 / table.variance / largest) for table in self.tables]
        homes = [self.tree.home(table.columns) for table in self.tables]
        beliefs = self._propagated(homes)
        own = self._tables(beliefs, homes)
        distance, gradient = _distance(own, goals)
        for _ in range(steps):
            tick()
            before = self._parameters
            while True:
                self._parameters = [
                    p - self._step * g for p, g in zip(before, gradient, strict=True)
                ]
                beliefs = self._propagated(homes)
                moved = self._tables(beliefs, homes)
                reached, other = _distance(moved, goals)
                gained = sum(
                    float((g * (old - new)).sum())
                    for g, old, new in zip(gradient, own, moved, strict=True)
                )
                # Armijo's rule.
                if distance - reached >= gained / 2 or self._step < _STEP_MIN:
                    break
                self._step *= _SHORTER
            gain = distance - reached
            own, distance, gradient = moved, reached, other
            self._step *= _LONGER
            if gain <= _CLOSE * distance:
                break
        self._beliefs = beliefs
        return distance

    @property
    def beliefs(self) -> list[Floats]:
        """The model's chances of each clique of the tree, which sum to 1 in each."""
        if not self._beliefs:
            homes = [self.tree.home(table.columns) for table in self.tables]
            self._beliefs = self._propagated(homes)
        return self._beliefs

    def table(self, columns: Clique) -> Floats:
        """Returns the model's chances of a table of columns that share a clique.

        Args:
            columns: The columns, ascending.
        """
        home = self.tree.home(columns)
        return _summed(self.beliefs[home], self.tree.cliques[home], columns)

    def possible_cells(self, columns: Clique) -> Flags:
        """Returns which cells of a table of columns that share a clique a possible row can have.

        Args:
            columns: The columns, ascending.
        """
        home = self.tree.home(columns)
        return held(self.possible[home], self.tree.cliques[home], columns)

    def _propagated(self, homes: Sequence[int]) -> list[Floats]:
        potentials = self._potentials(homes)
        if self._zeros:
            for potential, can_be in zip(potentials, self.possible, strict=True):
                potential[~can_be] = -np.inf
        return _propagated(self.tree, potentials)

    def _tables(self, beliefs: Sequence[Floats], homes: Sequence[int]) -> list[Floats]:
        """The chances of each fitted table, by the cliques that hold them."""
        return [
            _summed(beliefs[home], self.tree.cliques[home], table.columns)
            for table, home in zip(self.tables, homes, strict=True)
        ]

    def _potentials(self, homes: Sequence[int]) -> list[Floats]:
        tree = self.tree
        potentials = [np.zeros([tree.sizes[c] for c in clique]) for clique in tree.cliques]
        for table, parameters, home in zip(self.tables, self._parameters, homes, strict=True):
            potentials[home] += spread(parameters, tree.cliques[home], table.columns)
        return potentials


def _distance(
    tables: Sequence[Floats], goals: Sequence[tuple[Floats, float]]
) -> tuple[float, list[Floats]]:
    """Half the weighted squared distance, and its derivatives by each table's chances."""
    total, gradient = 0.0, []
    for own, (shares, weight) in zip(tables, goals, strict=True):
        apart = own - shares
        total += weight * float((apart * apart).sum()) / 2
        gradient.append(weight * apart)
    return total, gradient


def _propagated(tree: JunctionTree, potentials: Sequence[Floats]) -> list[Floats]:
    """Returns the chances of each clique: messages to the first clique, and back."""
    logs = [potential.copy() for potential in potentials]
    beliefs: list[Floats] = [np.empty(0)] * len(logs)
    sent: list[Floats] = [np.empty(0)] * len(logs)
    for at in reversed(range(len(logs))):
        largest = logs[at].max()
        beliefs[at] = np.exp(logs[at] - largest)
        parent = tree.parents[at]
        if parent >= 0:
            separator = tree.separators[at]
            sent[at] = _summed(beliefs[at], tree.cliques[at], separator)
            message = np.log(np.maximum(sent[at], _TINY))
            logs[parent] += spread(message, tree.cliques[parent], separator)
    for at, parent in enumerate(tree.parents):
        if parent < 0:
            beliefs[at] /= beliefs[at].sum()
            continue
        separator = tree.separators[at]
        wanted = _summed(beliefs[parent], tree.cliques[parent], separator)
        factor = wanted / np.maximum(sent[at], _TINY)
        beliefs[at] *= spread(factor, tree.cliques[at], separator)
    return beliefs


def _summed(chances: Floats, clique: Clique, columns: Clique) -> Floats:
    """Sums a clique's chances over all but some of its columns."""
    axes = tuple(axis for axis, column in enumerate(clique) if column not in columns)
    return np.asarray(chances.sum(axis=axes)) if axes else chances
