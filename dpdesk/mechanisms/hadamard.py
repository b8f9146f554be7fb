"""Hadamard response: an index into Hadamard's matrix, estimated by a fast transform."""

from __future__ import annotations

from dataclasses import replace
from math import exp
from typing import Literal

from dpdesk.channel.hadamard import HadamardLaw, support_of
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import AnyDomain, Codes, Floats, Mechanism, Tick
from dpdesk.mechanisms.estimates import Estimate
from dpdesk.mechanisms.frequency_oracle import (
    FrequencyForecast,
    FrequencyOracle,
    categories_misfit,
)
from dpdesk.mechanisms.tally import Tally, count_symbols
from dpdesk.randomness import WordSource

HADAMARD_MAX = 10_000


class Hadamard(Mechanism):
    """An index at which the true category's row of Hadamard's matrix is +1, or one with -1."""

    short = "Hadamard"
    title = N_("Hadamard response")
    summary = N_("The report is a number that stands for one half of the categories.")
    reference = "Acharya, Sun & Zhang 2019"

    kind: Literal["hadamard"] = "hadamard"

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs at most 10,000 categories."""
        return categories_misfit(domain, HADAMARD_MAX)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> HadamardOracle:
        """Returns Hadamard response on a domain: p = E/(E+1), q = 1/2."""
        self.require_fit(domain)
        return HadamardOracle(self, domain, HadamardLaw.at(domain.size, self.epsilon))

    def forecast(self, domain: AnyDomain) -> FrequencyForecast:
        """Returns the preview's p and q."""
        self.require_fit(domain)
        return FrequencyForecast(domain.size, 1 / (1 + exp(-self.epsilon)), 0.5, "support")


class HadamardOracle(FrequencyOracle):
    """A frequency oracle whose report is one of K indices; it supports half of the categories."""

    def __init__(self, mechanism: Hadamard, domain: AnyDomain, law: HadamardLaw) -> None:
        super().__init__(mechanism, domain, law)
        self.law = law
        self.outputs = tuple(map(str, range(law.outputs)))

    def randomize(self, codes: Codes, words: WordSource) -> Codes:
        """Draws one index per true code, shape (n,)."""
        return self.law.sample(codes, words.take(2 * codes.size))

    def counts(self, reports: Codes, weights: Floats | None) -> Floats:
        """Counts the reports of each index."""
        return count_symbols(reports, self.law.outputs, weights)

    def estimate(self, tally: Tally, confidence: float = 0.95) -> Estimate:
        """Returns the unbiased share of each category, arrays of shape (k,)."""
        squared = tally.square_counts
        support = replace(
            tally,
            counts=support_of(tally.counts, self.size),
            square_counts=None if squared is None else support_of(squared, self.size),
        )
        return super().estimate(support, confidence)

    def estimation_rule(self, weighted: str) -> str:
        """Returns the estimator of a share."""
        return (
            "Number the categories r = 1, 2, 3, ... in the order of the domain. A report y "
            "supports r if y and r, written in binary, are both 1 in an even number of places. "
            "Share of a category = (s - q) / (p - q), where s is the share of the reports that "
            f"support it{weighted}, p = {self.p!r} and q = {self.q!r}."
        )
