"""A charge: what it leaves of a budget, and whether the budget allows it."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from decimal import Decimal

from dpdesk.cost import PrivacyCost, format_epsilon
from dpdesk.errors import CapReachedError
from dpdesk.ledger.account import Cap, Model, Population, Spent


@dataclass(frozen=True, slots=True)
class Charge:
    """A release that was charged and may now be drawn.

    Attributes:
        id: Identifier of the release.
        population: Its population, before this release.
        costs: What was charged.
        begun: When the ledger was begun; of releases before that it knows nothing.
        is_declared: Whether the population was named for this release, so that what it went
            through before is public knowledge.
    """

    id: str
    population: Population
    costs: tuple[PrivacyCost, ...]
    begun: datetime.datetime
    is_declared: bool

    def spent(self, model: Model) -> Spent:
        """Returns what the population has spent in a model, with this release."""
        return self.population.spent(model, self.costs)

    def left(self, model: Model) -> Cap | None:
        """Returns what is left of the cap of a model after this release; None without a cap."""
        return self.spent(model).left(self.population.caps.get(model))


def check_caps(population: Population, costs: tuple[PrivacyCost, ...]) -> None:
    """Refuses costs that a population's caps do not allow.

    Raises:
        CapReachedError: They would exceed a cap; the message says what was asked and what is left.
    """
    for model in dict.fromkeys(cost.model for cost in costs):
        cap = population.caps.get(model)
        after = population.spent(model, costs)
        if cap is not None and not after.fits(cap):
            raise _reached(population, population.spent(model), after, cap)


def _reached(population: Population, before: Spent, after: Spent, cap: Cap) -> CapReachedError:
    left = max(cap.epsilon - before.epsilon, Decimal(0))
    asked = after.epsilon - before.epsilon
    count = "1 release" if before.releases == 1 else f"{before.releases:,} releases"
    delta = f" Delta would be {after.delta} of {cap.delta}." if after.delta > cap.delta else ""
    return CapReachedError(
        f"The budget of {population.name} does not allow this release. It asks for "
        f"ε = {format_epsilon(asked)} ({before.model} model); of {format_epsilon(cap.epsilon)}, "
        f"{format_epsilon(left)} is left after {count}.{delta} Nothing was drawn.",
        remedy="Ask for less, or raise the cap if everybody concerned agrees.",
    )
