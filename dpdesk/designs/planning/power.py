"""Finding a share that is not the one of the null hypothesis, or that people deny."""

from __future__ import annotations

from math import ceil, sqrt

from dpdesk.designs.planning.margin import NORMAL, require_share
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


def respondents_to_beat_direct(design: YesNoDesign, prevalence: float, denial: float) -> int:
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
