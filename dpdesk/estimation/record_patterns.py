"""Records of a release that are alike in some columns, counted together.

Reports are few categories, so that of a hundred million records a few thousand differ. Estimates
are sums over records, and so sums over what differs, with how many records each pattern has: memory
and time are then independent of their number. Where reports are bits or hashes, of which few are
alike, patterns are single records, and come in tables of limited size.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.sample_design import Lonely, SampleDesign
from dpdesk.estimation.variable import Reports, Variable
from dpdesk.numbers.arrays import Counts, Floats, may_wait

Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]

_LARGEST_KEY = 1 << 62
_DENSE = 1 << 21
"""Combinations that are counted in a table of all of them; of more, those that occur are sorted."""
_MOST_BITS = 20
"""Most indicators of a report whose combinations are looked for."""
_FEW = 0.9
"""More different records than this part of a first look do not get fewer by counting."""
MOST_PATTERNS, _MOST_BYTES = 1 << 20, 1 << 26
"""Size of a table of patterns; more of them follow in another one."""
_WAITING = 1 << 17
"""So many patterns of several parts are worth a look at which of them are alike."""
_PRODUCTS, _LEAST_BLOCK, _MOST_BLOCK = 1 << 18, 256, 1 << 14
"""Products that are made at a time: matrices of more wake threads, which wait for each other."""


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Different records; arrays have one row for each.

    Attributes:
        reports: What they hold, by the name of the column; see `Reports`.
        labels: Further columns of codes that tell them apart: strata, clusters, weights.
        counts: How many records are like each of them.
        weights: Sum of the weights of these.
        squares: Sum of their squared weights.
    """

    reports: Mapping[str, Reports]
    labels: Mapping[str, Labels]
    counts: Counts
    weights: Floats
    squares: Floats

    @property
    def size(self) -> int:
        """Number of patterns."""
        return int(self.counts.size)

    @property
    def totals(self) -> tuple[int, float, float]:
        """Number of records, sum of their weights and of their squared weights."""
        return int(self.counts.sum()), float(self.weights.sum()), float(self.squares.sum())

    def scores(self, variable: Variable) -> Floats:
        """Returns what each pattern tells of an attribute."""
        return variable.scores(self.reports[variable.name])

    def take(self, rows: slice | Mask | Labels) -> Patterns:
        """Returns some of them."""
        return Patterns(
            {name: of[rows] for name, of in self.reports.items()},
            {name: of[rows] for name, of in self.labels.items()},
            self.counts[rows],
            self.weights[rows],
            self.squares[rows],
        )

    @classmethod
    def joined(cls, tables: Sequence[Patterns]) -> Patterns:
        """Returns some tables below each other."""
        first, *others = tables
        if not others:
            return first
        return cls(
            {name: np.concatenate([t.reports[name] for t in tables]) for name in first.reports},
            {name: np.concatenate([t.labels[name] for t in tables]) for name in first.labels},
            *(
                np.concatenate([getattr(table, what) for table in tables])
                for what in ("counts", "weights", "squares")
            ),
        )

    def counted(self) -> Patterns:
        """Returns them with those that are alike as one, in the order of their codes."""
        columns = [_key(reports) for reports in (*self.reports.values(), *self.labels.values())]
        if not self.size or any(column is None for column in columns):
            return self
        first, place = _different([column for column in columns if column is not None])
        counts, weights, squares = (
            np.bincount(place, what, first.size).astype(np.float64)
            for what in (self.counts, self.weights, self.squares)
        )
        return Patterns(
            {name: of[first] for name, of in self.reports.items()},
            {name: of[first] for name, of in self.labels.items()},
            # Exact: floats hold whole numbers up to 2^53.
            counts.astype(np.int64),
            weights,
            squares,
        )

    def unlabelled(self) -> Patterns:
        """Returns them without further columns."""
        if not self.labels:
            return self
        return Patterns(self.reports, {}, self.counts, self.weights, self.squares).counted()

    def recoded(self, codes: Mapping[str, Labels]) -> Patterns:
        """Returns them with other codes of some columns, by the old ones."""
        reports = {
            name: codes[name][of] if name in codes else of for name, of in self.reports.items()
        }
        return Patterns(reports, self.labels, self.counts, self.weights, self.squares).counted()

    @property
    def row_bytes(self) -> int:
        """Memory of a pattern."""
        arrays = (*self.reports.values(), *self.labels.values())
        return 24 + sum(one.nbytes // max(len(one), 1) for one in arrays)


def tables_of(parts: Iterable[Patterns]) -> Iterator[Patterns]:
    """Yields the different records of all parts, in tables of limited size; mostly one.

    Args:
        parts: Some records each, in their order.
    """
    waiting: list[Patterns] = []
    size, are_few, joined = 0, True, 0
    for number, part in enumerate(parts):
        counted = part.counted() if are_few else part
        if number == 0:
            are_few = counted.size <= _FEW * part.size
        waiting.append(counted)
        size += counted.size
        most = min(MOST_PATTERNS, max(1, _MOST_BYTES // counted.row_bytes))
        has_room = size < most
        if has_room and (not are_few or may_wait(size - joined, joined, _WAITING)):
            continue
        table = Patterns.joined(waiting)
        table = table.counted() if are_few else table
        waiting, size, joined = [table], table.size, table.size
        if size >= most // 2:
            yield table
            waiting, size, joined = [], 0, 0
    if waiting:
        table = Patterns.joined(waiting)
        yield table.counted() if are_few else table


def _key(reports: Reports) -> Labels | None:
    """Reports as whole numbers from 0, shape (n,); None where few can be alike."""
    if reports.ndim == 1:
        return reports.astype(np.int64, copy=False)
    if reports.dtype != np.uint8 or reports.shape[1] > _MOST_BITS + 1:
        return None
    return np.asarray(reports.astype(np.int64) @ (1 << np.arange(reports.shape[1])))


def _different(columns: Sequence[Labels]) -> tuple[Labels, Labels]:
    """Finds the different rows of some columns of whole numbers from 0.

    Returns:
        A row that is like each of them, shape (m,), and the one that each row is like, (n,).
    """
    combined, size = np.zeros(columns[0].size, dtype=np.int64), 1
    for column in columns:
        width = int(column.max()) + 1
        if size * width > _LARGEST_KEY:
            different, combined = np.unique(combined, return_inverse=True)
            size = different.size
        combined, size = combined * width + column, size * width
    if size > max(_DENSE, combined.size):
        _, first, place = np.unique(combined, return_index=True, return_inverse=True)
        return first.astype(np.int64), place.astype(np.int64)
    first = np.full(size, -1, dtype=np.int64)
    # From the last row to the first one, which so stays.
    first[combined[::-1]] = np.arange(combined.size)[::-1]
    present = np.flatnonzero(first >= 0)
    number = np.zeros(size, dtype=np.int64)
    number[present] = np.arange(present.size)
    return first[present], number[combined]


class Together:
    """Some attributes, and the records that tell of all of them.

    Args:
        variables: The attributes.
        tables: Reads the different records again, in tables of limited size.
        totals: Number of records, sum of their weights and of their squared weights.
        only: The different records, where one table holds them.
        designed: Whether strata or clusters say how respondents were drawn.
        lonely: How a stratum with a single cluster adds to a variance.

    Attributes:
        variables: The attributes.
        records: Number of records.
        weight: Sum of their weights.
        squares: Sum of the squared weights.
        designed: As given.
    """

    def __init__(
        self,
        variables: tuple[Variable, ...],
        tables: Callable[[], Iterator[Patterns]],
        totals: tuple[int, float, float],
        only: Patterns | None = None,
        *,
        designed: bool = False,
        lonely: Lonely = "fail",
    ) -> None:
        self.variables, self.designed = variables, designed
        self.records, self.weight, self.squares = totals
        self._tables, self._only, self._lonely = tables, only, lonely

    @cached_property
    def whole(self) -> Patterns:
        """All different records at once."""
        if self._only is not None:
            return self._only
        whole: Patterns | None = None
        for table in self._tables():
            # Those of one table may be like some of another.
            whole = table if whole is None else Patterns.joined([whole, table]).counted()
        assert whole is not None  # noqa: S101 - there are records
        return whole

    @property
    def patterns(self) -> int | None:
        """Number of different records; None where they do not come at once."""
        return None if self._only is None else self._only.size

    def among(self, rows: Mask) -> Together:
        """Returns the records that are like some of `whole`.

        Args:
            rows: Which of these, shape (m,).
        """
        some = self.whole.take(rows)
        return Together(
            self.variables,
            lambda: iter((some,)),
            some.totals,
            some,
            designed=self.designed,
            lonely=self._lonely,
        )

    def blocks(self, cells: int) -> Iterator[Patterns]:
        """Yields different records, some at a time.

        Args:
            cells: Products that are made of the scores of a record.
        """
        step = max(_LEAST_BLOCK, min(_MOST_BLOCK, _PRODUCTS // max(cells, 1)))
        for table in self._unlabelled():
            for start in range(0, table.size, step):
                yield table.take(slice(start, start + step))

    def _unlabelled(self) -> Iterator[Patterns]:
        """The different records whatever their strata: estimates do not depend on these."""
        if self._only is not None:
            yield self._only_unlabelled
            return
        for table in self._tables():
            yield table.unlabelled()

    @cached_property
    def _only_unlabelled(self) -> Patterns:
        return self.whole.unlabelled()

    @cached_property
    def sample(self) -> SampleDesign:
        """How the respondents of these records were drawn; a row for each of `whole`."""
        whole = self.whole
        none = np.zeros(whole.size, dtype=np.int64)
        strata, clusters = whole.labels.get("strata", none), whole.labels.get("clusters")
        alone = clusters is None
        return SampleDesign(
            whole.weights / whole.counts if alone else whole.weights,
            strata,
            np.arange(whole.size) if clusters is None else clusters,
            lonely=self._lonely,
            alike=whole.counts if alone else None,
        )

    def covariance_of_parts(self, parts: Floats) -> Floats:
        """Returns the covariance of a weighted sum over records, by the sample's design.

        Args:
            parts: What a record of each pattern of `whole` adds, without its weight, shape (m, k).
        """
        if self.designed:
            return self.sample.covariance_of_sum(self.sample.weights[:, None] * parts)
        whole = self.whole
        return self._spread((parts.T * whole.squares) @ parts, whole.weights @ parts)

    def covariance_of_sum(self, parts: Callable[[Patterns], Floats], size: int) -> Floats:
        """Returns the same, of what a function gives of some different records each.

        Args:
            parts: From different records, (b,), what each adds, without its weight, shape (b, k).
            size: k.
        """
        if self.designed:
            return self.covariance_of_parts(
                np.concatenate([parts(block) for block in self._of_whole(size)])
            )
        squares, sums = np.zeros((size, size)), np.zeros(size)
        for block in self.blocks(size):
            found = parts(block)
            squares += (found.T * block.squares) @ found
            sums += block.weights @ found
        return self._spread(squares, sums)

    def _of_whole(self, size: int) -> Iterator[Patterns]:
        step = max(_LEAST_BLOCK, _PRODUCTS // max(size, 1))
        for start in range(0, self.whole.size, step):
            yield self.whole.take(slice(start, start + step))

    def _spread(self, squares: Floats, sums: Floats) -> Floats:
        """The covariance of a sum over respondents who were drawn one by one.

        Args:
            squares: Sum of the squares of what they add.
            sums: Sum of what they add.
        """
        n = self.records
        if n == 1:
            one = np.zeros(1, dtype=np.int64)
            SampleDesign(np.ones(1), one, one).check()
        return np.asarray((squares - np.outer(sums, sums) / n) * (n / max(n - 1, 1)))
