"""Error against epsilon and against the number of respondents, for every mechanism that fits."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import Categorical
from dpdesk.mechanisms import AnyDomain, Mechanism, fitting, kind_of
from dpdesk.preview.request import REMEMBERED, PreviewRequest, Z

Floats = NDArray[np.float64]

_POINTS = 41
_EPSILON_ENDS = ((Decimal("0.05"), Decimal(20)), (Decimal("0.0001"), Decimal(40)))
_RESPONDENTS_AROUND = 100.0


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The 95 % error of one mechanism.

    Attributes:
        kind: The mechanism's tag.
        short: Its name.
        by_epsilon: Errors at `AccuracyView.epsilons`.
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
        others: The curves of the other mechanisms that fit.
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


@lru_cache(maxsize=REMEMBERED)
def accuracy_view(request: PreviewRequest) -> AccuracyView:
    """Returns the curves of a request."""
    domain, count, epsilon = request.domain, request.respondents, request.mechanism.epsilon
    epsilons = _epsilons(epsilon)
    single = Z * request.scale
    respondents = np.geomspace(
        max(count / _RESPONDENTS_AROUND, 1.0), count * _RESPONDENTS_AROUND, _POINTS
    )
    curves = [
        Curve(
            kind=kind_of(kind),
            short=kind.short,
            by_epsilon=single * _errors(kind, domain, epsilons) / np.sqrt(count),
            by_respondents=single * _error_of_one(kind, domain, epsilon) / np.sqrt(respondents),
        )
        for kind in fitting(domain)
    ]
    accuracy = request.accuracy
    floor = single * accuracy.sampling
    whole = 100.0 if isinstance(domain, Categorical) else domain.span
    return AccuracyView(
        epsilons=np.array([float(e) for e in epsilons]),
        respondents=respondents,
        chosen=next(c for c in curves if c.kind == request.mechanism.kind),
        others=tuple(c for c in curves if c.kind != request.mechanism.kind),
        unprotected=floor * np.sqrt(count / respondents),
        floor=floor,
        epsilon=float(epsilon),
        count=count,
        error=single * accuracy.total,
        unit=request.unit,
        # From below the floor to the width of what can be estimated at all.
        error_range=(floor / 2, max(whole, floor * 20)),
    )


@lru_cache(maxsize=16)
def _epsilons_between(lowest: Decimal, highest: Decimal) -> tuple[Decimal, ...]:
    spread = np.geomspace(float(lowest), float(highest), _POINTS)
    inner = (Decimal(f"{e:.6f}") for e in spread[1:-1])
    return (lowest, *inner, highest)


def _epsilons(epsilon: Decimal) -> tuple[Decimal, ...]:
    ends = next(e for e in _EPSILON_ENDS if e[0] <= epsilon <= e[1])
    return _epsilons_between(*ends)


def _error_of_one(kind: type[Mechanism], domain: AnyDomain, epsilon: Decimal) -> float:
    """The standard error with one respondent; every one shrinks with the root of their number."""
    mechanism = kind(epsilon=epsilon)  # type: ignore[call-arg]
    return mechanism.forecast(domain).accuracy(1).total


# Keyed by the domain itself: of few and small ones, hashed only when the tab is looked at.
@lru_cache(maxsize=64)
def _errors(kind: type[Mechanism], domain: AnyDomain, epsilons: tuple[Decimal, ...]) -> Floats:
    errors = np.array([_error_of_one(kind, domain, epsilon) for epsilon in epsilons])
    errors.flags.writeable = False
    return errors
