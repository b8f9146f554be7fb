"""A made-up mechanism: everything that dpdesk knows of it is said here."""

from __future__ import annotations

from math import exp
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.channel import GrrLaw
from dpdesk.mechanisms.base import AnyDomain, Mechanism, Tick
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast, SymbolOracle, categories_misfit
from dpdesk.numbers import PlainDigits


class TimidResponse(Mechanism):
    """The true category, or any one of the others, at a part of the epsilon asked for."""

    short = "Timid"
    title = "Timid response"
    summary = "The report is the true category or another, with less than the privacy loss allowed."
    reference = "Nobody 2003"
    can_be_faked = True

    kind: Literal["timid_response"] = "timid_response"
    parts: Annotated[
        int,
        Field(ge=1, le=20, title="Parts", description="Epsilon is divided by so many."),
        PlainDigits,
    ] = 2

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs at most 1,000 categories."""
        return categories_misfit(domain, 1_000)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> SymbolOracle:
        """Returns the integer law, which certifies itself against the whole epsilon."""
        self.require_fit(domain)
        return SymbolOracle(self, domain, GrrLaw.at(domain.size, self.epsilon / self.parts))

    def forecast(self, domain: AnyDomain) -> FrequencyForecast:
        """Returns the chances of the truth and of each lie."""
        self.require_fit(domain)
        odds = exp(self.epsilon / self.parts)
        spread = odds + domain.size - 1
        return FrequencyForecast(domain.size, odds / spread, 1 / spread, "symbol")
