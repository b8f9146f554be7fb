"""The fingerprint of a table: a keyed digest of its rows as a multiset.

A cell is its text in normal form; a row is the multiset of its cells; a table is the multiset of
its rows. So the order of rows and of columns, the names of columns, and the format of the file do
not matter. Two tables have one fingerprint if every row of one has the cells of a row of the
other, in whichever columns: a table in which some respondents' answers to two questions are
exchanged is taken for the same one. That errs on the safe side: it is the same people.

Multisets are digested by adding keyed digests (MSet-Add-Hash of Clarke et al., ASIACRYPT 2003),
128 bits each; between cells and rows the sums are mixed, so that cells cannot wander from row to
row. Distinct texts are digested once each; rows are vectorised.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.ledger.key import LedgerKey

Words = NDArray[np.uint64]

_PIECE = 65_536
"""Rows that are digested at a time: their sums stay in the processor's cache."""

_FRACTION = re.compile(r"[+-]?[0-9]+\.[0-9]*")
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


@dataclass(frozen=True, slots=True)
class CellDigests:
    """Keyed digests of the cells of a table.

    Attributes:
        columns: For each column the digests of its distinct texts, each of shape (2, k), and the
            code of each row, shape (n,).
        rows: Number of rows, n.
        constants: Odd numbers that the digests of rows are mixed with; they follow from the key.
    """

    columns: tuple[tuple[Words, NDArray[np.int32]], ...]
    rows: int
    constants: tuple[int, ...]

    def sums(self, rows: slice) -> Words:
        """Returns the sum of the digests of the cells of each row, shape (2, rows)."""
        total: Words | None = None
        for digests, codes in self.columns:
            cells = digests[:, codes[rows]]
            total = cells if total is None else np.add(total, cells, out=total)
        if total is None:
            raise ValueError("A table has at least one column.")
        return total

    def pieces(self) -> Iterator[slice]:
        """Cuts the rows into pieces."""
        return (slice(start, start + _PIECE) for start in range(0, self.rows, _PIECE))


def cell_digests(table: SurveyTable, key: LedgerKey) -> CellDigests:
    """Digests every distinct text of a table."""
    secret = key.derived("cells")
    mixing = np.frombuffer(key.derived("rows", 64), dtype=np.uint64)
    return CellDigests(
        tuple((_distinct(c, table.reading.decimal, secret), c.codes) for c in table.columns),
        table.rows,
        tuple(int(word) | 1 for word in mixing),
    )


def fingerprint_of(cells: CellDigests, key: LedgerKey) -> str:
    """Returns the fingerprint of a table, 32 hexadecimal digits."""
    total = [0, 0]
    for piece in cells.pieces():
        first, second = mixed(cells.sums(piece), cells.constants)
        total[0] += int(first.sum(dtype=np.uint64))
        total[1] += int(second.sum(dtype=np.uint64))
    content = f"{cells.rows} {len(cells.columns)} {total[0] % 2**64} {total[1] % 2**64}"
    return hashlib.blake2b(content.encode(), key=key.derived("table"), digest_size=16).hexdigest()


def mixed(sums: Words, constants: tuple[int, ...]) -> tuple[Words, Words]:
    """Mixes sums of cells into two digests of each row; each depends on both words of a sum.

    By the finisher of MurmurHash3 (Appleby 2011), with multipliers that follow from the key.
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


def _distinct(column: TextColumn, decimal: str, secret: bytes) -> Words:
    blake2b = hashlib.blake2b
    digests = b"".join(
        blake2b(normal_form(text, decimal).encode(), key=secret, digest_size=16).digest()
        for text in column.distinct
    )
    return np.ascontiguousarray(np.frombuffer(digests, dtype=np.uint64).reshape(-1, 2).T)


def normal_form(text: str, decimal: str = ".") -> str:
    """Returns a text without what a change of format does to it.

    Blanks at the ends go; a decimal comma becomes a point; zeros at the end of a fraction go, and
    a point that nothing follows. So `1`, `1.0` and `1,00` are one. Leading zeros stay: `007` is a
    code. Only texts that write one number become equal.
    """
    text = text.strip()
    if decimal == "," and _COMMA.fullmatch(text):
        text = text.replace(",", ".")
    if "." in text and _FRACTION.fullmatch(text):
        text = text.rstrip("0").rstrip(".")
    return text
