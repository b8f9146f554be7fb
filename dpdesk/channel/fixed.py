"""Integer laws that do not depend on the answers: the attribute drawn, and fake reports."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL
from dpdesk.channel.texts import T
from dpdesk.errors import CertificateError, ReleaseError


class FixedLaw:
    """Value v with weight w[v] out of 2^64, the same for everybody.

    A uniform law splits the words into stretches of equal length, so that it needs no table.
    """

    def __init__(self, size: int, weights: tuple[int, ...] = ()) -> None:
        """Takes the weights; a law without them is uniform, up to the last value's remainder.

        Args:
            size: Number of values.
            weights: Whole numbers that sum to 2^64, one for each value; or none.

        Raises:
            CertificateError: The weights do not sum to 2^64, or one is missing.
        """
        if weights and (len(weights) != size or min(weights) < 0 or sum(weights) != WORD_TOTAL):
            raise CertificateError(T.NO_LAW())
        self.size = size
        self.weights = weights
        self._stretch = WORD_TOTAL // size
        ends = np.cumsum(np.array(weights, dtype=object))[:-1] if weights else ()
        self._ends = np.array([int(end) for end in ends], dtype=np.uint64)

    @classmethod
    def of(cls, shares: Sequence[Decimal]) -> FixedLaw:
        """Builds the law of declared shares, any positive multiple of them.

        Every weight is rounded down, but a positive share keeps a weight of at least 1; the largest
        weight absorbs the difference, which changes it least.

        Raises:
            CertificateError: No share is positive.
        """
        total = sum(map(Fraction, shares))
        if total <= 0:
            raise CertificateError(T.NO_LAW())
        exact = [Fraction(share) * WORD_TOTAL / total for share in shares]
        weights = [max(int(weight), int(weight > 0)) for weight in exact]
        weights[weights.index(max(weights))] += WORD_TOTAL - sum(weights)
        return cls(len(weights), tuple(weights))

    def sample(self, words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one value per word, shape (n,).

        Raises:
            ReleaseError: The words are not of 64 bits.
        """
        if words.dtype != np.uint64:
            raise ReleaseError(T.BAD_WORDS())
        if self.weights:
            # The value is the number of thresholds that the word has reached.
            return self._ends.searchsorted(words, side="right").astype(np.int32)
        if self.size == 1:
            # A single stretch of all 2^64 words has a length that does not fit 64 bits.
            return np.zeros(words.size, dtype=np.int32)
        values = (words // np.uint64(self._stretch)).astype(np.int32)
        return np.minimum(values, np.int32(self.size - 1))

    def probabilities(self) -> NDArray[np.float64]:
        """Returns the chance of each value, shape (size,)."""
        if self.weights:
            return np.array([weight / WORD_TOTAL for weight in self.weights])
        chances = np.full(self.size, self._stretch / WORD_TOTAL)
        chances[-1] = (WORD_TOTAL - (self.size - 1) * self._stretch) / WORD_TOTAL
        return chances
