"""The extended crosswise design: two groups whose innocent traits are each other's opposite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpdesk.designs.crosswise import CrosswiseDesign, same_or_different
from dpdesk.designs.instructions import GROUPS, Blank, Procedure, innocent
from dpdesk.designs.law import Group, binary_group
from dpdesk.designs.one_sample import (
    yes_no_estimates,
)
from dpdesk.designs.probability import Probability
from dpdesk.designs.two_groups import linear, shares_and_variances
from dpdesk.designs.yes_no import (
    Count,
    Floats,
    SurveyEstimates,
)
from dpdesk.i18n import N_


class ExtendedCrosswise(CrosswiseDesign):
    """The extended crosswise design, which shows whether respondents follow the instruction."""

    title = N_("Extended crosswise")
    summary = N_(
        "As crosswise; the innocent trait of the second group is as frequent as its absence in the "
        "first, so that both groups must agree if everybody follows the instruction."
    )
    reference = "Heck, Hoffmann & Moshagen 2018, Behavior Research Methods 50, 1895-1905"
    group_count: ClassVar[int] = 2
    caution = (
        "The epsilon holds only while nobody knows the respondent's innocent trait; for somebody "
        "who does, every answer is a proof."
    )

    kind: Literal["extended_crosswise"] = "extended_crosswise"
    p: Annotated[Probability, Field(description="chance of the innocent trait in the first group")]

    @property
    def groups(self) -> tuple[Group, ...]:
        """Each group answers crosswise, coded yes for both answers the same."""
        return tuple(
            binary_group(p, 1 - p, name)
            for name, p in (("first group", self.p), ("second group", Fraction(1) - self.p))
        )

    def tested(self, shares: Sequence[float]) -> tuple[str, float]:
        """Returns the difference of the groups after recoding, 0 but for chance."""
        return "difference_of_groups", shares[0] + shares[1] - 1

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        """Returns the shares of carriers of many surveys, both groups pooled."""
        pooled = totals[..., 0] + respondents[1] - totals[..., 1]
        return yes_no_estimates(pooled, sum(respondents), self.p, 1 - self.p, confidence)

    def _pooled(self, counts: Sequence[Count]) -> Count:
        """Both groups, the second one recoded."""
        first, second = counts
        yes = first.yes + second.respondents - second.yes
        return Count(yes, first.respondents + second.respondents)

    def _told_besides(
        self, value: float, counts: Sequence[Count]
    ) -> Mapping[str, tuple[float, float]]:
        """The difference of the groups after recoding: 0 but for chance if all follow."""
        found = linear(-1.0, (1.0, 1.0), shares_and_variances(counts))
        return {"difference_of_groups": found}

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """The innocent trait of each group."""
        return (
            innocent(self.p, " (first group)"),
            innocent(1 - self.p, " (second group)"),
        )

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """The same with an innocent trait of each group."""
        chances = (self.p, 1 - self.p)
        return tuple(
            same_or_different(question, beside, p, group)
            for group, beside, p in zip(GROUPS, others, chances, strict=True)
        )
