"""Accounts of a ledger: populations, their releases, and what these cost and leave.

The end of the page says what the rest of a budget still buys: how many releases of a stated error.
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from functools import reduce
from typing import Literal

from dpdesk.cost import EPSILON_MAX, EPSILON_MIN, PrivacyCost
from dpdesk.i18n import any_of
from dpdesk.ledgers.texts import T

Model = Literal["local", "central"]
KindName = Literal["records", "statistics", "synthetic"]
Outcome = Literal["open", "written", "shown", "cancelled", "failed"]
"""The outcome of a release; "open" while it runs, or if a crash ended it."""

MODELS: tuple[Model, ...] = ("local", "central")
REPLACE, ADD_REMOVE = "replace one respondent's answers", "add or remove one respondent"
_UP = Context(prec=30, rounding=ROUND_CEILING)


@dataclass(frozen=True, slots=True)
class Cap:
    """The largest total loss of all releases of a population."""

    epsilon: Decimal
    delta: Decimal = Decimal(0)


@dataclass(frozen=True, slots=True)
class Spent:
    """The total loss of all releases of a population, or of those in one model: the exact sum.

    Attributes:
        model: "local" or "central"; None for both together.
        epsilon: Sum of the epsilons.
        delta: Sum of the deltas.
        releases: Number of releases.
        is_doubled: Whether some of the losses count twice, as `relation` says.
        relation: Which change of the data the sum bounds. If some releases bound adding or
            removing a respondent and others, such as all of the local model, replacing one, the
            former count twice: replacing is removing and adding.
        rho: Sum of the losses in zero-concentrated differential privacy, if each is known.
        units: The privacy units of the releases; more than one calls for attention.
    """

    model: Model | None
    epsilon: Decimal = Decimal(0)
    delta: Decimal = Decimal(0)
    releases: int = 0
    is_doubled: bool = False
    relation: str = ""
    rho: Decimal | None = None
    units: tuple[str, ...] = ()

    def left(self, cap: Cap | None) -> Cap | None:
        """Returns the rest of a cap, at least 0; None without a cap."""
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
        kind: "records", "statistics" or "synthetic".
        title: Its title.
        plan: SHA-256 of its plan, in hexadecimal.
        costs: Its losses; they add up within a model.
        rho: Its loss in zero-concentrated differential privacy, if known.
        rows: Number of rows of its file.
        outcome: Its outcome.
        where: The folder or file that it was written to; empty while it is unknown.
        version: The version of dpdesk that made it.
        is_declared: Whether the user named the population, so that it is public knowledge;
            otherwise its file was recognised, which depends on every answer in it.
        answers: SHA-256 under which its results are stored; empty if they are not.
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
        """Returns its epsilon in one model; 0 if it has no loss there."""
        return sum((c.epsilon for c in self.costs if c.model == model), Decimal(0))


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A table that was released or declared: it belongs to one population.

    Attributes:
        fingerprint: Keyed digest of its rows, in hexadecimal.
        rows: Number of its rows.
        columns: Number of its columns.
        time: When it was first seen.
        sketch: SHA-256 under which its sketch is stored.
    """

    fingerprint: str
    rows: int
    columns: int
    time: datetime.datetime
    sketch: bytes


@dataclass(frozen=True, slots=True)
class OtherPeople:
    """The user's statement that a file is of other people than a file that it resembles.

    Attributes:
        population: Number of the file's population.
        than: Number of the population that it resembles.
        name: Name of the latter.
        time: When it was stated.
        fingerprint: The file.
        known: The file that it resembles.
        sentence: The resemblance in words.
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
        is_declared: Whether the user gave it that name.
        files: Its files, in the order in which they became known.
        releases: Its releases, in the order in which they were charged.
        cap: The cap of all its releases; None without one.
        others: Populations that the user declared to be other people although a file of one
            resembles a file of the other.
    """

    id: int
    name: str
    is_declared: bool
    files: tuple[KnownFile, ...]
    releases: tuple[PastRelease, ...]
    cap: Cap | None = None
    others: tuple[OtherPeople, ...] = ()

    def spent(self, model: Model | None = None, more: Iterable[PrivacyCost] = ()) -> Spent:
        """Returns the total loss of its releases, or of a model's, with `more` costs added."""
        return spent_in(model, self.releases, more)

    def left(self) -> Cap | None:
        """Returns the rest of the cap; None without a cap."""
        return self.spent().left(self.cap)

    def left_for(self, model: Model) -> Decimal | None:
        """Returns the largest epsilon that one more release of a model may have; None for any."""
        relation = REPLACE if model == "local" else ADD_REMOVE
        # A loss of nothing: it makes others count twice as one of something does.
        after = self.spent(more=[PrivacyCost(Decimal(0), model=model, relation=relation)])
        left = after.left(self.cap)
        if left is None:
            return None
        return left.epsilon / 2 if after.relation != relation else left.epsilon


def spent_in(
    model: Model | None, releases: Iterable[PastRelease], more: Iterable[PrivacyCost] = ()
) -> Spent:
    """Returns the exact sum of losses.

    Whoever has a local and a central release has both: a local loss bounds every change of one
    respondent's answers, so it bounds replacing one, and the sum of both bounds that.

    Args:
        model: The model whose losses are added; None for both.
        releases: The releases.
        more: Costs of one further release.
    """
    groups = [(release.costs, release.rho) for release in releases]
    added = tuple(more)
    if added:
        groups.append((added, None))
    touched = [
        (kept, rho)
        for costs, rho in groups
        if (kept := [cost for cost in costs if model in (None, cost.model)])
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
        # Rounded up, where the bounds of pairs have more digits than a sum.
        delta=reduce(_UP.add, (delta for _, delta in bounds), Decimal(0)),
        releases=len(touched),
        is_doubled=mixed,
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


@dataclass(frozen=True, slots=True)
class Charge:
    """A release that was charged and may now be drawn.

    Attributes:
        id: Identifier of the release.
        population: Its population, before this release.
        costs: What was charged.
        begun: The time since which the ledger has every release.
        is_declared: Whether the population was named for this release, so that its earlier
            releases are public knowledge.
        named: The population's name before this release renamed it; else empty.
        seal: The mark in the release's report by which the ledger recognises it as its own.
    """

    id: str
    population: Population
    costs: tuple[PrivacyCost, ...]
    begun: datetime.datetime
    is_declared: bool
    named: str = ""
    seal: str = ""

    def spent(self) -> Spent:
        """Returns the population's total loss, with this release."""
        return self.population.spent(more=self.costs)

    def left(self) -> Cap | None:
        """Returns the rest of the cap after this release; None without a cap."""
        return self.spent().left(self.population.cap)


EXAMPLE_HALF_WIDTH = 20
"""Half-width of the counts that illustrate the rest of a budget."""

_DIGITS = Decimal("0.0001")
_CONFIDENCE = 0.95
_USELESS = 50.0
"""Percentage points: a share with so large an error is not known at all."""


def count_half_width(epsilon: Decimal, confidence: float = _CONFIDENCE) -> int:
    """Returns the half-width of the interval of a count with geometric noise.

    The noise has P(k) = (1 - a) / (1 + a) a^|k| with a = e^-epsilon (Ghosh, Roughgarden and
    Sundararajan 2012), so that P(|noise| > h) = 2 a^(h + 1) / (1 + a).

    Args:
        epsilon: Epsilon of a count of sensitivity 1, above 0.
        confidence: Between 0 and 1.
    """
    rate = float(epsilon)
    tail = math.log((1 - confidence) * (1 + math.exp(-rate)) / 2)
    return max(math.ceil(-tail / rate - 1 - 1e-12), 0)


def epsilon_of_count(half_width: int) -> Decimal:
    """Returns the least epsilon, in steps of 0.0001, of a count within a half-width at 95 %.

    Args:
        half_width: A whole number, at least 1.
    """
    low, high = 0.0, float(EPSILON_MAX)
    for _ in range(60):
        middle = (low + high) / 2
        within = middle > 0 and _outside(middle, half_width) <= 1 - _CONFIDENCE
        low, high = (low, middle) if within else (middle, high)
    return Decimal(high).quantize(_DIGITS, rounding=ROUND_CEILING)


def counts_left(left: Decimal, half_width: int) -> int:
    """Returns the number of further counts at +- a half-width that an epsilon buys."""
    return int(left // epsilon_of_count(half_width))


def share_half_width(epsilon: Decimal, respondents: int) -> float:
    """Returns the 95 % half-width of a share of one half from randomized yes-no reports.

    Every respondent's report is true with probability e^eps / (1 + e^eps) (Warner 1965). The
    variance of the estimate, over respondents and reports, is 1 / (4 n tanh^2(eps / 2)).

    Args:
        epsilon: Epsilon of a report, above 0.
        respondents: n, at least 1.
    """
    return 1.959963984540054 / (2 * math.sqrt(respondents) * math.tanh(float(epsilon) / 2))


def what_is_left_buys(population: Population, half_width: int = EXAMPLE_HALF_WIDTH) -> str:
    """Returns in words what the rest of a budget buys; an empty text if it buys nothing.

    It is expressed in counts, and in one yes-no question, for the models of earlier releases.

    Args:
        population: The people.
        half_width: 95 % half-width of the counts.
    """
    rows = max((file.rows for file in population.files), default=0)
    used = [model for model in MODELS if population.spent(model).releases] or MODELS
    bought = [
        words
        for model in used
        if (left := population.left_for(model)) is not None
        and (words := _bought(model, left, rows, half_width))
    ]
    return any_of(bought)


def _bought(model: Model, left: Decimal, respondents: int, half_width: int) -> str:
    if model == "central":
        count = counts_left(left, half_width)
        if count:
            return T.COUNTS_LEFT(count=count, margin=half_width)
        return T.COUNTS_LEFT(count=1, margin=count_half_width(left)) if left >= EPSILON_MIN else ""
    if left < EPSILON_MIN or respondents < 1:
        return ""
    points = 100 * share_half_width(left, respondents)
    if points >= _USELESS:
        return ""
    return T.QUESTION_LEFT(margin=f"{points:.2g}")


def _outside(epsilon: float, half_width: int) -> float:
    return 2 * math.exp(-epsilon * (half_width + 1)) / (1 + math.exp(-epsilon))
