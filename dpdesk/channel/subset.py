"""The integer law of subset selection: a set of categories, often with the true one.

The report is a set of w of k categories. One word decides whether the true category is in it; the
others are a uniform choice by Floyd's algorithm (Bentley and Floyd 1987, "A sample of brilliance",
Communications of the ACM 30): for j from N - m to N - 1 a number from 0 to j is drawn, and chosen
unless it already is; then j is chosen instead. Each step takes one word, nothing is chosen twice,
and in the end m of the N numbers are chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
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

_WORD_BITS = 64

SUBSET_MAX = 2_000
"""Largest number of categories, at which the reserve for rounding is below 1e-9 of epsilon."""

BLOCK_ROWS = 2_048
"""Rows to draw at a time: enough for the passes to be long, few enough to stay in the cache."""


@dataclass(frozen=True, slots=True)
class SubsetLaw:
    """The report includes the true category with weight `included`; the rest is a uniform choice.

    Attributes:
        size: Number of categories, k.
        members: Number of categories in a report, w.
        included: Weight of the reports that hold the true category.
    """

    size: int
    members: int
    included: int

    @classmethod
    def at(cls, size: int, members: int, epsilon: Decimal) -> SubsetLaw:
        """Builds the law: left_out = ceil(N (k - w) / (e^eps w / s + k - w)).

        Rounding it up, and the reserve s for uneven choices, can only shrink the loss.
        """
        others = size - members
        growth = exp_lower(epsilon) / unevenness(size, members)
        left_out = ceil(WORD_TOTAL * others / (growth * members + others))
        return cls(size, members, WORD_TOTAL - left_out)

    @property
    def words_each(self) -> int:
        """Words per draw: one for the true category, one for each member."""
        return 1 + self.members

    def sample(
        self,
        codes: NDArray[np.int32],
        words: NDArray[np.uint64],
        out: NDArray[np.uint8] | None = None,
    ) -> NDArray[np.uint8]:
        """Draws one report of k indicators per true code.

        Args:
            codes: True codes, shape (n,), in 0..k-1.
            words: w + 1 words per draw, shape ((w + 1) n,): the first n for the true categories,
                and n for each step of the choice of the others.
            out: Where to put the bits, shape (n, k), contiguous; a new array if None.

        Returns:
            Bits, shape (n, k), w of each row set.

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.size, words_each=self.words_each)
        steps = words.reshape(self.words_each, codes.size)
        included = steps[0] < np.uint64(self.included)
        bits = np.empty((codes.size, self.size), dtype=np.uint8) if out is None else out
        bits[:] = 0
        flat = bits.reshape(-1).view(np.bool_)
        first = np.arange(0, flat.size, self.size)
        fraction = np.uint64(fraction_bits(self.size))
        shift = np.uint64(_WORD_BITS) - fraction
        drawn = np.empty(codes.size, dtype=np.uint64)
        place = drawn.view(np.int64)
        last = first + (self.size - 1 - self.members)
        for step in range(1, self.words_each):
            np.right_shift(steps[step], shift, out=drawn)
            drawn *= np.uint64(self.size - 1 - self.members + step)
            drawn >>= fraction
            place += first
            np.copyto(place, last, where=flat[place])
            # If the set holds the true category, one category fewer is chosen, and none in the
            # first step.
            flat[place] = True if step > 1 else ~included
            last += 1
        # So far the other categories occupy the first k - 1 columns, the last of them in the place
        # of the true one.
        true_bit = first + codes
        flat[first + (self.size - 1)] = flat[true_bit]
        flat[true_bit] = included
        return bits

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies a bound of the law's loss.

        There are (k - w) / w times as many reports without the true category as with it, and each
        has the probability of a uniform choice up to the factor sqrt(s) in either direction.
        """
        odds = Fraction(self.included, WORD_TOTAL - self.included)
        reports = Fraction(self.size - self.members, self.members)
        ratio = odds * reports * unevenness(self.size, self.members)
        return certify(ratio, epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the law."""
        return fingerprint_of("subset", (self.size, self.members, self.included))

    def probabilities(self) -> tuple[float, float]:
        """Returns the chances that a report holds (its true category, any other)."""
        included = Fraction(self.included, WORD_TOTAL)
        return float(included), float((self.members - included) / (self.size - 1))


def fraction_bits(size: int) -> int:
    """Returns how many bits of a word are used: their product with k fits 64 bits."""
    return _WORD_BITS - size.bit_length()


def unevenness(size: int, members: int) -> Fraction:
    """Returns s, a bound of the ratio of the chances of two choices.

    With B = 2^bits each of L numbers has the chance floor(B / L) / B or ceil(B / L) / B, which is 1
    / L times a factor from 1 - L / B to 1 + L / B. Over w steps with L < k a choice is at least 1 -
    d and at most 1 / (1 - d) times as likely as it should be, d = w (k - 1) / B.
    """
    d = Fraction(members * (size - 1), 1 << fraction_bits(size))
    return 1 / (1 - d) ** 2
