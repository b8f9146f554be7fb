"""The margin of error over respondents and over epsilon."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpdesk.errors import DpdeskError
from dpdesk.numbers.arrays import Floats
from dpdesk.preview.request import CACHED_VIEWS
from dpdesk.preview.survey.supposed import SupposedSurvey

EPSILON_ENDS = (0.1, 8.0)
RESPONDENTS_ENDS = (100, 1_000_000)
_POINTS = 41


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


@lru_cache(maxsize=CACHED_VIEWS)
def error_curves(survey: SupposedSurvey) -> ErrorCurves:
    """Returns the margins around a survey."""
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
