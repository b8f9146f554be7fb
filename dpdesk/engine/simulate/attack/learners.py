"""Attackers that learn: boosted trees on profiles whose real attribute is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import ParameterError
from dpdesk.mechanisms.fake_data import FakeDataForecast

Advance = Callable[[float], None]
"""Takes the share done, 0..1; may raise to stop."""

Guesses = NDArray[np.int64]

CELLS_MAX = 250_000_000
"""Profiles times features that a learner is given at the most: eight bytes each within it."""

_ROUNDS = 100
# Rounds of scikit-learn between two looks at the user's wish to stop; each beginning costs as much
# as a few rounds.
_ROUNDS_AT_ONCE = 5


def features(
    profiles: Sequence[NDArray[Any]], laws: Sequence[FakeDataForecast]
) -> NDArray[np.uint8]:
    """Returns one column for each category of each attribute, shape (n, sum of sizes).

    Bits are taken as they are; a symbol sets the bit of its category.

    Raises:
        ParameterError: There would be too many of them.
    """
    rows, width = len(profiles[0]), sum(law.size for law in laws)
    if rows * width > CELLS_MAX:
        raise ParameterError(
            f"A learner would need {rows:,} profiles of {width:,} categories.",
            remedy="Use the Bayes attack, fewer synthetic profiles, or fewer columns.",
        )
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


def boosting(
    known: NDArray[np.uint8],
    real: Guesses,
    attacked: NDArray[np.uint8],
    seed: int,
    advance: Advance,
) -> Guesses:
    """Guesses with scikit-learn's gradient boosting on histograms.

    Shallow trees, since a report of one attribute says nothing about that of another: the
    posterior is a sum over attributes, and deeper trees learn the noise.

    Args:
        known: Features of profiles whose real attribute is known.
        real: Which attribute it is.
        attacked: Features of those to guess.
        seed: Seed of the learner.
        advance: Called every few rounds.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier
    from threadpoolctl import threadpool_limits

    model = HistGradientBoostingClassifier(
        learning_rate=0.1, max_depth=2, early_stopping=False, warm_start=True, random_state=seed
    )
    # Where other programs keep the cores busy, its threads spend most of their time on waiting for
    # each other: six times the work for the same trees.
    with threadpool_limits(1):
        for rounds in range(0, _ROUNDS, _ROUNDS_AT_ONCE):
            advance(rounds / _ROUNDS)
            model.set_params(max_iter=rounds + _ROUNDS_AT_ONCE)
            model.fit(known, real)
        advance(1.0)
        return np.asarray(model.predict(attacked), dtype=np.int64)


def xgboost(
    known: NDArray[np.uint8],
    real: Guesses,
    attacked: NDArray[np.uint8],
    seed: int,
    advance: Advance,
) -> Guesses:
    """Guesses with XGBoost, the learner of the publications, with trees of depth 2.

    Args:
        known: Features of profiles whose real attribute is known.
        real: Which attribute it is.
        attacked: Features of those to guess.
        seed: Seed of the learner.
        advance: Called every round.

    Raises:
        ParameterError: XGBoost is not installed.
    """
    require_xgboost()
    import xgboost as library

    training = library.DMatrix(known, label=real)
    parameters = {
        "objective": "multi:softmax",
        "num_class": int(real.max()) + 1,
        "max_depth": 2,
        "learning_rate": 0.1,
        "nthread": 1,
        "seed": seed,
    }
    model = library.Booster(parameters, [training])
    for done in range(_ROUNDS):
        advance(done / _ROUNDS)
        model.update(training, done)
    advance(1.0)
    return np.asarray(model.predict(library.DMatrix(attacked)), dtype=np.int64)


def require_xgboost() -> None:
    """Raises `ParameterError` where XGBoost is not installed."""
    from importlib.util import find_spec

    if find_spec("xgboost") is None:
        raise ParameterError(
            "XGBoost is not installed.",
            remedy='Install the extra "boosting" of dpdesk, or use the classifier "boosting".',
        )
