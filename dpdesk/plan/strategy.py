"""How the attributes of a plan share a respondent's report: laws, and losses beside the budget."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, Decimal
from functools import lru_cache

from dpdesk.errors import PlanError
from dpdesk.mechanisms import AnyDomain, BoundMechanism, Forecast, Mechanism, Sampling, fake_data
from dpdesk.mechanisms.fake_data import FakeDataForecast, paper_epsilon
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


def attribute_losses(plan: Plan) -> dict[str, Decimal]:
    """Returns for each protected column the loss of records that differ in it alone.

    Under "spl" and "smp" it is the column's epsilon. Fakes hide which attribute is real, so that
    it is smaller under "rsfd" and "rsrfd" (`dpdesk.mechanisms.fake_data.attribute_losses`),
    rounded up at the sixth decimal. A column that the strategy cannot serve counts with its
    epsilon; one without a mechanism is left out.
    """
    chosen = [column for column in plan.protected if column.mechanism is not None]
    losses = {c.name: c.mechanism.epsilon for c in chosen if c.mechanism is not None}
    if not hides_the_attribute(plan):
        return losses
    sampling = plan.sampling
    forecasts = {column.name: _forecast(sampling, column) for column in chosen}
    faked = {n: f for n, f in forecasts.items() if isinstance(f, FakeDataForecast)}
    for name, loss in zip(faked, fake_data.attribute_losses(tuple(faked.values())), strict=True):
        # Rounding must not show an attribute as losing more than all of them.
        losses[name] = min(losses[name], _rounded_up(loss))
    return losses


def loss_of_one_attribute(plan: Plan) -> float:
    """Returns the largest of `attribute_losses`; 0 where there are none."""
    return float(max(attribute_losses(plan).values(), default=0))


def _rounded_up(loss: float) -> Decimal:
    # The formula's own rounding is taken off first, so that 1.0000000000002 stays 1.
    return Decimal(loss - 1e-12).quantize(Decimal("0.000001"), rounding=ROUND_CEILING)


def _forecast(sampling: Sampling, column: ColumnPlan) -> Forecast | None:
    mechanism, domain = column.mechanism, column.effective_domain
    if mechanism is None or domain is None:
        return None
    return _forecast_of(sampling, mechanism, domain, column.expected_shares)


# The loss of one attribute depends on all others: of thousands, a step of epsilon changes one.
@lru_cache(maxsize=20_000)
def _forecast_of(
    sampling: Sampling, mechanism: Mechanism, domain: AnyDomain, expected: tuple[float, ...]
) -> Forecast | None:
    if not sampling.serves(type(mechanism)) or mechanism.objection(domain) is not None:
        return None
    return sampling.forecast(mechanism, domain, expected)


def nominal_epsilon(plan: Plan) -> float:
    """Returns what the papers on RS+FD and RS+RFD call the epsilon of a plan.

    They run the drawn attribute at ln(d(e^nominal - 1) + 1), which is the loss of the whole
    record, and state the nominal one. Under the other strategies it is the record's loss.
    """
    total = float(total_epsilon(plan))
    return paper_epsilon(total, plan.sampling.attributes) if hides_the_attribute(plan) else total
