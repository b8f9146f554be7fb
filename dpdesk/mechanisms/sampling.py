"""How an attribute shares a respondent's report with others, as far as its error goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dpdesk.mechanisms.base import AnyDomain, Forecast, Mechanism
from dpdesk.mechanisms.fake_data import FakeDataForecast, Fakes
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast
from dpdesk.mechanisms.sampled_attribute import SampledForecast


@dataclass(frozen=True, slots=True)
class Sampling:
    """A strategy over several attributes, seen from one of them.

    Attributes:
        strategy: As `Plan.strategy`.
        attributes: Number of protected attributes, d.
        fakes: As `Plan.fakes`.
    """

    strategy: Literal["spl", "smp", "rsfd", "rsrfd"] = "spl"
    attributes: int = 1
    fakes: Fakes = "zeros"

    def serves(self, kind: type[Mechanism]) -> bool:
        """Tells whether a mechanism can be used under the strategy."""
        return self.strategy in {"spl", "smp"} or kind.can_be_faked

    def forecast(
        self, mechanism: Mechanism, domain: AnyDomain, expected: tuple[float, ...] = ()
    ) -> Forecast:
        """Returns what the strategy with this mechanism does to the attribute.

        Args:
            mechanism: A mechanism that fits the domain and the strategy.
            domain: The attribute's public domain.
            expected: Expected share of each category, shape (k,); uniform when empty.
        """
        real = mechanism.forecast(domain)
        if self.strategy == "smp":
            return SampledForecast(real, self.attributes)
        if self.strategy == "spl" or not isinstance(real, FrequencyForecast):
            return real
        if self.strategy == "rsfd":
            return FakeDataForecast(real, self.attributes, self.fakes)
        return FakeDataForecast(real, self.attributes, "random", expected)


EVERY_ANSWER = Sampling()
"""Every attribute is reported on its own."""
