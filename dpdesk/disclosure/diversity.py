"""What a class tells about a sensitive answer: l-diversity, (alpha, k) and t-closeness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesk.disclosure.classes import Classes, CodedColumn, Codes, counted, mixed_radix
from dpdesk.numbers import arrays
from dpdesk.numbers.arrays import Counts, Flags, Floats


@dataclass(frozen=True)
class Diversity:
    """How much the classes tell about one sensitive column.

    Attributes:
        column: Its name.
        l_distinct: Fewest different values in a class.
        l_entropy: Exponential of the smallest entropy of a class.
        recursive_c: Where l_distinct is 2 or more, recursive (c, l)-diversity holds at that l for
            every c above this number: the largest r_1 / (r_l + ... + r_m) of a class, r_1 >= r_2
            >= ... being the counts of its values (Machanavajjhala et al. 2007). None where
            l_distinct is 1, which no c makes diverse.
        alpha: Largest share of one value in a class.
        t_closeness: Largest distance between a class and the whole (Li, Li & Venkatasubramanian
            2007): total variation of nominal values; of ordered ones the sum of the differences
            of the cumulative shares over the number of values less 1.
        is_ordered: Whether t_closeness is that of ordered values.
        rows_disclosed: Number of records in classes of a single value: it follows from the class.
        classes_disclosed: Number of those classes.
    """

    column: str
    l_distinct: int
    l_entropy: float
    recursive_c: float | None
    alpha: float
    t_closeness: float
    is_ordered: bool
    rows_disclosed: int
    classes_disclosed: int


def diversity(classes: Classes, sensitive: CodedColumn) -> Diversity:
    """Returns how much the classes tell about a sensitive column.

    Args:
        classes: The classes; there is a record.
        sensitive: The column, of the same records.
    """
    both = Classes((classes.as_column, sensitive), classes.rows)
    shares = sensitive.counts / classes.rows
    fewest, disclosed, alone = both.count, 0, 0
    entropy, alpha, distance = np.inf, 0.0, 0.0
    for cells, sizes in _cells_of_some(both, classes, sensitive.levels):
        largest, distinct = np.maximum.reduceat(cells.counts, cells.starts), cells.distinct
        fewest = min(fewest, int(distinct.min()))
        entropy = min(entropy, float(entropies(cells, sizes).min()))
        alpha = max(alpha, float((largest / sizes).max()))
        apart = distances(cells, sizes, is_ordered=sensitive.is_ordered, shares=shares)
        distance = max(distance, float(apart.max()))
        disclosed += int(sizes[distinct == 1].sum())
        alone += int(np.count_nonzero(distinct == 1))
    recursive = None
    if fewest > 1:
        some = _cells_of_some(both, classes, sensitive.levels)
        recursive = max(_recursive_c(cells, fewest) for cells, _ in some)
    return Diversity(
        column=sensitive.name,
        l_distinct=fewest,
        l_entropy=float(np.exp(max(entropy, 0.0))),
        recursive_c=recursive,
        alpha=alpha,
        t_closeness=distance,
        is_ordered=sensitive.is_ordered,
        rows_disclosed=disclosed,
        classes_disclosed=alone,
    )


def _cells_of_some(both: Classes, classes: Classes, levels: int) -> Iterator[tuple[Cells, Counts]]:
    """Yields the values of some classes, and the sizes of these, until all were there.

    Args:
        both: The classes of class and value.
        classes: The classes.
        levels: Number of values that there can be.
    """
    start, levels = 0, max(levels, 1)
    while start < both.count:
        # A class is not parted: one that begins here is looked at whole.
        first = int(both.keys[start]) // levels
        end = min(start + arrays.ROWS_TOGETHER, both.count)
        last = int(both.keys[end - 1]) // levels
        behind = max(last, first + 1) if end < both.count else last + 1
        stop = int(np.searchsorted(both.keys, behind * levels))
        keys = both.keys[start:stop] - first * levels
        yield _cells(keys, both.sizes[start:stop], levels), classes.sizes[first:behind]
        start = stop


@dataclass(frozen=True, eq=False)
class Cells:
    """The values that occur in each class, class after class and value after value.

    Attributes:
        of_class, values, counts: Class, code of the value and number of records of each cell.
        starts: Position of the first cell of each class.
    """

    of_class: NDArray[np.int64]
    values: NDArray[np.int64]
    counts: Counts
    starts: NDArray[np.int64]

    @property
    def distinct(self) -> Counts:
        """Number of different values of each class, shape (classes,)."""
        return np.diff(self.starts, append=len(self.counts))

    @cached_property
    def shares(self) -> Floats:
        """Share of each value among the records of all classes; shape (largest code + 1,)."""
        return np.asarray(np.bincount(self.values, weights=self.counts) / self.counts.sum())

    def among(self, chosen: Flags) -> Cells:
        """Returns the cells of some classes, numbered anew.

        Args:
            chosen: Which classes, shape (classes,); at least one.
        """
        inside = chosen[self.of_class]
        of_class = np.searchsorted(np.flatnonzero(chosen), self.of_class[inside])
        starts = np.flatnonzero(np.diff(of_class, prepend=-1))
        return Cells(of_class, self.values[inside], self.counts[inside], starts)


def cells_of(
    of_class: NDArray[np.int64], values: Codes, levels: int, counts: Counts | None = None
) -> Cells:
    """Counts the values in each class.

    Args:
        of_class: The class of each row, all of 0 to the largest; shape (n,).
        values: The value of each row, shape (n,).
        levels: Number of values that there can be.
        counts: How many records each row stands for; one if None.
    """
    classes = int(of_class.max()) + 1
    columns = [CodedColumn("", of_class, classes), CodedColumn("", values, levels)]
    keys, radix = mixed_radix(columns, len(of_class))
    if counts is None or not (keys[1:] > keys[:-1]).all():
        keys, counts = counted(keys, radix, counts)
    return _cells(keys, counts, levels)


def _cells(keys: NDArray[np.int64], counts: Counts, levels: int) -> Cells:
    classes_of, values_of = np.divmod(keys, max(levels, 1))
    return Cells(classes_of, values_of, counts, np.flatnonzero(np.diff(classes_of, prepend=-1)))


def entropies(cells: Cells, sizes: Counts) -> Floats:
    """Returns the entropy of the values of each class in nats, shape (classes,)."""
    products = np.add.reduceat(cells.counts * np.log(cells.counts), cells.starts)
    return np.asarray(np.log(sizes) - products / sizes)


def distances(
    cells: Cells, sizes: Counts, *, is_ordered: bool, shares: Floats | None = None
) -> Floats:
    """Returns the distance of each class from the whole, shape (classes,).

    Args:
        cells: The values of the classes.
        sizes: Number of records of each class.
        is_ordered: Whether the values are in their order.
        shares: Share of each value in the whole, by its code; that of the cells if None.
    """
    shares = cells.shares if shares is None else shares
    # Ranked among those that occur: a value that nobody has is no step of an order.
    present = np.flatnonzero(shares)
    rank = np.zeros(len(shares), dtype=np.int64)
    rank[present] = np.arange(len(present))
    distance = _ordered_distance if is_ordered else _nominal_distance
    return distance(cells, rank[cells.values], sizes, shares[present])


def _recursive_c(cells: Cells, l_distinct: int) -> float:
    largest = np.maximum.reduceat(cells.counts, cells.starts)
    order = np.lexsort((-cells.counts, cells.of_class))
    place = np.arange(len(order)) - cells.starts[cells.of_class]
    tail = np.where(place >= l_distinct - 1, cells.counts[order], 0)
    return float((largest / np.add.reduceat(tail, cells.starts)).max())


def _nominal_distance(
    cells: Cells, values: NDArray[np.int64], sizes: Counts, shares: Floats
) -> Floats:
    own, whole = cells.counts / sizes[cells.of_class], shares[values]
    # A value that the class lacks differs by its whole share.
    lacking = 1 - np.add.reduceat(whole, cells.starts)
    return np.asarray((np.add.reduceat(np.abs(own - whole), cells.starts) + lacking) / 2)


def _ordered_distance(
    cells: Cells, ranks: NDArray[np.int64], sizes: Counts, shares: Floats
) -> Floats:
    """Sums |P_i - Q_i| over the values i, P and Q being cumulative shares of class and whole.

    Between two values that occur in the class P stays and Q rises, so that the sum up to where
    they cross, and the one from there on, are differences of sums of Q.
    """
    values = len(shares)
    if values < 2:
        return np.zeros(len(sizes))
    rising = np.cumsum(shares)
    sums = np.concatenate([[0.0], np.cumsum(rising)])
    steps = np.cumsum(cells.counts)
    before = steps[cells.starts] - cells.counts[cells.starts]
    own = (steps - before[cells.of_class]) / sizes[cells.of_class]
    first = ranks
    after = np.append(ranks[1:], 0)
    after[np.append(cells.starts[1:], len(after)) - 1] = values
    crossing = np.clip(np.searchsorted(rising, own), first, after)
    below = own * (crossing - first) - (sums[crossing] - sums[first])
    above = (sums[after] - sums[crossing]) - own * (after - crossing)
    # Before its first value a class has the cumulative share 0.
    start = sums[ranks[cells.starts]]
    return np.asarray((start + np.add.reduceat(below + above, cells.starts)) / (values - 1))
