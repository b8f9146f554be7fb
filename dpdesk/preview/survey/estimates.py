"""The estimates of hypothetical surveys, piled up, against their theory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, log10, pi, sqrt

import numpy as np

from dpdesk.designs.estimator_law import EstimatorTheory, SurveyOutcomes
from dpdesk.numbers.arrays import Floats
from dpdesk.preview.request import CACHED_VIEWS
from dpdesk.preview.survey.supposed import SupposedSurvey

BINS = 41
CURVE_POINTS = 201

_HALF_WIDTHS = 3.5
_PAST_BIAS = 1.1
"""So that estimates without any error do not lie on the edge of the picture."""
_LEAST_PART = 1e-11
"""Least reach of the axis, as a part of the truth."""
_HEADROOM = 1.15
_STEPS = (1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True, slots=True, eq=False)
class EstimatesView:
    """A histogram of estimates and the normal curve of theory.

    Shares are in per cent and their errors in pp; numbers and their errors in the unit of the
    answers.

    Attributes:
        exact: Whether `counts` are expected numbers from all outcomes, not a simulation's.
        seed: Seed of the simulation; None where the law is exact.
        repetitions: Number of surveys that the counts are out of.
        edges: Edges of the bars, shape (bars + 1,). Where the estimate can only be a multiple of
            something coarse, every bar holds the same number of such values.
        counts: Surveys in each bar, shape (bars,).
        x, y: The normal curve of theory, y in surveys for a bar of this width.
        truth: The true share or mean.
        mean: Mean of the estimates.
        theory_mean: The same by theory.
        spread: Standard deviation of the estimates.
        planned_error: The same by theory.
        coverage: Share of the intervals that hold the truth, between 0 and 1.
        beyond: Share of the estimates that no truth can have, between 0 and 1: below 0, or
            outside of the bounds of the numbers.
        outside: Number of surveys beyond the bars.
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
    theory_mean: float
    spread: float
    planned_error: float
    coverage: float
    beyond: float
    outside: float
    x_range: tuple[float, float]
    y_max: float

    @property
    def bias(self) -> float:
        """Mean less truth, of the estimates shown."""
        return self.mean - self.truth

    @property
    def theory_bias(self) -> float:
        """The same by theory."""
        return self.theory_mean - self.truth

    @property
    def beside(self) -> float:
        """Number of surveys beside the axis, also where their bar reaches into the picture."""
        low, high = self.x_range
        # Of a bar that reaches beyond the axis the estimates stand in its middle.
        middles = (self.edges[:-1] + self.edges[1:]) / 2
        return self.outside + float(self.counts[(middles < low) | (middles > high)].sum())

    @property
    def width(self) -> float:
        """Width of a bar."""
        return float(self.edges[1] - self.edges[0])


@lru_cache(maxsize=CACHED_VIEWS)
def estimates_view(
    survey: SupposedSurvey, x_range: tuple[float, float] | None = None, bins: int = BINS
) -> EstimatesView:
    """Returns the picture of a survey.

    Args:
        survey: The survey.
        x_range: Ends of an axis that stands still; those that fit the survey if None.
        bins: About how many bars the axis has room for.

    Raises:
        ParameterError: The survey cannot be held.
    """
    outcomes, theory, scale = survey.outcomes(), survey.theory, survey.scale
    truth, error = scale * survey.truth, scale * theory.error
    bias = scale * theory.mean - truth
    least = max(abs(truth), 1.0) * _LEAST_PART
    reach = stepped_up(max(_HALF_WIDTHS * error + _PAST_BIAS * abs(bias), least))
    lower, upper = x_range or (truth - reach, truth + reach)
    edges = _edges(survey, lower, upper, bins)
    counts = _histogram(outcomes, scale, edges, survey.repetitions)
    x = np.linspace(lower, upper, CURVE_POINTS)
    shown = survey.shown_theory
    y = theory_curve(shown, x, float(edges[1] - edges[0]), survey.repetitions)
    return EstimatesView(
        exact=outcomes.exact,
        seed=outcomes.seed,
        repetitions=survey.repetitions,
        edges=edges,
        counts=counts,
        x=x,
        y=y,
        truth=truth,
        mean=scale * outcomes.mean,
        theory_mean=scale * theory.mean,
        spread=scale * outcomes.spread,
        planned_error=error,
        coverage=outcomes.coverage,
        beyond=outcomes.beyond,
        outside=max(survey.repetitions - float(counts.sum()), 0.0),
        x_range=(lower, upper),
        y_max=stepped_up(max(_HEADROOM * max(float(counts.max()), float(y.max())), 1.0)),
    )


def theory_curve(theory: EstimatorTheory, x: Floats, width: float, repetitions: int) -> Floats:
    """Returns the normal curve of a theory over the axis of any picture.

    Args:
        theory: Mean and error, in the unit of the picture.
        x: Positions on its axis.
        width: Width of the bars that the curve is compared with.
        repetitions: Number of surveys, the height's scale.

    Returns:
        Surveys per bar, of the shape of `x`.
    """
    # Where all estimates are one number, its rounding is the least error that can be drawn.
    error = max(theory.error, abs(theory.mean) * 1e-12, 1e-12)
    z = (x - theory.mean) / error
    return np.asarray(repetitions * width * np.exp(-z * z / 2) / (error * sqrt(2 * pi)))


def stepped_up(value: float) -> float:
    """Returns the next round number above, so that an axis stays while epsilon moves a little."""
    decade = 10.0 ** floor(log10(value))
    return float(decade * next(step for step in _STEPS if step * decade >= value * (1 - 1e-12)))


def _edges(survey: SupposedSurvey, lower: float, upper: float, bins: int) -> Floats:
    """Edges of about so many bars, aligned with the values that an estimate can take if coarse.

    Otherwise a bar with one value more than its neighbours would stand out for no reason.
    """
    width = (upper - lower) / bins
    first, step = (survey.scale * value for value in survey.lattice)
    if step < width / 100:
        return np.linspace(lower, upper, bins + 1)
    width = step * max(round(width / step), 1)
    zero = first + step / 2
    # The first and the last bar may reach beyond the picture.
    start = floor((lower - zero) / width + 1e-9)
    stop = ceil((upper - zero) / width - 1e-9)
    return np.asarray(zero + width * np.arange(start, stop + 1))


def _histogram(outcomes: SurveyOutcomes, scale: float, edges: Floats, repetitions: int) -> Floats:
    counts, _ = np.histogram(scale * outcomes.estimates, bins=edges, weights=outcomes.chances)
    return np.asarray(counts * (float(repetitions) if outcomes.exact else 1.0))
