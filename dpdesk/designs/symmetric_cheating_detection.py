"""Symmetric cheating detection: forced yes and forced no, so that no answer is a proof."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpdesk.designs.forced import ordered
from dpdesk.designs.law import CARRIER, OTHER, Group
from dpdesk.designs.probability import Probability
from dpdesk.designs.procedure import GROUPS, Procedure
from dpdesk.designs.two_groups import OpenChance, TwoGroupDesign, linear, planned
from dpdesk.designs.yes_no import PlannedVariance
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_


class SymmetricCheatingDetection(TwoGroupDesign):
    """Symmetric cheating detection: forced yes and forced no in two groups."""

    title = N_("Symmetric cheating detection")
    summary = N_(
        "The device orders yes, no or the truth, with chances that differ between two groups; "
        "those who say no against the order are estimated too."
    )
    reference = "Ostapczuk, Moshagen, Zhao & Musch 2009, J. Educ. Behav. Stat. 34, 267-287"
    caution = (
        "The epsilon is that of respondents who follow the device; who always says no protects "
        "themselves."
    )
    open_share = "cheaters"
    device = N_("one die")
    usual: ClassVar = {"yes1": "1/3", "no1": "1/6", "yes2": "1/6", "no2": "1/3"}

    kind: Literal["symmetric_cheating_detection"] = "symmetric_cheating_detection"
    yes1: Annotated[Probability, Field(description="chance of a forced yes in the first group")]
    no1: Annotated[Probability, Field(description="chance of a forced no in the first group")]
    yes2: Annotated[Probability, Field(description="chance of a forced yes in the second group")]
    no2: Annotated[Probability, Field(description="chance of a forced no in the second group")]

    @property
    def groups(self) -> tuple[Group, ...]:
        """An honest carrier says yes unless ordered no; a non-carrier only when ordered."""
        self._determinant()
        return tuple(
            Group(name, (CARRIER, OTHER), ("yes", "no"), ((1 - no, no), (yes, 1 - yes)))
            for name, yes, no in (
                ("first group", self.yes1, self.no1),
                ("second group", self.yes2, self.no2),
            )
        )

    def _determinant(self) -> Fraction:
        value = self.yes2 * (1 - self.no1) - self.yes1 * (1 - self.no2)
        if value == 0:
            raise ParameterError(
                "The two groups' devices are so alike that together they tell no more than one.",
                remedy="Give the two groups devices with other chances.",
            )
        return value

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the share of carriers, nobody cheating."""
        _, weights = self.combination
        yes, no = (float(self.yes1), float(self.yes2)), (float(self.no1), float(self.no2))
        shares = [prevalence * (1 - n) + (1 - prevalence) * y for y, n in zip(yes, no, strict=True)]
        return planned(prevalence, weights, shares)

    @property
    def open_chances(self) -> tuple[tuple[OpenChance, OpenChance], ...]:
        """Yes from honest carriers unless ordered no, and from non-carriers who are ordered yes."""
        self._determinant()
        return tuple(
            (OpenChance(1 - no, -yes), OpenChance(yes, -yes))
            for yes, no in ((self.yes1, self.no1), (self.yes2, self.no2))
        )

    @property
    def combination(self) -> tuple[float, tuple[float, float]]:
        """The constant and the weights of the two shares of yes."""
        gap = float(self._determinant())
        return 0.0, (float(self.yes2) / gap, -float(self.yes1) / gap)

    def further(
        self, value: float, groups: Sequence[tuple[float, float]]
    ) -> Mapping[str, tuple[float, float]]:
        """Returns the shares of honest non-carriers and of cheaters."""
        gap = float(self._determinant())
        yes1, yes2 = float(self.yes1) / gap, float(self.yes2) / gap
        a1, a2 = float(1 - self.no1) / gap, float(1 - self.no2) / gap
        honest = linear(0.0, (-a2, a1), groups)
        cheaters = linear(1.0, (a2 - yes2, yes1 - a1), groups)
        return {"honest_no": honest, "cheaters": cheaters}

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """Yes, no, or the truth."""
        chances = ((self.yes1, self.no1), (self.yes2, self.no2))
        return tuple(
            ordered(question, yes, no, group)
            for group, (yes, no) in zip(GROUPS, chances, strict=True)
        )
