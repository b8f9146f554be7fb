"""The mechanism of an attribute under the strategy of its plan, and what a release loses by it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_CEILING, Decimal
from functools import lru_cache

from dpdesk.composition.strength import protection_of
from dpdesk.cost import PrivacyCost
from dpdesk.errors import PlanError
from dpdesk.i18n import in_a_row
from dpdesk.mechanisms import AnyDomain, BoundMechanism, Forecast, Mechanism, Sampling, fake_data
from dpdesk.mechanisms.fake_data import (
    FakeDataForecast,
    FakeDataOracle,
    paper_epsilon,
    whole_record_loss,
)
from dpdesk.plan.column import ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.plan.texts import T


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
        raise PlanError(T.INCOMPLETE(name=column.name))
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


def hides_the_attribute(plan: Plan) -> bool:
    """Returns whether fakes hide which of several attributes is real: RS+FD and RS+RFD."""
    return plan.strategy in {"rsfd", "rsrfd"} and len(plan.protected) > 1


def plan_cost(plan: Plan) -> PrivacyCost:
    """Returns the privacy cost of a release of the plan: the loss of a respondent.

    Each of a respondent's rows is a record of its own: their losses add up, to as many times that
    of one record as rows count.
    """
    unit = plan.statistics.unit
    epsilon = unit.rows_per_respondent * record_loss(plan)
    return PrivacyCost(epsilon, unit=unit.description)


def record_loss(plan: Plan) -> Decimal:
    """Returns the epsilon of a whole record.

    If every attribute is reported ("spl") it is the exact sum of the epsilons. If one attribute is
    drawn independently of the answers and named in the report ("smp"), it is the largest of them.
    If fakes hide which one is real ("rsfd", "rsrfd"), it is the common epsilon of equal ones; of
    unequal ones it is less than the largest (`dpdesk.mechanisms.fake_data.whole_record_loss`),
    rounded up at the sixth decimal; the largest if the strategy cannot use a column's mechanism.
    """
    chosen = [column for column in plan.protected if column.mechanism is not None]
    epsilons = [c.mechanism.epsilon for c in chosen if c.mechanism is not None]
    if plan.strategy == "spl" or not chosen:
        return sum(epsilons, Decimal(0))
    largest = max(epsilons)
    if not hides_the_attribute(plan) or min(epsilons) == largest:
        return largest
    forecasts = _forecasts(plan)
    faked = [f for f in forecasts.values() if isinstance(f, FakeDataForecast)]
    if len(faked) < len(chosen):
        return largest
    return min(largest, _rounded_up(whole_record_loss(faked)))


def total_epsilon(plan: Plan) -> Decimal:
    """Returns the epsilon of a respondent, of all rows of theirs that count; see `plan_cost`."""
    return plan_cost(plan).epsilon


def protection_of_records(plan: Plan) -> str:
    """Returns how strongly a release of records protects, in words; empty if nothing is protected.

    Args:
        plan: The plan of the release.
    """
    if not (cost := plan_cost(plan)).epsilon:
        return ""
    kept = len(plan.kept)
    if not kept:
        return protection_of(cost)
    return in_a_row((protection_of(cost), T.LEFT_UNPROTECTED(count=kept)))


def attribute_losses(plan: Plan) -> dict[str, Decimal]:
    """Returns for each protected column the loss of respondents who differ in it alone.

    It is that of a record, as many times as rows of a respondent count.

    Under "spl" and "smp" it is the column's epsilon. Fakes hide which attribute is real, so that
    it is smaller under "rsfd" and "rsrfd" (`dpdesk.mechanisms.fake_data.attribute_losses`),
    rounded up at the sixth decimal. A column whose mechanism the strategy cannot use counts with
    its epsilon; one without a mechanism is left out.
    """
    chosen = [column for column in plan.protected if column.mechanism is not None]
    rows = plan.statistics.unit.rows_per_respondent
    losses = {c.name: rows * c.mechanism.epsilon for c in chosen if c.mechanism is not None}
    if not hides_the_attribute(plan):
        return losses
    faked = {n: f for n, f in _forecasts(plan).items() if isinstance(f, FakeDataForecast)}
    for name, loss in zip(faked, fake_data.attribute_losses(tuple(faked.values())), strict=True):
        # Rounding must not make the loss of one attribute larger than that of the record.
        losses[name] = min(losses[name], rows * _rounded_up(loss))
    return losses


def loss_of_one_attribute(plan: Plan) -> float:
    """Returns the largest of `attribute_losses`; 0 without any."""
    return float(max(attribute_losses(plan).values(), default=0))


def _rounded_up(loss: float) -> Decimal:
    # The rounding of the formula itself is added, so that the stated number is never too small.
    return Decimal(loss + 1e-12).quantize(Decimal("0.000001"), rounding=ROUND_CEILING)


def _forecasts(plan: Plan) -> dict[str, Forecast | None]:
    sampling = plan.sampling
    chosen = [column for column in plan.protected if column.mechanism is not None]
    return {column.name: _forecast(sampling, column) for column in chosen}


def _forecast(sampling: Sampling, column: ColumnPlan) -> Forecast | None:
    mechanism, domain = column.mechanism, column.effective_domain
    if mechanism is None or domain is None:
        return None
    return _forecast_of(sampling, mechanism, domain, column.expected_shares)


# Cached: the loss of one attribute depends on all others, of which an edit changes one.
@lru_cache(maxsize=20_000)
def _forecast_of(
    sampling: Sampling, mechanism: Mechanism, domain: AnyDomain, expected: tuple[float, ...]
) -> Forecast | None:
    if not sampling.serves(type(mechanism)) or mechanism.objection(domain) is not None:
        return None
    return sampling.forecast(mechanism, domain, expected)


def nominal_epsilon(plan: Plan) -> float:
    """Returns the nominal epsilon of a plan, as in the publications on RS+FD and RS+RFD.

    They run the drawn attribute at ln(d(e^nominal - 1) + 1), which is the loss of the whole
    record, and state the nominal one. Under the other strategies it is the record's loss.
    """
    total = float(record_loss(plan))
    return paper_epsilon(total, plan.sampling.attributes) if hides_the_attribute(plan) else total
