"""Unary encoding: the report is one bit for each category, every bit randomized by itself."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from typing import ClassVar, Literal

from dpdesk.channel import UnaryLaw
from dpdesk.i18n import N_
from dpdesk.mechanisms.frequency_oracle import FrequencyMechanism, UnaryOracle


class UnaryMechanism(FrequencyMechanism):
    """What SUE and OUE share: a bit for each of at most 10,000 categories."""

    form = "bits"
    support = "bits"
    agreement = "{number} of 100{real} reports name the true answer, alone or among others."
    most_categories = 10_000
    oracle = UnaryOracle
    can_be_faked = True

    law_of: ClassVar[Callable[..., UnaryLaw]]
    """Makes the integer law on so many categories at an epsilon."""

    def law(self, size: int) -> UnaryLaw:
        return type(self).law_of(size, self.epsilon)


class Sue(UnaryMechanism):
    """SUE: each category is a bit that tells the truth with odds e^(eps/2).

    p = e^(eps/2)/(e^(eps/2)+1), q = 1 - p: one-time basic RAPPOR.
    """

    short = "SUE"
    title = N_("Symmetric unary encoding")
    summary = N_("The report is one bit per category, each flipped with the same chance.")
    reference = "Erlingsson, Pihur & Korolova 2014; Wang, Blocki, Li & Jha 2017"

    kind: Literal["sue"] = "sue"

    law_of = UnaryLaw.symmetric

    def chances(self, size: int) -> tuple[float, float]:
        half = float(self.epsilon) / 2
        p = 1 / (1 + exp(-half))
        return p, exp(-half) * p


class Oue(UnaryMechanism):
    """OUE: the true category's bit is a fair coin, p = 1/2; any other is 1 with q = 1/(E+1)."""

    short = "OUE"
    title = N_("Optimized unary encoding")
    summary = N_("The report is one bit per category; other categories' bits are rarely set.")
    reference = "Wang, Blocki, Li & Jha 2017"

    kind: Literal["oue"] = "oue"

    law_of = UnaryLaw.optimized

    def chances(self, size: int) -> tuple[float, float]:
        return 0.5, 1 / (exp(self.epsilon) + 1)
