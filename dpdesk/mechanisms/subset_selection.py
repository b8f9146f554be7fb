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
from dpdesk.composition import Divergences
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import (
    AnyDomain,
    Codes,
    Floats,
    Mechanism,
    Tick,
    divergences_of_support,
)
from dpdesk.mechanisms.frequency_oracle import (
    FrequencyForecast,
    FrequencyOracle,
    categories_misfit,
)
from dpdesk.mechanisms.tally import count_bits
from dpdesk.numbers import PlainDigits
from dpdesk.randomness import WordSource


class SubsetSelection(Mechanism):
    """w of the k categories are reported; any set with the true one is E times likelier."""

    short = "Subset"
    title = N_("Subset selection")
    summary = N_("The report is a set of a fixed number of categories, often with the true one.")
    reference = "Ye & Barg 2018; Wang et al. 2016"
    form = "bits"

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

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs at most 2,000 categories."""
        return categories_misfit(domain, SUBSET_MAX)

    def objection(self, domain: AnyDomain) -> str | None:
        """Needs more categories than members."""
        reason = self.misfit(domain)
        if reason is None and self.members is not None and self.members >= domain.size:
            return "A report must hold fewer categories than there are."
        return reason

    def members_of(self, size: int) -> int:
        """Returns the number of members, w, on a domain of k = `size` categories."""
        return self.members if self.members is not None else least_noise_members(size, self.epsilon)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> SubsetOracle:
        """Returns subset selection on a domain: p = wE/(wE+k-w)."""
        self.require_fit(domain)
        law = SubsetLaw.at(domain.size, self.members_of(domain.size), self.epsilon)
        return SubsetOracle(self, domain, law)

    def forecast(self, domain: AnyDomain) -> FrequencyForecast:
        """Returns the preview's p and q."""
        self.require_fit(domain)
        k, w = domain.size, self.members_of(domain.size)
        spread = w + (k - w) * exp(-self.epsilon)
        lie = (k - w) * exp(-self.epsilon) / spread
        return FrequencyForecast(k, w / spread, (w - 1 + lie) / (k - 1), "bits")

    def divergences(self, domain: AnyDomain, first: int, second: int) -> Divergences:
        """Compares sets that hold one of the answers, the other, or both or none."""
        forecast = self.forecast(domain)
        return divergences_of_support(self.epsilon, forecast.p - forecast.q)


class SubsetOracle(FrequencyOracle):
    """A frequency oracle whose report has one bit per category, a fixed number of them set."""

    def __init__(self, mechanism: Mechanism, domain: AnyDomain, law: SubsetLaw) -> None:
        super().__init__(mechanism, domain, law)
        self.law = law

    def randomize(self, codes: Codes, words: WordSource) -> NDArray[np.uint8]:
        """Draws k bits per true code, shape (n, k), block by block."""
        bits = np.empty((codes.size, self.size), dtype=np.uint8)
        for start in range(0, codes.size, BLOCK_ROWS):
            block = codes[start : start + BLOCK_ROWS]
            drawn = words.take(block.size * self.law.words_each)
            self.law.sample(block, drawn, out=bits[start : start + BLOCK_ROWS])
        return bits

    def counts(self, reports: NDArray[np.uint8], weights: Floats | None) -> Floats:
        """Counts the reports that hold each category."""
        return count_bits(reports, weights)

    def impossible(self, reports: NDArray[np.uint8]) -> NDArray[np.bool_]:
        """Returns which reports do not hold exactly w categories, shape (n,)."""
        return np.asarray(reports.sum(axis=1, dtype=np.int64) != self.law.members)

    def report_rule(self) -> str:
        """Returns how many columns hold 1."""
        members = self.law.members
        return f"exactly {members:,} of its {self.size:,} columns must hold 1"

    def parameters(self) -> dict[str, float]:
        """Returns p, q, n Var* and the number of members."""
        return super().parameters() | {"members": float(self.law.members)}


@lru_cache(maxsize=4096)
def least_noise_members(size: int, epsilon: Decimal) -> int:
    """Returns the w of least n Var* on k = `size` categories, by trying every one.

    Rounding k / (E + 1) instead costs up to 15.8 %. Of numbers that are equal but for the last
    bits the smallest is taken, so that every machine chooses the same.
    """
    w = np.arange(1.0, size)
    spread = w + (size - w) * exp(-epsilon)
    q = (w - 1 + (size - w) * exp(-epsilon) / spread) / (size - 1)
    # p - q = w (k-w) (1 - 1/E) / (spread (k-1)); what does not depend on w is left out.
    noise = q * (1 - q) * (spread / (w * (size - w))) ** 2
    return int(np.flatnonzero(noise <= noise.min() * (1 + 1e-12))[0]) + 1
