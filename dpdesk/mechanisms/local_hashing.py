"""Local hashing (BLH, OLH): the report is a hash and a randomized bucket of the answer under it."""

from __future__ import annotations

from abc import abstractmethod
from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from math import exp
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dpdesk.channel.certificate import WORD_TOTAL
from dpdesk.channel.hashing import BUCKETS_MAX, HASHED_MAX, HashFamily, LocalHashLaw
from dpdesk.domains import AnyDomain
from dpdesk.i18n import N_, Message
from dpdesk.mechanisms.base import Mechanism
from dpdesk.mechanisms.frequency_oracle import FrequencyMechanism, FrequencyOracle
from dpdesk.mechanisms.score_rule import ScoreRule, support_rule
from dpdesk.mechanisms.texts import T
from dpdesk.numbers import PlainDigits
from dpdesk.numbers.arrays import Codes, Floats
from dpdesk.randomness import WordSource

# Counting a report is a pass over the values, which takes as long as drawing this many bytes of
# other reports: a chunk must not let a cancel wait.
_BYTES_PER_VALUE = 0.25
_BYTES_LEAST = 48
# Rows that are drawn at a time: their words and all that is made of them stay in the cache.
_BLOCK_ROWS = 1 << 14
_DIGITS = Context(prec=30)


class HashingOracle(FrequencyOracle[LocalHashLaw]):
    """A frequency oracle whose report is the name of a hash, a and b, and a bucket."""

    def __init__(self, mechanism: Mechanism, domain: AnyDomain, law: LocalHashLaw) -> None:
        super().__init__(mechanism, domain, law)
        self.limits = _sizes(law.family.buckets)

    @property
    def bytes_per_row(self) -> int:
        return _BYTES_LEAST + int(_BYTES_PER_VALUE * self.size)

    def randomize(self, codes: Codes, words: WordSource) -> NDArray[np.int64]:
        reports = np.empty((codes.size, 3), dtype=np.int64)
        for start in range(0, codes.size, _BLOCK_ROWS):
            block = codes[start : start + _BLOCK_ROWS]
            drawn = self.law.sample(block, words.take(2 * block.size))
            reports[start : start + _BLOCK_ROWS] = drawn
        return reports

    def counts(self, reports: NDArray[np.int64], weights: Floats | None) -> Floats:
        return self.law.family.support(reports, self.size, weights)

    def supports(self, reports: NDArray[np.int64]) -> NDArray[np.bool_]:
        a, b = (reports[:, [seed]].astype(np.uint32) for seed in (0, 1))
        values = np.arange(self.size, dtype=np.uint32)
        return np.asarray(self.law.family.bucket_of(a, b, values) == reports[:, [2]])

    def score_rule(self) -> ScoreRule:
        family = self.law.family
        return support_rule(
            "hash", self.p, self.q, buckets=family.buckets, hash_bits=family.hash_bits
        )

    @property
    def support_odds(self) -> float:
        return self.law.answer.truth / self.law.answer.lie

    def pair_support(self) -> tuple[float, float]:
        # The hashes of two categories are independent exactly, those of three nearly: that moves
        # standard errors by less than 3 %.
        family, lie = self.law.family, self.law.answer.lie / WORD_TOTAL
        two, three = float(family.collision()), float(family.collision(3))
        return self.p * two, lie * two + (self.p - lie) * three

    def parameters(self) -> dict[str, float]:
        return super().parameters() | {"buckets": float(self.law.family.buckets)}

    def support_rule(self) -> Message:
        buckets, bits = self.law.family.buckets, self.law.family.hash_bits
        return T.HASH_SUPPORTS(shift=32 - bits, buckets=str(buckets), bits=bits)

    def part_meanings(self) -> tuple[str, ...]:
        last = str(self.law.family.buckets - 1)
        return T.SEED(number=1), T.SEED(number=2), T.BUCKET(last=last)


class LocalHashing(FrequencyMechanism):
    """What BLH and OLH share: a hash of the answer into g buckets, and GRR of the bucket.

    p = E/(E+g-1); q = 1/g but for buckets that hold unequal numbers of values.
    """

    form = "integers"
    support = "support"
    most_categories = HASHED_MAX
    oracle = HashingOracle

    @property
    @abstractmethod
    def chosen_buckets(self) -> int:
        """The number of buckets that is run, g."""

    def report_sizes(self, domain: AnyDomain) -> tuple[int, ...]:
        return _sizes(self.chosen_buckets)

    def law(self, size: int) -> LocalHashLaw:
        return LocalHashLaw.at(size, self.chosen_buckets, self.epsilon)

    def chances(self, size: int) -> tuple[float, float]:
        growth, buckets = exp(float(self.epsilon)), self.chosen_buckets
        spread = growth + buckets - 1
        p, lie = growth / spread, 1 / spread
        return p, lie + (p - lie) * float(HashFamily(buckets).collision())

    def released_names(self, name: str, domain: AnyDomain) -> tuple[str, ...]:
        return (f"{name}:seed_a", f"{name}:seed_b", f"{name}:bucket")


def _sizes(buckets: int) -> tuple[int, ...]:
    """How many values two seeds and a bucket can have."""
    return 1 << 32, 1 << 32, buckets


class Blh(LocalHashing):
    """BLH: one bit of the answer's hash, true with p = E/(E+1); q = 1/2."""

    short = "BLH"
    title = N_("Binary local hashing")
    summary = N_("The report is a random hash and one bit: the answer's under it, or its opposite.")
    reference = "Bassily & Smith 2015; Wang, Blocki, Li & Jha 2017"

    kind: Literal["blh"] = "blh"

    @property
    def chosen_buckets(self) -> int:
        return 2


class Olh(LocalHashing):
    """OLH: the bucket of the answer's hash, randomized among g buckets."""

    short = "OLH"
    title = N_("Optimized local hashing")
    summary = N_("The report is a random hash and a bucket: the answer's under it, or another.")
    reference = "Wang, Blocki, Li & Jha 2017"

    kind: Literal["olh"] = "olh"
    buckets: Annotated[
        int | None,
        Field(
            ge=2,
            le=BUCKETS_MAX,
            title="Buckets",
            description="Number of values that the hash can have. Left open, it is the number of "
            "least noise, near e^epsilon + 1.",
            json_schema_extra={"symbol": "g"},
        ),
        PlainDigits,
    ] = None

    @property
    def chosen_buckets(self) -> int:
        return self.buckets if self.buckets is not None else least_noise_buckets(self.epsilon)


@lru_cache(maxsize=4096)
def least_noise_buckets(epsilon: Decimal) -> int:
    """Returns the g, at most 4,096, of least n Var* = (E-1+g)^2 / ((E-1)^2 (g-1)).

    The formula falls up to g = E + 1 and grows behind it, so that one of the two whole numbers
    around it is best; rationals decide, so that every machine chooses the same.
    """
    growth = Fraction(_DIGITS.exp(epsilon))

    def noise(g: int) -> Fraction:
        return (growth - 1 + g) ** 2 / (g - 1)

    below = min(int(growth) + 1, BUCKETS_MAX)
    above = min(below + 1, BUCKETS_MAX)
    return min((below, above), key=noise)
