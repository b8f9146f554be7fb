"""Direct encoding: the report is the true category or, with equal chance, any other one."""

from __future__ import annotations

from math import exp
from typing import Literal

from dpdesk.channel import GrrLaw
from dpdesk.domains import AnyDomain
from dpdesk.i18n import N_, Message
from dpdesk.mechanisms.frequency_oracle import FrequencyMechanism, SymbolOracle
from dpdesk.mechanisms.texts import T


class DirectEncoding(FrequencyMechanism):
    """What GRR and Warner's design share: the report is one of the categories."""

    oracle = SymbolOracle
    can_be_faked = True

    def law(self, size: int) -> GrrLaw:
        return GrrLaw.at(size, self.epsilon)


class Grr(DirectEncoding):
    """GRR (k-ary randomized response): p = E/(E+k-1), q = 1/(E+k-1)."""

    short = "GRR"
    title = N_("Generalized randomized response")
    summary = N_("The report is the true category, or any one of the others with equal chance.")
    reference = "Kairouz, Bonawitz & Ramage 2016; Wang, Blocki, Li & Jha 2017"
    most_categories = 1_000_000

    kind: Literal["grr"] = "grr"

    def chances(self, size: int) -> tuple[float, float]:
        spread = exp(self.epsilon) + size - 1
        return exp(self.epsilon) / spread, 1 / spread


class Warner(DirectEncoding):
    """Warner's design: the true one of two answers with p = E/(E+1), else the other, q = 1 - p."""

    short = "Warner"
    title = N_("Warner's randomized response")
    summary = N_("The report is the true one of two answers, or its opposite.")
    reference = "Warner 1965, JASA 60, 63-69"
    most_categories = 2

    kind: Literal["warner"] = "warner"

    @classmethod
    def misfit(cls, domain: AnyDomain) -> Message | None:
        reason = super().misfit(domain)
        if reason is not None and domain.size != 2:
            return T.NEEDS_TWO_CATEGORIES()
        return reason

    def chances(self, size: int) -> tuple[float, float]:
        p = 1 / (1 + exp(-self.epsilon))
        return p, exp(-self.epsilon) * p
