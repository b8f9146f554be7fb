"""Which categories occur at all: the lasso, then least squares on what it selects."""

from __future__ import annotations

from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers.intervals import normal_quantile

Floats = NDArray[np.float64]

_SIGNIFICANCE = 0.05
# The gap to the dual problem at which the search ends, as a part of the squared length of y.
_TOLERANCE = 1e-10
_MOST_PASSES = 10_000


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
    size = design.shape[1]
    gram = design.T @ design
    penalty = sqrt(float(variances.mean()) * float(np.diag(gram).max()) * 2 * log(size))
    chosen = np.flatnonzero(positive_lasso(design, observed, penalty) > 0)
    shares = np.zeros(size)
    if not chosen.size:
        return shares
    part = design[:, chosen]
    solving = np.linalg.inv(gram[np.ix_(chosen, chosen)]) @ part.T
    solved = solving @ observed
    errors = np.sqrt((solving**2) @ variances)
    # One-sided: a confidence of 1 - 2a leaves a on the upper side.
    least = normal_quantile(1 - 2 * _SIGNIFICANCE / size) * errors
    shares[chosen] = np.where(solved > least, solved, 0.0)
    return shares


def positive_lasso(design: Floats, observed: Floats, penalty: float) -> Floats:
    """Minimises |y - A w|^2 / 2 + penalty sum(w) over w >= 0, by scikit-learn.

    Args:
        design: A, shape (rows, k).
        observed: y, shape (rows,).
        penalty: Of one unit of w, above 0.
    """
    # Takes seconds to import, and only the reader of RAPPOR's reports needs it.
    from sklearn.linear_model import Lasso

    # Its objective is divided by the number of rows.
    lasso = Lasso(
        alpha=penalty / len(observed),
        fit_intercept=False,
        positive=True,
        tol=_TOLERANCE,
        max_iter=_MOST_PASSES,
    )
    return np.asarray(lasso.fit(design, observed).coef_, dtype=np.float64)
