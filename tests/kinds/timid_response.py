"""A made-up mechanism: everything that dpdesk knows of it is said here."""

from __future__ import annotations

from math import exp
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.channel import GrrLaw
from dpdesk.mechanisms.frequency_oracle import FrequencyMechanism, SymbolOracle
from dpdesk.numbers import PlainDigits


class TimidResponse(FrequencyMechanism):
    """The true category, or any one of the others, at a part of the epsilon asked for."""

    short = "Timid"
    title = "Timid response"
    summary = "The report is the true category or another, with less than the privacy loss allowed."
    reference = "Nobody 2003"
    most_categories = 1_000
    oracle = SymbolOracle
    can_be_faked = True

    kind: Literal["timid_response"] = "timid_response"
    parts: Annotated[
        int,
        Field(ge=1, le=20, title="Parts", description="Epsilon is divided by so many."),
        PlainDigits,
    ] = 2

    def law(self, size: int) -> GrrLaw:
        """Returns the integer law, which certifies itself against the whole epsilon."""
        return GrrLaw.at(size, self.epsilon / self.parts)

    def chances(self, size: int) -> tuple[float, float]:
        """Returns the chances of the truth and of each lie."""
        odds = exp(self.epsilon / self.parts)
        spread = odds + size - 1
        return odds / spread, 1 / spread
