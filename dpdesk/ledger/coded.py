"""A table as the ledger compares it: keyed digests of answers and names instead of texts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.table import SurveyTable, TextColumn
from dpdesk.ledger.fingerprint import CellDigests, Words
from dpdesk.ledger.key import LedgerKey

Short = NDArray[np.uint32]
Codes = NDArray[np.int32]

_LEAST_SERIAL = 10
_DENSE = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class CodedColumn:
    """One column.

    Attributes:
        name: Keyed digest of its name, without capitals and punctuation.
        digests: Keyed digests of its distinct answers, shape (k,); no two are equal.
        codes: Position of each row's answer among them, shape (n,).
        counts: How often each of them occurs, shape (k,).
        is_serial: Whether it numbers the rows, or blocks of them. Every file has such numbers,
            and they are given anew with each export: they tell nothing of whose rows these are.
    """

    name: int
    digests: Words
    codes: Codes
    counts: NDArray[np.int64]
    is_serial: bool

    @property
    def short(self) -> Short:
        """The digests in 32 bits, as sketches hold them."""
        return self.digests.astype(np.uint32)


@dataclass(frozen=True, slots=True, eq=False)
class CodedTable:
    """The columns of a table.

    Attributes:
        rows: Number of rows, n.
        columns: The columns in the order of the file.
        order: Numbers that put rows into a random order that depends on the key, shape (n,).
    """

    rows: int
    columns: tuple[CodedColumn, ...]
    order: Words

    def sample(self, size: int) -> NDArray[np.int64]:
        """Returns the positions of rows drawn at random; every row if there are no more."""
        if size >= self.rows:
            return np.arange(self.rows)
        return np.sort(np.argpartition(self.order, size)[:size])


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
    for column, (digests, codes) in zip(table.columns, cells.columns, strict=True):
        tick()
        columns.append(_coded(column, digests[0], codes, _name_digest(column.name, secret)))
    start = int.from_bytes(key.derived("order", 8), "little")
    numbers = np.arange(table.rows, dtype=np.uint64) + np.uint64(start)
    return CodedTable(table.rows, tuple(columns), scrambled(numbers))


def scrambled(words: Words) -> Words:
    """Returns words without any trace of how near each other they were (MurmurHash3's finisher).

    Appleby 2011; it is one to one, and says nothing of a key that is not in the words already.
    """
    shift = np.uint64(33)
    words = words ^ (words >> shift)
    words *= np.uint64(0xFF51AFD7ED558CCD)
    words ^= words >> shift
    words *= np.uint64(0xC4CEB9FE1A85EC53)
    words ^= words >> shift
    return words


def _coded(column: TextColumn, digests: Words, codes: Codes, name: int) -> CodedColumn:
    distinct, merged = np.unique(digests, return_inverse=True)
    counts = column.counts
    if distinct.size < digests.size:
        # 1 and 1.0 are one answer.
        codes = merged.astype(np.int32)[codes]
        counts = np.bincount(merged, counts, distinct.size).astype(np.int64)
        digests = distinct
    return CodedColumn(name, digests, codes, counts, _is_serial(column))


def _name_digest(name: str, secret: bytes) -> int:
    plain = "".join(c for c in name.casefold() if c.isalnum()) or name
    digest = hashlib.blake2b(plain.encode("utf-8", "replace"), key=secret, digest_size=8)
    return int.from_bytes(digest.digest(), "little")


def _is_serial(column: TextColumn) -> bool:
    """Whether whole numbers, after one common beginning, follow each other equally often."""
    occurring = column.counts[column.counts > 0]
    if occurring.size < _LEAST_SERIAL or occurring.max() > _DENSE * occurring.mean():
        return False
    texts = [text.strip() for text in column.distinct]
    first = _common_start(min(texts), max(texts)).rstrip("0123456789")
    try:
        numbers = [int(text[len(first) :]) for text in texts]
    except ValueError:
        return False
    return max(numbers) - min(numbers) + 1 <= _DENSE * len(numbers)


def _common_start(one: str, other: str) -> str:
    for place, (mine, its) in enumerate(zip(one, other, strict=False)):
        if mine != its:
            return one[:place]
    return min(one, other)
