"""Columns that are read block by block: each distinct answer once, in the order of the file.

The dictionary of a column grows with its distinct answers, its codes go to a `Spool`. A dictionary
that outgrows memory, such as that of a number of each respondent, goes to the disk as well: texts
that are distinct within a block are numbered one after the other, as entries, and cut into parts by
a hash, so that equal texts fall into one part, which fits in memory. An entry that is the first of
its text is a distinct text of the column.

The hash is that of Python, which is keyed anew in each process (PEP 456): nobody can write a file
whose texts all fall into one part. It decides on nothing else; texts are compared whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from itertools import chain, islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from dpdesk.data.side_thread import SideThread
from dpdesk.data.spool import Codes, Spool, Values, code_type, scratch
from dpdesk.data.table import TextColumn
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
    """The distinct texts of a column, appended block by block."""

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


_T = TypeVar("_T")

_AHEAD = 1
"""Blocks that are appended or wait for it while the next one is read."""

_FEW = 1 << 12
"""A column of at most so many distinct answers finds them one by one; another one finds those of
many blocks together, because each time all of its answers are looked at."""

_WAITING_MOST = 1 << 18
"""Codes of a column of many distinct answers that wait for their place among them."""

# Offsets of 32 bits bound the distinct texts of one array.
_SHORT_OFFSETS = 1 << 30


class BlockColumns:
    """The columns of one table while it is read."""

    def __init__(self, count: int, name: str) -> None:
        self.rows = 0
        self._texts = [_Texts(name) for _ in range(count)]
        self._spool = Spool(count, name)

    def fill(
        self,
        blocks: Iterable[_T],
        encoded: Callable[[_T], Sequence[pa.DictionaryArray]],
        tick: Callable[[], object],
    ) -> None:
        """Appends blocks; while one thread reads the next ones, another encodes and appends.

        Args:
            blocks: What is read.
            encoded: Returns the answers of a block as `append` takes them.
            tick: Called while one thread waits for the other; may raise to cancel.
        """

        def append(block: _T) -> None:
            self.append(encoded(block))

        left = iter(blocks)
        ahead = list(islice(left, 2))
        if len(ahead) < 2:
            # A small file needs no thread.
            for block in ahead:
                append(block)
            return
        side = SideThread("columns", tick, _AHEAD)
        try:
            for block in chain(ahead, left):
                side.run(append, block)
            side.finish()
        finally:
            side.stop()

    def append(self, block: Sequence[pa.DictionaryArray]) -> None:
        """Appends the answers of the next respondents.

        Args:
            block: For each column its answers, encoded by a dictionary of texts without nulls.
        """
        for place, (texts, cells) in enumerate(zip(self._texts, block, strict=True)):
            local = cells.indices.to_numpy(zero_copy_only=False)
            for codes in texts.placed(cells.dictionary, local):
                self._spool.append(place, codes)
        self.rows += len(block[0])

    def finish(self, names: Sequence[str]) -> tuple[TextColumn, ...]:
        """Returns the columns under their names; nothing is appended afterwards."""
        for place, texts in enumerate(self._texts):
            for codes in texts.rest():
                self._spool.append(place, codes)
        finished = [texts.finish() for texts in self._texts]
        dictionaries = [dictionary for dictionary, _ in finished]
        code_of = {i: own for i, (_, own) in enumerate(finished) if own is not None}
        found = self._spool.finish([code_type(len(own)) for own in dictionaries], code_of)
        return tuple(
            TextColumn(name, codes, dictionary)
            for name, codes, dictionary in zip(names, found, dictionaries, strict=True)
        )

    def close(self) -> None:
        """Gives up what was read, if it was not returned."""
        self._spool.close()
        for texts in self._texts:
            texts.close()


class _Texts:
    """The distinct answers of one column in the order in which they occur.

    Few are looked up one by one, more are joined with those of many blocks at a time. Those that
    outgrow memory are only numbered, block by block, and compared when all were read.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._place: dict[str, int] | None = {}
        self._known = pa.array([], type=pa.string())
        self._waiting: list[tuple[pa.Array, npt.NDArray[np.int32]]] = []
        self._waiting_texts = 0
        self._waiting_codes = 0
        self._many: ManyTexts | None = None

    def placed(self, texts: pa.Array, local: npt.NDArray[np.int32]) -> list[Codes]:
        """Takes the answers of a block; returns the codes that are known by now, in order."""
        if self._many is not None:
            # The codes of a part can be of fewer bits.
            return [local.astype(np.int32) + np.int32(self._many.append(texts))]
        if self._place is not None:
            if len(self._place) + len(texts) <= _FEW:
                place = self._place
                numbers = [place.setdefault(text, len(place)) for text in texts.to_pylist()]
                return [np.array(numbers, dtype=code_type(len(place)))[local]]
            self._known = pa.array(list(self._place), type=pa.string())
            self._place = None
        self._waiting.append((texts, local))
        self._waiting_texts += len(texts)
        self._waiting_codes += len(local)
        enough = max(len(self._known), _WAITING_MOST)
        return self.rest() if max(self._waiting_texts, self._waiting_codes) >= enough else []

    def rest(self) -> list[Codes]:
        """Returns the codes that still wait for their places."""
        if not self._waiting:
            return []
        arrays = [self._known, *(texts for texts, _ in self._waiting)]
        *_, last = places = _united(arrays)
        self._known = last.dictionary
        kind = code_type(len(self._known))
        found = [
            place.indices.to_numpy(zero_copy_only=False).astype(kind, copy=False)[local]
            for place, (_, local) in zip(places[1:], self._waiting, strict=True)
        ]
        self._waiting, self._waiting_texts, self._waiting_codes = [], 0, 0
        if self._known.nbytes > MEMORY_MOST:
            # The places until now are those of the first entries.
            self._many = ManyTexts(self._name)
            self._many.append(self._known)
            # An empty slice would hold what it is of.
            self._known = pa.array([], type=pa.string())
        return found

    def finish(self) -> tuple[pa.Array, Codes | None]:
        """Returns the distinct answers, and what each code becomes; None if all stay."""
        if self._many is not None:
            return self._many.finish()
        if self._place is None:
            return self._known, None
        return pa.array(list(self._place), type=pa.string()), None

    def close(self) -> None:
        """Gives up what is on disk and was not returned."""
        if self._many is not None:
            self._many.close()


def _united(arrays: Sequence[pa.Array]) -> list[pa.DictionaryArray]:
    """Returns arrays of texts encoded by one dictionary, which begins with the first of them."""
    is_long = sum(array.nbytes for array in arrays) > _SHORT_OFFSETS
    texts: Any = pa.large_string() if is_long else pa.string()
    pieces = [
        pa.DictionaryArray.from_arrays(
            pa.array(np.arange(len(array), dtype=np.int32)), array.cast(texts)
        )
        for array in arrays
    ]
    united: list[pa.DictionaryArray] = pa.chunked_array(pieces).unify_dictionaries().chunks
    return united
