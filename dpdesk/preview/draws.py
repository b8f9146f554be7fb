"""Hypothetical outcomes: estimates that surveys like this one would have given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpdesk.engine.simulate import simulate_estimates
from dpdesk.numbers.arrays import Floats
from dpdesk.preview.request import CACHED_VIEWS, PreviewRequest, Z

DRAWS = 100
COLUMNS = 41
PILE_MAX = 24
"""Height of the axis; a pile is at most about 18 dots high with the finest steps below."""

_HALF_WIDTHS = 2.5
_STEPS = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)


@dataclass(frozen=True, slots=True, eq=False)
class DrawsView:
    """Dots that pile up, one per hypothetical survey.

    Attributes:
        seed: Seed of the simulation.
        truth: What is estimated, in per cent or in the attribute's unit.
        error: Half-width of the 95 % interval around it.
        unit: "%" or the attribute's unit.
        estimates: The estimates in the order in which they are drawn, shape (draws,).
        x, y: Where their dots lie: columns of equal width, piled from 1 up; shape (draws,).
        width: Width of a column.
        x_range: Ends of the axis; they stay until the error has changed by about a half.
    """

    seed: int
    truth: float
    error: float
    unit: str
    estimates: Floats
    x: Floats
    y: Floats
    width: float
    x_range: tuple[float, float]

    def within(self, shown: int) -> int:
        """Returns how many of the first estimates lie in the 95 % interval around the truth."""
        return int((np.abs(self.estimates[:shown] - self.truth) <= self.error).sum())


@lru_cache(maxsize=CACHED_VIEWS)
def draws_view(request: PreviewRequest, seed: int) -> DrawsView:
    """Returns the hypothetical outcomes of a request."""
    forecast, domain = request.forecast, request.domain
    simulated = simulate_estimates(forecast, request.respondents, DRAWS, seed)
    start = domain.origin
    truth = start + request.scale * simulated.truth
    estimates = start + request.scale * simulated.estimates
    # Of the share of 1/k that is simulated, whatever shares are expected.
    error = Z * request.scale * forecast.accuracy(request.respondents).total
    reach = _stepped_up(_HALF_WIDTHS * error)
    width = 2 * reach / COLUMNS
    column = np.clip(np.floor((estimates - truth + reach) / width), 0, COLUMNS - 1)
    return DrawsView(
        seed=seed,
        truth=truth,
        error=error,
        unit=domain.shown_unit,
        estimates=estimates,
        x=truth - reach + (column + 0.5) * width,
        y=_piled(column),
        width=width,
        x_range=(truth - reach, truth + reach),
    )


def _piled(column: Floats) -> Floats:
    """The place of each dot in its column, counted from 1 in the order of drawing."""
    height: dict[float, int] = {}
    places = np.empty(len(column))
    for index, key in enumerate(column.tolist()):
        height[key] = height.get(key, 0) + 1
        places[index] = height[key]
    return places


def _stepped_up(reach: float) -> float:
    """The next round number above, so that the axis stays while epsilon moves a little."""
    decade = 10.0 ** np.floor(np.log10(reach))
    return float(decade * next(step for step in _STEPS if step * decade >= reach * (1 - 1e-12)))
