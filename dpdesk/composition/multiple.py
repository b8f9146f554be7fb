"""One change that is many: respondents who stand together, and tables prepared beforehand."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import localcontext
from functools import cached_property
from typing import ClassVar

from dpdesk.composition.group import group_privacy
from dpdesk.composition.loss import EXACT, Loss
from dpdesk.composition.node import Composed
from dpdesk.composition.words import delta_text
from dpdesk.cost import PrivacyCost, format_epsilon


@dataclass(frozen=True)
class Group(Composed):
    """The same release seen by several respondents who stand together, such as a household.

    Attributes:
        inner: The release.
        size: Number of respondents.
    """

    kind: ClassVar[str] = "group"
    inner: Composed
    size: int

    def __post_init__(self) -> None:
        _ = self.cost

    @property
    def title(self) -> str:
        """The group."""
        respondents = "respondent" if self.size == 1 else "respondents"
        return f"A group of {self.size:,} {respondents}"

    @property
    def children(self) -> tuple[Composed, ...]:
        """The release."""
        return (self.inner,)

    @cached_property
    def cost(self) -> PrivacyCost:
        """Group privacy; it protects another unit, so it never adds up with that of one."""
        inner = self.inner.cost
        epsilon, delta = group_privacy(inner.epsilon, inner.delta, self.size)
        unit = inner.unit if self.size == 1 else f"{self.size} times: {inner.unit}"
        return PrivacyCost(epsilon, delta, inner.model, unit, inner.relation)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Those of the release, each seen by the group."""
        unit = self.cost.unit
        return tuple(multiplied(loss, self.size, unit) for loss in self.inner.losses)

    @property
    def explanation(self) -> str:
        """The product, and how delta grows."""
        return f"{self.title} together: {_product(self.size, self.inner.cost, self.cost)}."


@dataclass(frozen=True)
class Stable(Composed):
    """A release of a table that was prepared in a c-stable way before.

    One respondent's change before the preparation is a change of at most c after it (McSherry
    2009, Definition 2): each respondent counted in c places, a join in which each row meets at
    most c others.

    Attributes:
        inner: The release, with its cost about one row of the prepared table.
        factor: c, at least 1.
        name: What the preparation does.
    """

    kind: ClassVar[str] = "stable"
    inner: Composed
    factor: int
    name: str = ""

    def __post_init__(self) -> None:
        _ = self.cost

    @property
    def title(self) -> str:
        """The preparation."""
        return self.name or f"A preparation that multiplies a change by up to {self.factor:,}"

    @property
    def children(self) -> tuple[Composed, ...]:
        """The release."""
        return (self.inner,)

    @cached_property
    def cost(self) -> PrivacyCost:
        """The cost about c rows of the prepared table."""
        inner = self.inner.cost
        epsilon, delta = group_privacy(inner.epsilon, inner.delta, self.factor)
        return PrivacyCost(epsilon, delta, inner.model, inner.unit, inner.relation)

    @property
    def losses(self) -> tuple[Loss, ...]:
        """Those of the release, each about c rows."""
        unit = self.cost.unit
        return tuple(multiplied(loss, self.factor, unit) for loss in self.inner.losses)

    @property
    def explanation(self) -> str:
        """The product, and how delta grows."""
        lead = f"{self.title}: one respondent stands behind up to {self.factor:,} rows"
        return f"{lead}, {_product(self.factor, self.inner.cost, self.cost)}."


def multiplied(loss: Loss, factor: int, unit: str) -> Loss:
    """Returns what a release loses about so many changes at once.

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


def _product(factor: int, inner: PrivacyCost, total: PrivacyCost) -> str:
    one, all_of_it = format_epsilon(inner.epsilon), format_epsilon(total.epsilon)
    text = f"{factor:,} × {one} = {all_of_it}"
    if not total.delta:
        return text
    growth = f"{delta_text(inner.delta)} × (e^{all_of_it} - 1) / (e^{one} - 1)"
    return f"{text}; δ: {growth} = {delta_text(total.delta)}, rounded up"
