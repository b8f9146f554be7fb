"""The law of the report under two true answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from math import exp
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import ListedDomain, NumericDomain
from dpdesk.mechanisms import Forecast
from dpdesk.mechanisms.mean import MeanForecast
from dpdesk.mechanisms.sampling import SampledForecast
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.digits import measured_text
from dpdesk.plan import mechanism_at
from dpdesk.preview.request import CACHED_VIEWS, PreviewRequest

BARS_MAX = 8
"""With more categories, the two answers are shown and the others are summed up."""

POINTS_MAX = 320
"""A point for every second pixel of the plot; twice as many would take twice as long to fill."""

_REPORTS: dict[str, Literal["report", "bit", "support"]] = {
    "symbol": "report",
    "bits": "bit",
    "support": "support",
}

WIDTHS_BEYOND = 2
"""How far a line is drawn beyond the range of answers, in widths of the range."""

_STEPS_KEPT = 2
# Chances that differ by less, relative to the largest, are equal up to rounding.
_SAME = 1e-9

_AXIS_STEPS = tuple(Decimal(step) for step in ("0.25", "0.5", "1", "2", "4", "8", "16", "40"))
"""Epsilons whose law sets the height of the axis for all epsilons down to the one before.

A law is about twice as high at twice its epsilon: it never sinks to a flat line at the bottom.
"""


@dataclass(frozen=True, slots=True)
class Spike:
    """One report that is far likelier than those beside it.

    Attributes:
        x: The number that is reported, in the attribute's unit.
        first, second: Its chances under the two answers.
        lower, upper: What epsilon allows under any second answer, given `first`.
    """

    x: float
    first: float
    second: float
    lower: float
    upper: float


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
        averaged: Whether those categories have different chances, of which the bar is the mean.
        x: Positions: 0, 1, 2 … for bars, numbers in the attribute's unit for a line.
        first, second: Heights under the two answers, same shape as `x`.
        lower, upper: What epsilon allows under any second answer, given `first`.
        y_max: Upper end of the axis; stays while epsilon moves.
        spikes: Single reports of a line that are far likelier than those beside them; they are
            not among its points, and may be higher than the axis.
        answers_range: For a line, the ends of the range of answers, where reports go beyond it.
        beyond: Chance of a report beyond both ends of `x`, under the two answers.
        unit: The unit of `x` for a line; may be empty.
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
    spikes: tuple[Spike, ...] = ()
    averaged: bool = False
    answers_range: tuple[float, float] | None = None
    beyond: tuple[float, float] = (0.0, 0.0)
    unit: str = ""


@lru_cache(maxsize=CACHED_VIEWS)
def noise_view(request: PreviewRequest) -> NoiseView:
    """Returns the law of the report under the two answers of a request; at most 320 points."""
    forecast, domain = request.forecast, request.domain
    laws = (forecast.probabilities(request.first), forecast.probabilities(request.second))
    if isinstance(domain, ListedDomain):
        return _categories(request, forecast, laws)
    assert forecast.positions is not None  # noqa: S101 - reports of numbers are numbers
    places = float(domain.grid_lower) + forecast.positions
    if places.size <= BARS_MAX and places.size < domain.size:
        labels = tuple(measured_text(x, 4, domain.unit) for x in places.tolist())
        return _view(request, "bars", laws, np.arange(float(places.size)), labels, y_max=1.0)
    return _numbers(request, domain, places, laws)


def _numbers(
    request: PreviewRequest, domain: NumericDomain, places: Floats, laws: tuple[Floats, Floats]
) -> NoiseView:
    """A line over the range of answers and some way beyond; single likely reports beside it."""
    ends = (float(domain.grid_lower), float(domain.grid_upper))
    reach = WIDTHS_BEYOND * domain.span + 1e-9 * domain.span
    shown = np.flatnonzero((places >= ends[0] - reach) & (places <= ends[1] + reach))
    beyond = tuple(max(0.0, 1.0 - float(law[shown].sum())) for law in laws)
    atoms = atoms_of(request.forecast)
    line = np.setdiff1d(shown, atoms)
    points = line[_thinned((laws[0][line], laws[1][line]))]
    view = _view(
        request,
        "line",
        (laws[0][points], laws[1][points]),
        places[points],
        (),
        y_max=axis_height(request),
    )
    outside = places[shown[0]] < ends[0] or places[shown[-1]] > ends[1]
    return replace(
        view,
        unit=domain.shown_unit,
        spikes=tuple(
            _spike(request, places, laws, atom) for atom in np.intersect1d(shown, atoms).tolist()
        ),
        answers_range=ends if outside else None,
        beyond=(beyond[0], beyond[1]),
    )


def _spike(
    request: PreviewRequest, places: Floats, laws: tuple[Floats, Floats], atom: int
) -> Spike:
    first, second = (float(law[atom]) for law in laws)
    lower, upper = allowed(np.array(first), request.mechanism.epsilon)
    return Spike(float(places[atom]), first, second, float(lower), float(upper))


def atoms_of(forecast: Forecast) -> NDArray[np.intp]:
    """Returns the reports with large chances of their own in a law spread over a grid, if any."""
    real = forecast.real if isinstance(forecast, SampledForecast) else forecast
    atoms = real.atoms if isinstance(real, MeanForecast) else ()
    return np.array(atoms, dtype=np.intp)


def _categories(
    request: PreviewRequest, forecast: Forecast, laws: tuple[Floats, Floats]
) -> NoiseView:
    domain = request.domain
    if domain.size <= BARS_MAX:
        labels = tuple(domain.label(code) for code in range(domain.size))
        x = np.arange(float(domain.size))
        return _view(request, "bars", laws, x, labels, y_max=1.0)
    pair, others = [request.first, request.second], domain.size - 2
    rest = [np.delete(law, pair) for law in laws]
    # In most laws every other category has the same chance; else the bar shows the mean.
    each = [np.append(law[pair], part.mean()) for law, part in zip(laws, rest, strict=True)]
    if forecast.form == "symbol":
        each = [np.append(heights, heights[2] * others) for heights in each]
    labels = tuple(domain.label(code) for code in pair)
    x = np.arange(float(len(each[0])))
    view = _view(request, "bars", (each[0], each[1]), x, labels, others=others, y_max=1.0)
    averaged = any(float(np.ptp(part)) > _SAME * float(part.max()) for part in rest)
    return replace(view, averaged=averaged)


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


@lru_cache(maxsize=CACHED_VIEWS)
def _peak(request: PreviewRequest) -> float:
    forecast, answers = request.forecast, (request.first, request.second)
    atoms = atoms_of(forecast)
    return max(float(np.delete(forecast.probabilities(c), atoms).max()) for c in answers)


def _thinned(laws: tuple[Floats, Floats]) -> NDArray[np.intp]:
    """At most 320 of the points, spread evenly, with the peaks and the steepest steps of both."""
    size = laws[0].size
    if size <= POINTS_MAX:
        return np.arange(size)
    kept = [int(law.argmax()) for law in laws]
    for law in laws:
        steep = np.argpartition(np.abs(np.diff(law)), -_STEPS_KEPT)[-_STEPS_KEPT:]
        kept += [*steep.tolist(), *(steep + 1).tolist()]
    spread = np.rint(np.linspace(0, size - 1, POINTS_MAX - len(kept))).astype(np.intp)
    return np.unique(np.append(spread, kept))
