"""What a ledger says: populations, what was released of them, and what that cost."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from typing import Literal

from dpdesk.cost import PrivacyCost

Model = Literal["local", "central"]
KindName = Literal["records", "statistics"]
Outcome = Literal["open", "written", "shown", "cancelled", "failed"]
"""What became of a release; "open" of one that still runs, or that a crash ended."""

MODELS: tuple[Model, ...] = ("local", "central")
REPLACE, ADD_REMOVE = "replace one respondent's answers", "add or remove one respondent"
_UP = Context(prec=30, rounding=ROUND_CEILING)


@dataclass(frozen=True, slots=True)
class Cap:
    """The most that all releases of a population together may lose in one model."""

    epsilon: Decimal
    delta: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Spent:
    """What all releases of a population lose together in one model: the exact sum.

    Attributes:
        model: "local" or "central"; the two are never added.
        epsilon: Sum of the epsilons.
        delta: Sum of the deltas.
        releases: How many releases there were.
        relation: Which change of the data the sum bounds. Where releases with respect to adding
            or removing a respondent meet others with respect to replacing one, the former count
            twice: replacing is removing and adding.
        rho: Sum of the losses in zero-concentrated differential privacy, if each is known.
        units: The units of the releases; more than one calls for attention.
    """

    model: Model
    epsilon: Decimal = Decimal(0)
    delta: Decimal = Decimal(0)
    releases: int = 0
    relation: str = ""
    rho: Decimal | None = None
    units: tuple[str, ...] = ()

    def left(self, cap: Cap | None) -> Cap | None:
        """Returns what is left of a cap, never below 0; None without one."""
        if cap is None:
            return None
        zero = Decimal(0)
        return Cap(max(cap.epsilon - self.epsilon, zero), max(cap.delta - self.delta, zero))

    def fits(self, cap: Cap | None) -> bool:
        """Whether the sum is within a cap."""
        return cap is None or (self.epsilon <= cap.epsilon and self.delta <= cap.delta)


@dataclass(frozen=True, slots=True)
class PastRelease:
    """One release that was charged.

    Attributes:
        id: Identifier of the release, as its files carry it.
        time: When it was charged, in universal time.
        kind: "records" or "statistics".
        title: Its title.
        plan: SHA-256 of what was asked, in hexadecimal.
        costs: Its losses; they add up within a model.
        rho: Its loss in zero-concentrated differential privacy, if known.
        rows: Number of rows that it was made from.
        outcome: What became of it.
        where: The folder or file that it was written to; empty while it is not known.
        version: The dpdesk that made it.
        is_declared: Whether the user said whose release it is, so that this is public knowledge;
            otherwise its file was recognised, which depends on every answer in it.
        answers: SHA-256 under which its answers are kept; empty if they are not.
    """

    id: str
    time: datetime.datetime
    kind: KindName
    title: str
    plan: str
    costs: tuple[PrivacyCost, ...]
    rho: Decimal | None
    rows: int
    outcome: Outcome
    where: str
    version: str
    is_declared: bool
    answers: bytes = b""

    def cost(self, model: Model) -> Decimal:
        """Returns its epsilon in one model; 0 if it did not touch it."""
        return sum((c.epsilon for c in self.costs if c.model == model), Decimal(0))


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A table that was released or declared: it belongs to one population.

    Attributes:
        fingerprint: Keyed digest of its rows, in hexadecimal.
        rows: Number of its rows.
        columns: Number of its columns.
        time: When it was first seen.
        sketch: SHA-256 under which its sketch is kept.
    """

    fingerprint: str
    rows: int
    columns: int
    time: datetime.datetime
    sketch: bytes


@dataclass(frozen=True, slots=True)
class OtherPeople:
    """That a file which resembles one of another population is of other people all the same.

    Attributes:
        population: Number of the population of the file.
        than: Number of the population that it resembles.
        name: Name of the latter.
        time: When that was said.
        fingerprint: The file.
        known: The file that it resembles.
        sentence: What they have in common, in words.
    """

    population: int
    than: int
    name: str
    time: datetime.datetime
    fingerprint: str
    known: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Population:
    """The people behind one or several files.

    Attributes:
        id: Its number in the ledger.
        name: Its name.
        is_declared: Whether somebody gave it that name.
        files: Its files, in the order in which they became known.
        releases: Its releases, in the order in which they were charged.
        caps: The most that may be lost in each model, where it is set.
        others: What was said not to be these people, though a file of it resembles one of theirs,
            or one of theirs resembles a file of it.
    """

    id: int
    name: str
    is_declared: bool
    files: tuple[KnownFile, ...]
    releases: tuple[PastRelease, ...]
    caps: dict[Model, Cap]
    others: tuple[OtherPeople, ...] = ()

    def spent(self, model: Model, more: Iterable[PrivacyCost] = ()) -> Spent:
        """Returns what all its releases lost in a model, with further costs if there are any."""
        return spent_in(model, self.releases, more)

    def left(self, model: Model) -> Cap | None:
        """Returns what is left in a model; None without a cap."""
        return self.spent(model).left(self.caps.get(model))


def spent_in(
    model: Model, releases: Iterable[PastRelease], more: Iterable[PrivacyCost] = ()
) -> Spent:
    """Returns the exact sum of the losses in one model.

    Args:
        model: Which one.
        releases: What was released.
        more: Costs of one further release.
    """
    groups = [(release.costs, release.rho) for release in releases]
    added = tuple(more)
    if added:
        groups.append((added, None))
    touched = [
        ([cost for cost in costs if cost.model == model], rho)
        for costs, rho in groups
        if any(cost.model == model for cost in costs)
    ]
    costs = [cost for some, _ in touched for cost in some]
    replacing = [cost.relation.startswith("replace") for cost in costs]
    mixed = any(replacing) and not all(replacing)
    bounds = [
        _replacing(cost) if mixed and not is_replacing else (cost.epsilon, cost.delta)
        for cost, is_replacing in zip(costs, replacing, strict=True)
    ]
    known = [rho for _, rho in touched if rho is not None]
    return Spent(
        model=model,
        epsilon=sum((epsilon for epsilon, _ in bounds), Decimal(0)),
        delta=sum((delta for _, delta in bounds), Decimal(0)),
        releases=len(touched),
        relation="" if not costs else REPLACE if any(replacing) else ADD_REMOVE,
        rho=sum(known, Decimal(0)) if known and len(known) == len(touched) and not mixed else None,
        units=tuple(dict.fromkeys(cost.unit for cost in costs)),
    )


def _replacing(cost: PrivacyCost) -> tuple[Decimal, Decimal]:
    """Returns epsilon and delta with respect to replacing, from those of adding or removing.

    Replacing a respondent is removing one and adding another: a group of two (Dwork and Roth 2014,
    Theorem 2.2; with a delta: delta (1 + e^epsilon)).
    """
    if cost.delta == 0:
        return 2 * cost.epsilon, Decimal(0)
    factor = _UP.add(Decimal(1), _UP.exp(cost.epsilon))
    # `exp` rounds half even: one unit in its last place up makes it a bound.
    return 2 * cost.epsilon, _UP.multiply(cost.delta, _UP.next_plus(factor))
