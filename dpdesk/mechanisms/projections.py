"""Moving estimated shares to possible ones: none negative, with the sum 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def simplex_projection(shares: Floats) -> Floats:
    """Returns the possible shares that are nearest to estimated ones, in squared distance.

    One amount is taken from every share (or added to it), and what would become negative is 0:
    the projection on the simplex (Held, Wolfe & Crowder 1974; Duchi et al. 2008).

    Args:
        shares: Finite estimates, shape (k,).
    """
    descending = np.sort(shares)[::-1]
    # What would have to be taken from the j largest for them to sum to 1.
    amounts = (np.cumsum(descending) - 1) / np.arange(1, shares.size + 1)
    amount = amounts[np.flatnonzero(descending > amounts)[-1]]
    projected = np.maximum(shares - amount, 0.0)
    # The sum is 1 but for rounding, which grows with the number of categories.
    return np.asarray(projected / projected.sum())


def norm_sub(shares: Floats) -> Floats:
    """Returns possible shares: negative ones set to 0, one amount taken from the positive ones.

    Norm-Sub of Wang et al. 2020 ("Locally differentially private frequency estimation with
    consistency"), run to its end: what becomes negative is set to 0 in its turn, until the sum is
    1. It differs from the projection on the simplex where the positive shares sum to less than 1:
    then only they are raised. With no positive share all are equal.

    Args:
        shares: Finite estimates, shape (k,).
    """
    positive = shares > 0
    if not positive.any():
        return np.full(shares.shape, 1 / shares.size)
    normed = np.zeros_like(shares)
    normed[positive] = simplex_projection(shares[positive])
    return normed
