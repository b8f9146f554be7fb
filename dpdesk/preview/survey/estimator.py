"""The estimates of hypothetical surveys, piled up, against their theory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, log10, pi, sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.estimator_law import SurveyOutcomes
from dpdesk.preview.request import REMEMBERED
from dpdesk.preview.survey.request import SurveyRequest

Floats = NDArray[np.float64]

BINS = 41
CURVE_POINTS = 201

_HALF_WIDTHS = 3.5
_PAST_BIAS = 1.1
"""So that estimates without any error do not lie on the edge of the picture."""
_LEAST_REACH = 1e-9
_HEADROOM = 1.15
_STEPS = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True, slots=True, eq=False)
class EstimatorView:
    """A histogram of estimates and the curve of theory; shares in per cent.

    Attributes:
        exact: Whether `counts` are expected numbers from all outcomes, not a simulation's.
        seed: Seed of the simulation; None where the law is exact.
        repetitions: Number of surveys that the counts are out of.
        edges: Edges of the bars, shape (bars + 1,). Where the estimate can only be a multiple of
            something coarse, every bar holds the same number of such values.
        counts: Surveys in each bar, shape (bars,).
        x, y: The normal curve of theory, y in surveys for a bar of this width.
        truth: The true share.
        mean: Mean of the estimates.
        bias: Mean less truth, of the estimates shown.
        theory_bias: The same by theory.
        spread: Standard deviation of the estimates, in pp.
        planned_error: The same by theory.
        coverage: Share of the intervals that hold the truth, between 0 and 1.
        negative: Share of the estimates below 0, between 0 and 1.
        outside: Number of surveys beyond the picture.
        x_range: Ends of the axis; they stay while epsilon moves a little.
        y_max: Upper end of the axis of counts; stays likewise.
    """

    exact: bool
    seed: int | None
    repetitions: int
    edges: Floats
    counts: Floats
    x: Floats
    y: Floats
    truth: float
    mean: float
    bias: float
    theory_bias: float
    spread: float
    planned_error: float
    coverage: float
    negative: float
    outside: float
    x_range: tuple[float, float]
    y_max: float

    @property
    def width(self) -> float:
        """Width of a bar, in pp."""
        return float(self.edges[1] - self.edges[0])


@lru_cache(maxsize=REMEMBERED)
def estimator_view(request: SurveyRequest) -> EstimatorView:
    """Returns the picture of a request.

    Raises:
        ParameterError: The survey cannot be held.
    """
    outcomes, theory = request.outcomes(), request.theory
    truth, error = 100 * request.prevalence, 100 * theory.error
    bias = 100 * theory.mean - truth
    reach = reach_of_axis(error, bias, _LEAST_REACH)
    edges = _edges(request, truth - reach, truth + reach)
    counts = _histogram(outcomes, edges, request.repetitions)
    x = np.linspace(truth - reach, truth + reach, CURVE_POINTS)
    width = float(edges[1] - edges[0])
    y = theory_curve(request, x, width)
    return EstimatorView(
        exact=outcomes.exact,
        seed=outcomes.seed,
        repetitions=request.repetitions,
        edges=edges,
        counts=counts,
        x=x,
        y=y,
        truth=truth,
        mean=100 * outcomes.mean,
        bias=100 * outcomes.bias,
        theory_bias=bias,
        spread=100 * outcomes.spread,
        planned_error=error,
        coverage=outcomes.coverage,
        negative=outcomes.negative,
        outside=max(request.repetitions - float(counts.sum()), 0.0),
        x_range=(truth - reach, truth + reach),
        y_max=top_of_axis(counts, y),
    )


def theory_curve(request: SurveyRequest, x: Floats, width: float) -> Floats:
    """Returns the normal curve of a request over the axis of another's picture.

    Args:
        request: The design to compare with; its `repetitions` are the height's scale.
        x: Positions in per cent.
        width: Width of the bars that the curve is compared with, in pp.

    Returns:
        Surveys per bar, of the shape of `x`.

    Raises:
        ParameterError: The survey cannot be held.
    """
    theory = request.theory
    error = max(100 * theory.error, 1e-12)
    return normal_bars(100 * theory.mean, error, x, width, request.repetitions)


def normal_bars(mean: float, error: float, x: Floats, width: float, repetitions: int) -> Floats:
    """Returns the surveys that a normal law puts in bars of a width around each x."""
    z = (x - mean) / error
    return np.asarray(repetitions * width * np.exp(-z * z / 2) / (error * sqrt(2 * pi)))


def top_of_axis(counts: Floats, curve: Floats) -> float:
    """Returns the upper end of an axis that holds the bars and the curve."""
    return stepped_up(max(_HEADROOM * max(float(counts.max()), float(curve.max())), 1.0))


def reach_of_axis(error: float, bias: float, least: float) -> float:
    """Returns how far an axis of estimates goes to both sides of the truth."""
    return stepped_up(max(_HALF_WIDTHS * error + _PAST_BIAS * abs(bias), least))


def stepped_up(value: float) -> float:
    """Returns the next round number above, so that an axis stays while epsilon moves a little."""
    decade = 10.0 ** floor(log10(value))
    return float(decade * next(step for step in _STEPS if step * decade >= value * (1 - 1e-12)))


def _edges(request: SurveyRequest, lower: float, upper: float) -> Floats:
    """Edges of some 41 bars, aligned with the values that the estimate can take if they are coarse.

    Otherwise a bar with one value more than its neighbours would stand out for no reason.
    """
    width = (upper - lower) / BINS
    design, n = request.design, request.respondents
    if design.group_count > 1:
        return np.linspace(lower, upper, BINS + 1)
    first, second = design.estimates(np.array([[0.0], [1.0]]), (n,)).estimate
    lattice = 100 * abs(float(second - first))
    if lattice < width / 100:
        return np.linspace(lower, upper, BINS + 1)
    width = lattice * max(round(width / lattice), 1)
    zero = 100 * float(first) + lattice / 2
    # The first and the last bar may reach beyond the picture.
    start = floor((lower - zero) / width + 1e-9)
    stop = ceil((upper - zero) / width - 1e-9)
    return np.asarray(zero + width * np.arange(start, stop + 1))


def _histogram(outcomes: SurveyOutcomes, edges: Floats, repetitions: int) -> Floats:
    counts, _ = np.histogram(100 * outcomes.estimates, bins=edges, weights=outcomes.chances)
    return np.asarray(counts * (float(repetitions) if outcomes.exact else 1.0))
