"""The law of what is released: of an error, of a chosen number, or of a chosen category."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, floor, log10
from typing import Literal

import numpy as np

from dpdesk.numbers.arrays import Floats
from dpdesk.preview.central.request import QueryRequest
from dpdesk.preview.request import CACHED_VIEWS
from dpdesk.queries.released_law import ChosenNumbers, FirstOrder, Lead, ReleasedLaw

Shown = Literal["error", "number", "lead"]

BARS_MAX = 41
POINTS = 301
_HARDLY = 1e-4
_POINTS_SHOWN = 256
_ROUND = (1.0, 1.5, 2.5, 4.0, 6.0, 10.0)


@dataclass(frozen=True)
class LawView:
    """One curve or more, in the unit of the statistic.

    Attributes:
        shown: What stands on the axis: the "error" of the release, the "number" that is chosen as
            a quantile, or the "lead" of the most frequent category, in rows or points of worth.
        form: "bars" if few errors are possible, else "line".
        x: Places, shape (points,), at most 512.
        lines: Heights, shape (points,) each: for an error the law and that of a neighbouring
            table; for a number one per share; for a lead the chance of the right choice.
        band: Ends of the interval at the confidence asked for; None without one.
        x_range, y_max: What the axes show; they stay while epsilon moves a little.
        shift: For an error, the most that one respondent moves the true statistic.
        unit: Unit of the axis.
        shares: For a number, the share of each line as text.
    """

    shown: Shown
    form: Literal["bars", "line"]
    x: Floats
    lines: tuple[Floats, ...]
    band: tuple[float, float] | None
    x_range: tuple[float, float]
    y_max: float
    shift: float
    unit: str
    shares: tuple[str, ...] = ()


@lru_cache(maxsize=CACHED_VIEWS)
def law_view(request: QueryRequest) -> LawView:
    """Returns the law of the release of a query.

    Args:
        request: A query that suits its domains.
    """
    law = _law(request)
    if isinstance(law, ChosenNumbers):
        return _number(law)
    return _lead(law) if isinstance(law, Lead) else _error(request, law)


def linear_error(request: QueryRequest) -> FirstOrder | None:
    """Returns the error of a query whose parts are measured; None for a choice."""
    law = _law(request)
    return law if isinstance(law, FirstOrder) else None


@lru_cache(maxsize=CACHED_VIEWS)
def _law(request: QueryRequest) -> ReleasedLaw:
    return request.bound.released_law(request.rows_of_cell, request.confidence)


def _error(request: QueryRequest, error: FirstOrder) -> LawView:
    expected = request.error
    half = expected.half_width
    step = error.step
    reach = rounded_up(max(1.5 * half, 3 * (step or 0.0), error.shift))
    if step is not None and 2 * reach / step < BARS_MAX:
        most = floor(reach / step + 1e-9)
        steps = np.arange(-most, most + 1)
        x = np.asarray(steps * step, np.float64)
        moved = round(error.shift / step)
        lines = (error.chances(steps), error.chances(steps - moved))
        ends = (most + 0.6) * step
        return LawView(
            "error",
            "bars",
            x,
            lines,
            (-half - step / 2, half + step / 2),
            (-ends, ends),
            rounded_up(1.08 * float(lines[0].max())),
            error.shift,
            expected.unit,
        )
    x = np.linspace(-reach, reach, POINTS)
    lines = (error.density(x), error.density(x - error.shift))
    return LawView(
        "error",
        "line",
        x,
        lines,
        (-half, half),
        (-reach, reach),
        rounded_up(1.08 * float(lines[0].max())),
        error.shift,
        expected.unit,
    )


def _number(law: ChosenNumbers) -> LawView:
    at, laws = law.at, law.laws
    first, last = _likely(laws)
    bundle = ceil((last - first) / _POINTS_SHOWN)
    starts = np.arange(first, last, bundle)
    sizes = np.diff(np.append(starts, last))
    x = np.add.reduceat(at[:last], starts) / sizes
    lines = tuple(np.add.reduceat(one[:last], starts) for one in laws)
    half = 0.6 * float(at[1] - at[0]) * bundle
    few = len(x) <= BARS_MAX and len(lines) == 1
    return LawView(
        "number",
        "bars" if few else "line",
        x,
        lines,
        None,
        (float(x[0]) - half, float(x[-1]) + half),
        rounded_up(1.08 * max(float(line.max()) for line in lines)),
        0.0,
        law.unit,
        law.names,
    )


def _likely(laws: tuple[Floats, ...]) -> tuple[int, int]:
    """Returns the first point that is shown and the one after the last; others never occur.

    The width is a round number of points, so that it stays while epsilon moves a little.
    """
    size = laws[0].size
    reached = np.cumsum(np.maximum.reduce(laws) / len(laws))
    lowest = int(np.searchsorted(reached, _HARDLY))
    highest = int(np.searchsorted(reached, reached[-1] - _HARDLY))
    middle = (lowest + highest) // 2
    reach = ceil(rounded_up(max((highest - lowest) / 2 + 1, 6.0)))
    return max(middle - reach, 0), min(middle + reach + 1, size)


def _lead(law: Lead) -> LawView:
    reach = rounded_up(max(1.5 * law.needed, 5.0))
    x = np.linspace(0.0, reach, POINTS)
    chances = np.asarray([law.chance(float(lead)) for lead in x])
    band, axis = (law.needed, reach), (0.0, reach)
    return LawView("lead", "line", x, (chances,), band, axis, 1.02, 0.0, law.unit)


def rounded_up(value: float) -> float:
    """Returns the next of few round numbers, so that an axis stays while epsilon moves a little."""
    if value <= 0:
        return 1.0
    power = 10.0 ** floor(log10(value))
    digit = next((d for d in _ROUND if d * power >= value * (1 - 1e-9)), 10.0)
    return digit * power
