"""The errors of a query against epsilon and rows, central and local, and its figures.

The local error is that of the same question asked with local differential privacy. In the central
model the error of a share falls with 1 / (n epsilon), in the local one with 1 / (sqrt(n)
epsilon): every respondent adds noise of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from math import exp, expm1, sqrt

import numpy as np

from dpdesk.domains import AnyGrid, NumericDomain
from dpdesk.errors import ParameterError
from dpdesk.mechanisms import ranked
from dpdesk.numbers.arrays import Floats
from dpdesk.preview.central.law import linear_error
from dpdesk.preview.central.request import QueryRequest
from dpdesk.preview.figures import PRIOR, posterior
from dpdesk.preview.request import CACHED_VIEWS, Z
from dpdesk.preview.solve import LAST_RUNG, epsilon_at
from dpdesk.preview.texts import T
from dpdesk.queries import ExpectedError
from dpdesk.queries.clamped import Clamp
from dpdesk.queries.condition import domain_in, numbers_in
from dpdesk.queries.noise import GAUSSIAN_KINDS


def epsilon_for_half_width(request: QueryRequest, half_width: float) -> Decimal:
    """Returns the least epsilon of three digits whose error is not above the one given.

    Errors of noise and of choices never rise with epsilon, so that halving finds it.

    Args:
        request: The query; its own epsilon plays no part.
        half_width: The error, in the unit of the query.

    Raises:
        ParameterError: The error is not above 0, or no epsilon reaches it.
    """
    if not half_width > 0:
        raise ParameterError(T.BAD_ERROR())
    missed, reached = -1, LAST_RUNG + 1
    while reached - missed > 1:
        middle = (missed + reached) // 2
        if _error_at(request, epsilon_at(middle)) <= half_width:
            reached = middle
        else:
            missed = middle
    if reached > LAST_RUNG:
        raise ParameterError(T.OUT_OF_REACH__ROWS(rows=request.rows))
    return epsilon_at(reached)


def _error_at(request: QueryRequest, epsilon: Decimal) -> float:
    try:
        return request.at(epsilon).error.half_width
    except ParameterError:
        # The epsilon is so small that its noise would be larger than can be drawn.
        return float("inf")


def local_error(request: QueryRequest, epsilon: Decimal, rows: int) -> float | None:
    """Returns the 95 % error, from the noise alone, of a question asked locally.

    Counts and shares of k cells use randomized response or optimized unary encoding, whichever
    has the smaller variance; means and sums the mechanism for numbers of the smallest one.

    Args:
        request: The query.
        epsilon: What each answer loses.
        rows: Number of respondents, one row each.

    Returns:
        The half-width in the unit of the query; None where the question has no local counterpart
        here, or a respondent has several rows.
    """
    if request.unit.rows_per_respondent > 1:
        return None
    query = request.query
    if query.local in ("count", "share"):
        noise = Z * sqrt(share_variance(float(epsilon), cells_of(request)) / rows)
        if query.local == "share":
            # The group is part of the joint answer, and holds 1/G of the rows: its share is G times
            # as noisy.
            return 100 * noise * request.groups
        return noise * rows
    if query.local and not getattr(query, "by", ()) and not query.where:
        domains = dict(request.domains)
        domain = numbers_in(domains, query.columns[0])
        assert isinstance(domain, NumericDomain)  # noqa: S101 - there are no other grids
        clamp = Clamp.of(domain, getattr(query, "lower", None), getattr(query, "upper", None))
        half = Z * sqrt(_mean_variance(domain, epsilon) / rows) * clamp.reach * clamp.half_step
        return half if query.local == "mean" else half * rows
    return None


def cells_of(request: QueryRequest) -> int:
    """Returns the number of different answers to a local question of the same meaning."""
    query, cells = request.query, len(request.bound.keys)
    if query.local == "share":
        return 2 * cells
    sizes = [domain_in(dict(request.domains), name).size for name in getattr(query, "by", ())]
    # A row that misses the condition, or lies in no bin, is an answer of its own.
    skips = bool(query.where) or not sizes
    return max(cells + skips, 2)


def share_variance(epsilon: float, cells: int) -> float:
    """Returns n times the variance of a rare share (Wang et al. 2017, equations 4 and 6).

    Args:
        epsilon: What each answer loses.
        cells: Number of different answers, at least 2.
    """
    ratio, excess = exp(epsilon), expm1(epsilon)
    return min((cells - 2 + ratio) / excess**2, 4 * ratio / excess**2)


@lru_cache(maxsize=4 * CACHED_VIEWS)
def _mean_variance(domain: AnyGrid, epsilon: Decimal) -> float:
    """Returns n times the largest variance of a mean, in units of half the range."""
    return ranked(domain, epsilon, by="var_star")[0].noise_constant


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
    """Returns the error of the same question asked locally at the same epsilon, or None."""
    return _local(request, request.query.epsilon, request.rows)


@lru_cache(maxsize=CACHED_VIEWS)
def _of_epsilon(request: QueryRequest) -> tuple[Floats, Floats | None]:
    """The curves against epsilon, which do not depend on the current epsilon."""
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


@dataclass(frozen=True, slots=True)
class CentralFigures:
    """The figures of a query.

    Attributes:
        error: Half-width of one number, from the noise alone, with unit and basis.
        cells: How many numbers are released.
        every: Half-width that holds all numbers at once; None for a choice or a quotient.
        sampling: 95 % error from drawing the rows, where the statistic estimates a population
            quantity: of a share of one half, of a mean of evenly spread numbers; else None.
        local: 95 % error of the same question asked locally; None without a counterpart.
        shift: The most that one respondent moves the true statistic; None for a choice.
        posterior: The highest belief that even odds can become.
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
    if bound.parts and not (request.query.averages or request.query.chooses):
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
