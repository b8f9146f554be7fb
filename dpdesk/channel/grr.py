"""The integer law of generalized randomized response (k-ary randomized response)."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import ceil
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import WORD_TOTAL, TruthOrLieLaw, require_draw
from dpdesk.channel.texts import T
from dpdesk.channel.window import chosen
from dpdesk.cost import exp_lower
from dpdesk.errors import CertificateError


@dataclass(frozen=True, slots=True)
class GrrLaw(TruthOrLieLaw):
    """The truth with weight `truth`, each of the k - 1 lies with weight `lie`.

    Two integers hold the law for any k, so it needs no table and no rejection.
    """

    name: ClassVar[str] = "grr"

    @classmethod
    def at(cls, size: int, epsilon: Decimal) -> GrrLaw:
        """Builds the law of k = `size` values: lie = ceil(N / (e^eps + k - 1)).

        Rounding the lie up can only shrink the ratio truth / lie.

        Raises:
            CertificateError: The domain is so large that the truth would be rarer than a lie.
        """
        lie = ceil(Fraction(WORD_TOTAL) / (exp_lower(epsilon) + size - 1))
        truth = WORD_TOTAL - (size - 1) * lie
        if truth < lie:
            raise CertificateError(T.LARGE_DOMAIN())
        return cls(size, truth, lie)

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Draws one report per true code.

        Args:
            codes: True codes, shape (n,), in 0..k-1.
            words: One word per draw, shape (n,).

        Returns:
            Reported codes, shape (n,): words below `truth` report the truth, the others choose
            among the k - 1 other values in stretches of `lie` words.

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.size)
        truth, lie = np.uint64(self.truth), np.uint64(self.lie)
        lies = ((words - truth) // lie).astype(np.int32)
        lies += lies >= codes
        return chosen(words < truth, codes, lies)

    def probabilities(self) -> tuple[float, float]:
        """Returns the probabilities (truth, each lie)."""
        return self.truth / WORD_TOTAL, self.lie / WORD_TOTAL
