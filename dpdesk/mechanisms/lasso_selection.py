"""Which categories occur at all: the lasso, then least squares on what it selects."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.mechanisms.intervals import normal_quantile

Floats = NDArray[np.float64]

_SIGNIFICANCE = 0.05


def lasso_shares(design: Floats, observed: Floats, variances: Floats) -> Floats:
    """Returns the shares of the categories that are significantly above 0; 0 for the others.

    The lasso with shares of at least 0 selects categories (Tibshirani 1996); least squares on
    these alone gives their shares and errors; those not above 0 at 5 %, divided by the number of
    categories (Bonferroni), are set to 0 (Erlingsson, Pihur & Korolova 2014, section 4). The
    penalty is the universal one, sqrt(2 ln k) standard errors (Donoho & Johnstone 1994), so that
    nothing is drawn or searched for.

    Args:
        design: The design matrix, shape (rows, k), of full column rank.
        observed: Unbiased estimates of the rows, shape (rows,).
        variances: Their variances, shape (rows,).
    """
    from sklearn.linear_model import Lasso

    rows, size = design.shape
    column = float(np.sqrt((design**2).sum(axis=0).max()))
    penalty = sqrt(float(variances.mean())) * column * sqrt(2 * log(size)) / rows
    fitted = Lasso(alpha=penalty, fit_intercept=False, positive=True, max_iter=10_000)
    chosen = np.flatnonzero(fitted.fit(design, observed).coef_ > 0)
    shares = np.zeros(size)
    if not chosen.size:
        return shares
    part = design[:, chosen]
    solving = np.linalg.inv(part.T @ part) @ part.T
    solved = solving @ observed
    errors = np.sqrt((solving**2) @ variances)
    # One-sided: a confidence of 1 - 2a leaves a on the upper side.
    least = normal_quantile(1 - 2 * _SIGNIFICANCE / size) * errors
    shares[chosen] = np.where(solved > least, solved, 0.0)
    return shares
