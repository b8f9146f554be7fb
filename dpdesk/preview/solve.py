"""From the error that one can live with to epsilon."""

from __future__ import annotations

from dataclasses import replace
from decimal import ROUND_CEILING, Decimal

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN
from dpdesk.errors import ParameterError
from dpdesk.plan import mechanism_at
from dpdesk.preview.digits import error_text
from dpdesk.preview.request import PreviewRequest, Z

_HALVINGS = 60
_DIGITS = 3


def epsilon_for_error(request: PreviewRequest, half_width: float) -> Decimal:
    """Returns the least epsilon of three digits whose 95 % error is not above the one given.

    Args:
        request: Mechanism, domain and number of respondents; its own epsilon plays no part.
        half_width: The error, in pp for a share and in the attribute's unit for a mean.

    Raises:
        ParameterError: No epsilon reaches this error, or it is not above 0.
    """
    if not half_width > 0:
        raise ParameterError("An error must be above 0.", remedy="Type a larger error, such as 2.")
    if _error_at(request, EPSILON_MAX) > half_width:
        raise ParameterError(_out_of_reach(request), remedy="Type a larger error.")
    low, high = float(EPSILON_MIN), float(EPSILON_MAX)
    for _ in range(_HALVINGS):
        # By ratio: epsilons are spread over six decades.
        middle = (low * high) ** 0.5
        if _error_at(request, Decimal(middle).quantize(Decimal("1e-12"))) <= half_width:
            high = middle
        else:
            low = middle
    return _rounded_up(request, high, half_width)


def _out_of_reach(request: PreviewRequest) -> str:
    floor = Z * request.scale * request.accuracy.sampling
    return (
        f"{request.respondents:,} respondents have an error of "
        f"{error_text(floor, request.unit)} even without protection."
    )


def _rounded_up(request: PreviewRequest, epsilon: float, half_width: float) -> Decimal:
    exact = Decimal(epsilon)
    unit = Decimal(1).scaleb(max(exact.adjusted() - _DIGITS + 1, -12))
    rounded = min(exact.quantize(unit, ROUND_CEILING), EPSILON_MAX)
    # The bisection ends a last bit above or below; the promise is on the printed value.
    below = rounded - unit
    if below >= EPSILON_MIN and _error_at(request, below) <= half_width:
        rounded = below
    return max(rounded, EPSILON_MIN).normalize()


def _error_at(request: PreviewRequest, epsilon: Decimal) -> float:
    within = min(max(epsilon, EPSILON_MIN), EPSILON_MAX)
    asked = replace(request, mechanism=mechanism_at(request.mechanism, within))
    return Z * request.scale * asked.accuracy.total
