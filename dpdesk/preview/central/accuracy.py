"""Error against epsilon and against the number of rows, central and local."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import ParameterError
from dpdesk.preview.central.local import local_error
from dpdesk.preview.central.request import QueryRequest
from dpdesk.preview.request import CACHED_VIEWS
from dpdesk.queries.noise import GAUSSIAN_KINDS

Floats = NDArray[np.float64]

_ANCHOR = Decimal(1)
_EPSILONS = tuple(Decimal(f"{x:.3g}") for x in np.geomspace(0.01, 10, 31))
_FEW = _EPSILONS[::3]
_COUNTS = np.geomspace(1e2, 1e6, 25)


@dataclass(frozen=True)
class CentralAccuracyView:
    """Curves of the half-width of one number, from the noise alone.

    Attributes:
        epsilons: Shape (e,).
        central, local: Errors against epsilon; `local` is None without a local counterpart.
        counts: Numbers of rows, shape (c,).
        central_of_count, local_of_count: Errors against the number of rows.
        epsilon, rows, error: The current choice.
        local_error: The error of the local question now; None without one.
        error_range: What both axes of errors show; it stays while epsilon moves.
        unit: Unit of the errors.
    """

    epsilons: Floats
    central: Floats
    local: Floats | None
    counts: Floats
    central_of_count: Floats
    local_of_count: Floats | None
    epsilon: float
    rows: int
    error: float
    local_error: float | None
    error_range: tuple[float, float]
    unit: str


@lru_cache(maxsize=CACHED_VIEWS)
def central_accuracy(request: QueryRequest) -> CentralAccuracyView:
    """Returns the curves of a query.

    Args:
        request: A query that suits its domains.
    """
    central, local = _of_epsilon(request.at(_ANCHOR))
    by_count = np.asarray([_error(request, int(count)) for count in _COUNTS])
    epsilon = request.query.epsilon
    locally = [_local(request, epsilon, int(count)) for count in _COUNTS]
    local_of_count = None if locally[0] is None else np.asarray(locally, np.float64)
    error = request.error
    shown = [*central, *(() if local is None else local), error.half_width]
    positive = [value for value in shown if value > 0]
    low, high = (min(positive), max(positive)) if positive else (0.1, 1.0)
    return CentralAccuracyView(
        np.asarray(_EPSILONS, np.float64),
        central,
        local,
        _COUNTS,
        by_count,
        local_of_count,
        float(epsilon),
        request.rows,
        error.half_width,
        _local(request, epsilon, request.rows),
        (10.0 ** np.floor(np.log10(low)), 10.0 ** np.ceil(np.log10(high * 1.0001))),
        error.unit,
    )


def local_now(request: QueryRequest) -> float | None:
    """Returns the error of the same question asked locally at the same epsilon; None without."""
    return _local(request, request.query.epsilon, request.rows)


@lru_cache(maxsize=CACHED_VIEWS)
def _of_epsilon(request: QueryRequest) -> tuple[Floats, Floats | None]:
    """The curves against epsilon, which no change of epsilon changes."""
    # Gaussian noise takes a search per point; on logarithms its error is nearly a straight line.
    exact = _FEW if request.query.noise in GAUSSIAN_KINDS else _EPSILONS
    errors = np.asarray([_error(request.at(epsilon), request.rows) for epsilon in exact])
    if len(exact) < len(_EPSILONS):
        logs = np.log(np.asarray(exact, np.float64))
        at = np.log(np.asarray(_EPSILONS, np.float64))
        errors = np.exp(np.interp(at, logs, np.log(np.maximum(errors, 1e-300))))
    local = [_local(request, epsilon, request.rows) for epsilon in _EPSILONS]
    return errors, None if local[0] is None else np.asarray(local, np.float64)


def _error(request: QueryRequest, rows: int) -> float:
    try:
        return replace(request, rows=rows).error.half_width
    except ParameterError:
        return float("nan")


def _local(request: QueryRequest, epsilon: Decimal, rows: int) -> float | None:
    return local_error(request, epsilon, rows)
