"""How the attributes of a plan share a respondent's report: laws, and losses beside the budget."""

from __future__ import annotations

from collections.abc import Callable

from dpdesk.errors import PlanError
from dpdesk.mechanisms import BoundMechanism, Forecast, Sampling
from dpdesk.mechanisms.fake_data import (
    FakeDataForecast,
    one_attribute_loss,
    paper_epsilon,
)
from dpdesk.mechanisms.fake_data_oracle import FakeDataOracle
from dpdesk.plan.budget import total_epsilon
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan


def hides_the_attribute(plan: Plan) -> bool:
    """Tells whether fakes hide which attribute of a respondent is real: RS+FD and RS+RFD."""
    return plan.strategy in {"rsfd", "rsrfd"}


def bind_column(
    sampling: Sampling, column: ColumnPlan, tick: Callable[[], None] | None = None
) -> BoundMechanism:
    """Returns what is run for a protected column under a strategy, its law certified.

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


def loss_of_one_attribute(plan: Plan) -> float:
    """Returns the loss of records that differ in one attribute only, for the worst attribute.

    Under "spl" and "smp" it is the largest epsilon. Fakes hide the attribute that is real, so
    that it is smaller under "rsfd" and "rsrfd": see `one_attribute_loss`. Columns that are not
    complete are left out; 0 where there are none.
    """
    chosen = [c for c in plan.protected if c.mechanism is not None]
    largest = float(max((c.mechanism.epsilon for c in chosen if c.mechanism), default=0))
    if not hides_the_attribute(plan):
        return largest
    sampling = plan.sampling
    forecasts = [_forecast(sampling, column) for column in chosen]
    faked = [forecast for forecast in forecasts if isinstance(forecast, FakeDataForecast)]
    # Rounding of the formula must not show one attribute as losing more than all.
    return min(one_attribute_loss(faked), largest) if faked else largest


def _forecast(sampling: Sampling, column: ColumnPlan) -> Forecast | None:
    domain = column.effective_domain
    if column.mechanism is None or domain is None or column.mechanism.objection(domain):
        return None
    return sampling.forecast(column.mechanism, domain, column.expected_shares)


def nominal_epsilon(plan: Plan) -> float:
    """Returns what the papers on RS+FD and RS+RFD call the epsilon of a plan.

    They run the drawn attribute at ln(d(e^nominal - 1) + 1), which is the loss of the whole
    record, and state the nominal one. Under the other strategies it is the record's loss.
    """
    total = float(total_epsilon(plan))
    return paper_epsilon(total, len(plan.protected)) if hides_the_attribute(plan) else total
