"""From a margin, a power or a number of respondents to the unknown one of them.

With V = pi (1 - pi) + V_R (`Design.planned_variance`), an estimate from n respondents has the
standard error sqrt(V / n). In a population of N the finite correction touches the sampling part
only: the device adds its noise however many of the people are asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, inf, log, sqrt
from statistics import NormalDist

from dpdesk.designs.base import Design
from dpdesk.errors import ParameterError

_NORMAL = NormalDist()
LARGEST_SAMPLE = 10**15
"""More respondents than there are people in any population."""


@dataclass(frozen=True, slots=True)
class SamplePlan:
    """A number of respondents and what it gives.

    Attributes:
        respondents: Number of respondents.
        margin: Half-width of the interval.
        design_effect: Respondents needed, as a multiple of those for direct questions.
        effective_respondents: Number of direct, truthful answers that tell as much.
    """

    respondents: int
    margin: float
    design_effect: float
    effective_respondents: float


def require_share(value: float, what: str) -> float:
    """Returns a share if it lies strictly between 0 and 1.

    Raises:
        ParameterError: It does not.
    """
    if not 0 < value < 1:
        raise ParameterError(
            f"The {what} must lie between 0 and 1.", remedy="Type a number such as 0.1."
        )
    return value


def respondents_for_margin(
    design: Design,
    prevalence: float,
    margin: float,
    confidence: float = 0.95,
    population: int | None = None,
) -> SamplePlan:
    """Returns the least number of respondents whose interval is no wider than wanted.

    n = (S^2 + V_R) / ((margin / z)^2 + S^2 / N), with S^2 = N pi (1 - pi) / (N - 1).

    Raises:
        ParameterError: A number is impossible, or the whole population is not enough.
    """
    variance = design.planned_variance(require_share(prevalence, "expected share"))
    target = (require_share(margin, "margin") / _z(confidence)) ** 2
    if population is None:
        needed = ceil(variance.total / target * (1 - 1e-12))
    else:
        spread = variance.sampling * _people(population) / (population - 1)
        needed = ceil((spread + variance.privacy) / (target + spread / population) * (1 - 1e-12))
        if needed > population:
            raise ParameterError(
                f"Even with all {population:,} people asked, the device's own noise leaves a "
                "wider margin.",
                remedy="Accept a wider margin, or a larger epsilon.",
            )
    if needed > LARGEST_SAMPLE:
        raise ParameterError(
            "No survey has as many respondents as this margin needs.",
            remedy="Accept a wider margin, or a larger epsilon.",
        )
    return plan_of_sample(design, prevalence, max(needed, 2), confidence, population)


def plan_of_sample(
    design: Design,
    prevalence: float,
    respondents: int,
    confidence: float = 0.95,
    population: int | None = None,
) -> SamplePlan:
    """Returns the margin that a number of respondents gives.

    Raises:
        ParameterError: A number is impossible.
    """
    variance = design.planned_variance(require_share(prevalence, "expected share"))
    if respondents < 2:
        raise ParameterError("A survey has at least 2 respondents.", remedy="Type a larger number.")
    sampling = variance.sampling
    if population is not None:
        if respondents > _people(population):
            raise ParameterError(
                "There are more respondents than people in the population.",
                remedy="Type fewer respondents, or the right population.",
            )
        sampling *= (population - respondents) / (population - 1)
    effect = variance.total / variance.sampling
    return SamplePlan(
        respondents=respondents,
        margin=_z(confidence) * sqrt((sampling + variance.privacy) / respondents),
        design_effect=effect,
        effective_respondents=respondents / effect,
    )


def power(
    design: Design,
    null: float,
    alternative: float,
    respondents: int,
    alpha: float = 0.05,
    *,
    two_sided: bool = False,
) -> float:
    """Returns the chance of finding that the share is not the one of the null hypothesis.

    The test compares the estimate with the null hypothesis, its error taken at the null's share;
    normal approximation, s(pi) = sqrt(V(pi)).

    Raises:
        ParameterError: A number is impossible.
    """
    under_null, under_other = _spreads(design, null, alternative)
    quantile = _NORMAL.inv_cdf(1 - require_share(alpha, "level") / (2 if two_sided else 1))
    shift = abs(alternative - null) * sqrt(respondents)
    return _NORMAL.cdf((shift - quantile * under_null) / under_other)


def respondents_for_power(
    design: Design,
    null: float,
    alternative: float,
    wanted: float,
    alpha: float = 0.05,
    *,
    two_sided: bool = False,
) -> int:
    """Returns the least number of respondents with at least the wanted power.

    n = [(z_alpha s0 + z_beta s1) / (pi1 - pi0)]^2, rounded up.

    Raises:
        ParameterError: A number is impossible, or both shares are equal.
    """
    if null == alternative:
        raise ParameterError(
            "Both shares are equal, so that there is nothing to find.",
            remedy="Type a share that differs from the one of the null hypothesis.",
        )
    under_null, under_other = _spreads(design, null, alternative)
    quantile = _NORMAL.inv_cdf(1 - require_share(alpha, "level") / (2 if two_sided else 1))
    reach = quantile * under_null + _NORMAL.inv_cdf(require_share(wanted, "power")) * under_other
    return max(2, ceil((reach / (alternative - null)) ** 2 * (1 - 1e-12)))


def epsilon_for_margin(
    prevalence: float, margin: float, respondents: int, confidence: float = 0.95
) -> float:
    """Returns the least epsilon at which n respondents reach a margin, by Warner's design.

    Among all designs of finite epsilon Warner's has the least variance: V_R = x / (x - 1)^2 with
    x = e^epsilon, so that epsilon = ln[(2v + 1 + sqrt(4v + 1)) / (2v)] with v = n (margin / z)^2 -
    pi (1 - pi).

    Raises:
        ParameterError: Even direct questions would not reach the margin.
    """
    sampling = require_share(prevalence, "expected share") * (1 - prevalence)
    room = respondents * (require_share(margin, "margin") / _z(confidence)) ** 2 - sampling
    if room <= 0:
        raise ParameterError(
            f"{respondents:,} respondents do not reach this margin even with direct questions.",
            remedy="Accept a wider margin, or ask more people.",
        )
    return log((2 * room + 1 + sqrt(4 * room + 1)) / (2 * room))


def epsilon_for_posterior(prevalence: float, cap: float) -> float:
    """Returns the largest epsilon at which no answer makes a respondent look like a carrier more.

    epsilon = ln[cap (1 - pi) / ((1 - cap) pi)].

    Args:
        prevalence: What is believed of everybody before an answer.
        cap: The most that may be believed of anybody afterwards.

    Raises:
        ParameterError: The cap does not lie above the share.
    """
    if require_share(cap, "largest belief") <= require_share(prevalence, "expected share"):
        raise ParameterError(
            "The largest belief must lie above the expected share.",
            remedy="Type a larger one: without any answer the belief is the share itself.",
        )
    return log(cap * (1 - prevalence) / ((1 - cap) * prevalence))


def posterior_range(prevalence: float, epsilon: float) -> tuple[float, float]:
    """Returns between what an answer can move the belief that a respondent is a carrier."""
    if epsilon == inf:
        return 0.0, 1.0
    x = exp(epsilon)
    return prevalence / (prevalence + (1 - prevalence) * x), (
        prevalence * x / (1 - prevalence + prevalence * x)
    )


def respondents_to_beat_direct(design: Design, prevalence: float, denial: float) -> int:
    """Returns from how many respondents on the design errs less than a direct question.

    A share of the carriers denies when asked directly, which biases the direct estimate by
    -pi u; its squared error no longer shrinks with n: n > (V_RR - V_DQ) / (pi u)^2.

    Raises:
        ParameterError: A share is impossible.
    """
    bias = require_share(prevalence, "expected share") * require_share(denial, "share of denials")
    seen = prevalence - bias
    difference = design.planned_variance(prevalence).total - seen * (1 - seen)
    return max(2, ceil(difference / bias**2))


def warner_chance(epsilon: float) -> Fraction:
    """Returns p = E / (E + 1) of Warner's design, to six decimals, rounded to the safe side."""
    exact = 1 / (1 + exp(-epsilon))
    return Fraction(int(exact * 10**6), 10**6)


def _spreads(design: Design, null: float, alternative: float) -> tuple[float, float]:
    shares = (null, alternative)
    if any(not 0 <= share <= 1 for share in shares):
        raise ParameterError(
            "A share must lie between 0 and 1.", remedy="Type a number such as 0.1."
        )
    found = [sqrt(design.planned_variance(share).total) for share in shares]
    return found[0], found[1]


def _z(confidence: float) -> float:
    return _NORMAL.inv_cdf((1 + require_share(confidence, "confidence")) / 2)


def _people(population: int) -> int:
    if population < 2:
        raise ParameterError(
            "A population has at least 2 people.", remedy="Type the size of the population."
        )
    return population
