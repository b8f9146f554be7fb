"""Releases about disjoint parts of the respondents."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import ClassVar, Literal

from dpdesk.composition.loss import Loss, exact_sum, exact_total
from dpdesk.composition.node import Composed
from dpdesk.composition.words import count_word, delta_text, list_text, sum_text
from dpdesk.composition.zcdp import rho_of
from dpdesk.cost import PrivacyCost, format_epsilon
from dpdesk.errors import ParameterError

Relation = Literal["add_remove", "replace"]
"""Which tables are neighbours: one has a respondent more, or one respondent differs."""


@dataclass(frozen=True)
class Parallel(Composed):
    """Releases about disjoint parts of the respondents, declared without looking at the data.

    One respondent lies in one part, so adding or removing one changes one part: the largest loss
    counts. Replacing one's answers can take a respondent out of one part and into another: the
    two largest count, where each loss holds for a respondent who enters or leaves its part (as a
    count with a condition does). See McSherry 2009, Theorem 4, for the first.

    Attributes:
        parts: The releases, at least one; all of one model, unit and relation.
        relation: Which tables are neighbours.
        name: What they are together.
        parts_per_respondent: In how many parts a respondent's rows can lie.

    Raises:
        ParameterError: There is no part, the costs are of different kinds, or the number of parts
            per respondent is less than 1.
    """

    kind: ClassVar[str] = "parallel"
    parts: tuple[Composed, ...]
    relation: Relation
    name: str = ""
    parts_per_respondent: int = 1

    def __post_init__(self) -> None:
        if self.parts_per_respondent < 1:
            raise ParameterError("A respondent lies in at least one part.")
        exact_total([part.cost for part in self.parts])

    @property
    def title(self) -> str:
        """The name, or the number of parts."""
        parts = "part" if len(self.parts) == 1 else "parts"
        return self.name or f"{count_word(len(self.parts)).capitalize()} disjoint {parts}"

    @property
    def children(self) -> tuple[Composed, ...]:
        """The releases, one per part."""
        return self.parts

    @property
    def touched(self) -> int:
        """How many parts one respondent's change can reach."""
        ways = 2 if self.relation == "replace" else 1
        return min(len(self.parts), ways * self.parts_per_respondent)

    @cached_property
    def cost(self) -> PrivacyCost:
        """The exact sum of the largest losses of so many parts as a change can reach."""
        costs = [part.cost for part in self.parts]
        first = costs[0]
        epsilon = exact_sum(self._largest([cost.epsilon for cost in costs]))
        delta = exact_sum(self._largest([cost.delta for cost in costs]))
        return PrivacyCost(epsilon, delta, first.model, first.unit, first.relation)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Those of as many parts as a change can reach, if all parts lose alike; else the cost.

        A rho stands for a part by the sum over its releases, and the largest of them count.
        """
        of_parts = [part.losses for part in self.parts]
        laws = [[replace(loss, name="") for loss in losses] for losses in of_parts]
        if all(law == laws[0] for law in laws):
            return tuple(loss for losses in of_parts[: self.touched] for loss in losses)
        rhos = [rho_of(losses) for losses in of_parts]
        known = [rho for rho in rhos if rho is not None]
        rho = exact_sum(self._largest(known)) if len(known) == len(rhos) else None
        return (Loss.of_cost(self.title, self.cost, rho=rho),)

    @property
    def explanation(self) -> str:
        """How many parts a change reaches, and the largest losses."""
        costs = [part.cost for part in self.parts]
        change = "replacing" if self.relation == "replace" else "adding or removing"
        reach = "at most " * (self.touched > 1) + count_word(self.touched)
        lead = f"{self.title}: {change} a respondent changes {reach} of them"
        if self.touched == 1:
            terms = list_text([format_epsilon(cost.epsilon) for cost in costs])
            largest = f"the largest of {terms} is {format_epsilon(self.cost.epsilon)}"
        else:
            terms = sum_text(
                [format_epsilon(x) for x in self._largest([cost.epsilon for cost in costs])]
            )
            total = format_epsilon(self.cost.epsilon)
            largest = f"the {count_word(self.touched)} largest are {terms} = {total}"
        delta = f"; δ = {delta_text(self.cost.delta)}" if self.cost.delta else ""
        return f"{lead}, and {largest}{delta}."

    def _largest(self, losses: list[Decimal]) -> list[Decimal]:
        return sorted(losses, reverse=True)[: self.touched]
