"""The margin of error over respondents and epsilon, with lines of equal margin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import ParameterError
from dpdesk.mechanisms import normal_quantile

Floats = NDArray[np.float64]

EPSILON_ENDS = (0.1, 8.0)
RESPONDENTS_ENDS = (100, 1_000_000)
EPSILONS, RESPONDENTS = 101, 81

LEVELS = (0.1, 0.2, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0)
"""Margins whose lines are drawn, in pp."""


@dataclass(frozen=True, slots=True, eq=False)
class IsoLine:
    """Everything that reaches one margin.

    Attributes:
        margin: The margin, in pp.
        epsilons: Along the line, shape (p,).
        respondents: Respondents needed at each, not rounded, shape (p,).
    """

    margin: float
    epsilons: Floats
    respondents: Floats


@dataclass(frozen=True, slots=True, eq=False)
class ErrorSurface:
    """Margins of Warner's channel, which no design of the same epsilon undercuts.

    Attributes:
        prevalence: The true share.
        confidence: Coverage of the intervals.
        epsilons: Shape (p,), in equal ratios.
        respondents: Shape (q,), in equal ratios.
        margins: Half-width of the interval in pp, shape (q, p).
        lines: Lines of equal margin that cross the picture.
    """

    prevalence: float
    confidence: float
    epsilons: Floats
    respondents: Floats
    margins: Floats
    lines: tuple[IsoLine, ...]

    def margin_at(self, epsilon: float, respondents: float) -> float:
        """Returns the margin at any point, in pp."""
        return float(
            margins_of_channel(
                self.prevalence, np.array(epsilon), np.array(respondents), self.confidence
            )
        )


@lru_cache(maxsize=64)
def error_surface(
    prevalence: float,
    confidence: float = 0.95,
    epsilon_ends: tuple[float, float] = EPSILON_ENDS,
    respondents_ends: tuple[int, int] = RESPONDENTS_ENDS,
) -> ErrorSurface:
    """Returns the margins over a range of epsilon and of respondents.

    A design with parameters of its own is a point of the picture: its epsilon and its number of
    respondents, with the margin of `figures_of_survey`.

    Raises:
        ParameterError: The share does not lie between 0 and 1, or a range is empty.
    """
    if not 0 <= prevalence <= 1:
        raise ParameterError(
            "The true share must lie between 0 and 1.", remedy="Type a number such as 0.1."
        )
    if not (
        0 < epsilon_ends[0] < epsilon_ends[1] and 0 < respondents_ends[0] < respondents_ends[1]
    ):
        raise ParameterError(
            "The ranges of epsilon and of respondents must begin above 0 and not be empty.",
            remedy="Type ranges such as 0.1 to 8 and 100 to 1,000,000.",
        )
    epsilons = np.geomspace(*epsilon_ends, EPSILONS)
    respondents = np.geomspace(*respondents_ends, RESPONDENTS)
    margins = margins_of_channel(prevalence, epsilons, respondents[:, np.newaxis], confidence)
    lines = []
    for level in LEVELS:
        needed = (margins[0] / level) ** 2 * respondents[0]
        inside = (respondents_ends[0] <= needed) & (needed <= respondents_ends[1])
        if inside.sum() > 1:
            lines.append(IsoLine(level, epsilons[inside], needed[inside]))
    return ErrorSurface(prevalence, confidence, epsilons, respondents, margins, tuple(lines))


def margins_of_channel(
    prevalence: float, epsilons: Floats, respondents: Floats, confidence: float
) -> Floats:
    """Returns z sqrt([pi (1 - pi) + x / (x - 1)^2] / n) in pp, with x = e^epsilon."""
    sampling = prevalence * (1 - prevalence)
    # x / (x - 1)^2 = 1 / (4 sinh^2(epsilon / 2)), without overflow for any epsilon of a picture.
    privacy = 1 / (2 * np.sinh(epsilons / 2)) ** 2
    return np.asarray(
        100 * normal_quantile(confidence) * np.sqrt((sampling + privacy) / respondents)
    )
