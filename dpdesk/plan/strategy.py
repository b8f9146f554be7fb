"""How the attributes of a plan share a respondent's report: laws, and losses beside the budget."""

from __future__ import annotations

from collections.abc import Callable

from dpdesk.errors import PlanError
from dpdesk.mechanisms import BoundMechanism, Forecast
from dpdesk.mechanisms.fake_data import (
    FakeDataForecast,
    Fakes,
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


def fakes_of(plan: Plan) -> Fakes:
    """Returns what the bits of fake reports encode; realistic fakes always encode a category."""
    return "random" if plan.strategy == "rsrfd" else plan.fakes


def bind_column(
    plan: Plan, column: ColumnPlan, tick: Callable[[], None] | None = None
) -> BoundMechanism:
    """Returns what is run for a protected column under the plan's strategy, its law certified.

    Args:
        plan: A plan without errors.
        column: One of its protected columns.
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
    if not hides_the_attribute(plan):
        return column.mechanism.bind(domain, tick)
    expected = column.expected if plan.strategy == "rsrfd" else ()
    return FakeDataOracle.bind(
        column.mechanism, domain, len(plan.protected), fakes_of(plan), expected, tick
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
    forecasts = [_forecast(plan, column) for column in chosen]
    faked = [forecast for forecast in forecasts if isinstance(forecast, FakeDataForecast)]
    # Rounding of the formula must not show one attribute as losing more than all.
    return min(one_attribute_loss(faked), largest) if faked else largest


def _forecast(plan: Plan, column: ColumnPlan) -> Forecast | None:
    domain = column.effective_domain
    if column.mechanism is None or domain is None or column.mechanism.objection(domain):
        return None
    return plan.sampling.forecast(column.mechanism, domain, column.expected_shares)


def nominal_epsilon(plan: Plan) -> float:
    """Returns what the papers on RS+FD and RS+RFD call the epsilon of a plan.

    They run the drawn attribute at ln(d(e^nominal - 1) + 1), which is the loss of the whole
    record, and state the nominal one. Under the other strategies it is the record's loss.
    """
    total = float(total_epsilon(plan))
    return paper_epsilon(total, len(plan.protected)) if hides_the_attribute(plan) else total
