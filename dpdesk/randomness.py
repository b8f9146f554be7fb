"""Random words of 64 bits: the only source of chance in a release.

A release with a seed could be undone by searching the seeds. So the words come from the operating
system, without a seed or a state of ours; simulations have their own source in the engine.
"""

from __future__ import annotations

import ssl
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import ReleaseError
from dpdesk.numbers.texts import T

# Pieces of this size are where OpenSSL's generator is fastest and memory stays small: smaller ones
# spend a quarter more per word.
_PIECE_BYTES = 1 << 20
_ZERO_RUN_WORDS = 4


class WordSource(Protocol):
    """A source of words of 64 independent fair bits."""

    def take(self, count: int) -> NDArray[np.uint64]:
        """Returns `count` fresh words, shape (count,)."""


class SystemWords:
    """Words of the operating system's generator, through OpenSSL's fork-safe front.

    `ssl.RAND_bytes` is a cryptographic generator (NIST SP 800-90A) that the operating system
    seeds and reseeds, also after a fork. An error of the source aborts; there is no fallback.
    """

    name = "operating system, through OpenSSL RAND_bytes"

    def take(self, count: int) -> NDArray[np.uint64]:
        """Returns `count` fresh words, shape (count,), read-only.

        Raises:
            ReleaseError: The source failed or returned a run of zero words.
        """
        if count * 8 <= _PIECE_BYTES:
            words = np.frombuffer(_piece(count * 8), dtype=np.uint64)
        else:
            words = np.empty(count, dtype=np.uint64)
            buffer = words.view(np.uint8)
            for start in range(0, buffer.size, _PIECE_BYTES):
                stop = min(start + _PIECE_BYTES, buffer.size)
                buffer[start:stop] = np.frombuffer(_piece(stop - start), dtype=np.uint8)
        # A dead source returns zeros; by chance this happens once in 2^256 calls.
        if count >= _ZERO_RUN_WORDS and not words[:_ZERO_RUN_WORDS].any():
            raise ReleaseError(T.RANDOM_FAILED())
        return words


class MeteredWords:
    """Words of another source, counted.

    Attributes:
        taken: How many were taken.
    """

    def __init__(self, words: WordSource) -> None:
        self.taken = 0
        self._words = words

    def take(self, count: int) -> NDArray[np.uint64]:
        """Returns `count` fresh words of the source."""
        self.taken += count
        return self._words.take(count)


class TakenWords:
    """Words that were taken before, for a draw that needs a number of them that is known.

    Which words a draw gets does not depend on when and where it runs.
    """

    def __init__(self, words: NDArray[np.uint64]) -> None:
        self._words, self._used = words, 0

    def take(self, count: int) -> NDArray[np.uint64]:
        """Returns the next `count` words.

        Raises:
            ReleaseError: There are not as many.
        """
        start, self._used = self._used, self._used + count
        if self._used > self._words.size:
            raise ReleaseError(T.UNEVEN_WORDS())
        return self._words[start : self._used]

    def require_used(self) -> None:
        """Requires that all words were used: a number that depends on the data would betray them.

        Raises:
            ReleaseError: Some are left.
        """
        if self._used != self._words.size:
            raise ReleaseError(T.UNEVEN_WORDS())


def _piece(size: int) -> bytes:
    try:
        return ssl.RAND_bytes(size)
    except ssl.SSLError as error:
        raise ReleaseError(T.RANDOM_FAILED()) from error


def sorting_order(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Returns the order of rows that sorts one word each, shape (n,).

    For random words it is uniform, except for equal ones, whose chance is below n^2 / 2^65. The
    order is not part of any epsilon.
    """
    # Which of two equal words comes first is left open: an order that keeps them costs ten times
    # as much.
    return np.argsort(words)
