"""From the error that one can live with to epsilon."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from math import nan

from dpdesk.errors import ParameterError
from dpdesk.plan import mechanism_at
from dpdesk.preview.digits import error_text
from dpdesk.preview.request import PreviewRequest, Z

# The epsilons of three digits are 900 for each power of ten: 0.000100, 0.000101 ... 40.0.
_DECADE = 900
_LEAST_POWER = -6
# More than the largest rise of an error (0.31, of the square wave on 20 points), and than the
# epsilons of three digits until the error is low again (192, of the square wave on 82).
_FAR = 1.35
_LOOKED_BELOW = 250
LAST_RUNG = 5 * _DECADE + 300
"""Number of the largest epsilon; the least one has number 0."""


def epsilon_for_error(request: PreviewRequest, half_width: float) -> Decimal:
    """Returns the least epsilon of three digits whose 95 % error is not above the one given.

    Args:
        request: Mechanism, domain and number of respondents; its own epsilon plays no part.
        half_width: The error, in pp for a share and in the attribute's unit for a mean.

    Raises:
        ParameterError: No epsilon reaches this error, it is not above 0, or the mechanism's
            epsilon cannot be chosen.
    """
    if not half_width > 0:
        raise ParameterError("An error must be above 0.", remedy="Type a larger error, such as 2.")
    rung = least_rung(request, half_width, LAST_RUNG)
    if rung is None:
        raise ParameterError(_out_of_reach(request), remedy="Type a larger error.")
    return epsilon_at(rung)


def epsilon_at(rung: int) -> Decimal:
    """Returns the epsilon of three digits of a number from 0 to `LAST_RUNG`."""
    power, digits = divmod(rung, _DECADE)
    return Decimal(digits + 100).scaleb(power + _LEAST_POWER).normalize()


def least_rung(request: PreviewRequest, half_width: float, last: int) -> int | None:
    """Returns the number of the least epsilon, up to `last`, that reaches an error, or None.

    By bisection, since errors fall with epsilon. They rise by up to a third where a whole number
    inside a mechanism changes (members of a subset, grid points of a window); so the epsilons
    below the one found are looked at too, as long as the error is near the one wanted.
    """
    missed, reached = -1, last + 1
    while reached - missed > 1:
        middle = (missed + reached) // 2
        # Epsilons that the mechanism's other parameters rule out lie above those that they allow.
        if not error_at(request, epsilon_at(middle)) > half_width:
            reached = middle
        else:
            missed = middle
    for rung in range(reached - 1, max(reached - _LOOKED_BELOW, 0) - 1, -1):
        error = error_at(request, epsilon_at(rung))
        if error > half_width * _FAR:
            break
        if error <= half_width:
            reached = rung
    found = reached <= last and error_at(request, epsilon_at(reached)) <= half_width
    return reached if found else None


def error_at(request: PreviewRequest, epsilon: Decimal) -> float:
    """Returns the 95 % error of a request's mechanism at another epsilon.

    NaN where the mechanism's other parameters do not go with that epsilon.
    """
    try:
        mechanism = mechanism_at(request.mechanism, epsilon)
    except ValueError:
        if not request.mechanism.adjustable:
            raise
        return nan
    asked = replace(request, mechanism=mechanism)
    return Z * request.scale * asked.accuracy.total


def _out_of_reach(request: PreviewRequest) -> str:
    count = f"{request.respondents:,} respondents"
    if request.sampling.strategy != "spl":
        return f"{count} cannot reach this error under this strategy, however large epsilon is."
    floor = error_text(Z * request.scale * request.accuracy.sampling, request.unit)
    return f"{count} have an error of {floor} even without protection."
