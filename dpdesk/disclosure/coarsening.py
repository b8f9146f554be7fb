"""The best levels of a whole file: a search over the lattice of levels, optimal by a declared loss.

Each column is given on one level in all records (full-domain generalisation: Samarati 2001); the
classes that still break a requirement are left out, up to a limit. What may be skipped, and why:

- A class of k-anonymity or of distinct l-diversity that is merged with anything keeps its size and
  its values. So what is left out on a coarser level was left out on every finer one: a node that
  breaks k or distinct l for more records than the limit rules out all finer nodes.
- Entropy l-diversity and t-closeness hold for a union of classes if they hold for all of them,
  since entropy is concave and both distances are convex. A good class merged with a bad one can
  become bad, however. So without a limit they rule out finer nodes as k does, and with one they
  rule out nothing: then only k and distinct l do.
- A loss has a lower bound that does not fall from level to level (what the levels cost without
  anything left out; the sum of all f^2; n over the number of all classes): nodes whose bound is not
  below the best loss found are skipped.

The classes of a node are computed from the classes of a finer one, never again from the records. In
which order nodes are looked at changes nothing but the time: from the cheapest open node a chain to
coarser ones is halved until its first good one is found, which rules out most with few looks
(Kohlmayer, Prasser et al. 2012, Flash).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, reduce
from math import prod

import numpy as np
from numpy.typing import NDArray

from dpdesk.disclosure.classes import CodedColumn
from dpdesk.disclosure.diversity import Cells, distances, entropies
from dpdesk.disclosure.information_loss import Loss
from dpdesk.disclosure.levelled import LevelledColumn
from dpdesk.disclosure.requirement import (
    Grouped,
    Judged,
    Requirement,
    cells_in,
    grouped,
    judged,
)
from dpdesk.disclosure.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Floats

NODES_MOST = 1_000_000
"""Most nodes of a lattice that is searched."""

_CACHED_MOST = 48

Report = Callable[[str, float], object]


@dataclass(frozen=True)
class Found:
    """The result of a search.

    Attributes:
        levels: The level of each column.
        loss: What it costs by the chosen loss.
        suppressed: Records that are left out.
        looked_at: How many nodes were looked at.
        nodes: How many there are.
    """

    levels: tuple[int, ...]
    loss: float
    suppressed: int
    looked_at: int
    nodes: int


@dataclass(eq=False)
class Lattice:
    """The levels of some columns, and what each combination of them does.

    Attributes:
        columns: The quasi-identifiers with their levels; at least one.
        sensitive: The sensitive columns.
        rows: Number of records.
    """

    columns: tuple[LevelledColumn, ...]
    sensitive: tuple[CodedColumn, ...]
    rows: int
    _cache: OrderedDict[tuple[int, ...], Grouped] = field(default_factory=OrderedDict)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """Number of levels of each column."""
        return tuple(column.height + 1 for column in self.columns)

    @property
    def top(self) -> tuple[int, ...]:
        """The coarsest node."""
        return tuple(column.height for column in self.columns)

    @cached_property
    def _bottom(self) -> Grouped:
        ones = np.ones(self.rows, dtype=np.int64)
        own = [column.at(0) for column in self.columns]
        return grouped(own, self.sensitive, ones, (0,) * len(self.columns))

    def classes(self, levels: tuple[int, ...]) -> Grouped:
        """Returns the classes of a node, from those of the coarsest finer node that is cached."""
        found = self._cache.get(levels)
        if found is not None:
            self._cache.move_to_end(levels)
            return found
        finer = self._bottom
        for node, groups in self._cache.items():
            if len(groups.counts) < len(finer.counts) and _is_finer(node, levels):
                finer = groups
        columns = []
        for place, column in enumerate(self.columns):
            codes, level = finer.codes[place], levels[place]
            if finer.levels[place] != level:
                codes = self._step(place, finer.levels[place], level)[codes]
            columns.append(CodedColumn(column.name, codes, len(column.labels[level])))
        told = [
            CodedColumn(column.name, codes, column.levels)
            for column, codes in zip(self.sensitive, finer.told, strict=True)
        ]
        found = grouped(columns, told, finer.counts, levels)
        self._cache[levels] = found
        if len(self._cache) > _CACHED_MOST:
            self._cache.popitem(last=False)
        return found

    @cached_property
    def _steps(self) -> dict[tuple[int, int, int], NDArray[np.int64]]:
        return {}

    def _step(self, place: int, finer: int, coarser: int) -> NDArray[np.int64]:
        key = (place, finer, coarser)
        if key not in self._steps:
            self._steps[key] = self.columns[place].step(finer, coarser)
        return self._steps[key]

    def loss(self, groups: Grouped, verdict: Judged, loss: Loss, k: int) -> float:
        """Returns what a node costs with the records that are left out."""
        whole = sum(self._level_costs(loss, groups.levels))
        if not self._is_of_levels(loss):
            return loss.of_classes(groups.sizes[~verdict.left_out], verdict.suppressed, k)
        if verdict.suppressed:
            out = verdict.left_out[groups.of_class]
            for place, column in enumerate(self.columns):
                level = groups.levels[place]
                codes = np.bincount(
                    groups.codes[place][out],
                    weights=groups.counts[out],
                    minlength=len(column.labels[level]),
                ).astype(np.int64)
                whole += loss.of_suppressed(column, level, codes, len(self.columns))
        return whole / loss.whole(self.columns)

    def _is_of_levels(self, loss: Loss) -> bool:
        return loss.of_column(self.columns[0], len(self.columns)) is not None

    def _level_costs(self, loss: Loss, levels: tuple[int, ...]) -> list[float]:
        costs = self._costs(loss)
        return [float(one[level]) for one, level in zip(costs, levels, strict=True)]

    @cached_property
    def _known_costs(self) -> dict[str, list[Floats]]:
        return {}

    def _costs(self, loss: Loss) -> list[Floats]:
        if loss.word not in self._known_costs:
            found = []
            for column in self.columns:
                cost = loss.of_column(column, len(self.columns))
                found.append(np.zeros(column.height + 1) if cost is None else cost)
            self._known_costs[loss.word] = found
        return self._known_costs[loss.word]

    def bounds(self, loss: Loss) -> Floats:
        """Returns what every node costs at least by its levels alone; shape `shape`."""
        parts = [
            cost.reshape([-1 if axis == place else 1 for axis in range(len(self.shape))])
            for place, cost in enumerate(self._costs(loss))
        ]
        return np.asarray(reduce(np.add, parts) / loss.whole(self.columns))


def _is_finer(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(a <= b for a, b in zip(one, other, strict=True))


def search(
    lattice: Lattice,
    requirement: Requirement,
    loss: Loss,
    fixed: Mapping[int, int] | None = None,
    report: Report = lambda stage, done: None,
) -> Found:
    """Returns the node of the least loss that fulfils a requirement.

    Args:
        lattice: The columns with their levels.
        requirement: What every class has to fulfil.
        loss: What is to be least.
        fixed: Levels that are chosen already, by the place of their column.
        report: Receives progress; may raise to stop.

    Raises:
        ParameterError: No node fulfils it, or the lattice has too many nodes; the sentence says
            what can be reached.
    """
    requirement.check(lattice.rows, lattice.sensitive)
    if prod(lattice.shape) > NODES_MOST:
        raise ParameterError(T.MANY_COMBINATIONS(most=NODES_MOST))
    running = _Search(lattice, requirement, loss, fixed or {}, report)
    found = running.run()
    if found is None:
        raise _unreachable(lattice, requirement, fixed or {})
    return found


class _Search:
    """One search: which nodes are open, and the best so far."""

    def __init__(
        self,
        lattice: Lattice,
        requirement: Requirement,
        loss: Loss,
        fixed: Mapping[int, int],
        report: Report,
    ) -> None:
        self._lattice, self._requirement, self._loss = lattice, requirement, loss
        self._report = report
        self._bound = lattice.bounds(loss)
        self._guide = self._bound
        self._is_of_levels = bool(self._bound.any())
        if not self._is_of_levels:
            heights = np.indices(lattice.shape)
            limits = np.maximum(np.array(lattice.top), 1).reshape(-1, *[1] * len(lattice.shape))
            self._guide = (heights / limits).sum(axis=0)
        self._open = np.zeros(lattice.shape, dtype=np.bool_)
        inside = tuple(
            slice(fixed[place], fixed[place] + 1) if place in fixed else slice(None)
            for place in range(len(lattice.shape))
        )
        self._open[inside] = True
        self._nodes = int(np.count_nonzero(self._open))
        self._rules_out_all = requirement.suppressed_most == 0
        self._best: Found | None = None
        self._looked_at = 0

    def run(self) -> Found | None:
        """Looks at nodes until no open one can be better."""
        is_open = self._open.reshape(-1)
        for flat in np.argsort(self._guide, axis=None, kind="stable"):
            if not is_open[flat]:
                continue
            node = tuple(int(level) for level in np.unravel_index(flat, self._guide.shape))
            if self._is_open(node):
                self._halve(self._chain(node))
        if self._best is None:
            return None
        best = self._best
        return Found(best.levels, best.loss, best.suppressed, self._looked_at, self._nodes)

    def _is_open(self, node: tuple[int, ...]) -> bool:
        best = np.inf if self._best is None else self._best.loss
        return bool(self._open[node]) and bool(self._bound[node] < best)

    def _chain(self, node: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Returns open nodes from one to coarser ones, each by the cheapest step."""
        chain = [node]
        while True:
            above = [
                (*node[:place], level + 1, *node[place + 1 :])
                for place, level in enumerate(node)
                if level < self._lattice.top[place]
            ]
            above = [one for one in above if self._is_open(one)]
            if not above:
                return chain
            node = min(above, key=lambda one: self._guide[one])
            chain.append(node)

    def _halve(self, chain: list[tuple[int, ...]]) -> None:
        low, high = 0, len(chain) - 1
        while low <= high:
            middle = (low + high) // 2
            if self._look(chain[middle]):
                high = middle - 1
            else:
                low = middle + 1

    def _look(self, node: tuple[int, ...]) -> bool:
        """Looks at a node; returns whether finer ones may still do."""
        self._looked_at += 1
        if self._looked_at % 32 == 1:
            left = np.count_nonzero(self._open) / self._nodes
            self._report("Comparing levels", 1 - float(left))
        groups = self._lattice.classes(node)
        verdict = judged(groups, self._lattice.sensitive, self._requirement)
        self._open[node] = False
        most = self._requirement.suppressed_most
        missed = verdict.suppressed if self._rules_out_all else verdict.least_suppressed
        if missed > most:
            self._open[tuple(slice(level + 1) for level in node)] = False
            return False
        coarser = tuple(slice(level, None) for level in node)
        k = self._requirement.k
        if not self._is_of_levels:
            least = self._loss.of_classes(groups.sizes, 0, k)
            self._bound[coarser] = np.maximum(self._bound[coarser], least)
        if verdict.suppressed <= most:
            cost = self._lattice.loss(groups, verdict, self._loss, k)
            if self._best is None or cost < self._best.loss:
                self._best = Found(node, cost, verdict.suppressed, 0, 0)
        return True


def _unreachable(
    lattice: Lattice, requirement: Requirement, fixed: Mapping[int, int]
) -> ParameterError:
    """Returns the error of a requirement that no node fulfils, with what the coarsest one does."""
    most, sensitive = requirement.suppressed_most, lattice.sensitive
    top = tuple(fixed.get(place, level) for place, level in enumerate(lattice.top))
    groups = lattice.classes(top)
    sizes = groups.sizes

    def reached(values: Floats) -> float:
        """The largest value that all classes have but those that may be left out."""
        order = np.argsort(values)
        out = np.cumsum(sizes[order]) <= most
        return float(values[order][min(int(np.count_nonzero(out)), len(order) - 1)])

    k = int(reached(sizes.astype(np.float64)))
    symbol, wanted, best = "k", f"{requirement.k:,}", f"{k:,}"
    if k >= requirement.k:
        cells = [cells_in(groups, column, place) for place, column in enumerate(sensitive)]
        l_distinct = min(
            (int(reached(one.distinct.astype(np.float64))) for one in cells), default=1
        )
        l_entropy = min((float(np.exp(reached(entropies(c, sizes)))) for c in cells), default=1.0)
        if l_distinct < requirement.l_distinct:
            symbol, wanted, best = "l", f"{requirement.l_distinct}", f"{l_distinct}"
        elif l_entropy < requirement.l_entropy:
            symbol, wanted, best = "entropy l", f"{requirement.l_entropy:g}", f"{l_entropy:.3g}"
        else:
            t = f"{_t_of(groups, sensitive, cells):.3g}"
            return ParameterError(T.UNREACHABLE__TOGETHER(k=k, l=l_distinct, t=t))
    return ParameterError(T.UNREACHABLE(symbol=symbol, wanted=wanted, reached=best))


def _t_of(groups: Grouped, sensitive: Sequence[CodedColumn], cells: Sequence[Cells]) -> float:
    """Returns the largest distance of a class from all records."""
    return max(
        (
            float(distances(one, groups.sizes, is_ordered=column.is_ordered).max())
            for one, column in zip(cells, sensitive, strict=True)
        ),
        default=0.0,
    )
