"""Strata by hand: shares of the population, expected shares of carriers, respondents of each.

The estimate is the sum of W_h times the estimate of stratum h, with W_h its share of the
population, so that its variance is the sum of W_h^2 V_h / n_h. Respondents in proportion to W_h
give the sum of W_h V_h over n; Neyman's allocation (JRSS 1934), in proportion to W_h sqrt(V_h),
gives the least there is: (sum of W_h sqrt(V_h))^2 / n. The device's part of V_h is hardly ever
unequal, so that a randomized survey gains less by it than a direct one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, sqrt
from typing import Literal

from dpdesk.designs.base import Design
from dpdesk.designs.people import People
from dpdesk.designs.planning.sample import LARGEST_SAMPLE, Sample, numbered
from dpdesk.designs.planning.texts import T
from dpdesk.errors import ParameterError

Allocation = Literal["proportional", "neyman"]


@dataclass(frozen=True, slots=True)
class Stratum:
    """A part of the population.

    Attributes:
        share: Its share of the population; the shares of all sum to 1.
        people: What is supposed of the people in it.
    """

    share: float
    people: People


@dataclass(frozen=True, slots=True)
class StratifiedPlan:
    """Respondents of each stratum and what they give.

    Attributes:
        respondents: Number of respondents of each stratum.
        margins: Half-width of the interval of each stratum's estimate.
        people: What that makes of all together.
        margin: Half-width of the interval of the whole estimate.
        unstratified_margin: The same where as many respondents are drawn from all alike.
    """

    respondents: tuple[int, ...]
    margins: tuple[float, ...]
    people: People
    margin: float
    unstratified_margin: float

    @property
    def total(self) -> int:
        """Number of all respondents."""
        return sum(self.respondents)


def plan_of_strata(
    design: Design, strata: Sequence[Stratum], respondents: Sequence[int], confidence: float = 0.95
) -> StratifiedPlan:
    """Returns the margins that numbers of respondents give.

    Raises:
        ParameterError: A number is impossible, or the shares do not sum to 1.
    """
    variances = _variances(design, strata)
    if len(respondents) != len(strata):
        raise ParameterError(T.COUNT_OF_STRATA(strata=len(strata), given=len(respondents)))
    least = 2 * design.group_count
    if min(respondents) < least or sum(respondents) > LARGEST_SAMPLE:
        raise ParameterError(T.SMALL_STRATUM(least=least))
    people = _mixed(strata)
    whole = Sample(design, people, sum(respondents), confidence)
    parts = [v / n for v, n in zip(variances, respondents, strict=True)]
    squared = sum(s.share**2 * part for s, part in zip(strata, parts, strict=True))
    return StratifiedPlan(
        respondents=tuple(respondents),
        margins=tuple(whole.quantile * sqrt(part) for part in parts),
        people=people,
        margin=whole.quantile * sqrt(squared),
        unstratified_margin=whole.margin,
    )


def allocate(
    design: Design, strata: Sequence[Stratum], respondents: int, allocation: Allocation
) -> tuple[int, ...]:
    """Splits respondents over strata, none of which gets fewer than an estimate needs.

    Whole numbers by the largest remainders, which sum to `respondents`.

    Raises:
        ParameterError: There are too few respondents, or a number is impossible.
    """
    variances = _variances(design, strata)
    least = 2 * design.group_count
    if not least * len(strata) <= respondents <= LARGEST_SAMPLE:
        raise ParameterError(T.SMALL_STRATUM(least=least))
    weights = _weights(strata, variances, allocation)
    # Strata that would get too few get the least; the others share what remains.
    small: set[int] = set()
    while True:
        room = respondents - least * len(small)
        rest = sum(w for i, w in enumerate(weights) if i not in small)
        exact = [least if i in small else room * w / rest for i, w in enumerate(weights)]
        below = {i for i, n in enumerate(exact) if n < least and i not in small}
        if not below:
            break
        small |= below
    counts = [floor(n + 1e-9) for n in exact]
    by_remainder = sorted(range(len(counts)), key=lambda i: counts[i] - exact[i])
    for i in by_remainder[: respondents - sum(counts)]:
        counts[i] += 1
    return tuple(counts)


def respondents_for_strata(
    design: Design,
    strata: Sequence[Stratum],
    margin: float,
    allocation: Allocation,
    confidence: float = 0.95,
) -> StratifiedPlan:
    """Returns the fewest respondents, allocated to strata, whose whole margin is small enough.

    Raises:
        ParameterError: A number is impossible, or no survey is large enough.
    """
    variances = _variances(design, strata)
    whole = Sample(design, _mixed(strata), confidence=confidence)
    whole.people.require_margin(margin)
    target = (margin / whole.quantile) ** 2
    weights = _weights(strata, variances, allocation)
    squares = sum(s.share**2 * v / w for s, v, w in zip(strata, variances, weights, strict=True))
    needed = max(
        ceil(squares * sum(weights) / target * (1 - 1e-12)), 2 * design.group_count * len(strata)
    )
    if needed > LARGEST_SAMPLE:
        raise ParameterError(T.TOO_MANY_NEEDED())
    # Whole numbers of respondents in each stratum may need a few more in all.
    while True:
        counts = allocate(design, strata, needed, allocation)
        plan = plan_of_strata(design, strata, counts, confidence)
        if plan.margin <= margin:
            return plan
        needed += 1


def _variances(design: Design, strata: Sequence[Stratum]) -> list[float]:
    if not strata or abs(sum(s.share for s in strata) - 1) > 1e-6:
        raise ParameterError(T.NO_SUM())
    variances = []
    for number, stratum in enumerate(strata, start=1):
        with numbered(T.IN_STRATUM, number):
            if not 0 < stratum.share <= 1:
                raise ParameterError(T.EMPTY_STRATUM())
            stratum.people.check("expected share of carriers in a stratum")
            variances.append(stratum.people.variance(design).total)
    return variances


def _mixed(strata: Sequence[Stratum]) -> People:
    """The people of all strata together."""
    parts = [(stratum.share, stratum.people) for stratum in strata]
    return strata[0].people.mixed(parts)


def _weights(
    strata: Sequence[Stratum], variances: Sequence[float], allocation: Allocation
) -> list[float]:
    if allocation == "proportional":
        return [s.share for s in strata]
    return [s.share * sqrt(v) for s, v in zip(strata, variances, strict=True)]
