"""How each answer, or report, changes the belief in every true state, by Bayes' rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import exp, inf

import numpy as np

from dpdesk.designs.several_answers import SeveralDesign, require_shares
from dpdesk.designs.yes_no import YesNoDesign
from dpdesk.numbers.arrays import Floats


@dataclass(frozen=True, slots=True)
class Belief:
    """How one answer changes the belief that a respondent is a carrier.

    Attributes:
        answer: The answer.
        group: Name of the group of respondents; empty where there is one.
        chance: Chance of this answer, of a respondent drawn from all.
        belief: Chance that a respondent who gives it is a carrier; 0 or 1 if the answer is a proof.
    """

    answer: str
    group: str
    chance: float
    belief: float


def beliefs_after(design: YesNoDesign, prevalence: float) -> tuple[Belief, ...]:
    """Returns the belief after every answer that can occur, by Bayes' rule."""
    prior = np.array([prevalence, 1 - prevalence])
    found = []
    for group in design.groups:
        chances, beliefs = posteriors(prior, np.array(group.law[:2], dtype=np.float64))
        found += [
            Belief(answer, group.name, chance, belief)
            for answer, chance, belief in zip(
                group.answers, chances.tolist(), beliefs[:, 0].tolist(), strict=True
            )
            if chance > 0
        ]
    return tuple(found)


def posterior_range(prevalence: float, epsilon: float) -> tuple[float, float]:
    """Returns between what an answer can move the belief that a respondent is a carrier."""
    if epsilon == inf:
        return 0.0, 1.0
    x = exp(epsilon)
    return prevalence / (prevalence + (1 - prevalence) * x), (
        prevalence * x / (1 - prevalence + prevalence * x)
    )


def posteriors(prior: Floats, law: Floats) -> tuple[Floats, Floats]:
    """Returns the belief after each report, by Bayes' rule.

    Args:
        prior: The belief in each true state before, shape (m,).
        law: Chance of each report (column) in each true state (row), shape (m, k).

    Returns:
        The chance of each report, of a respondent drawn from all, shape (k,); and the belief in
        each state after it, shape (k, m), NaN for a report that cannot occur.
    """
    joint = prior[:, np.newaxis] * law
    chances = joint.sum(axis=0)
    with np.errstate(invalid="ignore"):
        return chances, np.asarray((joint / chances).T)


@dataclass(frozen=True, slots=True)
class ReportBelief:
    """One report.

    Attributes:
        answer: Number of the answer that is said, or that the report is for, from 0.
        chance: Its chance, for a respondent drawn from all; None if the report is only one of many
            for this answer.
        beliefs: Chance of each true answer given the report; 0 if it is ruled out.
        ratio: How many times likelier the report is under one true answer than under another, at
            most; None if the ratio is infinite.
    """

    answer: int
    chance: float | None
    beliefs: tuple[float, ...]
    ratio: float | None

    @property
    def ruled_out(self) -> tuple[int, ...]:
        """Numbers of the answers that it rules out."""
        return tuple(index for index, belief in enumerate(self.beliefs) if belief == 0)


@dataclass(frozen=True, slots=True)
class BeliefTable:
    """All reports that can occur.

    Attributes:
        prior: The true shares: the belief before any report.
        reports: One for each answer that can be said or that a report can be for.
        epsilon: The privacy loss; infinite where a report is a proof.
        alone: Whether a report is of one answer; else it may be for several answers at once, and
            each row is of the report that is for one alone, which discloses most.
    """

    prior: tuple[float, ...]
    reports: tuple[ReportBelief, ...]
    epsilon: float
    alone: bool

    @property
    def proofs(self) -> tuple[ReportBelief, ...]:
        """The reports that rule a true answer out."""
        return tuple(report for report in self.reports if report.ratio is None)

    def raising(self, answer: int) -> ReportBelief:
        """The report after which the belief in an answer is highest."""
        return max(self.reports, key=lambda report: report.beliefs[answer])

    def lowering(self, answer: int) -> ReportBelief:
        """The report after which it is lowest."""
        return min(self.reports, key=lambda report: report.beliefs[answer])


@lru_cache(maxsize=64)
def belief_table(design: SeveralDesign, shares: tuple[float, ...]) -> BeliefTable:
    """Returns what the reports of a design disclose at supposed shares.

    Raises:
        ParameterError: The shares or the design's parameters are impossible.
    """
    prior = require_shares(design, shares)
    told = design.reports
    chances, beliefs = posteriors(prior, told.law)
    largest, least = told.law.max(axis=0).tolist(), told.law.min(axis=0).tolist()
    reports = tuple(
        ReportBelief(
            said,
            chance if told.alone else None,
            tuple(beliefs[said].tolist()),
            largest[said] / least[said] if least[said] else None,
        )
        for said, chance in enumerate(chances.tolist())
        if chance > 0
    )
    return BeliefTable(tuple(prior.tolist()), reports, design.loss.epsilon, told.alone)
