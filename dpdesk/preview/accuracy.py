"""Error against epsilon and against the number of respondents, for every mechanism that fits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from math import sqrt

import numpy as np

from dpdesk.mechanisms import Mechanism, proposed
from dpdesk.mechanisms.choice import mean_accuracy
from dpdesk.numbers.arrays import Floats
from dpdesk.plan import mechanism_at
from dpdesk.preview.request import CACHED_VIEWS, PreviewRequest, Z
from dpdesk.preview.solve import error_at

_POINTS = 41
_EPSILON_ENDS = ((Decimal("0.05"), Decimal(20)), (Decimal("0.0001"), Decimal(40)))
_RESPONDENTS_AROUND = 100.0


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The 95 % error of one mechanism.

    Attributes:
        kind: The mechanism's tag.
        short: Its name.
        by_epsilon: Errors at `AccuracyView.epsilons`; all alike where epsilon follows from other
            parameters of the mechanism, NaN where it contradicts them.
        by_respondents: Errors at `AccuracyView.respondents`.
    """

    kind: str
    short: str
    by_epsilon: Floats
    by_respondents: Floats


@dataclass(frozen=True, slots=True, eq=False)
class AccuracyView:
    """95 % errors (noise and sampling) around the current choice.

    Attributes:
        epsilons: Shape (p,), in equal ratios.
        respondents: Shape (p,), in equal ratios, the current number in the middle.
        chosen: The curve of the mechanism in force.
        others: The curves of the other mechanisms that fit and could be chosen.
        unprotected: Errors without protection at `respondents`; at the current number this is
            the floor of every curve.
        floor: Error without protection at the current number of respondents.
        epsilon, count, error: The current choice.
        unit: "pp" or the attribute's unit.
        error_range: Ends of the axis of errors; stays while epsilon moves.
    """

    epsilons: Floats
    respondents: Floats
    chosen: Curve
    others: tuple[Curve, ...]
    unprotected: Floats
    floor: float
    epsilon: float
    count: int
    error: float
    unit: str
    error_range: tuple[float, float]


@lru_cache(maxsize=CACHED_VIEWS)
def accuracy_view(request: PreviewRequest) -> AccuracyView:
    """Returns the curves of a request."""
    domain, count, own = request.domain, request.respondents, request.mechanism
    epsilons = _epsilons(own.epsilon)
    respondents = np.geomspace(
        max(count / _RESPONDENTS_AROUND, 1.0), count * _RESPONDENTS_AROUND, _POINTS
    )
    others = proposed(domain, own.epsilon, request.sampling)
    chosen, *curves = (
        _curve(mechanism, request, epsilons, respondents)
        for mechanism in (own, *(other for other in others if other.kind != own.kind))
    )
    accuracy, single = request.accuracy, Z * request.scale
    floor = single * accuracy.sampling
    whole = domain.scale * domain.span
    return AccuracyView(
        epsilons=np.array([float(e) for e in epsilons]),
        respondents=respondents,
        chosen=chosen,
        others=tuple(curves),
        unprotected=floor * np.sqrt(count / respondents),
        floor=floor,
        epsilon=float(own.epsilon),
        count=count,
        error=single * accuracy.total,
        unit=request.unit,
        # From below the floor to the width of what can be estimated at all.
        error_range=(floor / 2, max(whole, floor * 20)),
    )


def _curve(
    mechanism: Mechanism, request: PreviewRequest, epsilons: tuple[Decimal, ...], counts: Floats
) -> Curve:
    single, count = Z * request.scale, request.respondents
    now = single * _error_of_one(replace(request, mechanism=mechanism))
    along = np.full(len(epsilons), now / sqrt(count))
    if mechanism.adjustable:
        # A cache key that stays the same while epsilon moves.
        fixed = replace(request, mechanism=mechanism_at(mechanism, epsilons[0]), respondents=1)
        along = single * _errors(fixed, epsilons) / np.sqrt(count)
    return Curve(
        kind=mechanism.kind,
        short=mechanism.short,
        by_epsilon=along,
        by_respondents=now / np.sqrt(counts),
    )


@lru_cache(maxsize=16)
def _epsilons_between(lowest: Decimal, highest: Decimal) -> tuple[Decimal, ...]:
    spread = np.geomspace(float(lowest), float(highest), _POINTS)
    inner = (Decimal(f"{e:.6f}") for e in spread[1:-1])
    return (lowest, *inner, highest)


def _epsilons(epsilon: Decimal) -> tuple[Decimal, ...]:
    ends = next(e for e in _EPSILON_ENDS if e[0] <= epsilon <= e[1])
    return _epsilons_between(*ends)


def _error_of_one(request: PreviewRequest) -> float:
    """The standard error with one respondent; every one shrinks with the root of their number."""
    return mean_accuracy(request.forecast, request.judged).total


@lru_cache(maxsize=256)
def _errors(request: PreviewRequest, epsilons: tuple[Decimal, ...]) -> Floats:
    errors = np.array([error_at(request, epsilon) for epsilon in epsilons]) / (Z * request.scale)
    errors.flags.writeable = False
    return errors
