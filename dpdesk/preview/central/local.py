"""The same question asked with local differential privacy: what its error would be.

In the central model the error of a share falls with 1 / (n epsilon), in the local one with
1 / (sqrt(n) epsilon): every respondent adds noise of their own.
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from math import exp, expm1, sqrt

from dpdesk.domains import Integer, Real
from dpdesk.mechanisms import ranked
from dpdesk.preview.central.request import QueryRequest
from dpdesk.preview.request import CACHED_VIEWS, Z
from dpdesk.queries.clamped import Clamp
from dpdesk.queries.condition import domain_in, numbers_in


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
            # A group of 1/G of the rows is told by a joint answer: its share is G times as noisy.
            return 100 * noise * request.groups
        return noise * rows
    if query.local and not getattr(query, "by", ()) and not query.where:
        domains = dict(request.domains)
        domain = numbers_in(domains, query.columns[0])
        assert isinstance(domain, Integer | Real)  # noqa: S101 - there are no other grids
        clamp = Clamp.of(domain, getattr(query, "lower", None), getattr(query, "upper", None))
        half = Z * sqrt(_mean_variance(domain, epsilon) / rows) * clamp.reach * clamp.half_step
        return half if query.local == "mean" else half * rows
    return None


def cells_of(request: QueryRequest) -> int:
    """Returns the number of answers that a local question of the same meaning tells apart."""
    query, cells = request.query, len(request.bound.keys)
    if query.local == "share":
        return 2 * cells
    sizes = [domain_in(dict(request.domains), name).size for name in getattr(query, "by", ())]
    # A row that misses the condition, or all bins, gives an answer too.
    skips = bool(query.where) or not sizes
    return max(cells + skips, 2)


def share_variance(epsilon: float, cells: int) -> float:
    """Returns n times the variance of a rare share (Wang et al. 2017, equations 4 and 6).

    Args:
        epsilon: What each answer loses.
        cells: Number of answers that are told apart, at least 2.
    """
    ratio, excess = exp(epsilon), expm1(epsilon)
    return min((cells - 2 + ratio) / excess**2, 4 * ratio / excess**2)


@lru_cache(maxsize=4 * CACHED_VIEWS)
def _mean_variance(domain: Integer | Real, epsilon: Decimal) -> float:
    """Returns n times the largest variance of a mean, in units of half the range."""
    return ranked(domain, epsilon, by="var_star")[0].noise_constant
