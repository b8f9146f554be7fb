"""Cheating detection: respondents who say no whatever the device orders show up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpdesk.designs.forced import ordered
from dpdesk.designs.law import CARRIER, OTHER, Group
from dpdesk.designs.probability import Probability
from dpdesk.designs.procedure import GROUPS, Procedure
from dpdesk.designs.two_groups import (
    OpenChance,
    TwoGroupDesign,
    linear,
    planned,
    require_difference,
)
from dpdesk.designs.yes_no import PlannedVariance
from dpdesk.i18n import N_

CHEATER = "says no whatever the device orders"


class CheatingDetection(TwoGroupDesign):
    """Cheating detection (CDM): honest carriers, honest non-carriers, and cheaters."""

    title = N_("Cheating detection")
    summary = N_(
        "The device orders yes with a chance that differs between two groups, or else the truth; "
        "those who say no against the order are estimated too."
    )
    reference = "Clark & Desharnais 1998, Psychological Methods 3, 160-168"
    caution = "The answer no proves that the respondent is no honest carrier."
    open_share = "cheaters"
    device = N_("one die")
    usual: ClassVar = {"p1": "1/3", "p2": "2/3"}

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
        _, weights = self.combination
        shares = [prevalence + (1 - prevalence) * float(p) for p in (self.p1, self.p2)]
        return planned(prevalence, weights, shares)

    @property
    def open_chances(self) -> tuple[tuple[OpenChance, OpenChance], ...]:
        """Yes from honest carriers, and when ordered from who is neither one nor a cheater."""
        self.combination  # noqa: B018 - refuses devices that are alike
        return tuple((OpenChance(Fraction(1), -p), OpenChance(p, -p)) for p in (self.p1, self.p2))

    @property
    def combination(self) -> tuple[float, tuple[float, float]]:
        """The constant and the weights of the two shares of yes."""
        require_difference(self.p1, self.p2, "chance of a forced yes")
        gap = float(self.p2 - self.p1)
        return 0.0, (float(self.p2) / gap, -float(self.p1) / gap)

    def further(
        self, value: float, groups: Sequence[tuple[float, float]]
    ) -> Mapping[str, tuple[float, float]]:
        """Returns the shares of honest non-carriers and of cheaters."""
        first, second = float(self.p1), float(self.p2)
        gap = second - first
        honest = linear(0.0, (-1 / gap, 1 / gap), groups)
        cheaters = linear(1.0, ((1 - second) / gap, -(1 - first) / gap), groups)
        return {"honest_no": honest, "cheaters": cheaters}

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """Yes, or the truth."""
        chances = (self.p1, self.p2)
        return tuple(
            ordered(question, yes, Fraction(0), group)
            for group, yes in zip(GROUPS, chances, strict=True)
        )
