"""Integer laws of reports made of bits.

`UnaryLaw`: one bit per category, each randomized independently. `ThresholdLaw`: one bit whose
chance depends on the true value. `MemoizedBitsLaw`: bits randomized twice, once permanently and
again for each report.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import (
    WORD_TOTAL,
    Certificate,
    certify,
    fingerprint_of,
    require_draw,
)
from dpdesk.cost import exp_lower

# A part of an epsilon, such as a third, may have infinitely many digits; it is rounded down.
_PART = Context(prec=60, rounding=ROUND_FLOOR)


@dataclass(frozen=True, slots=True)
class MemoizedBitsLaw:
    """Each bit is flipped with weight `permanent` once, then with `instantaneous` in a report.

    Two true answers differ in at most `differing` bits, and bits are drawn independently: the
    loss is at most that of one bit times `differing`.
    """

    differing: int
    permanent: int
    instantaneous: int

    @classmethod
    def at(cls, differing: int, epsilon: Decimal, permanent_epsilon: Decimal) -> MemoizedBitsLaw:
        """Builds the law with the loss epsilon per report, and the permanent one for all reports.

        With E = e^(part of one bit), a bit of a report is to be flipped with chance 1 / (E + 1).
        If `a` is the weight of the permanent flip, that of the instantaneous one is c with
        a (N - c) + (N - a) c >= N^2 / (E + 1); rounding both up shrinks both losses.

        Args:
            differing: The most bits that two answers can differ in.
            epsilon: Loss of one report.
            permanent_epsilon: Loss of the permanent response, larger than epsilon.
        """
        n = WORD_TOTAL
        a = ceil(n / (_grown(permanent_epsilon, differing) + 1))
        wanted = Fraction(n * n) / (_grown(epsilon, differing) + 1)
        return cls(differing, a, max(1, ceil((wanted - a * n) / (n - 2 * a))))

    @property
    def flip(self) -> Fraction:
        """Exact chance that a bit of a report differs from that of the true answer."""
        a, c, n = self.permanent, self.instantaneous, WORD_TOTAL
        return Fraction(a * (n - c) + (n - a) * c, n * n)

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the loss of one report."""
        ratio = ((1 - self.flip) / self.flip) ** self.differing
        return certify(ratio, epsilon, self.fingerprint)

    def permanent_certificate(self, permanent_epsilon: Decimal) -> Certificate:
        """Certifies the loss of all reports that are ever made from one permanent response."""
        ratio = Fraction(WORD_TOTAL - self.permanent, self.permanent) ** self.differing
        return certify(ratio, permanent_epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the law."""
        numbers = (self.differing, self.permanent, self.instantaneous)
        return fingerprint_of("memoized bits", numbers)

    def permanent_bits(
        self, filters: NDArray[np.bool_], words: NDArray[np.uint64]
    ) -> NDArray[np.bool_]:
        """Draws the permanent response of Bloom filters, shape (n, m), one word per bit."""
        return filters ^ _below(words, self.permanent, filters.shape)

    def reported_bits(
        self, permanent: NDArray[np.bool_], words: NDArray[np.uint64]
    ) -> NDArray[np.bool_]:
        """Draws a report from permanent responses, shape (n, m), one word per bit."""
        return permanent ^ _below(words, self.instantaneous, permanent.shape)


def _grown(epsilon: Decimal, parts: int) -> Fraction:
    return exp_lower(_PART.divide(epsilon, Decimal(parts)))


def _below(words: NDArray[np.uint64], weight: int, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    no_codes = np.zeros(shape[0], dtype=np.int32)
    require_draw(no_codes, words, 1, words_each=shape[1])
    return (words < np.uint64(weight)).reshape(shape)


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

    def extremes(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        """Returns the largest and the smallest weight of each report, shapes (2,): at the ends."""
        most, least = np.uint64(WORD_TOTAL - self.low), np.uint64(self.low)
        return np.array([most, most]), np.array([least, least])

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


# The system's source returns blocks of this many words without copying, and they stay in the
# processor's cache.
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
