"""Integer laws of one bit whose chance depends on the true value."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL, Certificate, certify, fingerprint_of
from dpdesk.cost import exp_lower


@dataclass(frozen=True, slots=True)
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
        slope, steps = WORD_TOTAL - 2 * self.low, self.size - 1
        return np.fromiter(
            (self.low + slope * i // steps for i in range(self.size)), np.uint64, self.size
        )

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
