"""Attackers: the exact posterior, and boosted trees trained on profiles with known real attributes.

With P_j the law of a real report of attribute j over respondents with shares f_j, and F_j that of
a fake one, the reports y of a respondent have probability (1/d) sum_j P_j(y_j) prod_{i != j}
F_i(y_i). Divided by prod_i F_i(y_i), the posterior of j is proportional to P_j(y_j)/F_j(y_j),
whatever the correlations between attributes are. No rule guesses right more often than its
argmax; how good that is depends on f alone, which the attacker must estimate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.engine.texts import T
from dpdesk.errors import ParameterError, from_extra
from dpdesk.mechanisms.fake_data import FakeDataForecast
from dpdesk.numbers.arrays import Floats

# Bits that are processed at a time: 32 MB as floating-point numbers.
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


Advance = Callable[[float], None]
"""Takes the share done, 0..1; may raise to stop."""

Guesses = NDArray[np.int64]

CELLS_MAX = 250_000_000
"""Largest product of profiles and features for a learner, which needs eight bytes for each."""

_ROUNDS = 100
# Rounds of scikit-learn between two checks for a cancel; each restart costs as much as some rounds.
_ROUNDS_AT_ONCE = 5


def features(
    profiles: Sequence[NDArray[Any]], laws: Sequence[FakeDataForecast]
) -> NDArray[np.uint8]:
    """Returns one column for each category of each attribute, shape (n, sum of sizes).

    Bits are taken as they are; a symbol sets the bit of its category.

    Raises:
        ParameterError: There would be too many features.
    """
    rows, width = len(profiles[0]), sum(law.size for law in laws)
    if rows * width > CELLS_MAX:
        raise ParameterError(T.MANY_FEATURES(profiles=rows, categories=width))
    matrix = np.zeros((rows, width), dtype=np.uint8)
    start = 0
    for reports, law in zip(profiles, laws, strict=True):
        block = matrix[:, start : start + law.size]
        if law.form == "symbol":
            block[np.arange(rows), reports] = 1
        else:
            block[:] = reports
        start += law.size
    return matrix


@dataclass(frozen=True, slots=True, eq=False)
class Training:
    """What a learner is trained on, and what it has to guess.

    Attributes:
        known: Features of profiles whose real attribute is known.
        real: Their real attributes.
        attacked: Features of the profiles to guess.
        seed: Seed of the learner.
    """

    known: NDArray[np.uint8]
    real: Guesses
    attacked: NDArray[np.uint8]
    seed: int


def boosting(training: Training, advance: Advance) -> Guesses:
    """Guesses with scikit-learn's gradient boosting on histograms.

    Shallow trees, since a report of one attribute says nothing about that of another: the
    posterior is a sum over attributes, and deeper trees learn the noise.

    Args:
        training: The profiles.
        advance: Called every few rounds.
    """
    with from_extra("learning", "Trained attacks"):
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

    model = HistGradientBoostingClassifier(
        learning_rate=0.1,
        max_depth=2,
        early_stopping=False,
        warm_start=True,
        random_state=training.seed,
    )
    # When other programs keep the cores busy, its threads spend most of their time waiting for
    # each other: six times the work for the same trees.
    with threadpool_limits(1):
        for rounds in range(0, _ROUNDS, _ROUNDS_AT_ONCE):
            advance(rounds / _ROUNDS)
            model.set_params(max_iter=rounds + _ROUNDS_AT_ONCE)
            model.fit(training.known, training.real)
        advance(1.0)
        return np.asarray(model.predict(training.attacked), dtype=np.int64)


def xgboost(training: Training, advance: Advance) -> Guesses:
    """Guesses with XGBoost, the learner of the publications, with trees of depth 2.

    Args:
        training: The profiles.
        advance: Called every round.

    Raises:
        ParameterError: XGBoost is not installed.
    """
    require_xgboost()
    import xgboost as library

    matrix = library.DMatrix(training.known, label=training.real)
    parameters = {
        "objective": "multi:softmax",
        "num_class": int(training.real.max()) + 1,
        "max_depth": 2,
        "learning_rate": 0.1,
        "nthread": 1,
        "seed": training.seed,
    }
    model = library.Booster(parameters, [matrix])
    for done in range(_ROUNDS):
        advance(done / _ROUNDS)
        model.update(matrix, done)
    advance(1.0)
    return np.asarray(model.predict(library.DMatrix(training.attacked)), dtype=np.int64)


def require_xgboost() -> None:
    """Raises `ParameterError` if XGBoost is not installed."""
    from importlib.util import find_spec

    if find_spec("xgboost") is None:
        raise ParameterError(T.NO_XGBOOST())
