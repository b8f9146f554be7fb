"""The stochastic lie detector: carriers tell the truth with a chance that is estimated."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import nan
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


class StochasticLieDetector(Design):
    """The stochastic lie detector: only non-carriers use the device."""

    title = N_("Stochastic lie detector")
    summary = N_(
        "The device lets a non-carrier tell the truth with a chance that differs between two "
        "groups; carriers tell it with an unknown chance, which is estimated too."
    )
    reference = "Moshagen, Musch & Erdfelder 2012, Behavior Research Methods 44, 222-231"
    group_count: ClassVar[int] = 2
    caution = "If carriers always tell the truth, the answer no is a proof."

    kind: Literal["stochastic_lie_detector"] = "stochastic_lie_detector"
    s1: Annotated[
        Probability,
        Field(description="chance that the device lets non-carriers be truthful, first group"),
    ]
    s2: Annotated[
        Probability,
        Field(description="chance that the device lets non-carriers be truthful, second group"),
    ]

    @property
    def groups(self) -> tuple[Group, ...]:
        """The law for carriers who tell the truth, the worst case for them."""
        require_difference(self.s1, self.s2, "chance of the truth")
        return tuple(
            Group(
                name,
                (CARRIER, OTHER),
                ("yes", "no"),
                ((Fraction(1), Fraction(0)), (1 - s, s)),
            )
            for name, s in (("first group", self.s1), ("second group", self.s2))
        )

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the share of carriers, all carriers truthful."""
        require_difference(self.s1, self.s2, "chance of the truth")
        gap = float(self.s2 - self.s1)
        shares = [prevalence + (1 - prevalence) * (1 - float(s)) for s in (self.s1, self.s2)]
        return planned(prevalence, (-1 / gap, 1 / gap), shares)

    def estimate(self, counts: Sequence[Count], confidence: float = 0.95) -> SurveyEstimate:
        """Returns the share of carriers, and how often they tell the truth."""
        require_difference(self.s1, self.s2, "chance of the truth")
        first, second = float(self.s1), float(self.s2)
        groups, gap = shares_and_variances(counts), second - first
        value, error = linear(1.0, (-1 / gap, 1 / gap), groups)
        # t = (l1 - (1 - pi)(1 - s1)) / pi: a ratio of two linear functions of the shares.
        weights = (1 - (1 - first) / gap, (1 - first) / gap)
        told, _ = linear(0.0, weights, groups)
        truth = nan if value == 0 else told / value
        slopes = (weights[0] + truth / gap, weights[1] - truth / gap)
        spread = nan if value == 0 else linear(0.0, slopes, groups)[1] / abs(value)
        further = {} if value == 0 else {"truthful_carriers": (truth, spread)}
        return linear_estimate(value, error, counts, confidence, further)
