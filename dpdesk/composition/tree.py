"""Releases about the same respondents, one after the other, and what is computed from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from dpdesk.composition.loss import Loss, exact_total
from dpdesk.composition.node import Composed, cost_text
from dpdesk.composition.words import count_word, delta_text, sum_text
from dpdesk.cost import PrivacyCost, format_epsilon


@dataclass(frozen=True)
class Sequential(Composed):
    """Releases about the same respondents: epsilons and deltas add up.

    Also when a release is chosen in the light of earlier ones.

    Attributes:
        parts: The releases, at least one; all of one model, unit and relation.
        name: What they are together, such as "Three counts of the same respondents".
    """

    kind: ClassVar[str] = "sequential"
    parts: tuple[Composed, ...]
    name: str = ""

    def __post_init__(self) -> None:
        _ = self.cost

    @property
    def title(self) -> str:
        """The name, or the number of releases."""
        if self.name:
            return self.name
        releases = "release" if len(self.parts) == 1 else "releases"
        return f"{count_word(len(self.parts)).capitalize()} {releases} about the same respondents"

    @property
    def children(self) -> tuple[Composed, ...]:
        """The releases."""
        return self.parts

    @cached_property
    def cost(self) -> PrivacyCost:
        """The exact sum."""
        return exact_total([part.cost for part in self.parts])

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Those of all releases."""
        return tuple(loss for part in self.parts for loss in part.losses)

    @property
    def explanation(self) -> str:
        """The sum written out."""
        costs = [part.cost for part in self.parts]
        return f"{self.title}: {_sum_of(costs, self.cost)}."


@dataclass(frozen=True)
class Postprocessed(Composed):
    """Whatever is computed from a release without another look at the data.

    Attributes:
        inner: The release.
        name: What was computed.
    """

    kind: ClassVar[str] = "postprocessed"
    inner: Composed
    name: str = ""

    @property
    def title(self) -> str:
        """What was computed."""
        return self.name or f"Computed from: {self.inner.title}"

    @property
    def children(self) -> tuple[Composed, ...]:
        """The release."""
        return (self.inner,)

    @property
    def cost(self) -> PrivacyCost:
        """The cost of the release: nothing is added."""
        return self.inner.cost

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Those of the release."""
        return self.inner.losses

    @property
    def explanation(self) -> str:
        """That nothing is added."""
        return (
            f"{self.title}: it looks at the release alone, so it stays at {cost_text(self.cost)}."
        )


def _sum_of(costs: list[PrivacyCost], total: PrivacyCost) -> str:
    def written(terms: list[str], result: str) -> str:
        return result if len(terms) == 1 else f"{sum_text(terms)} = {result}"

    text = written([format_epsilon(c.epsilon) for c in costs], format_epsilon(total.epsilon))
    if not total.delta:
        return text
    deltas = written([delta_text(c.delta) for c in costs], delta_text(total.delta))
    return f"{text}; δ: {deltas}"
