"""Brings the records of a release into a random order, in memory that does not grow with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dpdesk.data.nameless_file import NamelessFile
from dpdesk.data.packed_records import PackedRows
from dpdesk.data.side_thread import SideThread
from dpdesk.engine.texts import T
from dpdesk.errors import ReleaseError
from dpdesk.numbers.arrays import pieces_of
from dpdesk.randomness import WordSource, sorting_order

_BUCKET_ROWS = 1 << 18
_BUCKET_BYTES = 1 << 24
# So many bytes of records are dealt to the buckets at once.
_DEALT_BYTES = 1 << 23
# Dealt records are laid out in pieces that stay in the cache, in memory that is used again.
_PIECE_BYTES = 1 << 20
# The labels of more buckets do not fit 16 bits.
_BITS_MOST = 16


def bucket_bits(rows: int, width: int) -> int:
    """Returns the binary logarithm of the number of buckets; 0 where one holds all records.

    Args:
        rows: Number of records.
        width: Bytes of a record.
    """
    most = max(1, min(_BUCKET_ROWS, _BUCKET_BYTES // width))
    return min(_BITS_MOST, (-(-rows // most) - 1).bit_length()) if rows else 0


def bytes_on_disk(rows: int, width: int) -> int:
    """Returns how many bytes of records are on the disk while they are shuffled."""
    return rows * width if bucket_bits(rows, width) else 0


class RecordShuffle:
    """Records in the order of the file in, the same in a random order out.

    Records that one bucket holds are permuted in memory. Of more records each is dealt to one of
    B = 2^b buckets, whose number is the first b bits of a word of its own; the buckets are on the
    disk, and one after the other is read, permuted in memory (`sorting_order`), and passed on.
    Every order of all n records is equally likely, however full the buckets become:

        Take any order, and any sizes m_1 + ... + m_B = n of the buckets. Exactly one dealing of the
        records gives these sizes and can lead to the order: the first m_1 records of the order lie
        in the first bucket, the next m_2 in the second, and so on. Its chance is B^-n, since labels
        are independent and uniform. Given the dealing, the permutation of bucket j is the one that
        the order needs with chance 1 / m_j!, independently. So the chance of the order is

            B^-n times the sum of 1 / (m_1! ... m_B!) over all sizes,

        where the order itself does not occur: it is the same for all of them, 1 / n!.

    (Rao 1961, Sankhya A 23, 305-307, and Sandelius 1962, J. R. Stat. Soc. B 24, 472-481, draw
    permutations in this way.) `tests/engine/test_shuffle.py` enumerates it.

    What is on the disk is released in any case: reports, and columns that are kept as they are.
    Their order in the file is not, so it is a `NamelessFile`. Words: one for each record, and one
    more where there are several buckets.

    Attributes:
        rows: Number of records that were put in.

    Args:
        rows: Number of records that will be put in.
        width: Bytes of a record.
        words: Source of random words; taken in the caller's thread, in an order that depends on the
            number of records alone.
        folder: Where buckets are written that do not stay in memory.
        tick: Called several times a second while there is something to wait for; may raise.

    Raises:
        ReleaseError: The source of randomness failed, or nothing can be written to the folder.
    """

    def __init__(
        self,
        rows: int,
        width: int,
        words: WordSource,
        folder: Path,
        tick: Callable[[], object] = lambda: None,
    ) -> None:
        self.rows = 0
        self._words, self._width = words, width
        self._bits = bucket_bits(rows, width)
        self._dealt_rows = max(1, _DEALT_BYTES // width)
        self._held: list[PackedRows] = []
        self._rows_held = 0
        self._starts: list[NDArray[np.int64]] = []
        self._side = SideThread("shuffle", tick, ahead=1)
        if self._bits:
            with _may_fail():
                self._file = NamelessFile(folder)
        else:
            self._only = words.take(rows)

    def put(self, records: PackedRows) -> None:
        """Takes some records, in the order of the file; they must not change afterwards."""
        self.rows += len(records)
        self._held.append(records)
        self._rows_held += len(records)
        if self._bits and self._rows_held >= self._dealt_rows:
            self._deal()

    def drain(self) -> Iterator[PackedRows]:
        """Yields all records in their new order, bucket by bucket; nothing is put in afterwards."""
        if not self._bits:
            yield self._joined(self._taken()).take(sorting_order(self._only), axis=0)
            return
        self._deal()
        self._side.finish()
        sizes = np.diff(np.stack(self._starts), axis=1).sum(axis=0) // self._width
        ahead: Future[PackedRows] | None = None
        for bucket, size in enumerate(sizes.tolist()):
            # Taken here, and in the order of the buckets.
            words = self._words.take(size)
            following = self._side.run(self._bucket, bucket, size, words)
            if ahead is not None:
                yield self._side.result(ahead)
            ahead = following
        if ahead is not None:
            yield self._side.result(ahead)

    def close(self) -> None:
        """Gives the disk's space back; may be called more than once."""
        self._side.stop()
        if self._bits:
            self._file.close()

    def _taken(self) -> list[PackedRows]:
        """Returns the records that are held, and holds none afterwards."""
        held, self._held, self._rows_held = self._held, [], 0
        return held

    def _joined(self, held: list[PackedRows]) -> PackedRows:
        return held[0] if len(held) == 1 else np.concatenate([_none(self._width), *held])

    def _deal(self) -> None:
        """Deals the records that are held to the buckets."""
        words = self._words.take(self._rows_held)
        self._side.run(self._spill, self._taken(), words)

    def _spill(self, held: list[PackedRows], words: NDArray[np.uint64]) -> None:
        records = self._joined(held)
        labels = (words >> np.uint64(64 - self._bits)).astype(np.uint16)
        counts = np.bincount(labels, minlength=1 << self._bits)
        with _may_fail():
            # The order of 16 bits is found in one pass.
            order = np.argsort(labels, kind="stable")
            begin = self._file.end
            for rows in pieces_of(len(order), max(1, _PIECE_BYTES // self._width)):
                self._file.append(records.take(order[rows], axis=0))
        ends = begin + self._width * np.cumsum(counts)
        self._starts.append(np.concatenate([[begin], ends]))

    def _bucket(self, bucket: int, size: int, words: NDArray[np.uint64]) -> PackedRows:
        """Reads a bucket and permutes it."""
        records = np.empty((size, self._width), dtype=np.uint8)
        room, filled = records.reshape(-1), 0
        with _may_fail():
            for starts in self._starts:
                first, last = starts[bucket : bucket + 2].tolist()
                filled += self._file.read_into(room[filled : filled + last - first], first)
        if filled != records.size:
            raise ReleaseError(T.RECORDS_CHANGED())
        return records.take(sorting_order(words), axis=0)


def _none(width: int) -> PackedRows:
    return np.empty((0, width), dtype=np.uint8)


@contextmanager
def _may_fail() -> Iterator[None]:
    try:
        yield
        return
    except OSError as error:
        reason = error.strerror or "the file system refused"
    raise ReleaseError(T.NOT_SHUFFLED(reason=reason))
