"""The integer law of Hadamard response: an index at which a row of Hadamard's matrix is +1, or -1.

Sylvester's matrix of order K has the entry (-1)^popcount(y & r) in row r and column y. Every row
but the first has as many +1 as -1, and any two rows agree in half of the columns: so whether a
report y supports one value does not depend on any other value.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL, TruthOrLieLaw, require_draw
from dpdesk.cost import exp_lower


@dataclass(frozen=True, slots=True)
class HadamardLaw(TruthOrLieLaw):
    """With weight `truth` one of the K/2 indices that support the true value, else another one.

    The value v has row v + 1 of the matrix. One word decides whether the report supports the
    value; K is a power of two, so that the low bits of another are a uniform index.

    Attributes:
        size: Number of values, k.
        truth: Weight of the indices that support the true value, together.
        lie: Weight of all others, together.

    Two values have indices that only one of them supports: the loss is ln(truth / lie).
    """

    name: ClassVar[str] = "hadamard"

    @classmethod
    def at(cls, size: int, epsilon: Decimal) -> HadamardLaw:
        """Builds the law of k = `size` values: lie = ceil(N / (e^eps + 1)).

        Rounding the lie up can only shrink the ratio truth / lie.
        """
        lie = ceil(Fraction(WORD_TOTAL) / (exp_lower(epsilon) + 1))
        return cls(size, WORD_TOTAL - lie, lie)

    @property
    def outputs(self) -> int:
        """Number of indices, K."""
        return 1 << order_bits(self.size)

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one index per true code.

        Args:
            codes: True codes, shape (n,), in 0..k-1.
            words: Two words per draw, shape (2 n,): the decision, and the index.

        Returns:
            Indices, shape (n,): that of the low bits if it has the wanted sign; else the index that
            differs from it in one bit of the value's row, which has the other sign.

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.size, words_each=2)
        told = words[0::2] < np.uint64(self.truth)
        index = (words[1::2] & np.uint64(self.outputs - 1)).astype(np.int32)
        row = codes + np.int32(1)
        supports = (np.bitwise_count(index & row) & 1) == 0
        return np.where(supports == told, index, index ^ (row & -row))

    def probabilities(self) -> tuple[float, float]:
        """Returns the chances that a report supports (its true value, any other value)."""
        return self.truth / WORD_TOTAL, 0.5


def order_bits(size: int) -> int:
    """Returns log2 K for k = `size` values: K = 2^ceil(log2(k + 1))."""
    return size.bit_length()


def support_of(counts: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """Returns the weight of the reports that support each value, by a fast Walsh transform.

    Args:
        counts: Weight of the reports of each index, shape (..., K).
        size: Number of values, k < K.

    Returns:
        Support of each value, shape (..., k): half the sum of all reports and of their signs.
    """
    signed = counts.astype(np.float64)
    half = 1
    while half < counts.shape[-1]:
        pairs = signed.reshape(*counts.shape[:-1], -1, 2, half)
        first, second = pairs[..., 0, :], pairs[..., 1, :]
        signed = np.stack((first + second, first - second), axis=-2).reshape(counts.shape)
        half *= 2
    return np.asarray((signed[..., :1] + signed[..., 1 : size + 1]) / 2)
