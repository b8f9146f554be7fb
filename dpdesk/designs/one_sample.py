"""Designs with one group and two answers: two chances of "yes" and one estimator.

a = P(yes | carrier), b = P(yes | non-carrier), lambda = pi a + (1 - pi) b. The estimate is
(share of yes - b) / (a - b); its variance lambda (1 - lambda) / (n (a - b)^2) is estimated without
bias with n - 1 (Chaudhuri and Mukerjee 1988).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from math import sqrt

import numpy as np

from dpdesk.designs.base import (
    Design,
    Group,
    PlannedVariance,
    binary_group,
    require_difference,
)
from dpdesk.designs.counts import Count
from dpdesk.designs.exact_interval import clopper_pearson
from dpdesk.designs.survey_estimate import Floats, SurveyEstimate, SurveyEstimates
from dpdesk.numbers.intervals import wilson_interval


class OneSampleDesign(Design):
    """A design with one group that answers yes or no."""

    @property
    @abstractmethod
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a and b: the chance of "yes" of a carrier and of a non-carrier."""

    @property
    def groups(self) -> tuple[Group, ...]:
        """The one group."""
        return (binary_group(*self.chances),)

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the share of carriers."""
        a, b = map(float, self.chances)
        return PlannedVariance(prevalence * (1 - prevalence), privacy_variance(a, b, prevalence))

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        """Returns the shares of carriers of many surveys."""
        return yes_no_estimates(totals[..., 0], respondents[0], *self.chances, confidence)

    def estimate(self, counts: Sequence[Count], confidence: float = 0.95) -> SurveyEstimate:
        """Returns the share of carriers."""
        (count,) = (count.checked() for count in counts)
        self.groups  # noqa: B018 - refuses a device that tells nothing
        return yes_no_estimate(count, *self.chances, confidence)


def yes_no_estimate(count: Count, a: Fraction, b: Fraction, confidence: float) -> SurveyEstimate:
    """Returns the share of carriers from yes and no of one group."""
    low, gap, n = float(b), float(a - b), count.respondents
    totals = np.array([count.yes], dtype=np.float64)
    value, error, lower, upper = yes_no_estimates(totals, n, a, b, confidence).only
    exact = sorted((end - low) / gap for end in clopper_pearson(count.yes, n, confidence))
    possible = min(max(value, 0.0), 1.0)
    sampling = sqrt(possible * (1 - possible) / n)
    return SurveyEstimate(
        estimate=value,
        truncated=possible,
        standard_error=error,
        sampling_error=sampling,
        privacy_error=sqrt(privacy_variance(float(a), float(b), possible) / n),
        lower=lower,
        upper=upper,
        conservative=(exact[0], exact[1]),
    )


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
