"""Binary local hashing."""

from __future__ import annotations

from typing import Literal

from dpdesk.channel.hashing import LocalHashLaw
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import AnyDomain, Mechanism, Tick
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast
from dpdesk.mechanisms.local_hashing import (
    HashingOracle,
    hashed_names,
    hashing_forecast,
    hashing_misfit,
)

_BUCKETS = 2


class Blh(Mechanism):
    """BLH: one bit of the answer's hash, true with probability E/(E+1)."""

    short = "BLH"
    title = N_("Binary local hashing")
    summary = N_("The report is a random hash and one bit: the answer's under it, or its opposite.")
    reference = "Bassily & Smith 2015; Wang, Blocki, Li & Jha 2017"
    form = "integers"

    kind: Literal["blh"] = "blh"

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs at most 65,536 categories."""
        return hashing_misfit(domain)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> HashingOracle:
        """Returns BLH on a domain: p = E/(E+1), q = 1/2."""
        self.require_fit(domain)
        return HashingOracle(self, domain, LocalHashLaw.at(domain.size, _BUCKETS, self.epsilon))

    def forecast(self, domain: AnyDomain) -> FrequencyForecast:
        """Returns the preview's p and q."""
        self.require_fit(domain)
        return hashing_forecast(domain, _BUCKETS, float(self.epsilon))

    def released_names(self, name: str, domain: AnyDomain) -> tuple[str, ...]:
        """Returns the columns of the two seeds and of the bit."""
        return hashed_names(name)
