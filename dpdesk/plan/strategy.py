"""The certified mechanism of an attribute under the strategy of its plan."""

from __future__ import annotations

from collections.abc import Callable

from dpdesk.errors import PlanError
from dpdesk.mechanisms import BoundMechanism, Sampling
from dpdesk.mechanisms.fake_data import FakeDataOracle
from dpdesk.plan.column import ColumnPlan


def bind_column(
    sampling: Sampling, column: ColumnPlan, tick: Callable[[], None] | None = None
) -> BoundMechanism:
    """Returns the certified mechanism of a protected column under a strategy.

    Args:
        sampling: The strategy of the plan, from `Plan.sampling`.
        column: A protected column without errors.
        tick: Called now and then while laws are built; may raise to stop.

    Raises:
        PlanError: The column has no mechanism or no domain.
        ParameterError: The strategy cannot use the mechanism.
        CertificateError: A law would exceed its epsilon.
    """
    domain = column.effective_domain
    if column.mechanism is None or domain is None:
        raise PlanError(
            f"{column.name} has no mechanism or no domain.", remedy="Complete the plan."
        )
    if sampling.strategy in {"spl", "smp"}:
        return column.mechanism.bind(domain, tick)
    realistic = sampling.strategy == "rsrfd"
    return FakeDataOracle.bind(
        column.mechanism,
        domain,
        sampling.attributes,
        "random" if realistic else sampling.fakes,
        column.expected if realistic else (),
        tick,
    )
