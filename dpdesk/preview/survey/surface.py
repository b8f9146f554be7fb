"""The margin of error over respondents and epsilon, with lines of equal margin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs import YesNoDesign
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
    """Margins of a family of designs that an epsilon decides.

    Attributes:
        family: Any of its designs; None for Warner's channel, which no design for one trait
            undercuts at the same epsilon.
        prevalence: The true share.
        confidence: Coverage of the intervals.
        epsilons: Shape (p,), in equal ratios.
        respondents: Shape (q,), in equal ratios.
        margins: Half-width of the interval in pp, shape (q, p).
        lines: Lines of equal margin that cross the picture.
    """

    family: YesNoDesign | None
    prevalence: float
    confidence: float
    epsilons: Floats
    respondents: Floats
    margins: Floats
    lines: tuple[IsoLine, ...]

    def margin_at(self, epsilon: float, respondents: float) -> float:
        """Returns the margin at any point, in pp."""
        variance = variances_of_family(self.prevalence, np.array(epsilon), self.family)
        return 100 * normal_quantile(self.confidence) * sqrt(float(variance) / respondents)


@lru_cache(maxsize=64)
def error_surface(
    prevalence: float,
    confidence: float = 0.95,
    epsilon_ends: tuple[float, float] = EPSILON_ENDS,
    respondents_ends: tuple[int, int] = RESPONDENTS_ENDS,
    family: YesNoDesign | None = None,
) -> ErrorSurface:
    """Returns the margins over a range of epsilon and of respondents.

    Without a family they are those of Warner's channel. A design with parameters of its own is a
    point of the picture: its epsilon and its number of respondents, with the margin of
    `figures_of_survey`.

    Raises:
        ParameterError: The share does not lie between 0 and 1, a range is empty, or an epsilon
            does not decide the family's parameters.
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
    variances = variances_of_family(prevalence, epsilons, family)
    z = 100 * normal_quantile(confidence)
    margins = z * np.sqrt(variances / respondents[:, np.newaxis])
    lines = []
    for level in LEVELS:
        needed = (margins[0] / level) ** 2 * respondents[0]
        inside = (respondents_ends[0] <= needed) & (needed <= respondents_ends[1])
        if inside.sum() > 1:
            lines.append(IsoLine(level, epsilons[inside], needed[inside]))
    return ErrorSurface(
        family, prevalence, confidence, epsilons, respondents, margins, tuple(lines)
    )


def variances_of_channel(prevalence: float, epsilons: Floats) -> Floats:
    """Returns pi (1 - pi) + x / (x - 1)^2, n times the variance of Warner's, with x = e^epsilon."""
    # x / (x - 1)^2 = 1 / (4 sinh^2(epsilon / 2)), without overflow for any epsilon of a picture.
    return np.asarray(prevalence * (1 - prevalence) + 1 / (2 * np.sinh(epsilons / 2)) ** 2)


def variances_of_family(prevalence: float, epsilons: Floats, family: YesNoDesign | None) -> Floats:
    """Returns n times the variance of an estimate at every epsilon, of the shape of `epsilons`."""
    if family is None:
        return variances_of_channel(prevalence, epsilons)
    designs = (family.at_epsilon(float(epsilon)) for epsilon in epsilons.ravel())
    found = [design.planned_variance(prevalence).total for design in designs]
    return np.array(found).reshape(epsilons.shape)
