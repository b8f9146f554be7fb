"""Sketches of the first kind, as ledgers begun before version 2 hold them: read and compared still.

The k smallest of the keyed digests of a set are a random sample of it, the same for every table
that has these elements (bottom-k sketch; Broder 1997, Cohen and Kaplan 2007). From two sketches
the share of common elements is estimated with a standard error of at most 1 / (2 sqrt(k)).

Sketched are the set of rows, the sets of rows without one of the columns, and for each column the
multiset of its cells. So a file is recognised that lost or gained rows, and one that lost, gained
or changed a column, even both; several columns that are left are recognised by themselves. What
more was done to a file is found by the sketches of today alone.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpdesk.data.table import TextColumn
from dpdesk.ledger.fingerprint import CellDigests, Words, mixed

ROW_SAMPLE = 1_024
WITHOUT_SAMPLE = 256
_COLUMNS_MAX = 40
"""Tables of more columns are not sketched without each one of them: it would take too long."""

_CANDIDATES = 8

_LEAST_SHARE = 0.5
_LEAST_EXCESS = 0.5
"""How far the share must stand above the one that chance gives, on the way to 1."""

_MOST_CHANCE = 0.9
_LEAST_BITS = 60.0
"""Columns that say less together may agree by chance."""


@dataclass(frozen=True, slots=True)
class SetSketch:
    """A sample of a set.

    Attributes:
        size: Number of elements of the set: exact if the sample is the whole, else estimated.
        sample: The smallest digests, sorted.
        coverage: Share of the rows of other people from the same population that would be found
            in the set by chance: 1 - (rows that occur once) / rows (Good 1953).
    """

    size: int
    sample: Words
    coverage: float

    def common(self, other: SetSketch) -> float:
        """Estimates the number of elements that two sets have in common.

        The smallest digests of the union are a sample of the union; the share of them that both
        have estimates the Jaccard index J, and J = common / (size + size - common).
        """
        k = min(self._reach(), other._reach())
        union = np.union1d(self.sample, other.sample)
        # Beyond the end of a sample that is cut, absence says nothing.
        ends = [s.sample[-1] for s in (self, other) if s.is_cut and s.sample.size]
        if ends:
            union = union[union <= min(ends)]
        union = union[:k] if k else union
        if union.size == 0:
            return 0.0
        both = np.isin(union, self.sample) & np.isin(union, other.sample)
        jaccard = float(np.count_nonzero(both)) / union.size
        return jaccard * (self.size + other.size) / (1 + jaccard)

    @property
    def is_cut(self) -> bool:
        """Whether there are more elements than the sample holds."""
        return self.size > self.sample.size

    def _reach(self) -> int:
        return self.sample.size if self.is_cut else 0


@dataclass(frozen=True, slots=True)
class ColumnSketch:
    """The cells of one column.

    Attributes:
        digest: Of the multiset of its cells.
        bits: How much it says that another column has the same cells just as often: about the
            binary logarithm of the ways in which the rows can fall on its distinct cells. 0 for
            a column that numbers the rows.
    """

    digest: int
    bits: float


@dataclass(frozen=True, slots=True)
class TableSketch:
    """The sketches of a table.

    Attributes:
        rows: Number of its rows.
        whole: Its set of rows; without columns that number them.
        without: Its sets of rows without each one of its columns; empty for very wide tables.
        columns: Its columns.
    """

    rows: int
    whole: SetSketch
    without: tuple[SetSketch, ...]
    columns: tuple[ColumnSketch, ...]

    def to_bytes(self) -> bytes:
        """Returns the sketch as bytes."""
        parts = [self.whole, *self.without]
        head = [self.rows, len(self.columns), len(parts)]
        words = [np.array(head, dtype="<u8")]
        for part in parts:
            words.append(np.array([part.coverage], dtype="<f8").view("<u8"))
            words += [np.array([part.size, part.sample.size], dtype="<u8"), part.sample]
        words.append(np.array([c.digest for c in self.columns], dtype="<u8"))
        words.append(np.array([c.bits for c in self.columns], dtype="<f8").view("<u8"))
        return np.concatenate(words).astype("<u8").tobytes()

    @classmethod
    def from_bytes(cls, content: bytes) -> TableSketch:
        """Reads what `to_bytes` wrote."""
        words = np.frombuffer(content, dtype="<u8").astype(np.uint64)
        rows, columns, parts = (int(word) for word in words[:3])
        place = 3
        sets = []
        for _ in range(parts):
            coverage = float(words[place : place + 1].view(np.float64)[0])
            size, sample = int(words[place + 1]), int(words[place + 2])
            sets.append(SetSketch(size, words[place + 3 : place + 3 + sample], coverage))
            place += 3 + sample
        digests = words[place : place + columns]
        bits = words[place + columns :].view(np.float64)
        kept = tuple(ColumnSketch(int(d), float(b)) for d, b in zip(digests, bits, strict=True))
        return cls(rows, sets[0], tuple(sets[1:]), kept)


def first_sketch_of(
    columns: tuple[TextColumn, ...], cells: CellDigests, tick: Callable[[], None]
) -> TableSketch:
    """Sketches a table.

    Args:
        columns: The columns of the table.
        cells: The digests of its cells.
        tick: Called now and then; may raise to stop.
    """
    sketched = tuple(
        _column_sketch(column, digests)
        for column, (digests, _) in zip(columns, cells.columns, strict=True)
    )
    # A numbering of rows is found in every file of as many rows, and changes with each export.
    told = [cells.columns[i] for i, column in enumerate(sketched) if column.bits > 0]
    chosen = CellDigests(tuple(told) or cells.columns, cells.rows, cells.constants)
    sums = np.empty((2, cells.rows), dtype=np.uint64)
    for piece in chosen.pieces():
        sums[:, piece] = chosen.sums(piece)
    tick()
    whole = _set_sketch(mixed(sums, cells.constants)[0], ROW_SAMPLE)
    without = []
    if 1 < len(chosen.columns) <= _COLUMNS_MAX:
        for digests, codes in chosen.columns:
            tick()
            rows = mixed(sums - digests[:, codes], cells.constants)[0]
            without.append(_set_sketch(rows, WITHOUT_SAMPLE))
    return TableSketch(cells.rows, whole, tuple(without), sketched)


def rows_in_common(new: TableSketch, known: TableSketch) -> float:
    """Returns the share of a table's rows that a known file has; 0 if small, or if chance gives it.

    Rows are compared as wholes, then without one column of either or of both.
    """
    pairs = (
        (new.whole, known.whole),
        *((part, known.whole) for part in new.without),
        *((new.whole, part) for part in known.without),
        *((part, other) for part in new.without for other in known.without),
    )
    return next((share for one, other in pairs if (share := _alike(one, other))), 0.0)


def columns_in_common(new: TableSketch, known: TableSketch) -> int:
    """Returns how many columns of a table have exactly the answers of a known file, or 0."""
    if known.rows != new.rows:
        return 0
    digests = {column.digest for column in known.columns}
    agreeing = [column for column in new.columns if column.digest in digests]
    return len(agreeing) if sum(column.bits for column in agreeing) >= _LEAST_BITS else 0


def _alike(new: SetSketch, known: SetSketch) -> float:
    """Returns the share of a set that is in another one; 0 if it is small or can be chance."""
    chance = max(new.coverage, known.coverage)
    if not new.size or chance > _MOST_CHANCE:
        return 0.0
    share = min(new.common(known) / new.size, 1.0)
    is_alike = share >= _LEAST_SHARE and share - chance >= _LEAST_EXCESS * (1 - chance)
    return share if is_alike else 0.0


def _set_sketch(rows: Words, k: int) -> SetSketch:
    """Sketches a set of rows from the smallest of their digests, without sorting all of them."""
    count = min(rows.size, _CANDIDATES * k)
    smallest = np.partition(rows, count - 1)[:count] if count < rows.size else rows
    sample, counts = np.unique(smallest, return_counts=True)
    if count < rows.size and sample.size <= k:
        # Many equal rows: the smallest digests are those of few distinct ones.
        count = rows.size
        sample, counts = np.unique(rows, return_counts=True)
    size = sample.size
    if count < rows.size:
        # The k-th smallest of m even digests stands at about k / m of their range.
        size = max(min(round((k - 1) / (float(sample[k - 1]) / 2.0**64)), rows.size), k + 1)
    sample, counts = sample[:k], counts[:k]
    coverage = 1 - np.count_nonzero(counts == 1) / counts.sum() if counts.size else 1.0
    return SetSketch(size, sample.copy(), float(coverage))


def _column_sketch(column: TextColumn, digests: Words) -> ColumnSketch:
    counts = column.counts
    total = int((digests[0] * counts.astype(np.uint64)).sum(dtype=np.uint64))
    shared = int((digests[1] * counts.astype(np.uint64)).sum(dtype=np.uint64))
    content = total.to_bytes(8, "little") + shared.to_bytes(8, "little")
    digest = int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little")
    occurring = counts[counts > 0]
    if _numbers_the_rows(column, occurring.size):
        return ColumnSketch(digest, 0.0)
    # A count that varies with standard deviation s takes about log2(s sqrt(2 pi e)) bits; the last
    # of them follows from the others.
    spread = np.sort(occurring)[:-1]
    bits = float(np.log2(np.sqrt(spread) * math.sqrt(2 * math.pi * math.e)).sum())
    return ColumnSketch(digest, bits)


def _numbers_the_rows(column: TextColumn, distinct: int) -> bool:
    """Whether a column counts the rows, as in every other file."""
    if distinct < column.rows:
        return False
    try:
        numbers = [int(text) for text in column.distinct]
    except ValueError:
        return False
    return bool(numbers) and max(numbers) - min(numbers) + 1 == len(numbers)
