"""The distinct texts of a column that are too many for memory: found and kept on disk.

Each block of a file brings the texts that are distinct within it; these are numbered one after the
other, as entries. The entries are cut into parts by a hash of their texts, so that equal texts fall
into one part, and each part fits in memory: there equal texts find the first of them. An entry that
is the first of its text is a distinct text of the column; so their order is that of the file.

The hash is that of Python, which is keyed anew in each process (PEP 456): nobody can write a file
whose texts all fall into one part. It decides on nothing else; texts are compared whole.
"""

from __future__ import annotations

from contextlib import closing

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.spool import Codes, Spool, Values, scratch
from dpdesk.data.texts import T
from dpdesk.errors import InputError
from dpdesk.numbers.arrays import pieces_of

MEMORY_MOST = 1 << 22
"""Bytes of the distinct texts of a column that are held in memory."""

_PARTS = 256
"""As many as a byte tells."""

_SPOOLED = 1 << 22
"""Bytes of a column that wait in memory for the disk."""

_TOGETHER = 1 << 17
"""Entries that are looked at together."""

_ENTRIES_MOST = 2**31 - 1
"""Their numbers are of 32 bits."""

_NUMBER = np.dtype(np.int32)
"""The type of entries, and of the lengths of texts in bytes."""

_BYTE = np.dtype(np.uint8)


class ManyTexts:
    """The distinct texts of a column, appended block by block.

    Args:
        name: Name of the file, for messages.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._count = 0
        self._texts = Spool(2, name, _SPOOLED)
        self._parts = Spool(3 * _PARTS, name)

    def append(self, texts: pa.Array) -> int:
        """Appends texts as the next entries; returns the number of the first of them.

        Raises:
            InputError: They are too many, or cannot be written to the disk.
        """
        first = self._count
        if first + len(texts) > _ENTRIES_MOST:
            raise InputError(T.MANY_ANSWERS(file=self._name))
        for some in pieces_of(len(texts), _TOGETHER):
            self._append(texts[some])
        return first

    def _append(self, texts: pa.Array) -> None:
        lengths, letters = _laid_out(texts)
        self._texts.append(0, lengths)
        self._texts.append(1, letters)
        cells = texts.to_numpy(zero_copy_only=False)
        hashes = np.fromiter(map(hash, cells), dtype=np.int64, count=len(cells))
        part = hashes.astype(np.uint8)
        order = np.argsort(part, kind="stable").astype(np.int32)
        # From the system, which takes it back: the pool of Arrow keeps it.
        in_order = pc.take(texts, pa.array(order), memory_pool=pa.system_memory_pool())
        lengths, letters = _laid_out(in_order)
        ends = np.cumsum(np.bincount(part, minlength=_PARTS))
        until = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        entries, start = order + np.int32(self._count), 0
        for place, end in enumerate(ends.tolist()):
            if end > start:
                self._parts.append(3 * place, entries[start:end])
                self._parts.append(3 * place + 1, lengths[start:end])
                self._parts.append(3 * place + 2, letters[until[start] : until[end]])
            start = end
        self._count += len(texts)

    def finish(self) -> tuple[pa.Array, Codes]:
        """Returns the distinct texts, and the place of each entry among them.

        Raises:
            InputError: They cannot be written to the disk.
        """
        place_of = self._first_entries()
        lengths, letters = self._texts.finish([_NUMBER, _BYTE])
        count, start, end = 0, 0, 0
        with closing(Spool(2, self._name, _SPOOLED)) as distinct:
            distinct.append(0, np.zeros(1, dtype=np.int64))
            for some in pieces_of(self._count, _TOGETHER):
                # Views: what was the first entry of each text becomes the place of the text.
                own, of_these = place_of[some], lengths[some]
                is_first = own == np.arange(some.start, some.stop, dtype=np.int32)
                before, count = count, count + int(np.count_nonzero(is_first))
                own[is_first] = np.arange(before, count, dtype=np.int32)
                # The first entry of their text stands before these, and has its place by now.
                own[~is_first] = place_of[own[~is_first]]
                stop = start + int(of_these.sum(dtype=np.int64))
                distinct.append(1, letters[start:stop][np.repeat(is_first, of_these)])
                ends = end + np.cumsum(of_these[is_first], dtype=np.int64)
                distinct.append(0, ends)
                start, end = stop, int(ends.max(initial=end))
            offsets, letters = distinct.finish([np.dtype(np.int64), _BYTE])
        return _texts(offsets, letters), place_of

    def close(self) -> None:
        """Gives up what is on disk and was not returned."""
        self._texts.close()
        self._parts.close()

    def _first_entries(self) -> Values:
        """Returns for each entry the first one that has its text."""
        first_of = scratch(self._count, _NUMBER, self._name)
        found = self._parts.finish([_NUMBER, _NUMBER, _BYTE] * _PARTS)
        for place in range(_PARTS):
            entries, lengths, letters = found[3 * place : 3 * place + 3]
            offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
            codes = _texts(offsets, letters).dictionary_encode().indices.to_numpy()
            _, firsts = np.unique(codes, return_index=True)
            first_of[entries] = entries[firsts][codes]
        return first_of


def _laid_out(texts: pa.Array) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """Returns the lengths of texts in bytes, and their bytes."""
    kind = np.dtype(np.int64 if pa.types.is_large_string(texts.type) else np.int32)
    _, ends, letters = texts.buffers()
    offsets = np.frombuffer(ends, dtype=kind)[texts.offset : texts.offset + len(texts) + 1]
    if letters is None or not len(texts):
        return np.zeros(len(texts), dtype=np.int32), np.zeros(0, dtype=np.uint8)
    own = np.frombuffer(letters, dtype=np.uint8)[offsets[0] : offsets[-1]]
    return np.diff(offsets).astype(np.int32), own


def _texts(offsets: npt.NDArray[np.int64], letters: npt.NDArray[np.uint8]) -> pa.Array:
    """Returns texts whose bytes lie one after the other, without copying them."""
    kept = [None, pa.py_buffer(offsets), pa.py_buffer(letters)]
    return pa.Array.from_buffers(pa.large_string(), len(offsets) - 1, kept)
