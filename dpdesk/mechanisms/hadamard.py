"""Hadamard response: an index into Hadamard's matrix, estimated by a fast transform."""

from __future__ import annotations

from math import exp
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.channel.hadamard import HadamardLaw, order_bits, support_of
from dpdesk.domains import AnyDomain
from dpdesk.i18n import N_, Message
from dpdesk.mechanisms.base import Mechanism
from dpdesk.mechanisms.estimates import Estimate
from dpdesk.mechanisms.frequency_oracle import LEAST_CHANCE, FrequencyMechanism, FrequencyOracle
from dpdesk.mechanisms.tally import Tally, count_symbols
from dpdesk.mechanisms.texts import T
from dpdesk.numbers.arrays import Codes, Floats
from dpdesk.randomness import WordSource


class HadamardOracle(FrequencyOracle[HadamardLaw]):
    """A frequency oracle whose report is one of K indices; it supports half of the categories."""

    supported_by = "index"

    def __init__(self, mechanism: Mechanism, domain: AnyDomain, law: HadamardLaw) -> None:
        super().__init__(mechanism, domain, law)
        self.outputs = tuple(map(str, range(law.outputs)))

    def randomize(self, codes: Codes, words: WordSource) -> Codes:
        return self.law.sample(codes, words.take(2 * codes.size))

    def counts(self, reports: Codes, weights: Floats | None) -> Floats:
        return count_symbols(reports, self.law.outputs, weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        return super().estimate(self.support_of(tally), confidence)

    def support(self, counts: Floats) -> Floats:
        return support_of(counts, self.size)

    def supports(self, reports: Codes) -> NDArray[np.bool_]:
        rows = np.arange(1, self.size + 1, dtype=np.uint32)
        return np.asarray(np.bitwise_count(reports.astype(np.uint32)[:, None] & rows) % 2 == 0)

    @property
    def support_odds(self) -> float:
        return self.p / max(1 - self.p, LEAST_CHANCE)

    def pair_support(self) -> tuple[float, float]:
        # Two rows of the matrix have all four pairs of signs equally often, also in the columns of
        # one sign of a third row that is not their product.
        return self.p / 2, 0.25

    def thirds(self, category: int) -> NDArray[np.intp]:
        rows = np.arange(1, self.size + 1) ^ (category + 1)
        return np.where((rows > 0) & (rows <= self.size), rows - 1, -1)

    def support_rule(self) -> Message:
        return T.HADAMARD_SUPPORTS()


class Hadamard(FrequencyMechanism):
    """An index at which the true category's row of Hadamard's matrix is +1, or one with -1.

    p = E/(E+1), q = 1/2.
    """

    short = "Hadamard"
    title = N_("Hadamard response")
    summary = N_("The report is a number that stands for one half of the categories.")
    reference = "Acharya, Sun & Zhang 2019"
    most_categories = 10_000
    oracle = HadamardOracle
    support = "support"

    kind: Literal["hadamard"] = "hadamard"

    def report_sizes(self, domain: AnyDomain) -> tuple[int, ...]:
        return (1 << order_bits(domain.size),)

    def law(self, size: int) -> HadamardLaw:
        return HadamardLaw.at(size, self.epsilon)

    def chances(self, size: int) -> tuple[float, float]:
        return 1 / (1 + exp(-self.epsilon)), 0.5
