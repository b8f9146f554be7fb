"""What designs with two groups share: the share of yes of each, with its variance."""

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
from dpdesk.designs.sample_design import Labels
from dpdesk.designs.yes_no import (
    Count,
    Floats,
    PlannedVariance,
    SurveyEstimates,
    YesNoDesign,
    normal_estimates,
)
from dpdesk.errors import ParameterError


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
    def combination(self) -> tuple[float, tuple[float, float]]:
        """The constant and the weight of each group's share of yes in the share of carriers.

        Raises:
            ParameterError: Both groups' devices are alike.
        """

    @abstractmethod
    def other_shares(
        self, value: float, groups: Sequence[tuple[float, float]]
    ) -> Mapping[str, tuple[float, float]]:
        """Returns the other quantities that both groups tell, with their standard errors.

        Args:
            value: The estimated share of carriers.
            groups: Share of yes of each group and its variance.
        """

    def chances_of(self, said: Floats, group: Labels, anchor: Floats | None) -> AnswerChances:
        """Returns the chances of who is in each group, with the open share in them."""
        which, yes = np.clip(group, 0, 1), said == 1
        found = []
        for chances in zip(*self.open_chances, strict=True):
            parts = np.array([[float(chance.start), float(chance.slope)] for chance in chances])
            start, slope = parts[which].T
            found.append((np.where(yes, start, 1 - start), np.where(yes, slope, -slope)))
        (high, high_slope), (low, low_slope) = found
        return AnswerChances(high, low, high_slope, low_slope, self.open_share)

    def tested(self, shares: Sequence[float]) -> tuple[str, float] | None:
        """Returns the first of the other shares that has a test."""
        constant, weights = self.combination
        carriers = constant + weights[0] * shares[0] + weights[1] * shares[1]
        found = self.other_shares(carriers, [(share, 0.0) for share in shares])
        return next(((name, found[name][0]) for name in found if name in TESTS), None)

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the weighted sum, groups being of equal size."""
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
        """Returns the shares of carriers of many surveys."""
        constant, weights = self.combination
        sizes = np.array(respondents, dtype=np.float64)
        shares, factors = totals / sizes, np.array(weights)
        variance = (shares * (1 - shares) / (sizes - 1)) @ factors**2
        return normal_estimates(constant + shares @ factors, np.sqrt(variance), confidence)

    def _told_besides(
        self, value: float, counts: Sequence[Count]
    ) -> Mapping[str, tuple[float, float]]:
        return self.other_shares(value, shares_and_variances(counts))


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


def require_difference(first: object, second: object, what: str) -> None:
    """Refuses two groups whose devices are alike.

    Raises:
        ParameterError: They are, so that the groups together tell no more than one.
    """
    if first == second:
        raise ParameterError(
            f"Both groups have the same {what}, so that together they tell no more than one.",
            remedy="Give the two groups different devices.",
        )
