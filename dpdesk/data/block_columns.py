"""Columns that are read block by block: each distinct answer once, in the order of the file.

The dictionary of a column grows with its distinct answers, its codes go to a `Spool`. A dictionary
that outgrows memory, such as that of a number of each respondent, goes to the disk as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from dpdesk.data import many_texts
from dpdesk.data.many_texts import ManyTexts
from dpdesk.data.side_thread import SideThread
from dpdesk.data.spool import Codes, Spool, code_type
from dpdesk.data.table import TextColumn

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
    """The columns of one table while it is read.

    Args:
        count: Number of columns.
        name: Name of the file, for messages.
    """

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

    Args:
        name: Name of the file, for messages.
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
        """Takes the answers of a block; returns the codes that are known by now, in order.

        Args:
            texts: The distinct answers of the block.
            local: For each respondent the position of the answer among them.
        """
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
        if self._known.nbytes > many_texts.MEMORY_MOST:
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
