"""The figures of a query that are shown as numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dpdesk.preview.central.accuracy import local_now
from dpdesk.preview.central.law import linear_error
from dpdesk.preview.central.request import QueryRequest
from dpdesk.preview.figures import PRIOR, posterior
from dpdesk.preview.request import CACHED_VIEWS, Z
from dpdesk.queries import ExpectedError


@dataclass(frozen=True, slots=True)
class CentralFigures:
    """What matters of a query.

    Attributes:
        error: Half-width of one number, from the noise alone, with unit and basis.
        cells: How many numbers are released.
        every: Half-width that holds all numbers at once; None for a choice or a quotient.
        sampling: 95 % error from drawing the rows, where the statistic estimates a population
            quantity: of a share of one half, of a mean of evenly spread numbers; else None.
        local: 95 % error of the same question asked locally; None without a counterpart.
        shift: The most that one respondent moves the true statistic; None for a choice.
        posterior: What even odds become at the most.
    """

    error: ExpectedError
    cells: int
    every: float | None
    sampling: float | None
    local: float | None
    shift: float | None
    posterior: float


@lru_cache(maxsize=CACHED_VIEWS)
def central_figures(request: QueryRequest) -> CentralFigures:
    """Returns the figures of a query.

    Args:
        request: A query that suits its domains.
    """
    bound, linear = request.bound, linear_error(request)
    every = None
    if bound.parts and not request.query.averages:
        part = bound.parts[0]
        every = part.step * part.noise.simultaneous_half_width(request.confidence)
    sampling = bound.sampling_error(request.rows_of_cell)
    return CentralFigures(
        request.error,
        len(bound.keys),
        every,
        None if sampling is None else Z * sampling,
        local_now(request),
        None if linear is None else linear.shift,
        posterior(PRIOR, float(request.query.epsilon)),
    )
