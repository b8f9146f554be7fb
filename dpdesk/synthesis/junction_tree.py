"""Junction trees: how a joint distribution that two-way tables determine is stored in small tables.

Columns that a table joins are neighbours. Eliminating them one after the other, each with its
neighbours a clique, makes the graph chordal; its largest cliques form a tree in which every column
is in consecutive cliques (Lauritzen & Spiegelhalter 1988). Only sizes and choices are used here, no
answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, pairwise
from math import prod
from typing import Any

from numpy.typing import NDArray

Clique = tuple[int, ...]

CELLS_MAX = 50_000
"""Most cells of the junction tree of a synthesis: time and memory of the fit grow with them."""


@dataclass(frozen=True)
class JunctionTree:
    """A tree of cliques of columns.

    Attributes:
        sizes: Number of states of each column.
        cliques: Columns of each clique in ascending order; a clique stands behind its parent.
        parents: Position of each clique's parent; -1 for the first.
    """

    sizes: tuple[int, ...]
    cliques: tuple[Clique, ...]
    parents: tuple[int, ...]

    def size_of(self, columns: Iterable[int]) -> int:
        """Returns the number of cells of a table of some columns."""
        return prod(self.sizes[column] for column in columns)

    @cached_property
    def cells(self) -> int:
        """Number of cells of all cliques together: what memory and time grow with."""
        return sum(self.size_of(clique) for clique in self.cliques)

    @cached_property
    def separators(self) -> tuple[Clique, ...]:
        """The columns that each clique shares with its parent; none for the first."""
        return tuple(
            () if parent < 0 else tuple(c for c in clique if c in self.cliques[parent])
            for clique, parent in zip(self.cliques, self.parents, strict=True)
        )

    def home(self, columns: Iterable[int]) -> int:
        """Returns the position of the smallest clique that holds some columns.

        Raises:
            ValueError: No clique holds them all.
        """
        wanted = set(columns)
        holding = [at for at, clique in enumerate(self.cliques) if wanted <= set(clique)]
        return min(holding, key=lambda at: self.size_of(self.cliques[at]))

    def cells_with(self, first: int, second: int) -> int:
        """Returns an upper bound on the cells of a tree that also joins two columns.

        Putting the one into every clique between it and the other keeps the tree a junction tree;
        `extended` never returns a larger one.
        """
        path = self._path(first, second)
        if len(path) == 1:
            return self.cells
        if self._is_apart(path):
            return self.cells + self.sizes[first] * self.sizes[second]
        added = (
            (self.sizes[column] - 1)
            * sum(self.size_of(self.cliques[at]) for at in path if column not in self.cliques[at])
            for column in (first, second)
        )
        return self.cells + min(added)

    def extended(self, tables: Sequence[Clique], first: int, second: int) -> JunctionTree:
        """Returns a tree that holds some tables and one more.

        Args:
            tables: The tables of this tree.
            first: A column of the new table.
            second: Its other column.
        """
        anew = junction_tree(self.sizes, [*tables, (first, second)])
        if anew.cells <= self.cells_with(first, second):
            return anew
        return _tree_of(self.sizes, self._joined(first, second))

    def _joined(self, first: int, second: int) -> list[frozenset[int]]:
        """The cliques after two columns were joined, the cheaper way round."""
        path = self._path(first, second)
        own = [frozenset(clique) for clique in self.cliques]
        if len(path) == 1:
            return own
        if self._is_apart(path):
            return _largest([*own, frozenset({first, second})])
        ways = []
        for column in (first, second):
            ways.append(
                _largest([c | {column} if at in set(path) else c for at, c in enumerate(own)])
            )
        return min(ways, key=lambda cliques: _cells_of(self.sizes, cliques))

    def _is_apart(self, path: Sequence[int]) -> bool:
        """Whether nothing joins both ends of a path yet."""
        return any(not set(self.cliques[a]) & set(self.cliques[b]) for a, b in pairwise(path))

    def _path(self, first: int, second: int) -> list[int]:
        """The shortest path of cliques from one that holds a column to one that holds another."""
        before: dict[int, int] = {
            at: -1 for at, clique in enumerate(self.cliques) if first in clique
        }
        waiting = list(before)
        for at in waiting:
            if second in self.cliques[at]:
                path = [at]
                while before[path[-1]] >= 0:
                    path.append(before[path[-1]])
                return path
            for other in self._beside[at]:
                if other not in before:
                    before[other] = at
                    waiting.append(other)
        raise ValueError("Every column is in a clique of one tree.")

    @cached_property
    def _beside(self) -> tuple[tuple[int, ...], ...]:
        beside: list[list[int]] = [[] for _ in self.cliques]
        for at, parent in enumerate(self.parents):
            if parent >= 0:
                beside[at].append(parent)
                beside[parent].append(at)
        return tuple(map(tuple, beside))


def spread(values: NDArray[Any], clique: Clique, columns: Clique) -> NDArray[Any]:
    """Returns the values of some columns with an axis of length 1 for each other of a clique."""
    lengths = iter(values.shape)
    return values.reshape([next(lengths) if column in columns else 1 for column in clique])


def junction_tree(sizes: Sequence[int], tables: Iterable[Clique]) -> JunctionTree:
    """Returns a small junction tree of all columns in which each table is within a clique.

    The best elimination order is hard to find; the smaller of those by fill-in and by size is
    taken.

    Args:
        sizes: Number of states of each column.
        tables: The columns of each table.
    """
    graph: dict[int, set[int]] = {column: set() for column in range(len(sizes))}
    for table in tables:
        for one, other in combinations(table, 2):
            graph[one].add(other)
            graph[other].add(one)
    found = (_eliminated(sizes, graph, order) for order in (_by_fill, _by_size))
    best = min(found, key=lambda cliques: _cells_of(sizes, cliques))
    return _tree_of(sizes, best)


_Graph = dict[int, set[int]]
_Order = Callable[[Sequence[int], _Graph, int], tuple[int, int]]


def _by_fill(sizes: Sequence[int], graph: _Graph, column: int) -> tuple[int, int]:
    fill = sum(1 for a, b in combinations(graph[column], 2) if b not in graph[a])
    return fill, prod(sizes[c] for c in graph[column]) * sizes[column]


def _by_size(sizes: Sequence[int], graph: _Graph, column: int) -> tuple[int, int]:
    fill, size = _by_fill(sizes, graph, column)
    return size, fill


def _eliminated(sizes: Sequence[int], graph: _Graph, order: _Order) -> list[frozenset[int]]:
    """The largest cliques of the chordal graph that eliminating columns in an order makes."""
    left = {column: set(near) for column, near in graph.items()}
    cliques = []
    while left:
        column = min(left, key=lambda c: (order(sizes, left, c), c))
        near = left.pop(column)
        cliques.append(frozenset(near | {column}))
        for other in near:
            left[other] |= near
            left[other] -= {other, column}
    return _largest(cliques)


def _largest(cliques: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """The cliques that are within no other, each once."""
    kept: list[frozenset[int]] = []
    for clique in sorted(set(cliques), key=lambda c: (-len(c), sorted(c))):
        if not any(clique <= other for other in kept):
            kept.append(clique)
    return kept


def _cells_of(sizes: Sequence[int], cliques: Iterable[frozenset[int]]) -> int:
    return sum(prod(sizes[column] for column in clique) for clique in cliques)


def _tree_of(sizes: Sequence[int], cliques: Sequence[frozenset[int]]) -> JunctionTree:
    """Joins cliques by a spanning tree of largest separators, which makes it a junction tree."""
    reached = [0]
    parents = {0: -1}
    while len(reached) < len(cliques):
        _, at, parent = max(
            (len(cliques[at] & cliques[parent]), -at, -parent)
            for at in range(len(cliques))
            if at not in parents
            for parent in reached
        )
        parents[-at] = -parent
        reached.append(-at)
    place = {clique: at for at, clique in enumerate(reached)}
    return JunctionTree(
        tuple(sizes),
        tuple(tuple(sorted(cliques[at])) for at in reached),
        tuple(-1 if parents[at] < 0 else place[parents[at]] for at in reached),
    )
