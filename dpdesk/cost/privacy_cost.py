"""The privacy cost of a release for a respondent, and how costs add up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from dpdesk.errors import ParameterError


@dataclass(frozen=True, slots=True)
class PrivacyCost:
    """The loss that a respondent is exposed to.

    Attributes:
        epsilon: Exact decimal, at least 0.
        delta: Probability that the bound fails; 0 for every local mechanism here.
        model: "local" if each answer is randomized separately, "central" if a curator adds noise.
        unit: Whom the loss protects.
        relation: Which change of the data the loss bounds.
    """

    epsilon: Decimal
    delta: Decimal = Decimal(0)
    model: Literal["local", "central"] = "local"
    unit: str = "one respondent, one row"
    relation: str = "replace one respondent's answers by any others of the domain"

    def __add__(self, other: PrivacyCost) -> PrivacyCost:
        """Sequential composition: the exact sum, only within one model, unit and relation.

        Raises:
            ParameterError: The two costs bound different changes, so their sum means nothing.
        """
        mine = (self.model, self.unit, self.relation)
        if mine != (other.model, other.unit, other.relation):
            raise ParameterError("Costs of different models or units cannot be added.")
        return PrivacyCost(
            self.epsilon + other.epsilon,
            self.delta + other.delta,
            self.model,
            self.unit,
            self.relation,
        )


def total_cost(costs: Iterable[PrivacyCost]) -> PrivacyCost:
    """Returns the exact sum of local costs; no cost at all is epsilon 0."""
    total = PrivacyCost(Decimal(0))
    for cost in costs:
        total = total + cost
    return total
