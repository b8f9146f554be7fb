"""The law of each attribute's report under the strategies that experiments compare."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpdesk.engine.simulate.attributes import TrueAttribute
from dpdesk.engine.simulate.variants import VARIANTS, frequency_forecast, variant_forecasts
from dpdesk.mechanisms.fake_data import FakeDataForecast
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
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
    """Returns the law of each attribute's report; for SMP that of those who report it.

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
    # Nobody may have been drawn to report the attribute: then nothing supports any value.
    support = reports / np.maximum(respondents, 1)[..., np.newaxis]
    return np.asarray((support - q) / (p - q))


def _noise_constant(law: Law) -> float:
    return law.noise_constant
