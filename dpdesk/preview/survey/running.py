"""The axes of a running estimate; they stay while respondents are added."""

from __future__ import annotations

from math import sqrt

from dpdesk.preview.survey.estimates import stepped_up
from dpdesk.preview.survey.supposed import SupposedSurvey

MOST_SHOWN = 5_000
"""Respondents that are played one by one."""

_EARLY = 30
_LENGTHS = (20, 50, 100, 200, 500, 1_000, 2_000, 5_000)


def respondents_shown(survey: SupposedSurvey) -> int:
    """Returns how many respondents of a survey are played."""
    return min(survey.respondents, MOST_SHOWN)


def running_axis(shown: int) -> int:
    """Returns the end of the axis of respondents: a round number that is not passed yet."""
    return next((length for length in _LENGTHS if shown <= length), MOST_SHOWN)


def running_reach(survey: SupposedSurvey) -> tuple[float, float]:
    """Returns the ends of the axis of estimates as shown: 95 % of those from 30 respondents."""
    # A share of 0 or 1 that is asked directly has no error, and yet an axis.
    least = 1.0 if survey.scale != 1 else 0.0
    reach = stepped_up(survey.scale * survey.quantile * sqrt(sum(survey.parts) / _EARLY) + least)
    return survey.scale * survey.truth - reach, survey.scale * survey.truth + reach
