"""What a release makes public: reports counted, laws certified; no true value anywhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dpdesk.errors import PlanError
from dpdesk.mechanisms import BoundMechanism, Estimate, Tally
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan


@dataclass(frozen=True, slots=True)
class ReleasedAttribute:
    """One protected attribute after the release.

    Attributes:
        column: What the plan says.
        bound: The mechanism that was run, with its certificate.
        tally: Counts of the released reports.
    """

    column: ColumnPlan
    bound: BoundMechanism
    tally: Tally

    @property
    def estimate(self) -> Estimate:
        """The unbiased estimates with 95 % intervals."""
        return self.bound.estimate(self.tally)


@dataclass(frozen=True, slots=True)
class Released:
    """A whole release.

    Attributes:
        plan: The plan that was run.
        rows: Number of released records.
        attributes: The protected attributes, in the plan's order.
    """

    plan: Plan
    rows: int
    attributes: tuple[ReleasedAttribute, ...]


def bind_attributes(
    plan: Plan, tick: Callable[[], None] | None = None
) -> tuple[tuple[ColumnPlan, BoundMechanism], ...]:
    """Returns each protected column with its mechanism bound to its domain, law certified.

    Args:
        plan: A plan without errors.
        tick: Called now and then while laws are built; may raise to stop.

    Raises:
        PlanError: A protected column has no mechanism or no domain.
        CertificateError: A law would exceed its epsilon.
    """
    bound = []
    for column in plan.protected:
        domain = column.effective_domain
        if column.mechanism is None or domain is None:
            raise PlanError(
                f"{column.name} has no mechanism or no domain.", remedy="Complete the plan."
            )
        bound.append((column, column.mechanism.bind(domain, tick)))
    return tuple(bound)
