"""Which attribute was real: the exact posterior.

With P_j the law of a real report of attribute j over respondents with shares f_j, and F_j that of
a fake one, the reports y of a respondent have probability (1/d) sum_j P_j(y_j) prod_{i != j}
F_i(y_i). Divided by prod_i F_i(y_i), the posterior of j is proportional to P_j(y_j)/F_j(y_j),
whatever the correlations between attributes are. No rule guesses right more often than its
argmax; how good that is depends on f alone, which the attacker must estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.mechanisms.fake_data import FakeDataForecast

Floats = NDArray[np.float64]

# Bits that are looked at side by side: 32 MB as floating-point numbers.
_SIDE_BITS = 1 << 22


def likelihood_ratio(reports: NDArray[Any], law: FakeDataForecast, shares: Floats) -> Floats:
    """Returns P(y)/F(y) of one attribute's reports, shape (n,).

    Symbols: (q + (p - q) f(y)) / f~(y). Bits: with W_v = prod over bits of real over lie, that is
    (p/q where bit v is set, else (1-p)/(1-q)), sum_v f_v W_v over the same with the fakes' f~, or
    over 1 for fakes of zeros.

    Args:
        reports: Codes of shape (n,), or bits of shape (n, k).
        law: The law of the attribute's report.
        shares: The shares f, shape (k,).
    """
    p, q = law.real.p, law.real.q
    if law.form == "symbol":
        return np.asarray(((q + (p - q) * shares) / law.faked)[reports])
    set_bit, clear_bit = p / q, (1 - p) / (1 - q)
    ratio = np.empty(len(reports))
    step = max(1, _SIDE_BITS // law.size)
    for start in range(0, len(reports), step):
        bits = reports[start : start + step].astype(np.float64)
        real = clear_bit + (set_bit - clear_bit) * (bits @ shares)
        if law.fakes == "random":
            real /= clear_bit + (set_bit - clear_bit) * (bits @ law.faked)
        ratio[start : start + step] = real
    return ratio


def posterior(
    profiles: Sequence[NDArray[Any]],
    laws: Sequence[FakeDataForecast],
    shares: Sequence[Floats],
    tick: Callable[[], None] = lambda: None,
) -> Floats:
    """Returns the probability that each attribute was the real one, shape (n, d).

    Args:
        profiles: Reports of each attribute.
        laws: Their laws.
        shares: The shares f of each attribute, true or estimated.
        tick: Called before each attribute; may raise to stop.
    """
    ratios = np.empty((len(profiles[0]), len(laws)))
    for j, attribute in enumerate(zip(profiles, laws, shares, strict=True)):
        tick()
        ratios[:, j] = likelihood_ratio(*attribute)
    return np.asarray(ratios / ratios.sum(axis=1, keepdims=True))
