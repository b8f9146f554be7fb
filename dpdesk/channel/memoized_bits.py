"""The integer law of bits that are randomized twice: once for good, and again for each report."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from math import ceil

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL, Certificate, certify, fingerprint_of
from dpdesk.channel.draw_guard import require_draw
from dpdesk.cost import exp_lower

# A part of an epsilon may have no last digit; it is rounded down.
_PART = Context(prec=60, rounding=ROUND_FLOOR)


@dataclass(frozen=True, slots=True)
class MemoizedBitsLaw:
    """Each bit is flipped with weight `permanent` once, then with `instantaneous` in a report.

    Two true answers differ in at most `differing` bits, and bits are drawn by themselves: the
    loss is at most that of one bit times `differing`.
    """

    differing: int
    permanent: int
    instantaneous: int

    @classmethod
    def at(cls, differing: int, epsilon: Decimal, permanent_epsilon: Decimal) -> MemoizedBitsLaw:
        """Builds the law whose report loses epsilon, and all reports ever made the other.

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
        """Exact chance that a bit of a report is not that of the true answer."""
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
