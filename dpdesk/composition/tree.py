"""The tree of a composition: one release at each leaf, and at each node how losses add up.

`Sequential` holds releases about the same respondents, `Postprocessed` what is computed from them,
`Parallel` releases about disjoint parts of the respondents, `Group` respondents who are counted
together, and `Stable` a table prepared beforehand in which one respondent's change is multiplied.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, Context, Decimal, localcontext
from functools import cached_property
from typing import Any, ClassVar, Literal

from dpdesk.composition.loss import EXACT, Loss, exact_sum, exact_total
from dpdesk.composition.words import count_word, delta_text, list_text, sum_text
from dpdesk.composition.zcdp import rho_of
from dpdesk.cost import PrivacyCost, format_epsilon
from dpdesk.errors import ParameterError

GROUP_MAX = 1_000_000
"""Largest group; the protection is lost for far smaller ones already."""

_DELTA_DIGITS = 12
# e^x of the largest epsilons and groups stays within its exponents; rounding is towards more.
_WIDE = Context(prec=80, Emax=10**12, Emin=-(10**12))


def group_privacy(epsilon: Decimal, delta: Decimal, g: int) -> tuple[Decimal, Decimal]:
    """Returns the loss of a release about g respondents together, who may all have changed.

    From one table to the other there are g steps of one respondent each; at each the factor is
    e^epsilon and delta is added: g epsilon, and delta (e^(g epsilon) - 1) / (e^epsilon - 1)
    (Vadhan 2017, Lemma 2.2, with the geometric sum written out).

    Args:
        epsilon: Loss about one respondent, at least 0.
        delta: Its delta, from 0 to 1.
        g: Number of respondents, at least 1.

    Returns:
        The epsilon, exact, and the delta, rounded up in its twelfth digit and at most 1.

    Raises:
        ParameterError: The group is empty or larger than 1,000,000.
    """
    if not 1 <= g <= GROUP_MAX:
        raise ParameterError("A group has 1 to 1,000,000 respondents.")
    with localcontext(EXACT):
        total = g * epsilon
    if delta == 0 or g == 1:
        return total, delta
    if epsilon == 0:
        return total, min(Decimal(1), g * delta)
    with localcontext(_WIDE) as context:
        above = context.exp(total).next_plus() - 1
        below = context.exp(epsilon).next_minus() - 1
        # The error is that of three roundings, each by half a unit of the last of 80 digits.
        grown = delta * above / below * (1 + Decimal("1e-70"))
    if grown >= 1:
        return total, Decimal(1)
    return total, Context(prec=_DELTA_DIGITS, rounding=ROUND_CEILING).plus(grown).normalize()


class Composed(ABC):
    """A node of the tree: a release, or several composed by one rule."""

    kind: ClassVar[str]
    """The rule, as the plain form names it."""

    @property
    @abstractmethod
    def title(self) -> str:
        """What the node is, for people."""

    @property
    @abstractmethod
    def children(self) -> tuple[Composed, ...]:
        """The nodes below."""

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
        """Losses about the same respondents that together represent the node, for `account`."""

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
        return self.loss.name

    @property
    def children(self) -> tuple[Composed, ...]:
        return ()

    @property
    def cost(self) -> PrivacyCost:
        return self.loss.cost

    @property
    def losses(self) -> tuple[Loss, ...]:
        return (self.loss,)

    @property
    def explanation(self) -> str:
        return f"{self.title}: {cost_text(self.cost)}."


def cost_text(cost: PrivacyCost) -> str:
    """Returns a cost in words: "0.5", or "0.5 with δ = 1e-6"."""
    delta = f" with δ = {delta_text(cost.delta)}" if cost.delta else ""
    return f"{format_epsilon(cost.epsilon)}{delta}"


@dataclass(frozen=True)
class Sequential(Composed):
    """Releases about the same respondents: epsilons and deltas add up.

    This also holds if a release depends on the results of earlier ones.

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
        if self.name:
            return self.name
        releases = "release" if len(self.parts) == 1 else "releases"
        return f"{count_word(len(self.parts)).capitalize()} {releases} about the same respondents"

    @property
    def children(self) -> tuple[Composed, ...]:
        return self.parts

    @cached_property
    def cost(self) -> PrivacyCost:
        return exact_total([part.cost for part in self.parts])

    @property
    def losses(self) -> tuple[Loss, ...]:
        return tuple(loss for part in self.parts for loss in part.losses)

    @property
    def explanation(self) -> str:
        costs = [part.cost for part in self.parts]
        return f"{self.title}: {_sum_of(costs, self.cost)}."


@dataclass(frozen=True)
class Derived(Composed):
    """A node whose cost follows from that of one release.

    Attributes:
        inner: The release.
    """

    inner: Composed

    @property
    def children(self) -> tuple[Composed, ...]:
        return (self.inner,)


@dataclass(frozen=True)
class Postprocessed(Derived):
    """Post-processing: whatever is computed from a release without looking at the data again.

    Attributes:
        name: What was computed.
    """

    kind: ClassVar[str] = "postprocessed"
    name: str = ""

    @property
    def title(self) -> str:
        return self.name or f"Computed from: {self.inner.title}"

    @property
    def cost(self) -> PrivacyCost:
        return self.inner.cost

    @property
    def losses(self) -> tuple[Loss, ...]:
        return self.inner.losses

    @property
    def explanation(self) -> str:
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
        parts = "part" if len(self.parts) == 1 else "parts"
        return self.name or f"{count_word(len(self.parts)).capitalize()} disjoint {parts}"

    @property
    def children(self) -> tuple[Composed, ...]:
        return self.parts

    @property
    def touched(self) -> int:
        """How many parts one respondent's change can reach."""
        ways = 2 if self.relation == "replace" else 1
        return min(len(self.parts), ways * self.parts_per_respondent)

    @cached_property
    def cost(self) -> PrivacyCost:
        costs = [part.cost for part in self.parts]
        first = costs[0]
        epsilon = exact_sum(self._largest([cost.epsilon for cost in costs]))
        delta = exact_sum(self._largest([cost.delta for cost in costs]))
        return PrivacyCost(epsilon, delta, first.model, first.unit, first.relation)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Those of as many parts as a change can reach, if all parts have one loss; else the cost.

        The rho of a part is the sum over its releases, and the largest ones count.
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


@dataclass(frozen=True)
class Multiplied(Derived):
    """A release for which one respondent's change counts several times, by group privacy."""

    def __post_init__(self) -> None:
        _ = self.cost

    @property
    @abstractmethod
    def times(self) -> int:
        """How many times one change counts, c."""

    @property
    def unit(self) -> str:
        """Whom the result protects."""
        return self.inner.cost.unit

    @cached_property
    def cost(self) -> PrivacyCost:
        inner = self.inner.cost
        epsilon, delta = group_privacy(inner.epsilon, inner.delta, self.times)
        return PrivacyCost(epsilon, delta, inner.model, self.unit, inner.relation)

    @property
    def losses(self) -> tuple[Loss, ...]:
        return tuple(multiplied(loss, self.times, self.unit) for loss in self.inner.losses)

    def _product(self) -> str:
        """The product, and how delta grows."""
        inner, total = self.inner.cost, self.cost
        one, all_of_it = format_epsilon(inner.epsilon), format_epsilon(total.epsilon)
        text = f"{self.times:,} × {one} = {all_of_it}"
        if not total.delta:
            return text
        growth = f"{delta_text(inner.delta)} × (e^{all_of_it} - 1) / (e^{one} - 1)"
        return f"{text}; δ: {growth} = {delta_text(total.delta)}, rounded up"


@dataclass(frozen=True)
class Group(Multiplied):
    """A release's loss about several respondents together, such as a household.

    Attributes:
        size: Number of respondents.
    """

    kind: ClassVar[str] = "group"
    size: int

    @property
    def title(self) -> str:
        respondents = "respondent" if self.size == 1 else "respondents"
        return f"A group of {self.size:,} {respondents}"

    @property
    def times(self) -> int:
        return self.size

    @property
    def unit(self) -> str:
        one = self.inner.cost.unit
        return one if self.size == 1 else f"{self.size} times: {one}"

    @property
    def explanation(self) -> str:
        return f"{self.title} together: {self._product()}."


@dataclass(frozen=True)
class Stable(Multiplied):
    """A release of a table that was prepared by a c-stable transformation.

    One respondent's change before the preparation is a change of at most c after it (McSherry
    2009, Definition 2): each respondent counted in c places, a join in which each row meets at
    most c others.

    Attributes:
        inner: The release, with its cost about one row of the prepared table.
        factor: c, at least 1.
        name: What the preparation does.
    """

    kind: ClassVar[str] = "stable"
    factor: int
    name: str = ""

    @property
    def title(self) -> str:
        return self.name or f"A preparation that multiplies a change by up to {self.factor:,}"

    @property
    def times(self) -> int:
        return self.factor

    @property
    def explanation(self) -> str:
        lead = f"{self.title}: one respondent stands behind up to {self.factor:,} rows"
        return f"{lead}, {self._product()}."


def multiplied(loss: Loss, factor: int, unit: str) -> Loss:
    """Returns the loss of a release about several changes at once.

    Its rho grows with the square (Bun & Steinke 2016, Proposition 1.9). The law of its noise, which
    was calibrated for one change, is left out.

    Args:
        loss: About one change.
        factor: Number of changes.
        unit: Whom the result protects.
    """
    epsilon, delta = group_privacy(loss.epsilon, loss.delta, factor)
    with localcontext(EXACT):
        rho = None if loss.rho is None else loss.rho * factor * factor
    return replace(loss, epsilon=epsilon, delta=delta, rho=rho, noise=None, unit=unit)
