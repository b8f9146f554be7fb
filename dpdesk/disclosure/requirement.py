"""What every class has to fulfil, and which classes do not.

Classes are held as their equal records: one row for each combination of the columns and the
sensitive answers, with how many records it stands for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from dpdesk.disclosure.classes import CodedColumn, mixed_radix
from dpdesk.disclosure.diversity import Cells, cells_of, distances, entropies
from dpdesk.disclosure.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers import exact_share, whole_number
from dpdesk.numbers.arrays import Counts, Flags

CLOSE = 1e-12
"""Numbers that differ by less are equal: sums of shares are not exact."""


@dataclass(frozen=True)
class Requirement:
    """What every class of the result has to fulfil.

    Attributes:
        k: Least number of records.
        l_distinct: Least number of different values of each sensitive column.
        l_entropy: Least exponential of the entropy of each sensitive column.
        t: Largest distance from the values of all released records; None without this limit.
        suppressed_most: How many records may be left out.
    """

    k: int
    l_distinct: int = 1
    l_entropy: float = 1.0
    t: float | None = None
    suppressed_most: int = 0

    @property
    def needs_sensitive(self) -> bool:
        """Whether it says something of sensitive columns."""
        return self.l_distinct > 1 or self.l_entropy > 1 or self.t is not None

    def check(self, rows: int, sensitive: Sequence[CodedColumn]) -> None:
        """Refuses what no file of these records can fulfil.

        Raises:
            ParameterError: It cannot be fulfilled; the sentence says what can.
        """
        if self.k < 2:
            raise ParameterError(T.SMALL_K())
        if self.k > rows:
            raise ParameterError(T.LARGE_K(k=self.k, rows=rows))
        if self.needs_sensitive and not sensitive:
            raise ParameterError(T.NO_SENSITIVE_COLUMN())
        if self.l_distinct < 1 or self.l_entropy < 1:
            raise ParameterError(T.SMALL_L())
        if self.t is not None and not 0 <= self.t <= 1:
            raise ParameterError(T.BAD_T())
        for column in sensitive:
            least = max(self.l_distinct, int(np.ceil(self.l_entropy - CLOSE)))
            if column.occurring < least:
                said = T.LARGE_L(column=column.name, values=column.occurring, least=least)
                raise ParameterError(said)


def records_of(limit: str, rows: int) -> int:
    """Returns how many records may be left out.

    Args:
        limit: A share such as 2% or 0.02, or a whole number.
        rows: Number of records.

    Raises:
        ParameterError: It is neither, or more than half of the file.
    """
    most = whole_number(limit)
    share = None if most is not None else exact_share(limit)
    if share is not None and 0 <= share <= 1:
        most = int(rows * share)
    if most is None or not 0 <= most <= rows // 2:
        raise ParameterError(T.BAD_LIMIT())
    return most


@dataclass(frozen=True, eq=False)
class Grouped:
    """Equal records of a node as one row each, class after class.

    Attributes:
        levels: The node: the level of each column.
        codes: Code of each column on its level, shape (columns, rows).
        told: Code of each sensitive column, shape (sensitive, rows).
        counts: Number of records of each row.
        starts: The first row of each class.
    """

    levels: tuple[int, ...]
    codes: NDArray[np.int64]
    told: NDArray[np.int64]
    counts: Counts
    starts: NDArray[np.int64]

    @cached_property
    def sizes(self) -> Counts:
        """Number of records of each class."""
        return np.add.reduceat(self.counts, self.starts)

    @cached_property
    def of_class(self) -> NDArray[np.int64]:
        """The class of each row."""
        return np.repeat(np.arange(len(self.starts)), np.diff(self.starts, append=len(self.counts)))


def grouped(
    columns: Sequence[CodedColumn],
    told: Sequence[CodedColumn],
    counts: Counts,
    levels: tuple[int, ...] = (),
) -> Grouped:
    """Returns rows that are equal as one, in the order of `Classes`.

    Args:
        columns: The quasi-identifiers of the rows.
        told: Their sensitive columns.
        counts: How many records each row stands for.
        levels: The node.
    """
    rows = len(counts)
    keys, radix = mixed_radix(columns, rows)
    whole = keys
    if told:
        classes = CodedColumn("", keys, radix)
        whole, _ = mixed_radix([classes, *told], rows)
    order = np.argsort(whole)
    ordered = whole[order]
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    chosen = order[first]
    starts = np.flatnonzero(np.diff(keys[chosen], prepend=-1)) if told else np.arange(len(first))
    return Grouped(
        levels,
        np.array([column.codes[chosen] for column in columns], dtype=np.int64),
        np.array([column.codes[chosen] for column in told], dtype=np.int64),
        np.add.reduceat(counts[order], first),
        starts,
    )


@dataclass(frozen=True, eq=False)
class Judged:
    """What a requirement says of classes.

    Attributes:
        left_out: Which classes are left out, shape (classes,).
        suppressed: Number of their records.
        least_suppressed: Records that k and distinct l alone leave out; on no finer level fewer.
    """

    left_out: Flags
    suppressed: int
    least_suppressed: int


def judged(groups: Grouped, sensitive: Sequence[CodedColumn], requirement: Requirement) -> Judged:
    """Returns which classes break a requirement.

    The distance t is that from the records that are released, so that it can be checked on them:
    classes beyond it are left out, and the distances computed anew, until none is beyond.

    Args:
        groups: The classes.
        sensitive: The sensitive columns.
        requirement: What is required.
    """
    sizes = groups.sizes
    bad = sizes < requirement.k
    used = range(len(sensitive)) if requirement.needs_sensitive else ()
    cells = [cells_in(groups, sensitive[place], place) for place in used]
    if requirement.l_distinct > 1:
        for one in cells:
            bad |= one.distinct < requirement.l_distinct
    least = int(sizes[bad].sum())
    if least <= requirement.suppressed_most:
        if requirement.l_entropy > 1:
            for one in cells:
                bad |= entropies(one, sizes) < np.log(requirement.l_entropy) - CLOSE
        if requirement.t is not None:
            _leave_out_distant(bad, sizes, cells, sensitive, requirement.t)
    return Judged(bad, int(sizes[bad].sum()), least)


def cells_in(groups: Grouped, sensitive: CodedColumn, place: int) -> Cells:
    """Returns the values of a sensitive column in each class.

    Args:
        groups: The classes.
        sensitive: The column.
        place: Its position among the sensitive columns.
    """
    return cells_of(groups.of_class, groups.told[place], sensitive.levels, groups.counts)


def _leave_out_distant(
    bad: Flags,
    sizes: Counts,
    cells: Sequence[Cells],
    sensitive: Sequence[CodedColumn],
    most: float,
) -> None:
    """Adds the classes that are farther than `most` from the rest to those that are left out."""
    while not bad.all():
        kept = np.flatnonzero(~bad)
        distant = np.zeros(len(kept), dtype=np.bool_)
        for one, column in zip(cells, sensitive, strict=True):
            left = one.among(~bad)
            distant |= distances(left, sizes[kept], is_ordered=column.is_ordered) > most + CLOSE
        if not distant.any():
            return
        bad[kept[distant]] = True
