"""RAPPOR: Bloom filters, randomized once for good and again for each report."""

from __future__ import annotations

from decimal import Decimal
from math import exp
from typing import Annotated, Literal

import numpy as np
from pydantic import BeforeValidator, Field, PlainSerializer, model_validator

from dpdesk.composition import Divergences, LossDistribution
from dpdesk.composition.divergences import merged
from dpdesk.cost import EPSILON_MAX
from dpdesk.domains import AnyDomain
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, Message
from dpdesk.mechanisms.base import Tick
from dpdesk.mechanisms.bloom_filters import (
    BloomDesign,
    RapporForecast,
    bloom_design,
    rappor_forecast,
)
from dpdesk.mechanisms.bound_rappor import BoundRappor
from dpdesk.mechanisms.frequency_oracle import CategoricalMechanism
from dpdesk.mechanisms.texts import T
from dpdesk.numbers import PlainDigits, is_number

RAPPOR_MAX = 500
"""Most categories: the regression takes their number squared in memory."""

_BITS_MAX = 256
_AUTOMATIC_BITS_MAX = 128
_COHORTS_LEAST = 8
_COHORTS_MAX = 256


def _exact_ratio(ratio: object) -> object:
    """Refuses values that only convert to a number, such as a float or a truth value."""
    written = str(ratio) if isinstance(ratio, (str, int, Decimal)) else ""
    if isinstance(ratio, bool) or not is_number(written) or "e" in written.lower():
        raise ParameterError(T.NO_RATIO())
    return written


class Rappor(CategoricalMechanism):
    """RAPPOR with a symmetric second step: p = 1 - q."""

    short = "RAPPOR"
    title = N_("Bloom filters randomized twice")
    summary = N_("The report is a cohort and the bits of a Bloom filter, each randomized twice.")
    reference = "Erlingsson, Pihur & Korolova 2014"
    most_categories = RAPPOR_MAX
    form = "integers"

    kind: Literal["rappor"] = "rappor"
    bits: Annotated[int, Field(ge=2, le=_BITS_MAX), PlainDigits] | None = Field(
        default=None,
        title="Bits",
        description="Bits of a Bloom filter; found from the number of categories when left out.",
    )
    hashes: Annotated[
        int,
        Field(
            ge=1,
            le=8,
            title="Hashes",
            description="Bits of each category; one gives the least error at the same epsilon.",
        ),
        PlainDigits,
    ] = 2
    cohorts: Annotated[int, Field(ge=1, le=_COHORTS_MAX), PlainDigits] | None = Field(
        default=None,
        title="Cohorts",
        description="Groups of respondents with Bloom filters of their own, a power of two; found "
        "from the number of categories when left out.",
    )
    permanent_ratio: Annotated[
        Decimal,
        BeforeValidator(_exact_ratio),
        Field(
            gt=1,
            le=100,
            max_digits=7,
            decimal_places=4,
            title="Permanent ratio",
            description="Loss of all reports that a respondent ever makes of the same answer, as a "
            "multiple of the loss of one.",
        ),
        PlainSerializer(lambda ratio: format(ratio, "f"), return_type=str),
    ] = Decimal(2)

    @model_validator(mode="after")
    def _law_exists(self) -> Rappor:
        if self.cohorts is not None and self.cohorts & (self.cohorts - 1):
            raise ParameterError(T.COHORTS())
        if self.bits is not None and self.bits < 2 * self.hashes:
            raise ParameterError(T.FEW_BITS())
        if self.permanent_epsilon > 2 * self.hashes * EPSILON_MAX:
            raise ParameterError(T.RARE_FLIPS())
        return self

    @property
    def permanent_epsilon(self) -> Decimal:
        """The loss of all reports ever made from one permanent response."""
        return self.epsilon * self.permanent_ratio

    def objection(self, domain: AnyDomain) -> Message | None:
        reason = self.misfit(domain)
        if reason is None and not self.design(domain).tells_all_apart:
            return T.FILTERS_ALIKE()
        return reason

    def design(self, domain: AnyDomain) -> BloomDesign:
        """Returns the Bloom filters of a domain's categories.

        If `bits` is left out, there are twice as many bits as categories, rounded up to a power of
        two, from 4 h to 128. If `cohorts` is left out, there are at least 8, and so many that all
        cohorts together have four bits for each category.
        """
        size = domain.size
        bits = self.bits
        if bits is None:
            bits = min(_AUTOMATIC_BITS_MAX, max(_power(2 * size), _power(4 * self.hashes)))
        cohorts = self.cohorts
        if cohorts is None:
            cohorts = min(_COHORTS_MAX, max(_COHORTS_LEAST, _power(-(-4 * size // bits))))
        return bloom_design(cohorts, size, bits, self.hashes)

    def bind(self, domain: AnyDomain, tick: Tick | None = None) -> BoundRappor:
        self.require_fit(domain)
        return BoundRappor(self, domain, self.design(domain), self.permanent_epsilon)

    def forecast(self, domain: AnyDomain) -> RapporForecast:
        self.require_fit(domain)
        flip = 1 / (1 + exp(float(self.epsilon) / (2 * self.hashes)))
        return rappor_forecast(self.design(domain), flip)

    def noise_at_least(self) -> float:
        # F (1 - F) / (1 - 2 F)^2 / h, F being the chance of a flip: of the two terms of
        # `noise_variances` the first is C s^2 (A'A)^-1[v, v], and a diagonal entry of an inverse is
        # at least one over that of the matrix, C h. The second is never negative.
        each = exp(float(self.epsilon) / (2 * self.hashes))
        return each / (each - 1) ** 2 / self.hashes

    def divergences(self, domain: AnyDomain, first: int, second: int) -> Divergences:
        filters = self.design(domain).filters
        differing = np.sum(filters[:, first] != filters[:, second], axis=1)
        each = float(self.epsilon) / (2 * self.hashes)
        p = 1 / (1 + exp(-each))
        losses, masses = [], []
        for bits, cohorts in zip(*np.unique(differing, return_counts=True), strict=True):
            x, law = np.zeros(1), np.ones(1)
            for _ in range(int(bits)):
                x, law = merged(
                    np.concatenate([x - each, x + each]), np.concatenate([law * (1 - p), law * p])
                )
            losses.append(x)
            masses.append(law * cohorts / differing.size)
        loss = LossDistribution(*merged(np.concatenate(losses), np.concatenate(masses)), 0.0)
        ratio = exp(loss.maximum)
        # Swapping the two answers swaps their filters, and the law stays the same.
        return Divergences(loss, loss, (ratio, ratio))

    def released_names(self, name: str, domain: AnyDomain) -> tuple[str, ...]:
        bits = self.design(domain).bits
        return (f"{name}:cohort", *(f"{name}:bit{i}" for i in range(1, bits + 1)))


def _power(number: int) -> int:
    """Returns the least power of two that is not below a number."""
    return 1 << (number - 1).bit_length()
