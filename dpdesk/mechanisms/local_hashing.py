"""What the mechanisms of local hashing share: reports of a hash and a bucket (BLH, OLH)."""

from __future__ import annotations

from math import exp

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.hashing import HASHED_MAX, HashFamily, LocalHashLaw
from dpdesk.mechanisms.base import AnyDomain, Codes, Floats, Mechanism
from dpdesk.mechanisms.frequency_oracle import (
    FrequencyForecast,
    FrequencyOracle,
    categories_misfit,
)
from dpdesk.randomness import WordSource

# Counting a report is a pass over the values, which takes as long as drawing this many bytes of
# other reports: a chunk must not let a cancel wait.
_BYTES_PER_VALUE = 0.25
_BYTES_LEAST = 48
# Rows that are drawn at a time: their words and all that is made of them stay in the cache.
_BLOCK_ROWS = 1 << 14


class HashingOracle(FrequencyOracle):
    """A frequency oracle whose report is the name of a hash, a and b, and a bucket."""

    def __init__(self, mechanism: Mechanism, domain: AnyDomain, law: LocalHashLaw) -> None:
        super().__init__(mechanism, domain, law)
        self.law = law
        self.limits = (1 << 32, 1 << 32, law.family.buckets)

    @property
    def bytes_per_row(self) -> int:
        """Sets the chunk size by what a row costs to count, which is more than its memory."""
        return _BYTES_LEAST + int(_BYTES_PER_VALUE * self.size)

    def randomize(self, codes: Codes, words: WordSource) -> NDArray[np.int64]:
        """Draws a hash and a bucket per true code, shape (n, 3), block by block."""
        reports = np.empty((codes.size, 3), dtype=np.int64)
        for start in range(0, codes.size, _BLOCK_ROWS):
            block = codes[start : start + _BLOCK_ROWS]
            drawn = self.law.sample(block, words.take(2 * block.size))
            reports[start : start + _BLOCK_ROWS] = drawn
        return reports

    def counts(self, reports: NDArray[np.int64], weights: Floats | None) -> Floats:
        """Counts for each category the reports whose bucket is the category's."""
        return self.law.family.support(reports, self.size, weights)

    def parameters(self) -> dict[str, float]:
        """Returns p, q, n Var* and the number of buckets."""
        return super().parameters() | {"buckets": float(self.law.family.buckets)}

    def estimation_rule(self, weighted: str) -> str:
        """Returns the estimator of a share."""
        family = self.law.family
        return (
            "Number the categories v = 0, 1, 2, ... in the order of the domain. A report supports "
            f"v if floor(h x {family.buckets} / 2^{family.hash_bits}) is its bucket, where h is "
            f"(seed_a x v + seed_b) mod 2^32, divided by 2^{32 - family.hash_bits} and rounded "
            "down. Share of a category = (s - q) / (p - q), where s is the share of the reports "
            f"that support it{weighted}, p = {self.p!r} and q = {self.q!r}."
        )

    def part_meanings(self) -> tuple[str, ...]:
        """Returns what the three released columns hold."""
        last = self.law.family.buckets - 1
        return (
            "the hash of this report, first seed: a whole number from 0 to 4294967295",
            "the hash of this report, second seed: a whole number from 0 to 4294967295",
            f"the reported bucket: a whole number from 0 to {last}",
        )


def hashing_misfit(domain: AnyDomain) -> str | None:
    """Returns why a domain is not a list of categories that can be hashed, or None."""
    return categories_misfit(domain, HASHED_MAX)


def hashing_forecast(domain: AnyDomain, buckets: int, epsilon: float) -> FrequencyForecast:
    """Returns the preview: p = E/(E+g-1), and q from the exact chance that two values collide."""
    spread = exp(epsilon) + buckets - 1
    p, lie = exp(epsilon) / spread, 1 / spread
    q = lie + (p - lie) * float(HashFamily(buckets).collision())
    return FrequencyForecast(domain.size, p, q, "support")


def hashed_names(name: str) -> tuple[str, ...]:
    """Returns the three columns that an attribute becomes."""
    return (f"{name}:seed_a", f"{name}:seed_b", f"{name}:bucket")
