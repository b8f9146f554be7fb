"""The integer law of unary encodings: one bit per category, each randomized by itself."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL, Certificate, certify, fingerprint_of
from dpdesk.channel.draw_guard import require_draw
from dpdesk.cost import exp_lower

# The system's source deals blocks of this many words in one piece, without a copy; they stay in
# the processor's cache.
_BLOCK_WORDS = 1 << 17


@dataclass(frozen=True, slots=True)
class UnaryLaw:
    """Bit v is 1 with weight `truth` where v is the true category, with weight `lie` elsewhere."""

    size: int
    truth: int
    lie: int

    @classmethod
    def symmetric(cls, size: int, epsilon: Decimal) -> UnaryLaw:
        """Builds the law of SUE: each bit told truthfully with odds e^(eps/2)."""
        lie = ceil(Fraction(WORD_TOTAL) / (exp_lower(epsilon / 2) + 1))
        return cls(size, WORD_TOTAL - lie, lie)

    @classmethod
    def optimized(cls, size: int, epsilon: Decimal) -> UnaryLaw:
        """Builds the law of OUE: the true bit a fair coin, the others 1 with odds e^-eps."""
        lie = ceil(Fraction(WORD_TOTAL) / (exp_lower(epsilon) + 1))
        return cls(size, WORD_TOTAL // 2, lie)

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law.

        Two true answers differ in two bits; the worst report has the one bit set and the other
        not, so the loss is the logarithm of the product of the two bits' ratios.
        """
        ratio = Fraction(self.truth, self.lie) * Fraction(
            WORD_TOTAL - self.lie, WORD_TOTAL - self.truth
        )
        return certify(ratio, epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the law."""
        return fingerprint_of("unary", (self.size, self.truth, self.lie))

    def sample(
        self,
        codes: NDArray[np.int32],
        words: NDArray[np.uint64],
        out: NDArray[np.uint8] | None = None,
        encoded: NDArray[np.bool_] | None = None,
    ) -> NDArray[np.uint8]:
        """Draws one report of k bits per true code.

        Args:
            codes: True codes, shape (n,), in 0..k-1.
            words: One word per bit, shape (n * k,), row by row.
            out: Where to put the bits, shape (n, k), contiguous; a new array if None.
            encoded: Which rows encode their code, shape (n,); the others are drawn as if no
                category were true. All encode it if None.

        Returns:
            Bits, shape (n, k): a bit is 1 where its word lies below the bit's weight.

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
            ValueError: `out` is not of this shape and kind.
        """
        require_draw(codes, words, self.size, words_each=self.size)
        bits = np.empty((codes.size, self.size), dtype=np.uint8) if out is None else out
        if bits.shape != (codes.size, self.size) or not bits.flags.c_contiguous:
            raise ValueError("The bits go into a contiguous array with one row per code.")
        flat = bits.view(np.bool_).reshape(-1)
        np.less(words, np.uint64(self.lie), out=flat)
        true_bit = np.arange(codes.size, dtype=np.int64) * self.size + codes
        truth = np.uint64(self.truth)
        weight = truth if encoded is None else np.where(encoded, truth, np.uint64(self.lie))
        flat[true_bit] = words[true_bit] < weight
        return bits

    @property
    def block_rows(self) -> int:
        """Number of rows to draw at a time, so that their words stay in the cache."""
        return max(1, _BLOCK_WORDS // self.size)

    def probabilities(self) -> tuple[float, float]:
        """Returns the probabilities of a 1 (in the true category, in any other)."""
        return self.truth / WORD_TOTAL, self.lie / WORD_TOTAL
