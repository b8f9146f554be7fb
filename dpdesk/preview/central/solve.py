"""From the error that one can live with to the epsilon of a query."""

from __future__ import annotations

from decimal import Decimal

from dpdesk.errors import ParameterError
from dpdesk.preview.central.request import QueryRequest
from dpdesk.preview.solve import LAST_RUNG, epsilon_at


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
        raise ParameterError("An error must be above 0.", remedy="Type a larger error, such as 2.")
    missed, reached = -1, LAST_RUNG + 1
    while reached - missed > 1:
        middle = (missed + reached) // 2
        if _error_at(request, epsilon_at(middle)) <= half_width:
            reached = middle
        else:
            missed = middle
    if reached > LAST_RUNG:
        raise ParameterError(
            f"With {request.rows:,} rows, no epsilon up to 40 keeps the noise within this error.",
            remedy="Type a larger error.",
        )
    return epsilon_at(reached)


def _error_at(request: QueryRequest, epsilon: Decimal) -> float:
    try:
        return request.at(epsilon).error.half_width
    except ParameterError:
        # So little that its noise would be larger than anything can be drawn.
        return float("inf")
