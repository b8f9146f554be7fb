"""The most likely distribution of the true answers, by expectation maximisation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

MOST_STEPS = 2_000
"""Steps after which the iteration ends wherever it stands."""


def iterative_bayes(
    counts: Floats,
    channel: Floats,
    *,
    smooth: bool = False,
    tolerance: float = 1e-6,
    most_steps: int = MOST_STEPS,
) -> Floats:
    """Estimates how the true answers are distributed from counts of their reports.

    A step turns each report into the chances of the true answers behind it, by Bayes' rule with
    the present estimate as prior, and averages them: the expectation maximisation of a mixture,
    which never makes the reports less likely (Agrawal & Aggarwal 2001). The first prior is even.

    The iteration ends when the mean log-likelihood of a report is shown to lie at most
    `tolerance` below that of the best distribution: as it is concave, the largest of its partial
    derivatives less 1 bounds what is missing. With smoothing there is no likelihood to maximise;
    it ends when no share moves by more than `tolerance` in a step. Nothing is random.

    Args:
        counts: Number of reports of each output, or their weight, shape (outputs,); their sum
            above 0.
        channel: Pr[output | true answer], shape (inputs, outputs). An output that was counted
            must be possible under some answer.
        smooth: Whether each step ends with an average over neighbours, weights (1, 2, 1) / 4,
            for answers that lie in an order (Li et al. 2020, "Estimating numerical distributions
            under local differential privacy").
        tolerance: When to end.
        most_steps: When to end at the latest.

    Returns:
        Shares of the true answers, none negative, summing to 1, shape (inputs,).
    """
    seen = np.flatnonzero(counts > 0)
    shares = counts[seen] / counts[seen].sum()
    law = np.ascontiguousarray(channel[:, seen])
    estimate = np.full(law.shape[0], 1 / law.shape[0])
    for _ in range(most_steps):
        slope = law @ (shares / (estimate @ law))
        if not smooth and slope.max() - 1 <= tolerance:
            break
        updated = estimate * slope
        if smooth:
            updated = _smoothed(updated)
        # The sum is 1 but for rounding, which must not build up.
        updated /= updated.sum()
        moved = float(np.abs(updated - estimate).max())
        estimate = updated
        if smooth and moved <= tolerance:
            break
    return np.asarray(estimate)


def _smoothed(shares: Floats) -> Floats:
    """Averages each share with its neighbours; an end keeps the part that has no neighbour."""
    padded = np.concatenate([shares[:1], shares, shares[-1:]])
    return np.asarray((padded[:-2] + 2 * shares + padded[2:]) / 4)
