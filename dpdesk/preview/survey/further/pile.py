"""Estimates of hypothetical surveys, piled up, against their theory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.estimator_law import EstimatorTheory
from dpdesk.preview.request import REMEMBERED
from dpdesk.preview.survey.estimator import (
    BINS,
    CURVE_POINTS,
    normal_bars,
    reach_of_axis,
    top_of_axis,
)
from dpdesk.preview.survey.further.request import NumberRequest, SeveralRequest

Floats = NDArray[np.float64]

_LEAST_PART = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class EstimatesPile:
    """A histogram of estimates and the normal curve of theory.

    Shares are in per cent, numbers in their unit.

    Attributes:
        edges: Edges of the bars, shape (bars + 1,).
        counts: Surveys in each bar, shape (bars,).
        x, y: The curve of theory, y in surveys for a bar of this width.
        truth: The true value.
        mean: Mean of the estimates.
        theory_mean: The same by theory.
        spread: Standard deviation of the estimates.
        error: The same by theory.
        x_range: Ends of the axis; they stay while a slider moves a little.
        y_max: Upper end of the axis of counts; stays likewise.
    """

    edges: Floats
    counts: Floats
    x: Floats
    y: Floats
    truth: float
    mean: float
    theory_mean: float
    spread: float
    error: float
    x_range: tuple[float, float]
    y_max: float

    @property
    def width(self) -> float:
        """Width of a bar."""
        return float(self.edges[1] - self.edges[0])


@lru_cache(maxsize=REMEMBERED)
def pile_of_share(request: SeveralRequest) -> EstimatesPile:
    """Returns the estimates of the share that is looked at.

    Raises:
        ParameterError: The survey cannot be held.
    """
    outcomes, theory, looked = request.outcomes(), request.theory, request.looked
    lattice = 0.0
    if request.respondents <= 1 / _LEAST_PART:
        lattice = _lattice(request)
    return _pile(
        100 * outcomes.estimates[:, looked],
        100 * request.shares[looked],
        EstimatorTheory(100 * float(theory.means[looked]), 100 * float(theory.errors[looked])),
        100 * lattice,
    )


@lru_cache(maxsize=REMEMBERED)
def pile_of_number(request: NumberRequest) -> EstimatesPile:
    """Returns the estimates of the mean.

    Raises:
        ParameterError: The survey cannot be held.
    """
    outcomes = request.outcomes()
    return _pile(outcomes.estimates, request.mean, outcomes.theory, 0.0)


def normal_curve(theory: EstimatorTheory, x: Floats, width: float, repetitions: int) -> Floats:
    """Returns the surveys that theory foresees in bars of a width around each x."""
    error = max(theory.error, abs(theory.mean) * _LEAST_PART, 1e-300)
    return normal_bars(theory.mean, error, x, width, repetitions)


def _lattice(request: SeveralRequest) -> float:
    """The step between neighbouring estimates, where there is one; 0 where there are several."""
    scores = request.design.scores(request.looked)
    steps = np.unique(np.round(scores, 12))
    return float(np.ptp(scores)) / request.respondents if len(steps) == 2 else 0.0


def _pile(
    estimates: Floats, truth: float, theory: EstimatorTheory, lattice: float
) -> EstimatesPile:
    bias = theory.mean - truth
    least = max(abs(truth), 1.0) * _LEAST_PART
    reach = reach_of_axis(theory.error, bias, least)
    edges = _edges(estimates, truth - reach, truth + reach, lattice)
    counts, _ = np.histogram(estimates, bins=edges)
    x = np.linspace(truth - reach, truth + reach, CURVE_POINTS)
    y = normal_curve(theory, x, float(edges[1] - edges[0]), len(estimates))
    return EstimatesPile(
        edges=edges,
        counts=counts.astype(np.float64),
        x=x,
        y=y,
        truth=truth,
        mean=float(estimates.mean()),
        theory_mean=theory.mean,
        spread=float(estimates.std(ddof=1)) if len(estimates) > 1 else 0.0,
        error=theory.error,
        x_range=(truth - reach, truth + reach),
        y_max=top_of_axis(counts.astype(np.float64), y),
    )


def _edges(estimates: Floats, lower: float, upper: float, lattice: float) -> Floats:
    """Some 41 bars; each holds as many of the values that an estimate can take as any other."""
    width = (upper - lower) / BINS
    if lattice < width / 100:
        return np.linspace(lower, upper, BINS + 1)
    width = lattice * max(round(width / lattice), 1)
    # Halfway between two values; any estimate tells where they lie.
    zero = float(estimates[0]) - lattice / 2
    start, stop = np.floor((lower - zero) / width), np.ceil((upper - zero) / width)
    return np.asarray(zero + width * np.arange(start, stop + 1))
