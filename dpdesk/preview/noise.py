"""The law of the report under two true answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from math import exp
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import Categorical
from dpdesk.mechanisms import Forecast
from dpdesk.plan import mechanism_at
from dpdesk.preview.digits import significant
from dpdesk.preview.request import REMEMBERED, PreviewRequest

Floats = NDArray[np.float64]

BARS_MAX = 8
"""Domains of more categories show the two answers and sum the others up."""

POINTS_MAX = 320
"""A point for every second pixel of the plot; twice as many would take twice as long to fill."""

_REPORTS: dict[str, Literal["report", "bit", "support"]] = {
    "symbol": "report",
    "bits": "bit",
    "support": "support",
}

_AXIS_STEPS = (Decimal(4), Decimal(10), Decimal(40))
"""Epsilons whose law sets the height of the axis for all epsilons below."""


@dataclass(frozen=True, slots=True, eq=False)
class NoiseView:
    """Two laws side by side.

    Attributes:
        form: "bars" for a few reports, "line" for a grid of numbers.
        reports: Whether the heights are chances of a report, of a bit of the report, or of the
            report's support of a category.
        answers: The two true answers, for people.
        labels: Names of the bars; for "line" empty. Bars that sum others up have none.
        others: Number of categories that one bar stands for, and a further bar adds up.
        x: Positions: 0, 1, 2 … for bars, numbers in the attribute's unit for a line.
        first, second: Heights under the two answers, same shape as `x`.
        lower, upper: What epsilon allows under any second answer, given `first`.
        y_max: Upper end of the axis; stays while epsilon moves.
    """

    form: Literal["bars", "line"]
    reports: Literal["report", "bit", "support"]
    answers: tuple[str, str]
    labels: tuple[str, ...]
    others: int
    x: Floats
    first: Floats
    second: Floats
    lower: Floats
    upper: Floats
    y_max: float


@lru_cache(maxsize=REMEMBERED)
def noise_view(request: PreviewRequest) -> NoiseView:
    """Returns the law of the report under the two answers of a request; at most 320 points."""
    forecast, domain = request.forecast, request.domain
    laws = (forecast.probabilities(request.first), forecast.probabilities(request.second))
    if isinstance(domain, Categorical):
        return _categories(request, forecast, laws)
    assert forecast.positions is not None  # noqa: S101 - reports of numbers are numbers
    places = float(domain.grid_lower) + forecast.positions
    if places.size <= BARS_MAX and places.size < domain.size:
        labels = tuple(f"{significant(x, 4)} {domain.unit}".strip() for x in places.tolist())
        return _view(request, "bars", laws, np.arange(float(places.size)), labels, y_max=1.0)
    points = _thinned(places.size, (int(laws[0].argmax()), int(laws[1].argmax())))
    laws = (laws[0][points], laws[1][points])
    y_max = axis_height(request)
    return _view(request, "line", laws, places[points], (), y_max=y_max)


def _categories(
    request: PreviewRequest, forecast: Forecast, laws: tuple[Floats, Floats]
) -> NoiseView:
    domain = request.domain
    if domain.size <= BARS_MAX:
        labels = tuple(domain.label(code) for code in range(domain.size))
        x = np.arange(float(domain.size))
        return _view(request, "bars", laws, x, labels, y_max=1.0)
    pair = [request.first, request.second]
    others = domain.size - 2
    # Every other category has the same chance, so that one of them shows all.
    other = next(code for code in range(3) if code not in pair)
    each = [law[[*pair, other]] for law in laws]
    if forecast.form == "symbol":
        each = [np.append(law, law[2] * others) for law in each]
    labels = tuple(domain.label(code) for code in pair)
    x = np.arange(float(len(each[0])))
    return _view(request, "bars", (each[0], each[1]), x, labels, others=others, y_max=1.0)


def _view(
    request: PreviewRequest,
    form: Literal["bars", "line"],
    laws: tuple[Floats, Floats],
    x: Floats,
    labels: tuple[str, ...],
    *,
    y_max: float,
    others: int = 0,
) -> NoiseView:
    lower, upper = allowed(laws[0], request.mechanism.epsilon)
    domain = request.domain
    return NoiseView(
        form=form,
        reports=_REPORTS[request.forecast.form],
        answers=(domain.label(request.first), domain.label(request.second)),
        labels=labels,
        others=others,
        x=x,
        first=laws[0],
        second=laws[1],
        lower=lower,
        upper=upper,
        y_max=y_max,
    )


def allowed(chance: Floats, epsilon: Decimal) -> tuple[Floats, Floats]:
    """Returns between which chances an event may lie under any other true answer.

    Both the event and its complement are at most e^eps times likelier.

    Args:
        chance: Chance of the event under one true answer, any shape.
        epsilon: The epsilon.
    """
    growth = exp(epsilon)
    lower = np.maximum(chance / growth, 1 - growth * (1 - chance))
    upper = np.minimum(chance * growth, 1 - (1 - chance) / growth)
    return np.asarray(lower), np.asarray(upper)


def axis_height(request: PreviewRequest) -> float:
    """Returns the height of the axis: that of both laws at the next of a few fixed epsilons."""
    epsilon = next(step for step in _AXIS_STEPS if request.mechanism.epsilon <= step)
    return 1.05 * _peak(replace(request, mechanism=mechanism_at(request.mechanism, epsilon)))


@lru_cache(maxsize=REMEMBERED)
def _peak(request: PreviewRequest) -> float:
    forecast, answers = request.forecast, (request.first, request.second)
    return max(float(forecast.probabilities(code).max()) for code in answers)


def _thinned(size: int, kept: tuple[int, int]) -> NDArray[np.intp]:
    """At most 320 of the grid's points, spread evenly, with those at which a law has its peak."""
    if size <= POINTS_MAX:
        return np.arange(size)
    spread = np.rint(np.linspace(0, size - 1, POINTS_MAX - len(kept))).astype(np.intp)
    return np.unique(np.append(spread, kept))
