"""A node of the tree of what was composed of what, and its leaf."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from dpdesk.composition.loss import Loss
from dpdesk.composition.words import delta_text
from dpdesk.cost import PrivacyCost, format_epsilon


class Composed(ABC):
    """A node of the tree: a release, or several put together by one rule."""

    kind: ClassVar[str]
    """The rule, as the plain form names it."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What the node is, for people."""

    @property
    @abstractmethod
    def children(self) -> tuple[Composed, ...]:
        """What it is made of."""

    @property
    @abstractmethod
    def cost(self) -> PrivacyCost:
        """The exact cost."""

    @property
    @abstractmethod
    def explanation(self) -> str:
        """Why the cost is what it is: one sentence or two."""

    @property
    @abstractmethod
    def losses(self) -> tuple[Loss, ...]:
        """Losses about the same respondents that together stand for the node, for `account`."""

    def plain(self) -> dict[str, Any]:
        """Returns the tree as nested texts and lists, for JSON; decimals are texts."""
        cost = self.cost
        return {
            "rule": self.kind,
            "title": self.title,
            "epsilon": format_epsilon(cost.epsilon),
            "delta": delta_text(cost.delta),
            "explanation": self.explanation,
            "parts": [child.plain() for child in self.children],
        }


@dataclass(frozen=True)
class Release(Composed):
    """One release, the leaf of the tree.

    Attributes:
        loss: What it loses.
    """

    kind: ClassVar[str] = "release"
    loss: Loss

    @property
    def title(self) -> str:
        """The release's name."""
        return self.loss.name

    @property
    def children(self) -> tuple[Composed, ...]:
        """None."""
        return ()

    @property
    def cost(self) -> PrivacyCost:
        """The cost of the release."""
        return self.loss.cost

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The loss."""
        return (self.loss,)

    @property
    def explanation(self) -> str:
        """The cost itself."""
        return f"{self.title}: {cost_text(self.cost)}."


def cost_text(cost: PrivacyCost) -> str:
    """Returns a cost in words: "0.5", or "0.5 with δ = 1e-6"."""
    delta = f" with δ = {delta_text(cost.delta)}" if cost.delta else ""
    return f"{format_epsilon(cost.epsilon)}{delta}"
