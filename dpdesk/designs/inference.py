"""Intervals and tests of estimates whose covariance is estimated from few clusters.

With d degrees of freedom, those of the sample (clusters less strata), an estimate over its error
follows Student's t with d, and a hypothesis on k estimates is tested by
F = (d - k + 1) / (k d) W with k and d - k + 1 degrees of freedom, W being Wald's statistic: the
covariance is then taken as that of d independent vectors, and W as Hotelling's T^2 (Korn & Graubard
1990, The American Statistician 44, 270-276; Stata's `svy: test`). Chi-square and the normal law are
the limits for many clusters. Some designs allow a test of whether respondents follow the
instruction.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import erfc, sqrt

import numpy as np

from dpdesk.designs.texts import T
from dpdesk.designs.yes_no import SurveyEstimate
from dpdesk.i18n import N_
from dpdesk.numbers import degrees_words, p_value_words
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import normal_quantile
from dpdesk.numbers.tails import chi_square_above, f_above, t_above, t_quantile


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
        statistic, p = f"{self.statistic:.3f}", p_value_words(self.p_value)
        if self.denominator is None:
            degrees = degrees_words(self.freedom)
            return T.CHI_SQUARE(statistic=statistic, degrees=degrees, p=p)
        degrees = degrees_words(self.denominator)
        return T.F_TEST(statistic=statistic, freedom=self.freedom, degrees=degrees, p=p)


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
    count = values.size
    # Rounding makes a variance of nothing negative.
    scale = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    if not (np.isfinite(covariance).all() and (scale > 0).all()):
        return None
    # Scaled to unit size, since covariates have different units.
    correlation = covariance / np.outer(scale, scale)
    if np.linalg.matrix_rank(correlation, hermitian=True) < count:
        return None
    reduced = values / scale
    wald = float(reduced @ np.linalg.solve(correlation, reduced))
    if freedom is None:
        return WaldTest(wald, count, None, chi_square_above(wald, count))
    denominator = freedom - count + 1
    if denominator < 1:
        return None
    statistic = wald * denominator / (count * freedom)
    return WaldTest(statistic, count, denominator, f_above(statistic, count, denominator))


def equality_test(
    values: Floats, covariance: Floats, freedom: int | None = None
) -> WaldTest | None:
    """Tests whether all of some quantities are the same; as `wald_test`, of their differences."""
    apart = covariance[1:, 1:] - covariance[1:, :1] - covariance[:1, 1:] + covariance[0, 0]
    return wald_test(values[1:] - values[0], np.asarray(apart), freedom)


def quantile(confidence: float, freedom: int | None) -> float:
    """Returns the half-width of an interval in standard errors.

    Args:
        confidence: Its coverage.
        freedom: Degrees of freedom of the error, for Student's t; None for the normal law.
    """
    if freedom is None:
        return normal_quantile(confidence)
    return t_quantile(confidence, freedom)


def chance_beyond(ratio: float, freedom: int | None) -> float:
    """Returns the chance of a larger ratio of an estimate to its error, if the estimate is of 0.

    Args:
        ratio: The estimate over its error.
        freedom: As in `quantile`.
    """
    if freedom is None:
        return erfc(ratio / sqrt(2)) / 2
    return t_above(ratio, freedom)


@dataclass(frozen=True, slots=True)
class Adherence:
    """A test of the hypothesis that everybody follows the instruction.

    Attributes:
        quantity: What is tested, by the name of `SurveyEstimate.other_shares`.
        title: The same in words.
        value: What was found.
        expected: What it would be.
        standard_error: Its standard error.
        statistic: Distance from what it would be, in standard errors.
        p_value: Chance of one as far or farther, two-sided for a difference, else one-sided.
        freedom: Degrees of freedom of the error, for Student's t; None for the normal law.
    """

    quantity: str
    title: str
    value: float
    expected: float
    standard_error: float
    statistic: float
    p_value: float
    freedom: int | None = None


TESTS = {
    "difference_of_groups": (N_("difference of the groups after recoding"), 0.0, "two-sided"),
    "cheaters": (N_("share who say no whatever the device orders"), 0.0, "above"),
    "attentive": (N_("share who attend"), 1.0, "below"),
    "truthful_carriers": (N_("share of carriers who tell the truth"), 1.0, "below"),
}
"""Words, expected value and side of each quantity that can be tested."""


def adherence_of(found: SurveyEstimate) -> Adherence | None:
    """Returns the test that a design allows, by the normal law; None where it has none.

    Args:
        found: Its estimate.
    """
    quantity = next((name for name in found.other_shares if name in TESTS), None)
    if quantity is None:
        return None
    return adherence_from(quantity, *found.other_shares[quantity])


def adherence_from(
    quantity: str, value: float, error: float, freedom: int | None = None
) -> Adherence | None:
    """Returns the test of a quantity; None without an error.

    Args:
        quantity: Its name in `TESTS`.
        value: What was found.
        error: Its standard error.
        freedom: Degrees of freedom of the error, for Student's t; None for the normal law.
    """
    title, expected, side = TESTS[quantity]
    if error == 0 or freedom == 0:
        return None
    statistic = (value - expected) / error
    if side == "two-sided":
        chance = 2 * chance_beyond(abs(statistic), freedom)
    else:
        chance = chance_beyond(statistic if side == "above" else -statistic, freedom)
    return Adherence(quantity, title, value, expected, error, statistic, chance, freedom)
