"""Hypothetical outcomes: estimates that surveys like this one would have given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import Categorical
from dpdesk.engine.simulate import simulate_estimates
from dpdesk.preview.request import REMEMBERED, PreviewRequest, Z

Floats = NDArray[np.float64]

DRAWS = 200
COLUMNS = 41
_HALF_WIDTHS = 2.5


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
        x_range: Ends of the axis.
        y_max: Height of the highest pile to expect, for a fixed axis.
    """

    seed: int
    truth: float
    error: float
    unit: str
    estimates: Floats
    x: Floats
    y: Floats
    x_range: tuple[float, float]
    y_max: float

    def within(self, shown: int) -> int:
        """Returns how many of the first estimates lie in the 95 % interval around the truth."""
        return int((np.abs(self.estimates[:shown] - self.truth) <= self.error).sum())


@lru_cache(maxsize=REMEMBERED)
def draws_view(request: PreviewRequest, seed: int) -> DrawsView:
    """Returns the hypothetical outcomes of a request."""
    forecast, domain = request.forecast, request.domain
    simulated = simulate_estimates(forecast, request.respondents, DRAWS, seed)
    start = 0.0 if isinstance(domain, Categorical) else float(domain.grid_lower)
    truth = start + request.scale * simulated.truth
    estimates = start + request.scale * simulated.estimates
    error = Z * request.scale * forecast.accuracy(request.respondents).total
    reach = _HALF_WIDTHS * error
    width = 2 * reach / COLUMNS
    column = np.clip(np.floor((estimates - truth + reach) / width), 0, COLUMNS - 1)
    return DrawsView(
        seed=seed,
        truth=truth,
        error=error,
        unit="%" if isinstance(domain, Categorical) else domain.unit,
        estimates=estimates,
        x=truth - reach + (column + 0.5) * width,
        y=_piled(column),
        x_range=(truth - reach, truth + reach),
        # The normal law puts this share of the dots on the middle column; a third more is rare.
        y_max=float(np.ceil(1.5 * DRAWS * width * Z / error / np.sqrt(2 * np.pi))),
    )


def _piled(column: Floats) -> Floats:
    """The place of each dot in its column, counted from 1 in the order of drawing."""
    height: dict[float, int] = {}
    places = np.empty(len(column))
    for index, key in enumerate(column.tolist()):
        height[key] = height.get(key, 0) + 1
        places[index] = height[key]
    return places
