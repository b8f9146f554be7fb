"""Variants of RS+FD and RS+RFD as named in publications, and the strategies of experiments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN
from dpdesk.domains import Categorical
from dpdesk.engine.simulate.attributes import TrueAttribute
from dpdesk.engine.texts import T
from dpdesk.errors import ParameterError, PlanError
from dpdesk.mechanisms import mechanism_named
from dpdesk.mechanisms.fake_data import FakeDataForecast, Fakes, record_epsilon
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast
from dpdesk.numbers.arrays import Counts, Floats


@dataclass(frozen=True, slots=True)
class Variant:
    """How the one real report is randomized, and how the others are faked.

    Attributes:
        kind: Mechanism of the real report.
        fakes: What fake bits encode: nothing ("zeros") or a category. Ignored for GRR, whose fakes
            are categories.
        realistic: Whether fakes follow a distribution (RS+RFD) instead of being uniform (RS+FD).
        title: The name in publications.
    """

    kind: Literal["grr", "sue", "oue"]
    fakes: Fakes
    realistic: bool
    title: str


VARIANTS = {
    "grr": Variant("grr", "random", False, "RS+FD[GRR]"),
    "sue-z": Variant("sue", "zeros", False, "RS+FD[SUE-z]"),
    "oue-z": Variant("oue", "zeros", False, "RS+FD[OUE-z]"),
    "sue-r": Variant("sue", "random", False, "RS+FD[SUE-r]"),
    "oue-r": Variant("oue", "random", False, "RS+FD[OUE-r]"),
    "rfd-grr": Variant("grr", "random", True, "RS+RFD[GRR]"),
    "rfd-sue-r": Variant("sue", "random", True, "RS+RFD[SUE-r]"),
    "rfd-oue-r": Variant("oue", "random", True, "RS+RFD[OUE-r]"),
}
"""Every variant by its short name: z for fakes of zeros, r for random ones."""


def frequency_forecast(kind: str, epsilon: float, size: int) -> FrequencyForecast:
    """Returns p and q of a mechanism for k categories.

    Args:
        kind: The mechanism, one with a p and a q.
        epsilon: Privacy loss of one report.
        size: Number of categories, k.

    Raises:
        ParameterError: Epsilon is outside 0.0001 to 40.
    """
    forecast = mechanism_named(kind)(kind=kind, epsilon=_decimal(epsilon)).forecast(_domain(size))
    assert isinstance(forecast, FrequencyForecast)  # noqa: S101 - so for every kind asked for
    return forecast


def variant_forecasts(
    variant: Variant, nominal: float, attributes: Sequence[TrueAttribute]
) -> tuple[FakeDataForecast, ...]:
    """Returns the law of each attribute's report.

    Args:
        variant: The variant.
        nominal: Epsilon as the publications state it; the one real report is randomized at the
            larger ln(d(e^nominal - 1) + 1), which is the loss of the whole record.
        attributes: All attributes. Realistic fakes follow the declared distribution; if none is
            declared, the true shares with one more answer for each category: the best case.
    """
    d = len(attributes)
    epsilon = record_epsilon(nominal, d)
    return tuple(
        FakeDataForecast(
            frequency_forecast(variant.kind, epsilon, attribute.size),
            d,
            variant.fakes,
            prior_of(attribute) if variant.realistic else (),
        )
        for attribute in attributes
    )


def prior_of(attribute: TrueAttribute) -> tuple[float, ...]:
    """Returns the chances of realistic fakes: the declared ones, else the true shares, all above 0.

    Raises:
        PlanError: A declared chance is 0: a report of this category would always be real.
    """
    if attribute.expected is not None:
        if not attribute.expected.all():
            raise PlanError(T.ZERO_WEIGHT(column=attribute.name))
        return tuple(attribute.expected.tolist())
    more: NDArray[np.int64] = attribute.counts + 1
    return tuple((more / more.sum()).tolist())


def _decimal(epsilon: float) -> Decimal:
    exact = Decimal(f"{epsilon:.12f}")
    if not EPSILON_MIN <= exact <= EPSILON_MAX:
        least, most, wanted = f"{EPSILON_MIN}", f"{EPSILON_MAX}", f"{epsilon:.3g}"
        raise ParameterError(T.BAD_REPORT_EPSILON(epsilon=wanted, least=least, most=most))
    return exact


@lru_cache(maxsize=256)
def _domain(size: int) -> Categorical:
    return Categorical(values=tuple(map(str, range(size))))


Law = FrequencyForecast | FakeDataForecast

STRATEGIES: dict[str, str] = {
    "spl": "SPL[ADP]",
    "smp": "SMP[ADP]",
    **{name: variant.title for name, variant in VARIANTS.items()},
    "adp": "RS+FD[ADP]",
}
"""Every strategy by its short name, with its title.

SPL, SMP and ADP choose for each attribute between GRR and OUE (with fakes of zeros) by n Var*.
"""


def laws_of(strategy: str, epsilon: float, attributes: Sequence[TrueAttribute]) -> tuple[Law, ...]:
    """Returns the law of each attribute's report; under SMP, of those who report it.

    Args:
        strategy: Short name out of `STRATEGIES`.
        epsilon: The nominal epsilon.
        attributes: All attributes.
    """
    if strategy in VARIANTS:
        return variant_forecasts(VARIANTS[strategy], epsilon, attributes)
    if strategy == "adp":
        faked = (
            variant_forecasts(VARIANTS[name], epsilon, attributes) for name in ("grr", "oue-z")
        )
        return tuple(min(pair, key=_noise_constant) for pair in zip(*faked, strict=True))
    each = epsilon if strategy == "smp" else epsilon / len(attributes)
    return tuple(
        min(
            (frequency_forecast(kind, each, a.size) for kind in ("grr", "oue")), key=_noise_constant
        )
        for a in attributes
    )


def clip_and_normalise(shares: Floats) -> Floats:
    """Returns shares with negative ones set to 0, divided by their sum; uniform if none is left.

    Args:
        shares: Estimates, shape (..., k).
    """
    clipped = np.clip(shares, 0.0, 1.0)
    total = clipped.sum(axis=-1, keepdims=True)
    uniform = np.full_like(clipped, 1 / shares.shape[-1])
    return np.asarray(np.divide(clipped, total, out=uniform, where=total > 0))


def shares_of(law: Law, reports: Counts, respondents: Counts) -> Floats:
    """Returns the unbiased shares (C/n - q)/(p - q) from counts of reports, shape (..., k).

    Args:
        law: The law of the reports.
        reports: Counts of reports that support each value, shape (..., k).
        respondents: Number of reports, shape (...).
    """
    p, q = law.chances if isinstance(law, FakeDataForecast) else (law.p, law.q)
    # If nobody was drawn to report the attribute, nothing supports any value.
    support = reports / np.maximum(respondents, 1)[..., np.newaxis]
    return np.asarray((support - q) / (p - q))


def _noise_constant(law: Law) -> float:
    return law.noise_constant
