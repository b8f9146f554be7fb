"""Optimized unary encoding."""

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
from dpdesk.mechanisms.sue import UNARY_MAX


class Oue(Mechanism):
    """OUE: the true category's bit is a fair coin, every other bit is 1 with chance 1/(E+1)."""

    short = "OUE"
    title = N_("Optimized unary encoding")
    summary = N_("The report is one bit per category; other categories' bits are rarely set.")
    reference = "Wang, Blocki, Li & Jha 2017"
    form = "bits"
    can_be_faked = True

    kind: Literal["oue"] = "oue"

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs at most 10,000 categories."""
        return categories_misfit(domain, UNARY_MAX)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> UnaryOracle:
        """Returns OUE on a domain: p = 1/2, q = 1/(E+1)."""
        self.require_fit(domain)
        return UnaryOracle(self, domain, UnaryLaw.optimized(domain.size, self.epsilon))

    def forecast(self, domain: AnyDomain) -> FrequencyForecast:
        """Returns the preview's p and q."""
        self.require_fit(domain)
        return FrequencyForecast(domain.size, 0.5, 1 / (exp(self.epsilon) + 1), "bits")
