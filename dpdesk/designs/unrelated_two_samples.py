"""The unrelated question, whose share of yes is unknown: two groups tell both shares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpdesk.designs.instructions import GROUPS, Blank, Procedure, by_month
from dpdesk.designs.law import CARRIER, OTHER, Group
from dpdesk.designs.probability import Probability
from dpdesk.designs.two_groups import (
    OpenChance,
    TwoGroupDesign,
    linear,
    require_difference,
)
from dpdesk.designs.unrelated import either_question
from dpdesk.i18n import N_


class UnrelatedTwoSamples(TwoGroupDesign):
    """The unrelated question, whose share of yes is unknown."""

    title = N_("Unrelated question, two samples")
    summary = N_(
        "As the unrelated question, but nobody knows the share of yes to the innocent one; two "
        "groups get devices with different chances."
    )
    reference = "Greenberg, Abul-Ela, Simmons & Horvitz 1969, JASA 64, 520-539"
    caution = "The epsilon is that of the innocent share declared for planning."
    open_share = "innocent_share"
    device = N_("two coins")
    usual: ClassVar = {"p1": "3/4", "p2": "1/4", "q": "1/2"}
    assumes_innocent: ClassVar[bool] = True

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

    @property
    def open_chances(self) -> tuple[tuple[OpenChance, OpenChance], ...]:
        """Who is sent to the innocent question says yes to it as often as everybody."""
        require_difference(self.p1, self.p2, "chance of the sensitive question")
        return tuple(
            (OpenChance(p, 1 - p), OpenChance(Fraction(0), 1 - p)) for p in (self.p1, self.p2)
        )

    @property
    def combination(self) -> tuple[float, tuple[float, float]]:
        """The constant and the weights of the two shares of yes."""
        require_difference(self.p1, self.p2, "chance of the sensitive question")
        first, second = float(self.p1), float(self.p2)
        gap = first - second
        return 0.0, ((1 - second) / gap, -(1 - first) / gap)

    def other_shares(
        self, value: float, groups: Sequence[tuple[float, float]]
    ) -> Mapping[str, tuple[float, float]]:
        """Returns the share of yes to the innocent question."""
        gap = float(self.p1 - self.p2)
        weights = (-float(self.p2) / gap, float(self.p1) / gap)
        return {"innocent_share": linear(0.0, weights, groups)}

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """The innocent question."""
        return (Blank("an innocent question, the same for both groups", by_month(6)),)

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """The same with a device of each group; how many answer B with yes is unknown."""
        chances = (self.p1, self.p2)
        return tuple(
            either_question(question, others[0], p, self.q, "", group)
            for group, p in zip(GROUPS, chances, strict=True)
        )
