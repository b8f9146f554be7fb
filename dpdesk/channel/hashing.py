"""The integer law of local hashing: a public hash drawn per report, and its value randomized.

The hash is multiply-add-shift (Dietzfelbinger 1996, "Universal hashing and k-wise independent
random variables via integer arithmetic without primes"): h(v) = ((a v + b) mod 2^32) >> (32 - l)
with a and b drawn from all words of 32 bits. For values below 2^u with u + l - 1 <= 32 the hashes
of two values are exactly independent and uniform on l bits. The bucket is (h g) >> l, so that the
share of each bucket is known exactly, and with it the chance that a report supports a value.

All steps use unsigned 32-bit integers, so the results are the same on every machine and with every
library.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.certificate import (
    WORD_TOTAL,
    Certificate,
    certify,
    fingerprint_of,
    require_draw,
)
from dpdesk.channel.grr import GrrLaw
from dpdesk.numbers.arrays import Floats

HASHED_MAX = 1 << 16
"""Largest number of values: u = 16 leaves l = 17 bits for the hash."""

BUCKETS_MAX = 1 << 12
"""Largest number of buckets: each holds at least 32 of the 2^17 hashes, so all are nearly alike."""

_WORD_BITS = 32
# Reports that are counted side by side. Their few arrays stay in the processor's cache, and they
# are fewer than the 10,000 from which on OpenBLAS spreads a product of vectors over threads: on a
# busy machine these wait for each other a hundred times longer than they work.
_BLOCK_ROWS = 1 << 13

# A byte holds the sum of this many bits.
_LANE_ROWS = 255

Words32 = NDArray[np.uint32]


@dataclass(frozen=True, slots=True)
class HashFamily:
    """The hashes from values to buckets; a member is named by two seeds of 32 bits, a and b.

    Attributes:
        buckets: Number of buckets, g, from 2 to 2^hash_bits.
        hash_bits: Bits of the hash before it becomes a bucket, l.
    """

    buckets: int
    hash_bits: int = 17

    def bucket_of(self, a: Words32, b: Words32, values: Words32) -> NDArray[np.int32]:
        """Returns the bucket of each value under the hash of its seeds, shape (n,)."""
        hashed = (a * values + b) >> np.uint32(_WORD_BITS - self.hash_bits)
        return ((hashed * np.uint32(self.buckets)) >> np.uint32(self.hash_bits)).astype(np.int32)

    def collision(self, values: int = 2) -> Fraction:
        """Returns the chance that so many values with independent hashes share one bucket.

        It is the sum over buckets r of pi_r^values. The hashes of two values are independent.
        """
        # `large` buckets hold one hash more than the others.
        hashes = 1 << self.hash_bits
        small, large = divmod(hashes, self.buckets)
        powers = (self.buckets - large) * small**values + large * (small + 1) ** values
        return Fraction(powers, hashes**values)

    def support(self, reports: NDArray[np.int64], size: int, weights: Floats | None) -> Floats:
        """Returns for each value the weight of the reports whose bucket is the value's.

        A bucket is a range of the word a v + b mod 2^32, so a report supports a value where this
        word, less the range's first, is below its length. The longer side, reports or values, is
        compared at once, in a loop over the shorter one.

        Args:
            reports: Seeds a and b and the bucket of each report, shape (n, 3).
            size: Number of values, k.
            weights: Weight of each report, shape (n,); several kinds of it, shape (kinds, n); or
                None.

        Returns:
            Support of each value, shape (k,), or (kinds, k).
        """
        starts = self._starts()
        kinds = () if weights is None else weights.shape[:-1]
        counts = np.zeros((*kinds, size), dtype=np.float64)
        for first in range(0, reports.shape[0], _BLOCK_ROWS):
            block = reports[first : first + _BLOCK_ROWS]
            bucket = block[:, 2]
            begin = starts[bucket]
            ranges = (
                block[:, 0].astype(np.uint32),
                block[:, 1].astype(np.uint32) - begin.astype(np.uint32),
                (starts[bucket + 1] - begin).astype(np.uint32),
            )
            each = None if weights is None else weights[..., first : first + _BLOCK_ROWS]
            count = _count_by_value if block.shape[0] >= size else _count_by_report
            count(counts, *ranges, each)
        return counts

    def _starts(self) -> NDArray[np.uint64]:
        """Returns the first word of each bucket and 2^32 behind the last, shape (g + 1,)."""
        hashes, shift = 1 << self.hash_bits, _WORD_BITS - self.hash_bits
        first = (-(-bucket * hashes // self.buckets) << shift for bucket in range(self.buckets + 1))
        return np.fromiter(first, np.uint64, self.buckets + 1)


def _count_by_value(
    counts: Floats, a: Words32, word: Words32, length: Words32, weights: Floats | None
) -> None:
    """Adds the support of each value by the reports: from value to value the words grow by a."""
    supported = np.empty(word.size, dtype=np.bool_)
    for value in range(counts.shape[-1]):
        np.less(word, length, out=supported)
        counts[..., value] += (
            np.count_nonzero(supported) if weights is None else weights @ supported
        )
        word += a


def _count_by_report(
    counts: Floats, a: Words32, word: Words32, length: Words32, weights: Floats | None
) -> None:
    """Adds the support of the values by each report; a byte can count 255 of them."""
    values = np.arange(counts.shape[-1], dtype=np.uint32)
    words, supported = np.empty_like(values), np.empty(values.size, dtype=np.bool_)
    lanes = np.zeros(values.size, dtype=np.uint8)
    for row in range(a.size):
        np.multiply(values, a[row], out=words)
        words += word[row]
        np.less(words, length[row], out=supported)
        if weights is not None:
            counts += weights[..., row, None] * supported
            continue
        lanes += supported.view(np.uint8)
        if row % _LANE_ROWS == _LANE_ROWS - 1 or row == a.size - 1:
            counts += lanes
            lanes[:] = 0


@dataclass(frozen=True, slots=True)
class LocalHashLaw:
    """A hash is drawn for each report, and the bucket of the true value is reported by `answer`.

    Attributes:
        size: Number of values, k.
        family: The hashes.
        answer: Randomized response among the buckets.
    """

    size: int
    family: HashFamily
    answer: GrrLaw

    @classmethod
    def at(cls, size: int, buckets: int, epsilon: Decimal) -> LocalHashLaw:
        """Builds the law of k = `size` values hashed to g = `buckets` buckets."""
        return cls(size, HashFamily(buckets), GrrLaw.at(buckets, epsilon))

    def sample(self, codes: NDArray[np.int32], words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Draws one report per true code.

        Args:
            codes: True codes, shape (n,), in 0..k-1.
            words: Two words per draw, shape (2 n,): the seeds, a in the low half and b in the
                high one, and the randomized response.

        Returns:
            Seeds a and b and the reported bucket, shape (n, 3).

        Raises:
            ReleaseError: A code lies outside the domain, or the words are not of 64 bits.
        """
        require_draw(codes, words, self.size, words_each=2)
        a = (words[0::2] & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        b = (words[0::2] >> np.uint64(32)).astype(np.uint32)
        own = self.family.bucket_of(a, b, codes.astype(np.uint32))
        reports = np.empty((codes.size, 3), dtype=np.int64)
        reports[:, 0], reports[:, 1] = a, b
        reports[:, 2] = self.answer.sample(own, words[1::2])
        return reports

    def certificate(self, epsilon: Decimal) -> Certificate:
        """Certifies the law; its loss is that of the buckets, as seeds do not depend on answers."""
        ratio = Fraction(self.answer.truth, self.answer.lie)
        return certify(ratio, epsilon, self.fingerprint)

    @property
    def fingerprint(self) -> str:
        """Digest of the law."""
        numbers = (self.size, self.family.hash_bits, self.answer.size)
        return fingerprint_of("hashing", (*numbers, self.answer.truth, self.answer.lie))

    def probabilities(self) -> tuple[float, float]:
        """Returns the chances that a report supports (its true value, any other value).

        The report is the true value's bucket r with p where the other value's is r too, and else
        one of the lies: q = sum_r pi_r [pi_r p + (1 - pi_r) (1 - p) / (g - 1)].
        """
        truth = Fraction(self.answer.truth, WORD_TOTAL)
        lie = Fraction(self.answer.lie, WORD_TOTAL)
        return float(truth), float(lie + (truth - lie) * self.family.collision())
