"""The axes of a running estimate; they stay while respondents are added."""

from __future__ import annotations

from math import sqrt

from dpdesk.preview.survey.estimator import stepped_up
from dpdesk.preview.survey.request import SurveyRequest

MOST_SHOWN = 5_000
"""Respondents that are played one by one."""

_EARLY = 30
_LENGTHS = (20, 50, 100, 200, 500, 1_000, 2_000, 5_000)


def respondents_shown(request: SurveyRequest) -> int:
    """Returns how many respondents of a survey are played."""
    return min(request.respondents, MOST_SHOWN)


def running_axis(shown: int) -> int:
    """Returns the end of the axis of respondents: a round number that is not passed yet."""
    return next((length for length in _LENGTHS if shown <= length), MOST_SHOWN)


def running_reach(request: SurveyRequest) -> tuple[float, float]:
    """Returns the ends of the axis of estimates in per cent: 95 % of those from 30 respondents.

    Raises:
        ParameterError: The survey cannot be held.
    """
    planned = request.design.planned_variance(request.prevalence)
    reach = stepped_up(100 * request.quantile * sqrt(planned.total / _EARLY) + 1.0)
    return 100 * request.prevalence - reach, 100 * request.prevalence + reach
