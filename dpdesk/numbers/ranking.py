"""How often a number of one sample is above one of another."""

from __future__ import annotations

import numpy as np

from dpdesk.numbers.arrays import Floats


def chance_above(
    first: Floats,
    second: Floats,
    first_weights: Floats | None = None,
    second_weights: Floats | None = None,
) -> float:
    """Returns how often a number of the first sample is above one of the second (Mann-Whitney).

    Ties count by half. The samples must not be empty.

    Args:
        first: The first sample.
        second: The second one.
        first_weights: The weight of each number of the first sample; equal if None.
        second_weights: Alike, of the second.
    """
    _, place = np.unique(np.concatenate([first, second]), return_inverse=True)
    levels = int(place.max()) + 1
    split = len(first)
    above = np.bincount(place[:split], weights=first_weights, minlength=levels)
    others = np.bincount(place[split:], weights=second_weights, minlength=levels)
    # What lies below each level, and half of what lies on it.
    below = np.cumsum(others) - others / 2
    return float(above @ below) / (float(above.sum()) * float(others.sum()))
