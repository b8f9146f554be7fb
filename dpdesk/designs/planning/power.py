"""Telling a value from another one; and a direct question that people deny."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, sqrt
from statistics import NormalDist
from typing import Literal

from dpdesk.designs.base import Design
from dpdesk.designs.law import require_share
from dpdesk.designs.planning.epsilon import least_reaching
from dpdesk.designs.planning.sample import Sample, kish_effect
from dpdesk.designs.planning.texts import T
from dpdesk.designs.yes_no import PlannedVariance
from dpdesk.errors import ParameterError

Second = Literal["", "device", "direct"]

_NORMAL = NormalDist()
_ROUNDING = 1 - 1e-12


@dataclass(frozen=True)
class Contrast:
    """What a value is told from, and by which test.

    Attributes:
        against: The value of the null hypothesis, or of a second group.
        alpha: Level of the test.
        two_sided: Whether the test looks at both sides.
        second: How a second, independent group of as many is asked: with the device of the first,
            or directly; empty where the value is compared with a fixed one.
    """

    against: float
    alpha: float = 0.05
    two_sided: bool = False
    second: Second = ""

    @property
    def quantile(self) -> float:
        """The standard errors by which the test rejects.

        Raises:
            ParameterError: The level does not lie between 0 and 1.
        """
        sides = 2 if self.two_sided else 1
        return _NORMAL.inv_cdf(1 - require_share(self.alpha, "level") / sides)

    def spreads(self, sample: Sample, *, direct: bool = False) -> tuple[float, float]:
        """Returns roots of n times the variance of what is tested, under the null and in truth.

        Args:
            sample: The sample.
            direct: Whether everybody is asked directly instead of with its device.

        Raises:
            ParameterError: A value is impossible.
        """
        people = sample.people
        for value in (self.against, people.value):
            people.require_value(value)
        null = people.at(self.against)
        under_null, in_truth = (
            p.spread if direct else p.variance(sample.design).total for p in (null, people)
        )
        other = {"": 0.0, "device": under_null, "direct": null.spread}[self.second]
        return sqrt(under_null + other), sqrt(in_truth + other)


def power(sample: Sample, contrast: Contrast, *, direct: bool = False) -> float:
    """Returns the chance of finding that the value is not the one of the null hypothesis.

    The test compares the estimate with the null hypothesis, its error taken at the null's value;
    normal approximation, s(pi) = sqrt(V(pi)). A two-sided test also rejects on the wrong side. With
    a second group the null hypothesis is that both have its share: s^2 = V(pi0) + V2(pi0) then, and
    V(pi1) + V2(pi0) else (Blair, Imai & Zhou 2015, JASA 110, 1304-1319; R package rr).

    Args:
        sample: The sample, with the true value; each of two groups is as large.
        contrast: The test.
        direct: Whether everybody is asked directly instead of with the device.

    Raises:
        ParameterError: A number is impossible.
    """
    under_null, in_truth = contrast.spreads(sample, direct=direct)
    quantile = contrast.quantile
    shift = abs(sample.people.value - contrast.against) * sqrt(sample.respondents)
    found = _NORMAL.cdf((shift - quantile * under_null) / in_truth)
    if contrast.two_sided:
        found += _NORMAL.cdf((-shift - quantile * under_null) / in_truth)
    return found


def respondents_for_power(sample: Sample, contrast: Contrast, wanted: float) -> Sample:
    """Returns the sample with the least respondents, of each group, who have a power.

    n = [(z_alpha s0 + z_beta s1) / (pi1 - pi0)]^2, rounded up; fewer where a two-sided test's
    other side has a part in the power.

    Args:
        sample: The sample, with the true value; its respondents do not matter.
        contrast: The test.
        wanted: The power.

    Raises:
        ParameterError: A number is impossible, or both values are equal.
    """
    distance = sample.people.value - contrast.against
    if not distance:
        raise ParameterError(T.NO_EFFECT())
    under_null, in_truth = contrast.spreads(sample)
    reach = contrast.quantile * under_null
    reach += _NORMAL.inv_cdf(require_share(wanted, "power")) * in_truth
    most = max(2, ceil((reach / distance) ** 2 * _ROUNDING))
    if not contrast.two_sided:
        return sample.of(most)

    def reaches(respondents: int) -> bool:
        return power(sample.of(respondents), contrast) >= wanted * _ROUNDING

    least, most = 2, most if reaches(most) else 2 * most
    while least < most:
        middle = (least + most) // 2
        if reaches(middle):
            most = middle
        else:
            least = middle + 1
    return sample.of(most)


def least_epsilon_for_power(sample: Sample, contrast: Contrast, wanted: float) -> float:
    """Returns the least epsilon at which a test of so many respondents has a power.

    Raises:
        ParameterError: No epsilon does, or an epsilon does not decide the parameters.
    """

    def reaches(design: Design) -> bool:
        found = respondents_for_power(sample.asked_by(design), contrast, wanted)
        return found.respondents <= sample.respondents

    failure = T.TOO_FEW(respondents=sample.respondents)
    return least_reaching(sample.design, reaches, failure)


def typical_error(sample: Sample) -> float:
    """Returns the root mean squared error of the design.

    Raises:
        ParameterError: A number is impossible.
    """
    return sample.error_of(sample.people.variance(sample.design))


def denied_error(sample: Sample, denial: float) -> float:
    """Returns the root mean squared error of a direct question that a share of carriers deny.

    sqrt(V' / n + (pi u)^2), V' being the variance of what is said, weighted and corrected as that
    of the sample: no n removes the second part.

    Raises:
        ParameterError: A number is impossible.
    """
    bias, variance = sample.people.denied(denial, sample.design)
    return sqrt(sample.error_of(PlannedVariance(variance, 0.0)) ** 2 + bias**2)


def respondents_to_beat_direct(sample: Sample, denial: float) -> int | None:
    """Returns from how many respondents on the design errs less than a direct question.

    A share of the carriers denies when asked directly, which biases the direct estimate by
    b = -pi u; its squared error no longer shrinks with n. With D the difference of the sampling
    variances and V_R the device's, it is n >= k (D + V_R) / b^2 for weights of Kish's effect k, and
    n >= (D N / (N - 1) + V_R) / (b^2 + D / (N - 1)) in a population of N; both err alike at
    equality.

    Args:
        sample: The sample; its respondents do not matter.
        denial: Share of the carriers who deny.

    Returns:
        The number; None where the design errs more even if the whole population is asked.

    Raises:
        ParameterError: A number is impossible.
    """
    population, people = sample.population, sample.people
    people.check()
    bias, direct = people.denied(require_share(denial, "share of denials"), sample.design)
    effect = kish_effect(sample.weights_cv, population)
    if population is not None:
        everybody = sample.of(population)
        if typical_error(everybody) >= denied_error(everybody, denial):
            return None
    variance = people.variance(sample.design)
    gap, squared = variance.sampling - direct, bias**2
    if population is not None:
        gap, squared = gap * population / (population - 1), squared + gap / (population - 1)
    needed = effect * (gap + variance.privacy)
    # Where it holds of the smallest survey it does of all others.
    return 2 if needed <= 2 * squared else ceil(needed / squared * _ROUNDING)
