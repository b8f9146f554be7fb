"""The four figures of a survey: error, sample, belief, coverage."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import isfinite, sqrt

from dpdesk.designs import loss_of
from dpdesk.designs.beliefs import Belief, beliefs_after
from dpdesk.preview.request import REMEMBERED
from dpdesk.preview.survey.estimator import estimator_view
from dpdesk.preview.survey.request import SurveyRequest


@dataclass(frozen=True, slots=True)
class SurveyFigures:
    """What a design does to the estimate and to a respondent; errors in pp.

    Attributes:
        error: Half-width of the interval, everybody following the device.
        sampling: The same for direct, truthful answers.
        privacy: What the device adds; error^2 = sampling^2 + privacy^2.
        factor: Sample needed for the same error, against direct, truthful answers: the design
            effect; infinite where the true share is 0 or 1.
        effective_respondents: Direct, truthful answers that tell as much.
        bias: What respondents who do not follow the device add, by theory.
        prior: The true share, between 0 and 1: the belief before any answer.
        beliefs: After each answer that can occur, for every group.
        lowest, highest: The smallest and the largest of them.
        coverage: Share of the intervals that hold the true share, between 0 and 1.
        negative: Share of the estimates below 0, between 0 and 1.
        epsilon: The privacy loss; infinite where an answer is a proof.
    """

    error: float
    sampling: float
    privacy: float
    factor: float
    effective_respondents: float
    bias: float
    prior: float
    beliefs: tuple[Belief, ...]
    lowest: float
    highest: float
    coverage: float
    negative: float
    epsilon: float

    @property
    def betrays(self) -> bool:
        """Whether an answer is a proof."""
        return not isfinite(self.epsilon)


@lru_cache(maxsize=REMEMBERED)
def figures_of_survey(request: SurveyRequest) -> SurveyFigures:
    """Returns the figures of a request.

    Raises:
        ParameterError: The survey cannot be held.
    """
    view = estimator_view(request)
    design, share, n = request.design, request.prevalence, request.respondents
    planned = design.planned_variance(share)
    scale = 100 * request.quantile
    factor = planned.total / planned.sampling if planned.sampling else float("inf")
    beliefs = beliefs_after(design, share)
    return SurveyFigures(
        error=scale * sqrt(planned.total / n),
        sampling=scale * sqrt(planned.sampling / n),
        privacy=scale * sqrt(max(planned.privacy, 0.0) / n),
        factor=factor,
        effective_respondents=n / factor,
        bias=view.theory_bias,
        prior=share,
        beliefs=beliefs,
        lowest=min(belief.belief for belief in beliefs),
        highest=max(belief.belief for belief in beliefs),
        coverage=view.coverage,
        negative=view.negative,
        epsilon=loss_of(design.groups).epsilon,
    )
