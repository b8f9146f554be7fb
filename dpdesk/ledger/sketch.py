"""The sketch of a file, by which the ledger recognises a file that is nearly the same.

A later table is available in full when it is compared, so that a sample of the known file is
enough, if it can be looked up by any of its columns. A sketch holds

- rows drawn at random, with the keyed digest of every cell: they are looked up among all rows of
  the new table, by whichever columns both have;
- how often combinations of answers occur, for columns of few answers: two files of the same people
  agree in them more closely than two samples of one population do;
- digests of windows of consecutive answers, the smallest ones of each column (shingles and a
  bottom-k sample of them: Broder 1997), by which a single column is recognised in its order.

It is encrypted with the ledger's key: without it, not even the frequency of an answer can be seen.
"""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.ledger.chain import LedgerKey
from dpdesk.ledger.fingerprint import (
    CodedColumn,
    CodedTable,
    Short,
    Words,
    hashed_pieces,
    scrambled,
    smallest,
)
from dpdesk.numbers.arrays import Codes

_BITS = 48.0
"""Least information of a window, in bits, so that equal ones among a million are not chance."""

_LONGEST = 256
_MEASURED = 1 << 16
_OVERHEAD = 24
_LEAST_DISTINCT = 0.2


def window_length(column: CodedColumn) -> int:
    """Returns the number of answers in a window, a power of two; 0 if the order says too little.

    The information of an answer is bounded by the size of the compressed column. So a sorted,
    constant or periodic column has no windows: many files have such columns.

    Args:
        column: A column of at most 256 answers.
    """
    start = column.codes(slice(_MEASURED))
    shares = column.counts[column.counts > 0] / column.rows
    entropy = -float((shares * np.log2(shares)).sum())
    packed = len(zlib.compress(start.astype(np.uint8).tobytes(), 9)) - _OVERHEAD
    bits = min(entropy, 8 * packed / start.size)
    if bits <= 0:
        return 0
    length = 1 << math.ceil(math.log2(max(_BITS / bits, 2)))
    return length if length <= min(_LONGEST, column.rows // 2) else 0


def smallest_windows(column: CodedColumn, length: int, size: int) -> Words:
    """Returns the smallest digests of the distinct windows of a column, sorted.

    Args:
        column: The column.
        length: Answers in a window, a power of two.
        size: Number of digests.

    Returns:
        At most `size` digests; none if most windows of the column are equal to others.
    """
    answers, found = scrambled(column.digests), np.empty(0, dtype=np.uint64)
    for piece in hashed_pieces(column.rows - length + 1):
        codes = column.codes(slice(piece.start, piece.stop + length - 1))
        found = smallest(np.concatenate([found, _windows(answers[codes], length)]), 4 * size)
    distinct = np.unique(found)
    if distinct.size < _LEAST_DISTINCT * found.size:
        return distinct[:0]
    return distinct[:size]


def _windows(windows: Words, length: int) -> Words:
    """Returns a digest of every window: a polynomial of its answers' digests, modulo 2^64."""
    factor, width = 0x9E3779B97F4A7C15, 1
    while width < length:
        # A window of twice the width: the first half, and the second one times a power.
        windows = windows[:-width] + windows[width:] * np.uint64(factor)
        factor = factor * factor % 2**64
        width *= 2
    return scrambled(windows)


MAGIC = b"dpdesk sketch 2\n"
"""First bytes of a sketch; those of the first version begin with a number of rows."""

_SAMPLE = 2_048
_CELLS = 400_000
_SAMPLE_LEAST = 128

_COMBINATIONS = 256
_GROUPS_MOST = 64
_WINDOWS = 128
_ORDERS_MOST = 64
NONCE = 16
"""Bytes of the nonce that a sketch is encrypted with."""


@dataclass(frozen=True, slots=True, eq=False)
class SampledColumn:
    """A column of the sampled rows."""

    name: int
    """Keyed digest of its name."""
    is_serial: bool
    """Whether it numbers the rows."""
    answers: Short
    """Keyed digests of the answers that occur in the sample, shape (k,)."""
    codes: NDArray[np.uint16]
    """Position of each sampled row's answer among them, shape (sample,)."""

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each answer occurs in the sample, shape (k,)."""
        return np.bincount(self.codes, minlength=self.answers.size)


@dataclass(frozen=True, slots=True, eq=False)
class JointCounts:
    """How often the combinations of answers to some questions occur in the whole file."""

    columns: tuple[int, ...]
    """Positions of the columns."""
    answers: Short
    """Keyed digest of each column's answer, shape (combinations, columns)."""
    counts: NDArray[np.int64]
    """How often each combination occurs, shape (combinations,)."""


@dataclass(frozen=True, slots=True, eq=False)
class ColumnOrder:
    """The order of the answers of a column."""

    column: int
    """Position of the column."""
    length: int
    """Number of consecutive answers in a window."""
    windows: Words
    """The smallest digests of the windows, sorted."""


@dataclass(frozen=True, slots=True, eq=False)
class FileSketch:
    """The sketch of a file.

    Attributes:
        rows: Number of its rows.
        columns: Its columns in the sampled rows.
        joint: Combinations of answers of columns with few distinct answers.
        orders: Orders of answers of such columns whose order says enough.
    """

    rows: int
    columns: tuple[SampledColumn, ...]
    joint: tuple[JointCounts, ...]
    orders: tuple[ColumnOrder, ...]

    def to_bytes(self, key: LedgerKey, nonce: bytes) -> bytes:
        """Returns the encrypted sketch.

        Args:
            key: The ledger's key.
            nonce: `NONCE` bytes, used for nothing else.
        """
        head = {
            "rows": self.rows,
            "columns": [
                [column.name, column.is_serial, column.answers.size, column.codes.size]
                for column in self.columns
            ],
            "joint": [[list(joint.columns), joint.counts.size] for joint in self.joint],
            "orders": [[o.column, o.length, o.windows.size] for o in self.orders],
        }
        parts = [json.dumps(head, separators=(",", ":")).encode(), b"\n"]
        for column in self.columns:
            parts.append(column.answers.astype("<u4").tobytes())
            parts.append(column.codes.astype(_code_type(column.answers.size)).tobytes())
        for joint in self.joint:
            parts.append(joint.answers.astype("<u4").tobytes())
            parts.append(joint.counts.astype("<i8").tobytes())
        parts += [order.windows.astype("<u8").tobytes() for order in self.orders]
        return MAGIC + nonce + _sealed(zlib.compress(b"".join(parts)), key, nonce)

    @classmethod
    def from_bytes(cls, content: bytes, key: LedgerKey) -> FileSketch:
        """Reads the bytes that `to_bytes` wrote with the same key."""
        start = len(MAGIC)
        nonce, sealed = content[start : start + NONCE], content[start + NONCE :]
        plain = zlib.decompress(_sealed(sealed, key, nonce))
        line = plain.index(b"\n")
        head = json.loads(plain[:line])
        place = line + 1

        def take(kind: str, count: int) -> NDArray[np.generic]:
            nonlocal place
            values = np.frombuffer(plain, dtype=kind, count=count, offset=place)
            place += values.nbytes
            return values

        columns, joints, orders = [], [], []
        for name, is_serial, answers, codes in head["columns"]:
            kept = take("<u4", answers).astype(np.uint32)
            positions = take(_code_type(answers), codes).astype(np.uint16)
            columns.append(SampledColumn(name, is_serial, kept, positions))
        for numbers, count in head["joint"]:
            shape = (count, len(numbers))
            values = take("<u4", count * len(numbers)).astype(np.uint32).reshape(shape)
            counts = take("<i8", count).astype(np.int64)
            joints.append(JointCounts(tuple(numbers), values, counts))
        for number, length, size in head["orders"]:
            windows = take("<u8", size).astype(np.uint64)
            orders.append(ColumnOrder(number, length, windows))
        return cls(head["rows"], tuple(columns), tuple(joints), tuple(orders))


def sketch_of(table: CodedTable, tick: Callable[[], None]) -> FileSketch:
    """Sketches a table.

    Args:
        table: The table.
        tick: Called now and then; may raise to stop.
    """
    size = min(max(_CELLS // len(table.columns), _SAMPLE_LEAST), _SAMPLE)
    positions = table.sample(size)
    columns = []
    for column in table.columns:
        tick()
        drawn, codes = np.unique(column.codes(positions), return_inverse=True)
        answers = column.short(drawn)
        columns.append(
            SampledColumn(column.name, column.is_serial, answers, codes.astype(np.uint16))
        )
    return FileSketch(table.rows, tuple(columns), _joint_counts(table, tick), _orders(table, tick))


@dataclass(frozen=True, slots=True, eq=False)
class Combinations:
    """The combinations of answers to some questions.

    Attributes:
        answers: The combinations that occur, as digests; shape (combinations, columns).
        counts: How often each occurs, shape (combinations,).
    """

    answers: Short
    counts: NDArray[np.int64]
    _column: CodedColumn
    _before: Combinations | None = None
    _narrowed: Codes | None = None

    @classmethod
    def of(cls, column: CodedColumn) -> Combinations:
        """The answers of one column."""
        return cls(column.short()[:, None], column.counts, column)

    @classmethod
    def of_all(cls, columns: Sequence[CodedColumn], most: int) -> Combinations | None:
        """The combinations of the answers of several columns; None where there can be too many.

        Args:
            columns: The columns.
            most: Most combinations that are looked for.
        """
        whole: Combinations | None = None
        for column in columns:
            if column.digests.size * (1 if whole is None else whole.counts.size) > most:
                return None
            whole = cls.of(column) if whole is None else whole.crossed(column)
        return whole

    def codes(self, rows: slice) -> Codes:
        """Returns the combination of each of some rows."""
        codes = self._column.codes(rows)
        if self._before is not None and self._narrowed is not None:
            codes = self._narrowed[self._before.codes(rows) * self._column.digests.size + codes]
        return codes

    def crossed(self, column: CodedColumn) -> Combinations:
        """The combinations with a further column."""
        size = column.digests.size
        counts = np.zeros(self.counts.size * size, dtype=np.int64)
        for piece in hashed_pieces(column.rows):
            codes = self.codes(piece) * size + column.codes(piece)
            counts += np.bincount(codes, minlength=counts.size)
        occurring = np.flatnonzero(counts)
        narrowed = np.zeros(counts.size, dtype=np.int32)
        narrowed[occurring] = np.arange(occurring.size, dtype=np.int32)
        added = column.short(occurring % size)[:, None]
        answers = np.hstack([self.answers[occurring // size], added])
        return Combinations(answers, counts[occurring], column, self, narrowed)


def few_answers(column: CodedColumn) -> bool:
    """Whether a column has few distinct answers and does not number the rows."""
    is_told = not column.is_serial and bool(np.count_nonzero(column.counts) >= 2)
    return is_told and column.digests.size <= _COMBINATIONS


def _joint_counts(table: CodedTable, tick: Callable[[], None]) -> tuple[JointCounts, ...]:
    """Combines columns of few answers as long as few combinations occur."""
    few = [i for i, column in enumerate(table.columns) if few_answers(column)]
    few.sort(key=lambda i: table.columns[i].digests.size)
    found: list[JointCounts] = []
    group: list[int] = []
    whole: Combinations | None = None
    for number in few:
        tick()
        column = table.columns[number]
        more = None if whole is None else whole.crossed(column)
        if whole is not None and (more is None or more.counts.size > _COMBINATIONS):
            found.append(JointCounts(tuple(group), whole.answers, whole.counts))
            if len(found) == _GROUPS_MOST:
                return tuple(found)
            group, more = [], None
        group, whole = [*group, number], more or Combinations.of(column)
    if whole is not None:
        found.append(JointCounts(tuple(group), whole.answers, whole.counts))
    return tuple(found)


def _orders(table: CodedTable, tick: Callable[[], None]) -> tuple[ColumnOrder, ...]:
    found: list[ColumnOrder] = []
    for number, column in enumerate(table.columns):
        if not few_answers(column) or len(found) == _ORDERS_MOST:
            continue
        tick()
        length = window_length(column)
        if length:
            windows = smallest_windows(column, length, _WINDOWS)
            if windows.size:
                found.append(ColumnOrder(number, length, windows))
    return tuple(found)


def _code_type(answers: int) -> str:
    return "u1" if answers <= 1 << 8 else "<u2"


def _sealed(content: bytes, key: LedgerKey, nonce: bytes) -> bytes:
    """Encrypts with a stream derived from key and nonce; applied twice it restores the content."""
    stream = hashlib.shake_256(key.derived("sketches") + nonce).digest(len(content))
    both = np.frombuffer(content, dtype=np.uint8) ^ np.frombuffer(stream, dtype=np.uint8)
    return both.tobytes()
