"""Generalized randomized response: the true category, or any other with equal chance."""

from __future__ import annotations

from math import exp
from typing import Literal

from dpdesk.channel import GrrLaw
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import AnyDomain, Mechanism, Tick
from dpdesk.mechanisms.frequency_oracle import (
    FrequencyForecast,
    SymbolOracle,
    categories_misfit,
)

GRR_MAX = 1_000_000


class Grr(Mechanism):
    """GRR (k-ary randomized response, direct encoding)."""

    short = "GRR"
    title = N_("Generalized randomized response")
    summary = N_("The report is the true category, or any one of the others with equal chance.")
    reference = "Kairouz, Bonawitz & Ramage 2016; Wang, Blocki, Li & Jha 2017"
    can_be_faked = True

    kind: Literal["grr"] = "grr"

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs at most 1,000,000 categories."""
        return categories_misfit(domain, GRR_MAX)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> SymbolOracle:
        """Returns GRR on a domain: p = E/(E+k-1), q = 1/(E+k-1)."""
        self.require_fit(domain)
        return SymbolOracle(self, domain, GrrLaw.at(domain.size, self.epsilon))

    def forecast(self, domain: AnyDomain) -> FrequencyForecast:
        """Returns the preview's p and q."""
        self.require_fit(domain)
        spread = exp(self.epsilon) + domain.size - 1
        return FrequencyForecast(domain.size, exp(self.epsilon) / spread, 1 / spread, "symbol")
