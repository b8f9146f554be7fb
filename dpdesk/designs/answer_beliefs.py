"""What each report makes of the belief in every true answer, by Bayes' rule."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dpdesk.designs.further_of_epsilon import epsilon_of
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.several_law import SeveralDesign, require_shares


@dataclass(frozen=True, slots=True)
class ReportBelief:
    """One report.

    Attributes:
        answer: Number of the answer that is said, or that the report is for, from 0.
        chance: Chance of it, of a respondent drawn from all; None where the report is one of many.
        beliefs: Chance of each true answer of who gives it; 0 where it is ruled out.
        ratio: How much likelier it is of one true answer than of another; None if infinitely.
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
            each row is of the report that is for one alone, which betrays most.
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
    """Returns what the reports of a design betray at supposed shares.

    Raises:
        ParameterError: The shares or the design's parameters are impossible.
    """
    prior = require_shares(design, shares)
    p, q = map(float, design.chances) if isinstance(design, MechanismShare) else (1.0, 0.0)
    if isinstance(design, MechanismShare) and not _of_one(design):
        # Every one of them reports a set; who has an answer in it is p (1 - q) / ((1 - p) q) =
        # e^epsilon times likelier to report it than who has another (Wang et al. 2017).
        law, alone = np.ones((len(prior), len(prior))), False
        np.fill_diagonal(law, float(np.exp(epsilon_of(design))))
    elif isinstance(design, MechanismShare):
        law, alone = np.full((len(prior), len(prior)), q), True
        np.fill_diagonal(law, p)
    else:
        law, alone = np.array([[float(chance) for chance in row] for row in design.law]), True
    reports = []
    for said in range(law.shape[1]):
        joint = prior * law[:, said]
        chance = float(joint.sum())
        if not chance > 0:
            continue
        largest, least = float(law[:, said].max()), float(law[:, said].min())
        reports.append(
            ReportBelief(
                said,
                chance if alone else None,
                tuple((joint / chance).tolist()),
                largest / least if least else None,
            )
        )
    return BeliefTable(tuple(prior.tolist()), tuple(reports), epsilon_of(design), alone)


def _of_one(design: MechanismShare) -> bool:
    """Whether every report is for one answer: so it is with GRR, and with subsets of one."""
    p, q = design.chances
    members = float(p + (design.categories - 1) * q)
    return design.mechanism in ("grr", "subset_selection") and round(members) == 1
