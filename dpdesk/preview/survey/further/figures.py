"""The figures of hypothetical surveys of several answers and of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import inf, sqrt

from dpdesk.designs.beliefs import BeliefTable, belief_table
from dpdesk.mechanisms import normal_quantile
from dpdesk.preview.request import REMEMBERED
from dpdesk.preview.survey.further.request import NumberRequest, SeveralRequest


@dataclass(frozen=True, slots=True)
class ShareFigures:
    """What a design does to the share looked at and to a respondent; errors in pp.

    Attributes:
        error: Half-width of the interval, everybody following the instruction.
        sampling, privacy: Its parts; error^2 = sampling^2 + privacy^2.
        factor: Sample needed for the same error, against direct, truthful answers.
        bias: What respondents who do not follow the instruction add, by theory.
        coverage: Share of the intervals that hold the true share, between 0 and 1.
        negative: Share of the estimates below 0, between 0 and 1.
        beliefs: What the reports make of the belief in each answer.
    """

    error: float
    sampling: float
    privacy: float
    factor: float
    bias: float
    coverage: float
    negative: float
    beliefs: BeliefTable


@dataclass(frozen=True, slots=True)
class NumberFigures:
    """What a design does to the mean and to a respondent, in the answers' unit.

    Attributes:
        error, sampling, privacy, factor, bias, coverage: As of shares.
        outside: Share of the estimates outside of the bounds of true answers, between 0 and 1.
        epsilon: The privacy loss; infinite where an answer can rule true answers out.
        delta: Chance at most of such an answer, or 0.
        sentence: Both in words.
        one_by_one: Whether every respondent of every survey was drawn.
    """

    error: float
    sampling: float
    privacy: float
    factor: float
    bias: float
    coverage: float
    outside: float
    epsilon: float
    delta: float
    sentence: str
    one_by_one: bool


@lru_cache(maxsize=REMEMBERED)
def figures_of_share(request: SeveralRequest) -> ShareFigures:
    """Returns the figures of the share that is looked at.

    Raises:
        ParameterError: The survey cannot be held.
    """
    outcomes, looked = request.outcomes(), request.looked
    error, sampling, privacy, factor = _parts(request)
    return ShareFigures(
        error=100 * error,
        sampling=100 * sampling,
        privacy=100 * privacy,
        factor=factor,
        bias=100 * (float(request.theory.means[looked]) - request.shares[looked]),
        coverage=float(outcomes.coverage[looked]),
        negative=float(outcomes.negative[looked]),
        beliefs=belief_table(request.design, request.shares),
    )


@lru_cache(maxsize=REMEMBERED)
def figures_of_number(request: NumberRequest) -> NumberFigures:
    """Returns the figures of the mean.

    Raises:
        ParameterError: The survey cannot be held.
    """
    outcomes, loss = request.outcomes(), request.design.loss
    error, sampling, privacy, factor = _parts(request)
    return NumberFigures(
        error=error,
        sampling=sampling,
        privacy=privacy,
        factor=factor,
        bias=outcomes.theory.mean - request.mean,
        coverage=outcomes.coverage,
        outside=float(outcomes.outside.mean()),
        epsilon=loss.epsilon,
        delta=loss.delta,
        sentence=loss.sentence,
        one_by_one=outcomes.one_by_one,
    )


def _parts(request: SeveralRequest | NumberRequest) -> tuple[float, float, float, float]:
    sampling, privacy = request.parts
    scale = normal_quantile(request.confidence) / sqrt(request.respondents)
    return (
        scale * sqrt(sampling + privacy),
        scale * sqrt(sampling),
        scale * sqrt(privacy),
        1 + privacy / sampling if sampling else inf,
    )
