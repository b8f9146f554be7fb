"""Designs that answer yes or no in one group or two, and those whose answers are worth numbers.

One group: a = P(yes | carrier), b = P(yes | non-carrier), lambda = pi a + (1 - pi) b. The estimate
is (share of yes - b) / (a - b); its variance lambda (1 - lambda) / (n (a - b)^2) is estimated
without bias with n - 1 (Chaudhuri and Mukerjee 1988).

With scores s(answer) whose mean is 1 for a carrier and 0 for a non-carrier, the average score is
an unbiased estimate of the share of carriers.

Two groups: the estimate is a weighted sum of the shares of yes of both, with its variance.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import ClassVar

import numpy as np

from dpdesk.designs.answer_likelihood import AnswerChances
from dpdesk.designs.inference import TESTS
from dpdesk.designs.law import Group, binary_group, require_difference
from dpdesk.designs.sample_design import Labels
from dpdesk.designs.texts import T
from dpdesk.designs.yes_no import Count, PlannedVariance, SurveyEstimates, YesNoDesign
from dpdesk.errors import ParameterError
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import Quadratic, ratio_interval, wilson_interval
from dpdesk.numbers.tails import beta_quantile


class OneSampleDesign(YesNoDesign):
    """A design with one group that answers yes or no."""

    @property
    @abstractmethod
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a and b: the chance of "yes" of a carrier and of a non-carrier."""

    @property
    def groups(self) -> tuple[Group, ...]:
        return (binary_group(*self.chances),)

    def misfit(self, *, too_many_carriers: bool) -> str:
        a, b = self.chances
        if too_many_carriers:
            return T.MORE_THAN_ALL() if a > b else T.FEWER_THAN_ALL()
        return T.FEWER_THAN_NONE() if a > b else T.MORE_THAN_NONE()

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        a, b = map(float, self.chances)
        return PlannedVariance(prevalence * (1 - prevalence), privacy_variance(a, b, prevalence))

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        return yes_no_estimates(totals[..., 0], respondents[0], *self.chances, confidence)

    def _conservative(self, pooled: Count | None, confidence: float) -> tuple[float, float] | None:
        return conservative_interval(pooled, *self.chances, confidence)


class ScoredDesign(YesNoDesign):
    """A design with one group whose answers are worth numbers."""

    @property
    @abstractmethod
    def moments(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """Mean and variance of the answer of a carrier and of a non-carrier."""

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        self.check_device()
        carrier, other = self.moments
        device = prevalence * float(carrier[1]) + (1 - prevalence) * float(other[1])
        gap = float(carrier[0] - other[0])
        return PlannedVariance(prevalence * (1 - prevalence), device / gap**2)

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        # The variance is the planned one at the truncated estimate, since the mean alone does not
        # show the spread of the answers; the interval holds every share that has such a mean.
        carrier, other = self.moments
        gap = float(carrier[0] - other[0])
        value = (totals[..., 0] / respondents[0] - float(other[0])) / gap
        possible = np.clip(value, 0.0, 1.0)
        device = possible * float(carrier[1]) + (1 - possible) * float(other[1])
        variance = possible * (1 - possible) + device / gap**2
        none, all_of = (float(moments[1]) / gap**2 for moments in (other, carrier))
        ones = np.ones_like(value) / respondents[0]
        score = Quadratic(none * ones, (1 + all_of - none) * ones, -ones)
        lower, upper = ratio_interval(value, 1.0, score, confidence)
        return SurveyEstimates(
            value,
            np.sqrt(variance / respondents[0]),
            np.minimum(lower, value),
            np.maximum(upper, value),
        )


def conservative_interval(
    count: Count | None, a: Fraction, b: Fraction, confidence: float
) -> tuple[float, float] | None:
    """Returns Clopper and Pearson's interval for the answers, carried over to the carriers.

    Args:
        count: The answers of one group, or None.
        a: Chance of "yes" of a carrier.
        b: Chance of "yes" of a non-carrier.
        confidence: Least coverage.
    """
    if count is None:
        return None
    low, gap = float(b), float(a - b)
    ends = clopper_pearson(count.yes, count.respondents, confidence)
    lower, upper = sorted((end - low) / gap for end in ends)
    return lower, upper


def yes_no_estimates(
    yes: Floats, respondents: int, a: Fraction, b: Fraction, confidence: float
) -> SurveyEstimates:
    """Returns the shares of carriers from yes and no of many surveys of one group.

    Args:
        yes: Number of answers "yes" of each survey, any shape.
        respondents: Number of respondents of each survey.
        a: Chance of "yes" of a carrier.
        b: Chance of "yes" of a non-carrier.
        confidence: Coverage of the intervals.
    """
    low, gap = float(b), float(a - b)
    share = yes / respondents
    error = np.sqrt(share * (1 - share) / (respondents - 1)) / abs(gap)
    ends = [(end - low) / gap for end in wilson_interval(share, respondents, confidence)]
    # With a < b the upper end of the answers is the lower one of the share.
    lower, upper = ends if gap > 0 else ends[::-1]
    return SurveyEstimates((share - low) / gap, error, lower, upper)


def privacy_variance(a: float, b: float, prevalence: float) -> float:
    """Returns what the device adds to n times the variance: V_R of the share of carriers.

    Raises:
        ParameterError: Carriers and others say yes with the same chance.
    """
    require_difference(a, b)
    device = prevalence * a * (1 - a) + (1 - prevalence) * b * (1 - b)
    return device / (a - b) ** 2


def clopper_pearson(yes: int, respondents: int, confidence: float) -> tuple[float, float]:
    """Returns Clopper and Pearson's interval (Biometrika 1934): it never covers too seldom.

    Args:
        yes: Number of successes.
        respondents: Number of trials.
        confidence: Least coverage.
    """
    tail = (1 - confidence) / 2
    lower = 0.0 if yes == 0 else beta_quantile(yes, respondents - yes + 1, tail)
    at_top = yes == respondents
    upper = 1.0 if at_top else beta_quantile(yes + 1, respondents - yes, 1 - tail)
    return lower, upper


def mean_and_variance(
    law: tuple[Fraction, ...], answers: tuple[Fraction, ...]
) -> tuple[Fraction, Fraction]:
    """Returns the mean and the variance of an answer.

    Args:
        law: Chance of each answer.
        answers: Number that each answer stands for.
    """
    mean = sum((c * y for c, y in zip(law, answers, strict=True)), Fraction(0))
    square = sum((c * y * y for c, y in zip(law, answers, strict=True)), Fraction(0))
    return mean, square - mean * mean


@dataclass(frozen=True, slots=True)
class OpenChance:
    """A chance of yes that holds a share which the design leaves open: start + share x slope."""

    start: Fraction
    slope: Fraction


class TwoGroupDesign(YesNoDesign):
    """A design whose estimate is a weighted sum of the shares of yes of two groups."""

    group_count: ClassVar[int] = 2
    open_share: ClassVar[str]
    """Name of the share that the design leaves open, as in `SurveyEstimate.other_shares`."""

    @property
    @abstractmethod
    def open_chances(self) -> tuple[tuple[OpenChance, OpenChance], ...]:
        """The chances of yes of a carrier and of a non-carrier, for each group.

        The open share is taken to be the same for everybody, as in the package RRreg (Heck and
        Moshagen 2018, Journal of Statistical Software 85, 2).
        """

    @property
    @abstractmethod
    def combination(self) -> tuple[float, tuple[float, float]]: ...

    @abstractmethod
    def other_shares(
        self, value: float, groups: Sequence[tuple[float, float]]
    ) -> Mapping[str, tuple[float, float]]:
        """Returns the other quantities that both groups estimate, with their standard errors.

        Args:
            value: The estimated share of carriers.
            groups: Share of yes of each group and its variance.
        """

    def chances_of(self, said: Floats, group: Labels, anchor: Floats | None) -> AnswerChances:
        which, yes = np.clip(group, 0, 1), said == 1
        found = []
        for chances in zip(*self.open_chances, strict=True):
            parts = np.array([[float(chance.start), float(chance.slope)] for chance in chances])
            start, slope = parts[which].T
            found.append((np.where(yes, start, 1 - start), np.where(yes, slope, -slope)))
        (high, high_slope), (low, low_slope) = found
        return AnswerChances(high, low, high_slope, low_slope, self.open_share)

    def tested(self, shares: Sequence[float]) -> tuple[str, float] | None:
        constant, weights = self.combination
        carriers = constant + weights[0] * shares[0] + weights[1] * shares[1]
        found = self.other_shares(carriers, [(share, 0.0) for share in shares])
        return next(((name, found[name][0]) for name in found if name in TESTS), None)

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        _, weights = self.combination
        total = 0.0
        for weight, group in zip(weights, self.groups, strict=True):
            carrier, other = (float(row[0]) for row in group.law[:2])
            share = prevalence * carrier + (1 - prevalence) * other
            total += self.group_count * weight**2 * share * (1 - share)
        sampling = prevalence * (1 - prevalence)
        return PlannedVariance(sampling, total - sampling)

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        return combined_estimates(totals, respondents, *self.combination, confidence)

    def _other_estimates(
        self, value: float, counts: Sequence[Count]
    ) -> Mapping[str, tuple[float, float]]:
        return self.other_shares(value, shares_and_variances(counts))


def combined_estimates(
    totals: Floats,
    respondents: Sequence[int],
    constant: float,
    weights: Sequence[float],
    confidence: float,
) -> SurveyEstimates:
    """Returns a weighted sum of the shares of yes of the groups of many surveys.

    Intervals are made of Wilson's of each group (Zou & Donner 2008, Statistics in Medicine 27,
    1693-1702).

    Args:
        totals: Number of answers "yes", shape (..., groups).
        respondents: Number of respondents of each group.
        constant: What is added to the sum.
        weights: Of each group.
        confidence: Coverage of the intervals.
    """
    sizes, factors = np.array(respondents, dtype=np.float64), np.array(weights)
    shares = totals / sizes
    variance = (shares * (1 - shares) / (sizes - 1)) @ factors**2
    value = constant + shares @ factors
    # Each end goes by the end of the interval of each group that it depends on.
    ends = [factors * (end - shares) for end in wilson_interval(shares, sizes, confidence)]
    below, above = (np.sqrt((reach(*ends) ** 2).sum(-1)) for reach in (np.minimum, np.maximum))
    return SurveyEstimates(value, np.sqrt(variance), value - below, value + above)


def shares_and_variances(counts: Sequence[Count]) -> list[tuple[float, float]]:
    """Returns share of yes and its unbiased variance, l (1 - l) / (n - 1), of each group."""
    found = []
    for count in counts:
        share = count.share
        found.append((share, share * (1 - share) / (count.respondents - 1)))
    return found


def linear(
    constant: float, weights: Sequence[float], groups: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """Returns constant + sum of weight times share, and its standard error."""
    value = constant + sum(w * share for w, (share, _) in zip(weights, groups, strict=True))
    variance = sum(w * w * v for w, (_, v) in zip(weights, groups, strict=True))
    return value, sqrt(variance)


def require_different_groups(first: object, second: object) -> None:
    """Refuses two groups whose devices are alike.

    Raises:
        ParameterError: They are, so that both groups together estimate no more than one.
    """
    if first == second:
        raise ParameterError(T.SAME_DEVICES())
