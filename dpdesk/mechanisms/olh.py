"""Optimized local hashing."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.channel.hashing import BUCKETS_MAX, LocalHashLaw
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import AnyDomain, Mechanism, Tick
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast
from dpdesk.mechanisms.local_hashing import (
    HashingOracle,
    hashed_names,
    hashing_forecast,
    hashing_misfit,
)
from dpdesk.numbers import PlainDigits

_DIGITS = Context(prec=30)


class Olh(Mechanism):
    """OLH: the bucket of the answer's hash, randomized among g buckets."""

    short = "OLH"
    title = N_("Optimized local hashing")
    summary = N_("The report is a random hash and a bucket: the answer's under it, or another.")
    reference = "Wang, Blocki, Li & Jha 2017"
    form = "integers"

    kind: Literal["olh"] = "olh"
    buckets: Annotated[
        int | None,
        Field(
            ge=2,
            le=BUCKETS_MAX,
            title="Buckets",
            description="Number of values that the hash can have. Left open, it is the number of "
            "least noise, near e^epsilon + 1.",
            json_schema_extra={"symbol": "g"},
        ),
        PlainDigits,
    ] = None

    @classmethod
    def misfit(cls, domain: AnyDomain) -> str | None:
        """Needs at most 65,536 categories."""
        return hashing_misfit(domain)

    @property
    def chosen_buckets(self) -> int:
        """The number of buckets that is run."""
        return self.buckets if self.buckets is not None else least_noise_buckets(self.epsilon)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> HashingOracle:
        """Returns OLH on a domain: p = E/(E+g-1), q = 1/g but for unequal buckets."""
        self.require_fit(domain)
        law = LocalHashLaw.at(domain.size, self.chosen_buckets, self.epsilon)
        return HashingOracle(self, domain, law)

    def forecast(self, domain: AnyDomain) -> FrequencyForecast:
        """Returns the preview's p and q."""
        self.require_fit(domain)
        return hashing_forecast(domain, self.chosen_buckets, float(self.epsilon))

    def released_names(self, name: str, domain: AnyDomain) -> tuple[str, ...]:
        """Returns the columns of the two seeds and of the bucket."""
        return hashed_names(name)


@lru_cache(maxsize=4096)
def least_noise_buckets(epsilon: Decimal) -> int:
    """Returns the g, at most 4,096, of least n Var* = (E-1+g)^2 / ((E-1)^2 (g-1)).

    The formula falls up to g = E + 1 and grows behind it, so that one of the two whole numbers
    around it is best; rationals decide, so that every machine chooses the same.
    """
    growth = Fraction(_DIGITS.exp(epsilon))

    def noise(g: int) -> Fraction:
        return (growth - 1 + g) ** 2 / (g - 1)

    below = min(int(growth) + 1, BUCKETS_MAX)
    above = min(below + 1, BUCKETS_MAX)
    return min((below, above), key=noise)
