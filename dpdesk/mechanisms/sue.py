"""Symmetric unary encoding (basic one-time RAPPOR)."""

from __future__ import annotations

from math import exp
from typing import Literal

from dpdesk.channel import UnaryLaw
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import AnyDomain, Mechanism, Tick
from dpdesk.mechanisms.frequency_oracle import (
    FrequencyForecast,
    UnaryOracle,
    categories_misfit,
)

UNARY_MAX = 10_000


class Sue(Mechanism):
    """SUE: each category is a bit, each bit told truthfully with odds e^(eps/2)."""

    short = "SUE"
    title = N_("Symmetric unary encoding")
    summary = N_("The report is one bit per category, each flipped with the same chance.")
    reference = "Erlingsson, Pihur & Korolova 2014; Wang, Blocki, Li & Jha 2017"
    form = "bits"
    can_be_faked = True

    kind: Literal["sue"] = "sue"

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs at most 10,000 categories."""
        return categories_misfit(domain, UNARY_MAX)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> UnaryOracle:
        """Returns SUE on a domain: p = e^(eps/2)/(e^(eps/2)+1), q = 1 - p."""
        self.require_fit(domain)
        return UnaryOracle(self, domain, UnaryLaw.symmetric(domain.size, self.epsilon))

    def forecast(self, domain: AnyDomain) -> FrequencyForecast:
        """Returns the preview's p and q."""
        self.require_fit(domain)
        half = float(self.epsilon) / 2
        p = 1 / (1 + exp(-half))
        return FrequencyForecast(domain.size, p, exp(-half) * p, "bits")
