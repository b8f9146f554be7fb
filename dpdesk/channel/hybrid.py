"""The integer law of a window for some words and of one bit for the others."""

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
from dpdesk.channel.window import WindowLaw, chosen
from dpdesk.cost import exp_lower


@dataclass(frozen=True)
class HybridLaw:
    """The words below the window's total draw one of its cells, the others "low" or "high".

    Grid point i says "high" with weight `low + (R - 2 low) i // (m - 1)`, where R is the number
    of the other words. Which part a report comes from can be seen, and is drawn alike for every
    answer; so the loss is the larger one of the two parts.

    Reports are numbered in the order of the numbers that they stand for: "low" has `below` cells
    before it, and "high" as many behind.

    Attributes:
        window: The law of the first part.
        low: Weight of "high" at the first grid point, and of "low" at the last.
        below: Number of cells whose numbers lie below that of "low".
    """

    window: WindowLaw
    low: int
    below: int

    @classmethod
    def at(cls, size: int, width: int, epsilon: Decimal, share: Fraction, below: int) -> HybridLaw:
        """Builds the law.

        Args:
            size: Number of grid points, m >= 2.
            width: Number of cells of a window.
            epsilon: The loss.
            share: Chance of the first part, above 0 and below 1.
            below: Number of cells whose numbers lie below that of "low".

        Raises:
            CertificateError: The grid is too fine for this epsilon.
        """
        split = int(share * WORD_TOTAL)
        low = ceil(Fraction(WORD_TOTAL - split) / (exp_lower(epsilon) + 1))
        return cls(WindowLaw.at(size, width, epsilon, split), low, below)

    @property
    def rest(self) -> int:
        """Number of words of the second part."""
        return WORD_TOTAL - self.window.total

    @cached_property
    def high(self) -> NDArray[np.uint64]:
        """Weight of "high" at each grid point, shape (m,)."""
        slope, steps = self.rest - 2 * self.low, self.window.size - 1
        weights = (self.low + slope * i // steps for i in range(steps + 1))
        return np.fromiter(weights, np.uint64, steps + 1)

    @property
    def outputs(self) -> int:
        """Number of reports."""
        return self.window.outputs + 2

    @property
    def ends(self) -> tuple[int, int]:
        """The reports "low" and "high"."""
        return self.below, self.outputs - 1 - self.below

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law by the worse of its two parts."""
        ratio = max(self.window.likelihood_ratio, Fraction(self.rest - self.low, self.low))
        return certify(ratio, epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the law."""
        window = self.window
        parts = (window.size, window.width, window.truth, window.lie, self.low, self.below)
        return fingerprint_of("hybrid", parts)

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one report per true code.

        Args:
            codes: True codes, shape (n,), in 0..m-1.
            words: One word per draw, shape (n,).

        Returns:
            Reports, shape (n,).

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.window.size)
        low, high = self.ends
        cells = self.window.sample(codes, words)
        # "low" and "high" are numbered among the cells, which make room for them.
        cells += (cells >= low).astype(np.int32) + (cells >= high - 1).astype(np.int32)
        split = np.uint64(self.window.total)
        bits = low + (words - split < self.high[codes]) * np.int32(high - low)
        return chosen(words < split, cells, bits)
