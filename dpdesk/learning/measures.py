"""How well a model predicts: accuracy, F1 and the area under the curve."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.ranking import chance_above

Whole = NDArray[np.int64]

MEASURES = {
    "accuracy": "Accuracy",
    "f1": "F1",
    "auc": "Area under the curve",
}
"""Every measure by its name, with its title."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A measure over repetitions.

    Attributes:
        mean: Its mean.
        deviation: Its standard deviation, 0 for one value.
        lower, upper: Between them lie nine of ten repetitions.
    """

    mean: float
    deviation: float
    lower: float
    upper: float

    @classmethod
    def of(cls, values: Floats) -> Spread:
        """Returns that of some values, shape (repetitions,)."""
        lower, upper = np.quantile(values, [0.05, 0.95]).tolist()
        deviation = float(values.std(ddof=1)) if values.size > 1 else 0.0
        return cls(float(values.mean()), deviation, lower, upper)


@dataclass(frozen=True, slots=True)
class Measured:
    """Every measure over repetitions."""

    accuracy: Spread
    f1: Spread
    auc: Spread

    @classmethod
    def of(cls, values: Floats) -> Measured:
        """Returns those of some values, shape (repetitions, 3)."""
        return cls(*(Spread.of(column) for column in values.T))


def measure(
    likely: Floats, true: Whole, positive: int | None, weights: Floats | None = None
) -> tuple[float, float, float]:
    """Returns accuracy, F1 and area under the curve of one test.

    Args:
        likely: How likely each class is, in any monotone unit that is the same for all of a
            record's classes, shape (n, classes).
        true: The class of each record, shape (n,).
        positive: Of two classes the one that F1 and the curve are about; None for the mean over
            all classes, each against the others.
        weights: How many people each record stands for, shape (n,); equal if None.
    """
    guessed = likely.argmax(axis=1)
    accuracy = _share(guessed == true, weights)
    classes = range(likely.shape[1]) if positive is None else (positive,)
    # A class without a record cannot be found, nor missed.
    present = [c for c in classes if (true == c).any()]
    f1 = [_f1(guessed == c, true == c, weights) for c in present]
    auc = [_area(_margin(likely, c), true == c, weights) for c in present]
    return accuracy, float(np.mean(f1)) if f1 else 0.0, float(np.mean(auc)) if auc else 0.5


def _share(which: NDArray[np.bool_], weights: Floats | None) -> float:
    return float(np.average(which, weights=weights))


def _f1(guessed: NDArray[np.bool_], true: NDArray[np.bool_], weights: Floats | None) -> float:
    each = np.ones(true.size) if weights is None else weights
    return 2 * float(each[guessed & true].sum()) / float(each[guessed].sum() + each[true].sum())


def _margin(likely: Floats, positive: int) -> Floats:
    """How much likelier the class is than the likeliest other."""
    others = np.delete(likely, positive, axis=1)
    return np.asarray(likely[:, positive] - others.max(axis=1))


def _area(margin: Floats, true: NDArray[np.bool_], weights: Floats | None) -> float:
    """The chance that a record of the class has a larger margin than another."""
    if true.all() or not true.any():
        return 0.5
    if weights is None:
        return chance_above(margin[true], margin[~true])
    return chance_above(margin[true], margin[~true], weights[true], weights[~true])
