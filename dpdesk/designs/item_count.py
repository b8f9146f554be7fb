"""The item count (list experiment): how many of these, with and without the sensitive one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpdesk.designs.base import CARRIER, OTHER, Design, Group, PlannedVariance
from dpdesk.designs.counts import Count
from dpdesk.designs.survey_estimate import SurveyEstimate
from dpdesk.designs.two_groups import linear_estimate
from dpdesk.i18n import N_


class ItemCount(Design):
    """The item count: a difference of two means."""

    title = N_("Item count")
    summary = N_(
        "Respondents say how many items of a list apply to them; the list of the first group has "
        "the sensitive item as well. Counts: the sum of all answers of each group."
    )
    reference = "Miller 1984; Droitcour et al. 1991"
    group_count: ClassVar[int] = 2
    caution = (
        "Who has all items, or none, is betrayed: their answer is a proof, whatever the list is."
    )

    kind: Literal["item_count"] = "item_count"
    items: Annotated[int, Field(ge=1, le=50, description="number of innocent items on both lists")]

    @property
    def largest_answer(self) -> int:  # type: ignore[override]
        """All innocent items and the sensitive one."""
        return self.items + 1

    @property
    def groups(self) -> tuple[Group, ...]:
        """The longer list, each innocent item taken to apply with a chance of one half."""
        items = self.items
        innocent = tuple(Fraction(comb(items, y), 2**items) for y in range(items + 1))
        none = Fraction(0)
        answers = tuple(map(str, range(items + 2)))
        law = ((none, *innocent), (*innocent, none))
        return (Group("longer list", (CARRIER, OTHER), answers, law),)

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the difference of the means.

        Each innocent item applies with a chance of one half, by itself.
        """
        spread = self.items / 4
        sampling = prevalence * (1 - prevalence)
        return PlannedVariance(sampling, 2 * (spread + sampling) + 2 * spread - sampling)

    def estimate(self, counts: Sequence[Count], confidence: float = 0.95) -> SurveyEstimate:
        """Returns the difference of the means.

        The sums alone do not show the spread of the answers; the error is the largest that answers
        of these means can have.
        """
        longer = counts[0].checked(self.items + 1)
        shorter = counts[1].checked(self.items)
        variance = sum(
            (count.share * (top - count.share)) / (count.respondents - 1)
            for count, top in ((longer, self.items + 1), (shorter, self.items))
        )
        value = longer.share - shorter.share
        return linear_estimate(value, variance**0.5, (longer, shorter), confidence)
