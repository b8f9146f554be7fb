"""The margin of error over respondents and over epsilon, and what a wanted margin needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, isfinite

import numpy as np
from numpy.typing import NDArray

from dpdesk.errors import DpdeskError, ParameterError
from dpdesk.preview.request import REMEMBERED
from dpdesk.preview.survey.supposed import SupposedSurvey

Floats = NDArray[np.float64]

EPSILON_ENDS = (0.1, 8.0)
RESPONDENTS_ENDS = (100, 1_000_000)
_POINTS = 41
_LARGEST_SAMPLE = 10**12
_EPSILONS = (0.01, 12.0)
_HALVINGS = 40


@dataclass(frozen=True, slots=True, eq=False)
class ErrorCurves:
    """Margins in pp for shares, in the answers' unit for numbers.

    Attributes:
        respondents, by_respondents: Numbers of respondents and the margin at each.
        direct: The margin of direct, truthful answers at each number of respondents.
        epsilons, by_epsilon: Epsilons and the margin at each; empty where an epsilon does not
            decide the device.
        floor: The margin of direct, truthful answers from the respondents in force.
        epsilon: The epsilon in force; may be infinite.
        people: The respondents in force.
        margin: The margin in force.
    """

    respondents: Floats
    by_respondents: Floats
    direct: Floats
    epsilons: Floats
    by_epsilon: Floats
    floor: float
    epsilon: float
    people: int
    margin: float


@lru_cache(maxsize=REMEMBERED)
def error_curves(survey: SupposedSurvey) -> ErrorCurves:
    """Returns the margins around a survey.

    Raises:
        ParameterError: The survey cannot be held.
    """
    scale, (sampling, privacy) = survey.scale, survey.parts
    z = scale * survey.quantile
    low, high = RESPONDENTS_ENDS
    respondents = np.geomspace(min(low, survey.respondents), max(high, survey.respondents), 31)
    epsilons, margins = [], []
    if survey.design.epsilon_decides:
        for epsilon in np.geomspace(*EPSILON_ENDS, _POINTS).tolist():
            try:
                margins.append(scale * survey.at_epsilon(epsilon).margin)
            except DpdeskError:
                # Below some epsilon the device may have no variance, or tell nothing.
                continue
            epsilons.append(epsilon)
    return ErrorCurves(
        respondents=respondents,
        by_respondents=z * np.sqrt((sampling + privacy) / respondents),
        direct=z * np.sqrt(sampling / respondents),
        epsilons=np.array(epsilons),
        by_epsilon=np.array(margins),
        floor=z * float(np.sqrt(sampling / survey.respondents)),
        epsilon=survey.epsilon,
        people=survey.respondents,
        margin=scale * survey.margin,
    )


def people_for_margin(survey: SupposedSurvey, margin: float) -> int:
    """Returns the least number of respondents for a margin.

    Args:
        survey: The survey.
        margin: Half-width of the interval: a share, or in the unit of the numbers.

    Raises:
        ParameterError: The survey cannot be held, or no survey has as many respondents.
    """
    needed = sum(survey.parts) * (survey.quantile / margin) ** 2 * (1 - 1e-12)
    if not isfinite(needed) or needed > _LARGEST_SAMPLE:
        raise ParameterError(
            "No survey has as many respondents as this margin needs.",
            remedy="Accept a wider margin, or a larger epsilon.",
        )
    return max(ceil(needed), 2)


def epsilon_for_margin(survey: SupposedSurvey, margin: float) -> float:
    """Returns the least epsilon of the design that reaches a margin, rounded up a little.

    Raises:
        ParameterError: None does, or an epsilon does not decide the design.
    """
    low, high = _EPSILONS
    if survey.at_epsilon(high).margin > margin:
        raise ParameterError(
            "No epsilon reaches this margin with so few respondents.",
            remedy="Ask more respondents, or accept a wider margin.",
        )
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        try:
            wide = survey.at_epsilon(middle).margin > margin
        except DpdeskError:
            # So small an epsilon leaves no device: a larger one is needed.
            wide = True
        low, high = (middle, high) if wide else (low, middle)
    return high
