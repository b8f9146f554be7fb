"""The unrelated question, whose share of yes is unknown: two groups tell both shares."""

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


class UnrelatedTwoSamples(Design):
    """The unrelated question, whose share of yes is unknown."""

    title = N_("Unrelated question, two samples")
    summary = N_(
        "As the unrelated question, but nobody knows the share of yes to the innocent one; two "
        "groups get devices with different chances."
    )
    reference = "Greenberg, Abul-Ela, Simmons & Horvitz 1969, JASA 64, 520-539"
    group_count: ClassVar[int] = 2
    caution = "The epsilon is that of the innocent share declared for planning."

    kind: Literal["unrelated_two_samples"] = "unrelated_two_samples"
    p1: Annotated[
        Probability, Field(description="chance of the sensitive question in the first group")
    ]
    p2: Annotated[
        Probability, Field(description="chance of the sensitive question in the second group")
    ]
    q: Annotated[
        Probability, Field(description="share of yes to the innocent question, for planning")
    ] = Fraction(1, 2)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Each group answers as to an unrelated question."""
        require_difference(self.p1, self.p2, "chance of the sensitive question")
        return tuple(
            Group(
                name,
                (CARRIER, OTHER),
                ("yes", "no"),
                tuple((yes, 1 - yes) for yes in (p + (1 - p) * self.q, (1 - p) * self.q)),
            )
            for name, p in (("first group", self.p1), ("second group", self.p2))
        )

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the share of carriers."""
        require_difference(self.p1, self.p2, "chance of the sensitive question")
        first, second, q = map(float, (self.p1, self.p2, self.q))
        shares = [p * prevalence + (1 - p) * q for p in (first, second)]
        gap = first - second
        return planned(prevalence, ((1 - second) / gap, -(1 - first) / gap), shares)

    def estimate(self, counts: Sequence[Count], confidence: float = 0.95) -> SurveyEstimate:
        """Returns the share of carriers, and the share of yes to the innocent question."""
        require_difference(self.p1, self.p2, "chance of the sensitive question")
        first, second = float(self.p1), float(self.p2)
        groups, gap = shares_and_variances(counts), first - second
        value, error = linear(0.0, ((1 - second) / gap, -(1 - first) / gap), groups)
        innocent = linear(0.0, (-second / gap, first / gap), groups)
        return linear_estimate(value, error, counts, confidence, {"innocent_share": innocent})
