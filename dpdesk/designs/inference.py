"""Intervals and tests of estimates whose covariance rests on few clusters.

With d degrees of freedom, those of the sample (clusters less strata), an estimate over its error
follows Student's t with d, and a hypothesis on k estimates is tested by
F = (d - k + 1) / (k d) W with k and d - k + 1 degrees of freedom, W being Wald's statistic: the
covariance is then taken as that of d independent vectors, and W as Hotelling's T^2 (Korn & Graubard
1990, The American Statistician 44, 270-276; Stata's `svy: test`). Chi-square and the normal law are
the limits for many clusters.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers.intervals import normal_quantile

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class WaldTest:
    """A test of whether several quantities are all 0.

    Attributes:
        statistic: F where the sample has degrees of freedom, else chi-square.
        freedom: Number of quantities, k.
        denominator: Degrees of freedom of the denominator of F; None for chi-square.
        p_value: Chance of a larger statistic if they are 0.
    """

    statistic: float
    freedom: int
    denominator: int | None
    p_value: float

    @property
    def sentence(self) -> str:
        """The test in words."""
        if self.denominator is None:
            return (
                f"chi-square {self.statistic:.3f} with {self.freedom} degrees of freedom, "
                f"p = {self.p_value:.4g}"
            )
        return (
            f"F {self.statistic:.3f} with {self.freedom} and {self.denominator} degrees of "
            f"freedom, p = {self.p_value:.4g}"
        )


def wald_test(values: Floats, covariance: Floats, freedom: int | None = None) -> WaldTest | None:
    """Tests whether all of some quantities are 0.

    Args:
        values: The quantities, shape (k,), at least one.
        covariance: Of them, shape (k, k).
        freedom: Degrees of freedom of the covariance; None for many.

    Returns:
        The test; None where the covariance does not allow one: it is not of full rank, or there
        are too few clusters for as many quantities.
    """
    from scipy.special import chdtrc, fdtrc

    count = values.size
    scale = np.sqrt(np.diag(covariance))
    if not (np.isfinite(covariance).all() and (scale > 0).all()):
        return None
    # Of unit size, since covariates have units of their own.
    correlation = covariance / np.outer(scale, scale)
    if np.linalg.matrix_rank(correlation, hermitian=True) < count:
        return None
    reduced = values / scale
    wald = float(reduced @ np.linalg.solve(correlation, reduced))
    if freedom is None:
        return WaldTest(wald, count, None, float(chdtrc(count, wald)))
    denominator = freedom - count + 1
    if denominator < 1:
        return None
    statistic = wald * denominator / (count * freedom)
    return WaldTest(statistic, count, denominator, float(fdtrc(count, denominator, statistic)))


def equality_test(
    values: Floats, covariance: Floats, freedom: int | None = None
) -> WaldTest | None:
    """Tests whether all of some quantities are the same; as `wald_test`, of their differences."""
    apart = covariance[1:, 1:] - covariance[1:, :1] - covariance[:1, 1:] + covariance[0, 0]
    return wald_test(values[1:] - values[0], np.asarray(apart), freedom)


def quantile(confidence: float, freedom: int | None) -> float:
    """Returns how many errors an interval reaches to each side.

    Args:
        confidence: Its coverage.
        freedom: Degrees of freedom of the error, for Student's t; None for the normal law.
    """
    if freedom is None:
        return normal_quantile(confidence)
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + confidence) / 2))


def chance_beyond(ratio: float, freedom: int | None) -> float:
    """Returns the chance of a larger ratio of an estimate to its error, if the estimate is of 0.

    Args:
        ratio: The estimate over its error.
        freedom: As in `quantile`.
    """
    if freedom is None:
        return erfc(ratio / sqrt(2)) / 2
    from scipy.special import stdtr

    return float(stdtr(freedom, -ratio))
