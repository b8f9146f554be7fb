"""What a supposed survey comes to in figures: error, sample, coverage."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, sqrt

from dpdesk.preview.survey.estimates import estimates_view
from dpdesk.preview.survey.supposed import SupposedSurvey


@dataclass(frozen=True, slots=True)
class SurveyFigures:
    """What a design does to the estimate; errors in pp for shares, else in the answers' unit.

    Attributes:
        error: Half-width of the interval, everybody following the instruction.
        sampling: The same for direct, truthful answers.
        privacy: What the device adds; error^2 = sampling^2 + privacy^2.
        factor: Sample needed for the same error, against direct, truthful answers: the design
            effect; infinite where these would have no error.
        effective_respondents: Direct, truthful answers that tell as much.
        bias: What respondents who do not follow the instruction add, by theory.
        coverage: Share of the intervals that hold the truth, between 0 and 1.
        beyond: Share of the estimates that no truth can have, between 0 and 1.
    """

    error: float
    sampling: float
    privacy: float
    factor: float
    effective_respondents: float
    bias: float
    coverage: float
    beyond: float


def figures_of_survey(survey: SupposedSurvey) -> SurveyFigures:
    """Returns the figures of a survey."""
    view = estimates_view(survey)
    sampling, privacy = survey.parts
    scale = survey.scale * survey.quantile / sqrt(survey.respondents)
    factor = (sampling + privacy) / sampling if sampling else inf
    return SurveyFigures(
        error=scale * sqrt(sampling + privacy),
        sampling=scale * sqrt(sampling),
        privacy=scale * sqrt(privacy),
        factor=factor,
        effective_respondents=survey.respondents / factor,
        bias=view.theory_bias,
        coverage=view.coverage,
        beyond=view.beyond,
    )
