"""The fingerprint of a table: a keyed digest of its rows as a multiset.

A cell is its text in normal form; a row is the multiset of its cells; a table is the multiset of
its rows. So the order of rows and of columns, the names of columns, and the format of the file do
not matter. Two tables have one fingerprint if every row of one has the cells of a row of the
other, in whichever columns: a table in which some respondents' answers to two questions are
exchanged is taken for the same one. That errs on the safe side: it is the same people.

Multisets are digested by adding keyed digests (MSet-Add-Hash of Clarke et al., ASIACRYPT 2003),
128 bits each; between cells and rows the sums are mixed, so that cells cannot wander from row to
row. Distinct texts are digested once each; rows are vectorised.

To find similar files, `coded_table` replaces answers and names by keyed digests.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.spool import scratch, sorted_distinct
from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.ledgers.chain import LedgerKey
from dpdesk.numbers.arrays import Codes, pieces_of

Words = NDArray[np.uint64]
Pieces = Iterator[slice]

_PIECE = 65_536
"""Rows that are looked at once: what is made of them stays in the processor's cache, and a table of
any length takes no more memory."""

_FRACTION = re.compile(r"[+-]?[0-9]+\.[0-9]*")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


@dataclass(frozen=True, slots=True)
class CellDigests:
    """Keyed digests of the cells of a table.

    Attributes:
        columns: For each column the two words of the digests of its distinct texts, each of shape
            (k,), and the code of each row, shape (n,).
        rows: Number of rows, n.
        constants: Odd numbers, derived from the key, that the digests of rows are mixed with.
    """

    columns: tuple[tuple[Words, Words, NDArray[np.integer[Any]]], ...]
    rows: int
    constants: tuple[int, ...]

    def sums(self, rows: slice) -> Words:
        """Returns the sum of the digests of the cells of each row, shape (2, rows)."""
        total: Words | None = None
        for first, second, codes in self.columns:
            own = codes[rows]
            cells = np.stack([first[own], second[own]])
            total = cells if total is None else np.add(total, cells, out=total)
        if total is None:
            raise ValueError("A table has at least one column.")
        return total


def hashed_pieces(rows: int) -> Pieces:
    """Cuts so many rows into pieces whose digests are looked at one after the other."""
    return pieces_of(rows, _PIECE)


def cell_digests(table: SurveyTable, key: LedgerKey) -> CellDigests:
    """Digests every distinct text of a table."""
    secret = key.derived("cells")
    mixing = np.frombuffer(key.derived("rows", 64), dtype=np.uint64)
    return CellDigests(
        tuple((*_distinct(c, table.reading.decimal, secret), c.codes) for c in table.columns),
        table.rows,
        tuple(int(word) | 1 for word in mixing),
    )


def fingerprint_of(cells: CellDigests, key: LedgerKey) -> str:
    """Returns the fingerprint of a table, 32 hexadecimal digits."""
    total = [0, 0]
    for piece in hashed_pieces(cells.rows):
        first, second = mixed(cells.sums(piece), cells.constants)
        total[0] += int(first.sum(dtype=np.uint64))
        total[1] += int(second.sum(dtype=np.uint64))
    content = f"{cells.rows} {len(cells.columns)} {total[0] % 2**64} {total[1] % 2**64}"
    return hashlib.blake2b(content.encode(), key=key.derived("table"), digest_size=16).hexdigest()


def mixed(sums: Words, constants: tuple[int, ...]) -> tuple[Words, Words]:
    """Mixes sums of cells into two digests of each row; each depends on both words of a sum.

    Uses the finisher of MurmurHash3 (Appleby 2011), with multipliers derived from the key.
    """
    first = _finished(sums[0] ^ _rotated(sums[1], 32), constants[0], constants[1])
    second = _finished(sums[1] + first * np.uint64(constants[4]), constants[2], constants[3])
    return _finished(first + second * np.uint64(constants[5]), constants[6], constants[7]), second


def _finished(words: Words, first: int, second: int) -> Words:
    shift = np.uint64(33)
    words = words ^ (words >> shift)
    words *= np.uint64(first)
    words ^= words >> shift
    words *= np.uint64(second)
    words ^= words >> shift
    return words


def _rotated(words: Words, bits: int) -> Words:
    return (words << np.uint64(bits)) | (words >> np.uint64(64 - bits))


def _distinct(column: TextColumn, decimal: str, secret: bytes) -> tuple[Words, Words]:
    """Returns the two words of the digest of each distinct text."""
    # The key is digested once: a copy goes on from there.
    keyed = hashlib.blake2b(key=secret, digest_size=16)

    def digest(text: str) -> bytes:
        one = keyed.copy()
        one.update(normal_form(text, decimal).encode())
        return one.digest()

    size, word = column.distinct_count, np.dtype(np.uint64)
    first, second = (scratch(size, word, column.name) for _ in range(2))
    for some, texts in column.distinct_pieces():
        digests = b"".join(map(digest, texts.to_pylist()))
        first[some], second[some] = np.frombuffer(digests, dtype=word).reshape(-1, 2).T
    return first, second


def normal_form(text: str, decimal: str = ".") -> str:
    """Returns a text in a form that does not depend on the file's format.

    Blanks at the ends are removed, a decimal comma becomes a point, zeros at the end of a fraction
    and a final point are removed: `1`, `1.0` and `1,00` are equal. Leading zeros stay: `007` is a
    code. Only texts that write one number become equal.
    """
    text = text.strip()
    if decimal == "," and _COMMA.fullmatch(text):
        text = text.replace(",", ".")
    if "." in text and _FRACTION.fullmatch(text):
        text = text.rstrip("0").rstrip(".")
    return text


Short = NDArray[np.uint32]

_LEAST_SERIAL = 10
_DENSE = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumn:
    """One column.

    Attributes:
        name: Keyed digest of its name, without capitals and punctuation.
        digests: Keyed digests of its distinct answers, shape (k,); no two are equal.
        counts: How often each of them occurs, shape (k,).
        is_serial: Whether it numbers the rows, or blocks of them. Many files have such numbers,
            and each export assigns them anew: they do not identify whose rows these are.
    """

    name: int
    digests: Words
    counts: NDArray[np.int64]
    is_serial: bool
    _codes: NDArray[np.integer[Any]]
    _merged: Codes | None = None

    @property
    def rows(self) -> int:
        """Number of rows."""
        return self._codes.size

    def codes(self, rows: slice | NDArray[np.int64]) -> Codes:
        """Returns the position of the answer of each of some rows among the distinct ones."""
        codes = self._codes[rows]
        return codes.astype(np.int32, copy=False) if self._merged is None else self._merged[codes]

    def short(self, places: slice | NDArray[np.integer[Any]] = slice(None)) -> Short:
        """The digests of the distinct answers at some places in 32 bits, as sketches store them."""
        return self.digests[places].astype(np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class CodedTable:
    """The columns of a table.

    Attributes:
        rows: Number of rows, n.
        columns: The columns in the order of the file.
        first_key: Sort key of the first row, before it is scrambled: with those of the others,
            one more each, a random order of the rows that depends on the ledger's key.
    """

    rows: int
    columns: tuple[CodedColumn, ...]
    first_key: int

    def sample(self, size: int) -> NDArray[np.int64]:
        """Returns the positions of rows drawn at random; every row if there are no more."""
        if size >= self.rows:
            return np.arange(self.rows)
        keys = np.empty(0, dtype=np.uint64)
        for piece in hashed_pieces(self.rows):
            more = scrambled(self._numbers(piece.start, piece.stop))
            keys = smallest(np.concatenate([keys, more]), size)
        # No two rows have one key.
        last, found = keys.max(), []
        for piece in hashed_pieces(self.rows):
            chosen = scrambled(self._numbers(piece.start, piece.stop)) <= last
            found.append(np.flatnonzero(chosen) + piece.start)
        return np.concatenate(found)

    def _numbers(self, start: int, stop: int) -> Words:
        return np.arange(start, stop, dtype=np.uint64) + np.uint64(self.first_key)


def smallest(words: Words, size: int) -> Words:
    """Returns so many of the smallest words, in any order; all where there are no more."""
    return np.partition(words, size - 1)[:size] if size < words.size else words


def coded_table(
    table: SurveyTable, cells: CellDigests, key: LedgerKey, tick: Callable[[], None]
) -> CodedTable:
    """Prepares a table for sketching and comparing.

    Args:
        table: The table.
        cells: The digests of its cells.
        key: The ledger's key.
        tick: Called now and then; may raise to stop.
    """
    secret = key.derived("names")
    columns = []
    for column, (digests, _, codes) in zip(table.columns, cells.columns, strict=True):
        tick()
        columns.append(_coded(column, digests, codes, _name_digest(column.name, secret)))
    start = int.from_bytes(key.derived("order", 8), "little")
    return CodedTable(table.rows, tuple(columns), start)


def scrambled(words: Words) -> Words:
    """Returns words scrambled one to one, so that close words are no longer close.

    The finisher of MurmurHash3 (Appleby 2011); it discloses nothing about a key beyond the words.
    """
    shift = np.uint64(33)
    words = words ^ (words >> shift)
    words *= np.uint64(0xFF51AFD7ED558CCD)
    words ^= words >> shift
    words *= np.uint64(0xC4CEB9FE1A85EC53)
    words ^= words >> shift
    return words


def _coded(
    column: TextColumn, digests: Words, codes: NDArray[np.integer[Any]], name: int
) -> CodedColumn:
    distinct = sorted_distinct(digests, column.name)
    serial = _is_serial(column)
    if distinct.size == digests.size:
        return CodedColumn(name, digests, column.counts, serial, codes)
    # 1 and 1.0 are one answer.
    merged: Codes = scratch(digests.size, np.dtype(np.int32), column.name)
    counts: NDArray[np.int64] = scratch(distinct.size, np.dtype(np.int64), column.name)
    for some in pieces_of(digests.size):
        merged[some] = np.searchsorted(distinct, digests[some])
        np.add.at(counts, merged[some], column.counts[some])
    return CodedColumn(name, distinct, counts, serial, codes, merged)


def _name_digest(name: str, secret: bytes) -> int:
    plain = "".join(c for c in name.casefold() if c.isalnum()) or name
    digest = hashlib.blake2b(plain.encode("utf-8", "replace"), key=secret, digest_size=8)
    return int.from_bytes(digest.digest(), "little")


def _is_serial(column: TextColumn) -> bool:
    """Whether the answers are consecutive whole numbers behind a common prefix, equally often."""
    occurring = np.count_nonzero(column.counts)
    if occurring < _LEAST_SERIAL or column.counts.max() > _DENSE * column.rows / occurring:
        return False

    def texts() -> Iterator[str]:
        return (text.strip() for text in column.each_distinct())

    first = _common_start(min(texts()), max(texts())).rstrip("0123456789")
    least, most = math.inf, -math.inf
    try:
        for text in texts():
            number = int(text[len(first) :])
            least, most = min(least, number), max(most, number)
    except ValueError:
        return False
    return most - least + 1 <= _DENSE * column.distinct_count


def _common_start(one: str, other: str) -> str:
    for place, (mine, its) in enumerate(zip(one, other, strict=False)):
        if mine != its:
            return one[:place]
    return min(one, other)
