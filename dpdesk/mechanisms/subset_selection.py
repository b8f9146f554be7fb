"""Subset selection: a set of categories that holds the true one more often than not."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from math import exp
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dpdesk.channel.subset import BLOCK_ROWS, SUBSET_MAX, SubsetLaw
from dpdesk.composition import Divergences, divergences_of_support
from dpdesk.domains import AnyDomain
from dpdesk.i18n import N_, Message
from dpdesk.mechanisms.frequency_oracle import LEAST_CHANCE, BitsOracle, FrequencyMechanism
from dpdesk.mechanisms.texts import T
from dpdesk.numbers import PlainDigits
from dpdesk.numbers.arrays import Codes
from dpdesk.randomness import WordSource


class SubsetOracle(BitsOracle[SubsetLaw]):
    """A frequency oracle whose report has one bit per category, a fixed number of them set."""

    def randomize(self, codes: Codes, words: WordSource) -> NDArray[np.uint8]:
        bits = np.empty((codes.size, self.size), dtype=np.uint8)
        for start in range(0, codes.size, BLOCK_ROWS):
            block = codes[start : start + BLOCK_ROWS]
            drawn = words.take(block.size * self.law.words_each)
            self.law.sample(block, drawn, out=bits[start : start + BLOCK_ROWS])
        return bits

    @property
    def support_odds(self) -> float:
        k, w = self.size, self.law.members
        return self.p * (k - w) / (max(1 - self.p, LEAST_CHANCE) * w)

    def pair_support(self) -> tuple[float, float]:
        k, w = self.size, self.law.members
        told = self.p * (w - 1) / (k - 1)
        if k == 2:
            return told, 0.0
        both = self.p * (w - 1) * (w - 2) + (1 - self.p) * w * (w - 1)
        return told, both / ((k - 1) * (k - 2))

    def impossible(self, reports: NDArray[np.uint8]) -> NDArray[np.bool_]:
        return np.asarray(reports.sum(axis=1, dtype=np.int64) != self.law.members)

    def report_rule(self) -> str:
        return T.ROW_OF_BITS(members=self.law.members, columns=self.size)

    def parameters(self) -> dict[str, float]:
        return super().parameters() | {"members": float(self.law.members)}


class SubsetSelection(FrequencyMechanism):
    """w of the k categories are reported; any set with the true one is E times likelier.

    p = wE/(wE+k-w).
    """

    short = "Subset"
    title = N_("Subset selection")
    summary = N_("The report is a set of a fixed number of categories, often with the true one.")
    reference = "Ye & Barg 2018; Wang et al. 2016"
    most_categories = SUBSET_MAX
    oracle = SubsetOracle
    form = "bits"
    support = "bits"
    agreement = "{number} of 100{real} reports name the true answer, alone or among others."

    kind: Literal["subset_selection"] = "subset_selection"
    members: Annotated[
        int | None,
        Field(
            ge=1,
            le=SUBSET_MAX - 1,
            title="Members",
            description="Number of categories in a report. Left open, it is the number of least "
            "noise, near k / (e^epsilon + 1).",
            json_schema_extra={"symbol": "w"},
        ),
        PlainDigits,
    ] = None

    def objection(self, domain: AnyDomain) -> Message | None:
        reason = self.misfit(domain)
        if reason is None and self.members is not None and self.members >= domain.size:
            return T.MANY_MEMBERS()
        return reason

    def members_of(self, size: int) -> int:
        """Returns the number of members, w, on a domain of k = `size` categories."""
        return self.members if self.members is not None else least_noise_members(size, self.epsilon)

    def law(self, size: int) -> SubsetLaw:
        return SubsetLaw.at(size, self.members_of(size), self.epsilon)

    def chances(self, size: int) -> tuple[float, float]:
        k, w = size, self.members_of(size)
        spread = w + (k - w) * exp(-self.epsilon)
        lie = (k - w) * exp(-self.epsilon) / spread
        return w / spread, (w - 1 + lie) / (k - 1)

    def divergences(self, domain: AnyDomain, first: int, second: int) -> Divergences:
        forecast = self.forecast(domain)
        return divergences_of_support(self.epsilon, forecast.p - forecast.q)


@lru_cache(maxsize=4096)
def least_noise_members(size: int, epsilon: Decimal) -> int:
    """Returns the w of least n Var* on k = `size` categories, by trying every one.

    Rounding k / (E + 1) instead costs up to a sixth of it. If several numbers have the same n Var*
    but for rounding, the smallest is taken, so that every machine makes the same choice.
    """
    w = np.arange(1.0, size)
    spread = w + (size - w) * exp(-epsilon)
    q = (w - 1 + (size - w) * exp(-epsilon) / spread) / (size - 1)
    # p - q = w (k-w) (1 - 1/E) / (spread (k-1)); what does not depend on w is left out.
    noise = q * (1 - q) * (spread / (w * (size - w))) ** 2
    return int(np.flatnonzero(noise <= noise.min() * (1 + 1e-12))[0]) + 1
