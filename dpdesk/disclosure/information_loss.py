"""What is lost where columns become coarser: the usual measures, and the user's own table.

Every measure counts a record that is left out as one of which nothing is told.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpdesk.disclosure.classes import CodedColumn
from dpdesk.disclosure.levelled import LevelledColumn
from dpdesk.disclosure.texts import T
from dpdesk.errors import ParameterError, kind_named
from dpdesk.i18n import N_, quoted
from dpdesk.numbers.arrays import Counts, Floats

TABLE_MOST = 4_000_000
"""Most cells of a table whose error is computed."""

Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class CoarseColumn:
    """A column after coarsening; each of its cells stands for a set of values.

    Attributes:
        name: Its name.
        codes: The cell of each record, a position in `labels`; shape (n,).
        labels: The text of each cell.
        members: The values that each cell stands for, as codes of `before`.
        before: The column before, as codes of values; those that are declared, and those that occur
            where intervals are.
        height: The share of its levels that it was raised by; None where there are no levels.
    """

    name: str
    codes: NDArray[np.integer]
    labels: tuple[str, ...]
    members: tuple[Places, ...]
    before: CodedColumn
    height: float | None = None

    @cached_property
    def coded(self) -> CodedColumn:
        """The column after coarsening, as codes; an empty cell is a missing one."""
        missing = self.labels.index("") if "" in self.labels else -1
        return CodedColumn(self.name, self.codes, len(self.labels), missing=missing)


class Loss(ABC):
    """A measure of what is lost, by which the best levels are chosen."""

    word: ClassVar[str]
    """Its word on the command line."""
    title: ClassVar[str]
    """Its name in the window."""
    words: ClassVar[str]
    """What it is, as a clause."""

    def of_column(self, column: LevelledColumn, columns: int) -> Floats | None:
        """What each level of a column costs, added up over columns; shape (levels,).

        None where the measure depends on the classes.

        Args:
            column: The column.
            columns: Number of columns.
        """
        return None

    @abstractmethod
    def of_classes(self, sizes: Counts, suppressed: int, k: int) -> float:
        """What the classes cost, for measures of classes.

        Args:
            sizes: Sizes of the classes that are released.
            suppressed: Number of records that are left out.
            k: The least size of a class.
        """

    def whole(self, columns: Sequence[LevelledColumn]) -> float:
        """What costs are divided by."""
        return 1.0

    def of_suppressed(
        self, column: LevelledColumn, level: int, codes: Counts, columns: int
    ) -> float:
        """What records that are left out cost beside their level, for measures of levels.

        Args:
            column: The column.
            level: Its level.
            codes: How many records that are left out have each code of the level.
            columns: Number of columns.
        """
        return 0.0


class AverageClass(Loss):
    """Average class size (LeFevre et al. 2006): n / number of classes / k; 1 at best.

    The records that are left out count as one class.
    """

    word = "average-class"
    title = N_("Average size of groups")
    words = "average size of a class over k"

    def of_classes(self, sizes: Counts, suppressed: int, k: int) -> float:
        return float((sizes.sum() + suppressed) / (len(sizes) + (suppressed > 0)) / k)


class Discernibility(Loss):
    """Discernibility (Bayardo & Agrawal 2005): each record costs the size of its class, or n."""

    word = "discernibility"
    title = N_("Discernibility")
    words = "sum over the records of how many others each is equal to"

    def of_classes(self, sizes: Counts, suppressed: int, k: int) -> float:
        released = sizes.astype(np.float64)
        rows = released.sum() + suppressed
        return float(released @ released + suppressed * rows)


class Precision(Loss):
    """1 less precision (Sweeney 2002): the mean over the cells of level / highest level."""

    word = "precision"
    title = N_("Levels raised")
    words = "mean share of the levels that a cell was raised by"

    def of_column(self, column: LevelledColumn, columns: int) -> Floats:
        return np.arange(column.height + 1) / max(column.height, 1) / columns

    def of_classes(self, sizes: Counts, suppressed: int, k: int) -> float:
        return 0.0

    def of_suppressed(
        self, column: LevelledColumn, level: int, codes: Counts, columns: int
    ) -> float:
        raised = 1 - level / max(column.height, 1)
        return float(codes.sum() / len(column.codes) * raised / columns)


class Entropy(Loss):
    """Non-uniform entropy (De Waal & Willenborg 1999; Gionis & Tassa 2009), of what it can be.

    A cell of the value v in a group g costs log2(n(g) / n(v)) bits, both counted before anything is
    left out; a record that is left out costs log2(n / n(v)) in each column. The sum is divided by
    what the top level of all columns costs.
    """

    word = "entropy"
    title = N_("Information of the columns")
    words = "information of the columns (bits) that is lost, as a share of all"

    def of_column(self, column: LevelledColumn, columns: int) -> Floats:
        own = column.counts[column.counts > 0]
        found = []
        for level, codes in enumerate(column.maps):
            group = np.bincount(codes, weights=column.counts, minlength=len(column.labels[level]))
            found.append(float(own @ np.log2(group[codes][column.counts > 0] / own)))
        return np.asarray(found)

    def of_classes(self, sizes: Counts, suppressed: int, k: int) -> float:
        return 0.0

    def whole(self, columns: Sequence[LevelledColumn]) -> float:
        bits = 0.0
        for column in columns:
            own = column.counts[column.counts > 0]
            bits += float(own @ np.log2(len(column.codes) / own))
        return max(bits, 1e-300)

    def of_suppressed(
        self, column: LevelledColumn, level: int, codes: Counts, columns: int
    ) -> float:
        group = np.bincount(
            column.maps[level], weights=column.counts, minlength=len(column.labels[level])
        )
        some = codes > 0
        return float(codes[some] @ np.log2(len(column.codes) / group[some]))


LOSSES: tuple[Loss, ...] = (Entropy(), Discernibility(), AverageClass(), Precision())
"""The measures, the usual choice first."""


def loss_named(name: str) -> Loss:
    """Returns a measure by its word.

    Raises:
        ParameterError: There is none.
    """
    return kind_named({loss.word: loss for loss in LOSSES}, name, "loss")


@dataclass(frozen=True)
class InformationLoss:
    """What is lost by every measure.

    Attributes:
        suppressed: Records that are left out.
        average_class: n / number of classes / k.
        discernibility: Sum of the squared sizes of classes, and n for each record left out.
        precision: 1 less the mean share of the levels that cells were raised by; None without
            levels.
        entropy: Share of the bits of the columns that is lost.
    """

    suppressed: int
    average_class: float
    discernibility: float
    precision: float | None
    entropy: float


def information_loss(
    columns: Sequence[CoarseColumn], kept: NDArray[np.bool_], sizes: Counts, k: int
) -> InformationLoss:
    """Returns what is lost, whatever the method was.

    Args:
        columns: The columns after coarsening.
        kept: Which records are released, shape (n,).
        sizes: Sizes of the classes of the released records.
        k: The least size of a class.
    """
    rows = len(kept)
    suppressed = rows - int(np.count_nonzero(kept))
    lost = whole = 0.0
    heights = [column.height for column in columns]
    for column in columns:
        counts = column.before.counts
        own = counts[column.before.codes]
        group = np.array([counts[members].sum() for members in column.members])
        after = np.where(kept, group[column.codes], rows)
        lost += float(np.log2(after / own).sum())
        whole += float(np.log2(rows / own).sum())
    precision = None
    if all(height is not None for height in heights):
        mean = sum(height for height in heights if height is not None) / len(heights)
        precision = (1 - mean) * (rows - suppressed) / rows
    return InformationLoss(
        suppressed,
        AverageClass().of_classes(sizes, suppressed, k),
        Discernibility().of_classes(sizes, suppressed, k),
        precision,
        lost / whole if whole > 0 else 0.0,
    )


def table_error(columns: Sequence[CoarseColumn | CodedColumn], kept: NDArray[np.bool_]) -> float:
    """Returns the total variation distance between a table of shares before and after.

    A coarse cell is spread evenly over all values that it stands for, and a record over all
    combinations of those; records that are left out are in the table before alone.

    Args:
        columns: The columns of the table; one that was not coarsened as it is.
        kept: Which records are released, shape (n,).

    Raises:
        ParameterError: The table has too many cells.
    """
    shape = [(c.before if isinstance(c, CoarseColumn) else c).levels for c in columns]
    cells = [len(c.labels) if isinstance(c, CoarseColumn) else c.levels for c in columns]
    if prod(max(one, other) for one, other in zip(shape, cells, strict=True)) > TABLE_MOST:
        names = quoted([column.name for column in columns])
        raise ParameterError(T.LARGE_TABLE(columns=names, most=TABLE_MOST))
    own = [(c.before if isinstance(c, CoarseColumn) else c).codes for c in columns]
    before = np.bincount(np.ravel_multi_index(own, shape), minlength=prod(shape))
    places = np.ravel_multi_index([column.codes[kept] for column in columns], cells)
    after = np.bincount(places, minlength=prod(cells)).reshape(cells).astype(np.float64)
    for axis, column in enumerate(columns):
        if isinstance(column, CoarseColumn):
            after = _spread(after, axis, column)
    whole = max(after.sum(), 1.0)
    return float(np.abs(before.reshape(shape) / len(kept) - after / whole).sum() / 2)


def _spread(table: Floats, axis: int, column: CoarseColumn) -> Floats:
    moved = np.moveaxis(table, axis, 0)
    found = np.zeros((column.before.levels, *moved.shape[1:]))
    for cell, members in zip(moved, column.members, strict=True):
        if len(members):
            found[members] += cell / len(members)
    return np.moveaxis(found, 0, axis)
