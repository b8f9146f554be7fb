"""The error of a statistic as a sum of noises with weights, and how far one respondent moves it.

A count is off by its own noise. A share, a mean or a variance is a function of two or three noisy
sums; its error is taken to first order, at the value where it is widest (see `ExpectedError`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.preview.central.request import QueryRequest
from dpdesk.preview.request import REMEMBERED
from dpdesk.queries import MeasuredQuery
from dpdesk.queries.mean import BoundMean
from dpdesk.queries.noise import CalibratedNoise
from dpdesk.queries.share import BoundShare
from dpdesk.queries.variance import BoundVariance

Floats = NDArray[np.float64]

_LEVELS = (np.arange(101) + 0.5) / 101


@dataclass(frozen=True)
class LinearError:
    """An error in the unit of the statistic.

    Attributes:
        noises: Each noise with its weight: what one step of it changes.
        shift: The most that one respondent moves the true statistic.
    """

    noises: tuple[tuple[CalibratedNoise, float], ...]
    shift: float

    @property
    def step(self) -> float | None:
        """Distance of two errors that are possible; None where any number is."""
        noise, weight = self.noises[0]
        return weight if len(self.noises) == 1 and noise.whole else None

    def chances(self, steps: NDArray[np.int64]) -> Floats:
        """Returns the chance of each number of steps, where `step` is one."""
        return self.noises[0][0].law(steps)

    def density(self, x: Floats) -> Floats:
        """Returns the density of the error at each point; a law of steps is spread over them."""
        noise, weight = self.noises[0]
        others = np.zeros(1)
        for other, factor in self.noises[1:]:
            sizes = np.asarray(_quantiles(other))
            others = (others[:, None] + factor * sizes[None, :]).ravel()
        at = (x[:, None] - others[None, :]) / weight
        heights = noise.law(np.round(at) if noise.whole else at)
        return np.asarray(heights.mean(axis=1) / weight)


@lru_cache(maxsize=REMEMBERED)
def _quantiles(noise: CalibratedNoise) -> tuple[float, ...]:
    return tuple(float(noise.quantile(float(level))) for level in _LEVELS)


@lru_cache(maxsize=REMEMBERED)
def linear_error(request: QueryRequest) -> LinearError | None:
    """Returns the error of a query whose parts are measured; None for a choice.

    Args:
        request: The query.
    """
    bound: object = request.bound
    if not isinstance(bound, MeasuredQuery):
        return None
    n, most = request.rows_of_cell, request.unit.rows_per_respondent
    first = bound.parts[0]
    if isinstance(bound, BoundShare):
        # Widest near 0 %: there the rows that do not meet it hardly matter.
        return LinearError(((first.noise, 100 / n),), min(100 * most / n, 100))
    if isinstance(bound, BoundMean):
        step, reach = bound.clamp.half_step / n, bound.clamp.reach
        noises = [(first.noise, step)]
        if len(bound.parts) == 2:
            noises.append((bound.parts[1].noise, step * reach))
        span = 2 * reach * bound.clamp.half_step
        return LinearError(tuple(noises), min(span * most / n, span))
    if isinstance(bound, BoundVariance):
        return _variance(bound, n, most)
    sensitivity = first.noise.sensitivity
    return LinearError(((first.noise, first.step),), first.step * sensitivity.linf)


def _variance(bound: BoundVariance, n: int, most: int) -> LinearError:
    """With numbers spread evenly: their mean is in the middle, their variance reach^2 / 3."""
    reach = float(bound.clamp.reach)
    scale = bound.clamp.half_step**2
    if bound.query.root:
        # d sqrt(v) = dv / (2 sqrt(v)), in half steps.
        scale = bound.clamp.half_step / (2 * reach / sqrt(3))
    # v = (q / n + reach^2) / 2 - (s / n)^2 with q / n = -reach^2 / 3 and s = 0.
    noises = [(bound.parts[1].noise, scale / (2 * n))]
    if len(bound.parts) == 3:
        noises.append((bound.parts[2].noise, scale * reach**2 / (6 * n)))
    return LinearError(tuple(noises), scale * (2 / 3) * reach**2 * most / n)
