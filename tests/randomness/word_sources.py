"""Sources of words for tests: repeatable, prescribed, counted. None of them is for a release."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpdesk.randomness import WordSource

_BLOCK_WORDS = 1 << 14


class ShakeWords:
    """A stream of words from SHAKE-128: the same on every machine and for every way to cut it."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._blocks = 0
        self._rest = np.empty(0, dtype=np.uint64)

    def take(self, count: int) -> NDArray[np.uint64]:
        pieces = [self._rest]
        have = self._rest.size
        while have < count:
            digest = hashlib.shake_128(f"{self._seed}/{self._blocks}".encode())
            self._blocks += 1
            pieces.append(np.frombuffer(digest.digest(8 * _BLOCK_WORDS), "<u8").astype(np.uint64))
            have += _BLOCK_WORDS
        words = np.concatenate(pieces)
        self._rest = words[count:]
        return words[:count]


class PrescribedWords:
    """Deals the given words in their order, and refuses to deal more."""

    def __init__(self, words: Sequence[int] | NDArray[np.uint64]) -> None:
        self._words = np.array(words, dtype=np.uint64)

    def take(self, count: int) -> NDArray[np.uint64]:
        assert count <= self._words.size, "more words were taken than prescribed"
        dealt, self._words = self._words[:count], self._words[count:]
        return dealt

    @property
    def left(self) -> int:
        return self._words.size


class CountedWords:
    """Counts the words that another source deals."""

    def __init__(self, source: WordSource) -> None:
        self._source = source
        self.taken = 0

    def take(self, count: int) -> NDArray[np.uint64]:
        self.taken += count
        return self._source.take(count)
