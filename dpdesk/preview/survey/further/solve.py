"""From the margin that is wanted to respondents, or to epsilon."""

from __future__ import annotations

from math import ceil, isfinite

from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.mechanisms import normal_quantile
from dpdesk.preview.survey.further.request import FurtherRequest, margin_of

_LARGEST_SAMPLE = 10**12
_EPSILONS = (0.01, 12.0)
_HALVINGS = 40


def people_for_margin(request: FurtherRequest, margin: float) -> int:
    """Returns the least number of respondents for a margin.

    Args:
        request: The survey.
        margin: Half-width of the interval: a share, or in the unit of the numbers.

    Raises:
        ParameterError: The survey cannot be held, or no survey has as many respondents.
    """
    z = normal_quantile(request.confidence)
    needed = sum(request.parts) * (z / margin) ** 2 * (1 - 1e-12)
    if not isfinite(needed) or needed > _LARGEST_SAMPLE:
        raise ParameterError(
            "No survey has as many respondents as this margin needs.",
            remedy="Accept a wider margin, or a larger epsilon.",
        )
    return max(ceil(needed), 2)


def epsilon_for_margin(request: FurtherRequest, margin: float) -> float:
    """Returns the least epsilon of the design that reaches a margin, rounded up a little.

    Raises:
        ParameterError: None does, or an epsilon does not decide the design.
    """
    low, high = _EPSILONS
    request.design.at_epsilon(high)
    if margin_of(request.of(request.design.at_epsilon(high))) > margin:
        raise ParameterError(
            "No epsilon reaches this margin with so few respondents.",
            remedy="Ask more respondents, or accept a wider margin.",
        )
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        try:
            wide = margin_of(request.of(request.design.at_epsilon(middle))) > margin
        except DpdeskError:
            # So small an epsilon leaves no device: a larger one is needed.
            wide = True
        low, high = (middle, high) if wide else (low, middle)
    return high
