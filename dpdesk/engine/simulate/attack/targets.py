"""What attacks are on: a grid of variants and epsilons, or a plan's own strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpdesk.engine.simulate.attack.request import AttackRequest
from dpdesk.engine.simulate.attributes import TrueAttribute
from dpdesk.engine.simulate.variants import VARIANTS, prior_of, variant_forecasts
from dpdesk.errors import ParameterError, PlanError
from dpdesk.mechanisms.fake_data import FakeDataForecast, paper_epsilon, record_epsilon
from dpdesk.mechanisms.frequency_oracle import FrequencyForecast
from dpdesk.plan import Plan, total_epsilon


@dataclass(frozen=True, slots=True)
class Target:
    """What one attack is on.

    Attributes:
        variant: Short name of the variant; "plan" for the plan's own strategy.
        title: What it is called.
        nominal: Epsilon as the papers state it.
        record: Loss of a respondent's whole record.
        laws: Law of each attribute's report.
    """

    variant: str
    title: str
    nominal: float
    record: float
    laws: tuple[FakeDataForecast, ...]


def targets_of(
    attributes: Sequence[TrueAttribute], plan: Plan | None, request: AttackRequest
) -> list[Target]:
    """Returns every attack that is asked for, variants first.

    Args:
        attributes: All attributes that reports are of.
        plan: The plan, if there is one.
        request: What to attack.

    Raises:
        PlanError: Nothing is hidden under the plan's own strategy, or it cannot be run.
        ParameterError: There is neither a plan nor a variant.
    """
    d = len(attributes)
    if request.variants:
        return [
            Target(
                name,
                VARIANTS[name].title,
                epsilon,
                record_epsilon(epsilon, d),
                variant_forecasts(VARIANTS[name], epsilon, attributes),
            )
            for name in request.variants
            for epsilon in request.epsilons
        ]
    if plan is None:
        raise ParameterError("Neither a plan nor a variant is named.", remedy="Name one of them.")
    return [_target_of(plan, attributes)]


def _target_of(plan: Plan, attributes: Sequence[TrueAttribute]) -> Target:
    if plan.strategy not in ("rsfd", "rsrfd"):
        reason = (
            "each report says which attribute it is of"
            if plan.strategy == "smp"
            else "every answer is reported"
        )
        raise PlanError(
            f"Under this plan nothing is hidden that the attack could find: {reason}.",
            remedy="Attack a plan with RS+FD or RS+RFD, or name variants to try on these data.",
        )
    if len(attributes) < len(plan.protected):
        raise PlanError(
            "The plan protects numbers under a strategy that fakes answers.",
            remedy="Use this strategy for categories alone.",
        )
    record = float(total_epsilon(plan))
    realistic = plan.strategy == "rsrfd"
    laws = tuple(_law_of(attribute, len(attributes), plan, realistic) for attribute in attributes)
    title = "RS+RFD of the plan" if realistic else "RS+FD of the plan"
    return Target("plan", title, paper_epsilon(record, len(attributes)), record, laws)


def _law_of(attribute: TrueAttribute, d: int, plan: Plan, realistic: bool) -> FakeDataForecast:
    column = plan.column(attribute.name)
    domain, mechanism = column.effective_domain, column.mechanism
    forecast = None if mechanism is None or domain is None else mechanism.forecast(domain)
    if not isinstance(forecast, FrequencyForecast) or forecast.form == "support":
        raise PlanError(
            f"The reports of {attribute.name} cannot be faked with its mechanism.",
            remedy="Use GRR, SUE or OUE.",
        )
    # Realistic fakes encode a category; there is no such thing as a realistic vector of zeros.
    fakes = "random" if realistic else plan.fakes
    return FakeDataForecast(forecast, d, fakes, prior_of(attribute) if realistic else ())
