"""Cheating detection: respondents who say no whatever the device orders show up."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpdesk.designs.base import CARRIER, OTHER, Design, Group, PlannedVariance
from dpdesk.designs.counts import Count
from dpdesk.designs.probability import Probability
from dpdesk.designs.survey_estimate import SurveyEstimate
from dpdesk.designs.two_groups import (
    linear,
    linear_estimate,
    planned,
    require_difference,
    shares_and_variances,
)
from dpdesk.i18n import N_

CHEATER = "says no whatever the device orders"


class CheatingDetection(Design):
    """Cheating detection (CDM): honest carriers, honest non-carriers, and cheaters."""

    title = N_("Cheating detection")
    summary = N_(
        "The device orders yes with a chance that differs between two groups, or else the truth; "
        "those who say no against the order are estimated too."
    )
    reference = "Clark & Desharnais 1998, Psychological Methods 3, 160-168"
    group_count: ClassVar[int] = 2
    caution = "The answer no proves that the respondent is no honest carrier."

    kind: Literal["cheating_detection"] = "cheating_detection"
    p1: Annotated[Probability, Field(description="chance of a forced yes in the first group")]
    p2: Annotated[Probability, Field(description="chance of a forced yes in the second group")]

    @property
    def groups(self) -> tuple[Group, ...]:
        """An honest carrier says yes, an honest non-carrier when ordered, a cheater never."""
        require_difference(self.p1, self.p2, "chance of a forced yes")
        states = (CARRIER, OTHER, CHEATER)
        return tuple(
            Group(
                name,
                states,
                ("yes", "no"),
                ((Fraction(1), Fraction(0)), (p, 1 - p), (Fraction(0), Fraction(1))),
            )
            for name, p in (("first group", self.p1), ("second group", self.p2))
        )

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the share of carriers, nobody cheating."""
        require_difference(self.p1, self.p2, "chance of a forced yes")
        first, second = float(self.p1), float(self.p2)
        shares = [prevalence + (1 - prevalence) * p for p in (first, second)]
        gap = second - first
        return planned(prevalence, (second / gap, -first / gap), shares)

    def estimate(self, counts: Sequence[Count], confidence: float = 0.95) -> SurveyEstimate:
        """Returns the shares of honest carriers, honest non-carriers and cheaters."""
        require_difference(self.p1, self.p2, "chance of a forced yes")
        first, second = float(self.p1), float(self.p2)
        groups, gap = shares_and_variances(counts), second - first
        value, error = linear(0.0, (second / gap, -first / gap), groups)
        honest = linear(0.0, (-1 / gap, 1 / gap), groups)
        cheaters = linear(1.0, ((1 - second) / gap, -(1 - first) / gap), groups)
        return linear_estimate(
            value, error, counts, confidence, {"honest_no": honest, "cheaters": cheaters}
        )
