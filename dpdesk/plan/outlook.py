"""What each strategy would leave of a plan at the same total, for what the records are for."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from dpdesk.cost import format_epsilon
from dpdesk.errors import ParameterError
from dpdesk.i18n import in_a_row
from dpdesk.mechanisms.choice import AS_GOOD
from dpdesk.plan.budget import resplit, whole_budget
from dpdesk.plan.checks.strategy import check_strategy
from dpdesk.plan.joint_errors import joint_cell
from dpdesk.plan.losses import attribute_losses, total_epsilon
from dpdesk.plan.model import Plan, Strategy
from dpdesk.plan.problem import errors_of
from dpdesk.plan.protection import choose_best
from dpdesk.plan.release_usefulness import ReleaseUsefulness, usefulness_of_records
from dpdesk.plan.texts import T
from dpdesk.plan.usefulness import Usefulness


def _under(plan: Plan, strategy: Strategy) -> Plan:
    """The plan under another strategy, at the same total, with the best mechanisms."""
    total = whole_budget(plan) * plan.statistics.unit.rows_per_respondent
    changed = plan.with_fields(strategy=strategy)
    return choose_best(resplit(changed, total) if total else changed)


@dataclass(frozen=True)
class Outlook:
    """What a strategy would make of a plan at the same total.

    Attributes:
        strategy: The strategy.
        plan: The plan under it; None where it is impossible.
        usefulness: What each attribute would be worth.
        joint: What a cell of a table of two attributes would be worth; None where a row does not
            hold both answers, or there are no two attributes of categories.
        record: The loss of the whole record.
        one: The largest loss of one answer.
        obstacle: Why it is impossible, as a sentence; empty where it is possible.
    """

    strategy: Strategy
    plan: Plan | None
    usefulness: ReleaseUsefulness[str] | None
    joint: Usefulness | None
    record: Decimal
    one: Decimal
    obstacle: str


def outlook(plan: Plan, strategy: Strategy) -> Outlook:
    """Returns what a strategy would make of a plan, each attribute at its best mechanism."""
    try:
        changed = _under(plan, strategy)
    except ParameterError as error:
        return _impossible(strategy, error.message)
    return outlook_of(changed)


def outlook_of(plan: Plan) -> Outlook:
    """Returns what a plan makes as it is: its own mechanisms at their own epsilons."""
    errors = errors_of(check_strategy(plan))
    if errors:
        return _impossible(plan.strategy, errors[0].message)
    return Outlook(
        strategy=plan.strategy,
        plan=plan,
        usefulness=usefulness_of_records(plan),
        joint=joint_cell(plan),
        record=total_epsilon(plan),
        one=max(attribute_losses(plan).values(), default=Decimal(0)),
        obstacle="",
    )


@dataclass(frozen=True, slots=True)
class BetterStrategy:
    """A strategy that serves the purpose of a plan with smaller errors at the same total.

    Attributes:
        plan: The plan under it.
        name: The attribute of middle gain.
        now, then: What its estimates are worth, and would be.
    """

    plan: Plan
    name: str
    now: Usefulness
    then: Usefulness

    @property
    def sentence(self) -> str:
        """What to do, the error that it gives, and what is given up."""
        action = T.ONE_ANSWER(total=format_epsilon(total_epsilon(self.plan)))
        gain = T.TO_GET_INSTEAD(
            action=action, error=self.then.told, now=self.now.told, name=self.name
        )
        return in_a_row((gain, T.NO_TWO_ANSWERS()))


def better_strategy(plan: Plan) -> BetterStrategy | None:
    """Returns the strategy that serves the purpose of a plan better than its own; None if none."""
    wanted = plan.wanted.strategy(len(plan.protected))
    if wanted in ("spl", plan.strategy) or plan.analyses:
        return None
    now, found = usefulness_of_records(plan).by_name, outlook(plan, wanted)
    if found.plan is None or found.usefulness is None:
        return None
    then = found.usefulness.by_name
    gains = sorted((then[n].error / now[n].error, n) for n in now if n in then)
    if not gains or gains[len(gains) // 2][0] * AS_GOOD >= 1:
        return None
    name = gains[len(gains) // 2][1]
    return BetterStrategy(found.plan, name, now[name], then[name])


def _impossible(strategy: Strategy, obstacle: str) -> Outlook:
    return Outlook(strategy, None, None, None, Decimal(0), Decimal(0), obstacle)
