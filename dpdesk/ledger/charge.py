"""A charge: what a release took from a budget, and what it leaves."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from dpdesk.cost import PrivacyCost
from dpdesk.ledger.account import Cap, Model, Population, Spent


@dataclass(frozen=True, slots=True)
class Charge:
    """A release that was charged and may now be drawn.

    Attributes:
        id: Identifier of the release.
        population: Its population, before this release.
        costs: What was charged.
        begun: From when on the ledger knows of every release.
        is_declared: Whether the population was named for this release, so that what it went
            through before is public knowledge.
        named: What the population was called before this release gave it a name; else empty.
        seal: What the release carries, so that the ledger knows it for its own.
    """

    id: str
    population: Population
    costs: tuple[PrivacyCost, ...]
    begun: datetime.datetime
    is_declared: bool
    named: str = ""
    seal: str = ""

    def spent(self, model: Model) -> Spent:
        """Returns what the population has spent in a model, with this release."""
        return self.population.spent(model, self.costs)

    def left(self, model: Model) -> Cap | None:
        """Returns what is left of the cap of a model after this release; None without a cap."""
        return self.spent(model).left(self.population.caps.get(model))
