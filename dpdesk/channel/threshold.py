"""Integer laws of one bit whose chance depends on the true value."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL, Certificate, certify, fingerprint_of
from dpdesk.channel.draw_guard import require_draw
from dpdesk.cost import exp_lower


@dataclass(frozen=True)
class ThresholdLaw:
    """Report 1 ("high") with weight `low + (N - 2 low) i // (size - 1)` at grid point i.

    Attributes:
        size: Number of grid points, m >= 2.
        low: Weight of "high" at the first grid point, and of "low" at the last.
    """

    size: int
    low: int

    @classmethod
    def at(cls, size: int, epsilon: Decimal) -> ThresholdLaw:
        """Builds the law with low = ceil(N / (e^eps + 1)): rounding up shrinks the ratio."""
        return cls(size, ceil(Fraction(WORD_TOTAL) / (exp_lower(epsilon) + 1)))

    def weights(self) -> NDArray[np.uint64]:
        """Returns the weight of "high" at each grid point, shape (m,)."""
        return self._weights

    @cached_property
    def _weights(self) -> NDArray[np.uint64]:
        slope, steps = WORD_TOTAL - 2 * self.low, self.size - 1
        weights = (self.low + slope * i // steps for i in range(self.size))
        return np.fromiter(weights, np.uint64, self.size)

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one report per true code.

        Args:
            codes: True codes, shape (n,), in 0..m-1.
            words: One word per draw, shape (n,).

        Returns:
            1 ("high") where the word lies below the weight of its code, else 0; shape (n,).

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.size)
        return (words < self._weights[codes]).astype(np.int32)

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law; the weights grow with i, so the two ends are the worst pair."""
        return certify(Fraction(WORD_TOTAL - self.low, self.low), epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the law."""
        return fingerprint_of("threshold", (self.size, self.low))

    def probabilities(self) -> tuple[float, float]:
        """Returns the probabilities of "high" (at the last grid point, at the first)."""
        return (WORD_TOTAL - self.low) / WORD_TOTAL, self.low / WORD_TOTAL
