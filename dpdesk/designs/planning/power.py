"""Finding a share that is not the one of the null hypothesis, or that people deny."""

from __future__ import annotations

from math import ceil, sqrt

from dpdesk.designs.planning.margin import (
    NORMAL,
    finite_correction,
    kish_effect,
    planned_error,
    require_share,
)
from dpdesk.designs.yes_no import YesNoDesign
from dpdesk.errors import ParameterError


def power(
    design: YesNoDesign,
    null: float,
    alternative: float,
    respondents: int,
    alpha: float = 0.05,
    *,
    two_sided: bool = False,
    second: YesNoDesign | None = None,
) -> float:
    """Returns the chance of finding that the share is not the one of the null hypothesis.

    The test compares the estimate with the null hypothesis, its error taken at the null's share;
    normal approximation, s(pi) = sqrt(V(pi)). A two-sided test also rejects on the wrong side. With
    a second group the null hypothesis is that both have its share: s^2 = V(pi0) + V2(pi0) then, and
    V(pi1) + V2(pi0) else (Blair, Imai & Zhou 2015, JASA 110, 1304-1319; R package rr).

    Args:
        design: The design.
        null: The share of the null hypothesis, or of the second group.
        alternative: The true share.
        respondents: Number of respondents, of each group.
        alpha: Level of the test.
        two_sided: Whether the test looks at both sides.
        second: The design that a second, independent group is asked through; None where the share
            is compared with a fixed one.

    Raises:
        ParameterError: A number is impossible.
    """
    under_null, under_other = _spreads(design, null, alternative, second)
    quantile = NORMAL.inv_cdf(1 - require_share(alpha, "level") / (2 if two_sided else 1))
    shift = abs(alternative - null) * sqrt(respondents)
    found = NORMAL.cdf((shift - quantile * under_null) / under_other)
    if two_sided:
        found += NORMAL.cdf((-shift - quantile * under_null) / under_other)
    return found


def respondents_for_power(
    design: YesNoDesign,
    null: float,
    alternative: float,
    wanted: float,
    alpha: float = 0.05,
    *,
    two_sided: bool = False,
    second: YesNoDesign | None = None,
) -> int:
    """Returns the least number of respondents, of each group, with at least the wanted power.

    n = [(z_alpha s0 + z_beta s1) / (pi1 - pi0)]^2, rounded up; fewer where a two-sided test's
    other side has a part in the power. The arguments are those of `power`.

    Raises:
        ParameterError: A number is impossible, or both shares are equal.
    """
    if null == alternative:
        raise ParameterError(
            "Both shares are equal, so that there is nothing to find.",
            remedy="Type a share that differs from the one of the null hypothesis.",
        )
    under_null, under_other = _spreads(design, null, alternative, second)
    quantile = NORMAL.inv_cdf(1 - require_share(alpha, "level") / (2 if two_sided else 1))
    reach = quantile * under_null + NORMAL.inv_cdf(require_share(wanted, "power")) * under_other
    most = max(2, ceil((reach / (alternative - null)) ** 2 * (1 - 1e-12)))
    if not two_sided:
        return most

    def reaches(respondents: int) -> bool:
        found = power(design, null, alternative, respondents, alpha, two_sided=True, second=second)
        return found >= wanted * (1 - 1e-12)

    least, most = 2, most if reaches(most) else 2 * most
    while least < most:
        middle = (least + most) // 2
        if reaches(middle):
            most = middle
        else:
            least = middle + 1
    return most


def denied_error(
    prevalence: float,
    denial: float,
    respondents: int,
    population: int | None = None,
    weights_cv: float = 0.0,
) -> float:
    """Returns the root mean squared error of a direct question that a share of the carriers deny.

    sqrt(V' / n + (pi u)^2), V' being the variance of a truthful answer at pi (1 - u), weighted and
    corrected as in `planned_error`: no n removes the second part.

    Args:
        prevalence: The expected share of carriers.
        denial: Share of them who deny.
        respondents: Number of respondents.
        population: Number of people, for a simple random sample of them; None for many.
        weights_cv: Coefficient of variation of the respondents' weights.

    Raises:
        ParameterError: A number is impossible.
    """
    bias = _bias(prevalence, denial)
    seen = prevalence - bias
    left = 1.0 if population is None else finite_correction(respondents, population)
    variance = kish_effect(weights_cv, population) * left * seen * (1 - seen) / respondents
    return sqrt(variance + bias**2)


def respondents_to_beat_direct(
    design: YesNoDesign,
    prevalence: float,
    denial: float,
    population: int | None = None,
    weights_cv: float = 0.0,
) -> int | None:
    """Returns from how many respondents on the design errs less than a direct question.

    A share of the carriers denies when asked directly, which biases the direct estimate by
    b = -pi u; its squared error no longer shrinks with n. With D the difference of the sampling
    variances and V_R the device's, it is n >= k (D + V_R) / b^2 for weights of Kish's effect k, and
    n >= (D N / (N - 1) + V_R) / (b^2 + D / (N - 1)) in a population of N; both err alike at
    equality.

    The arguments are those of `denied_error`, beside the design.

    Returns:
        The number; None where the design errs more even if the whole population is asked.

    Raises:
        ParameterError: A number is impossible.
    """
    bias = _bias(prevalence, denial)
    effect = kish_effect(weights_cv, population)
    if population is not None and planned_error(
        design, prevalence, population, population
    ) >= denied_error(prevalence, denial, population, population):
        return None
    variance, seen = design.planned_variance(prevalence), prevalence - bias
    gap, device, squared = variance.sampling - seen * (1 - seen), variance.privacy, bias**2
    if population is not None:
        gap, squared = gap * population / (population - 1), squared + gap / (population - 1)
    needed = effect * (gap + device)
    # Where it holds of the smallest survey it does of all others.
    return 2 if needed <= 2 * squared else ceil(needed / squared * (1 - 1e-12))


def _bias(prevalence: float, denial: float) -> float:
    return require_share(prevalence, "expected share") * require_share(denial, "share of denials")


def _spreads(
    design: YesNoDesign, null: float, alternative: float, second: YesNoDesign | None
) -> tuple[float, float]:
    """Root of n times the variance of what is tested, under the null hypothesis and in truth."""
    shares = (null, alternative)
    if any(not 0 <= share <= 1 for share in shares):
        raise ParameterError(
            "A share must lie between 0 and 1.", remedy="Type a number such as 0.1."
        )
    other = 0.0 if second is None else second.planned_variance(null).total
    found = [sqrt(design.planned_variance(share).total + other) for share in shares]
    return found[0], found[1]
