"""Warner's randomized response for a question with two answers."""

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


class Warner(Mechanism):
    """Warner's design: the true one of two answers with probability E/(E+1)."""

    short = "Warner"
    title = N_("Warner's randomized response")
    summary = N_("The report is the true one of two answers, or its opposite.")
    reference = "Warner 1965, JASA 60, 63-69"
    can_be_faked = True

    kind: Literal["warner"] = "warner"

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs exactly two categories."""
        reason = categories_misfit(domain, 2)
        if reason is not None and domain.size != 2:
            return N_("Warner's design needs exactly two answers.")
        return reason

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> SymbolOracle:
        """Returns Warner's design on a domain of two answers: p = E/(E+1), q = 1 - p."""
        self.require_fit(domain)
        return SymbolOracle(self, domain, GrrLaw.at(2, self.epsilon))

    def forecast(self, domain: AnyDomain) -> FrequencyForecast:
        """Returns the preview's p and q."""
        self.require_fit(domain)
        p = 1 / (1 + exp(-self.epsilon))
        return FrequencyForecast(2, p, exp(-self.epsilon) * p, "symbol")
