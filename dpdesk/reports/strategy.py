"""How the attributes share a respondent's report: what was run, and its two losses."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal

from dpdesk.cost import format_epsilon
from dpdesk.estimation.released import Released
from dpdesk.i18n import in_a_row
from dpdesk.plan.losses import (
    attribute_losses,
    hides_the_attribute,
    nominal_epsilon,
    record_loss,
    total_epsilon,
)
from dpdesk.plan.model import Plan, Strategy, sampled_attribute_name
from dpdesk.reports.section import ExactEpsilon, Section
from dpdesk.reports.texts import T

_LAST_DIGIT = Decimal("0.000001")

TITLES: dict[Strategy, str] = {
    "spl": "Every variable is reported (SPL)",
    "smp": "One variable is drawn and reported (SMP)",
    "rsfd": "One variable is drawn, the others are faked (RS+FD)",
    "rsrfd": "One variable is drawn, the others are faked realistically (RS+RFD)",
}
_REFERENCES: dict[Strategy, str] = {
    "spl": "Dwork, McSherry, Nissim & Smith 2006 (sequential composition)",
    "smp": "Nguyên, Xiao, Yang, Hui, Shin & Shin 2016",
    "rsfd": "Arcolezi, Couchot, Al Bouna & Xiao 2021",
    "rsrfd": "Arcolezi, Gambs, Couchot & Palamidessi 2023",
}


class Group(Section):
    """The respondents who report one attribute."""

    attribute: str
    """Name of the column."""
    reports: int
    """Their number."""


class StrategyFacts(Section):
    """How the attributes share a respondent's report."""

    kind: Strategy
    """Tag of the strategy in the plan."""
    title: str
    """What it is."""
    reference: str
    """The publication that it comes from."""
    report: str
    """What a respondent's record holds, in words."""
    fakes: Literal["zeros", "random", "expected"] | None
    """What fake bits encode, and fake categories follow; null where nothing is faked."""
    sampled_column: str | None
    """Column that says which attribute a respondent reports; null where none does."""
    groups: tuple[Group, ...]
    """How many respondents report each attribute; empty where all report every one."""
    record_loss: ExactEpsilon
    """Loss of a respondent's whole record: what the budget is charged with."""
    one_attribute_loss: ExactEpsilon
    """Largest loss of records that differ in one attribute only, rounded up."""
    nominal_epsilon: ExactEpsilon | None
    """The epsilon that the papers on fakes state for this; null where nothing is faked."""
    losses: str
    """How the losses follow from the epsilons, in words."""
    difference: str
    """Why they differ from what the papers state; empty where they do not."""


def strategy_facts(released: Released) -> StrategyFacts:
    """Returns the strategy of a release."""
    plan = released.plan
    sampled = sampled_attribute_name(plan)
    hides = hides_the_attribute(plan)
    losses = attribute_losses(plan)
    return StrategyFacts(
        kind=plan.strategy,
        title=TITLES[plan.strategy],
        reference=_REFERENCES[plan.strategy],
        report=in_a_row(_report(plan, len(released.attributes))),
        fakes=None if not hides else "expected" if plan.strategy == "rsrfd" else plan.fakes,
        sampled_column=sampled,
        groups=()
        if sampled is None
        else tuple(
            Group(attribute=a.column.name, reports=a.tally.reports) for a in released.attributes
        ),
        record_loss=total_epsilon(plan),
        one_attribute_loss=max(losses.values()),
        nominal_epsilon=_nominal(plan) if hides else None,
        losses=losses_text(plan),
        difference=_difference(plan) if hides else "",
    )


def losses_text(plan: Plan) -> str:
    """Returns how the loss of a respondent follows from the epsilons of a plan's attributes."""
    return in_a_row(_losses(plan))


def _losses(plan: Plan) -> Iterator[str]:
    if len(plan.protected) == 1:
        yield T.LOSS_ALONE()
    elif plan.strategy == "spl":
        yield T.LOSS_SUM()
    elif plan.strategy == "smp":
        yield T.LOSS_LARGEST()
    else:
        yield T.LOSS_AVERAGED()
        if len({column.mechanism.epsilon for column in plan.protected if column.mechanism}) > 1:
            yield T.LOSS_OF_UNEQUAL()
    rows = plan.statistics.unit.rows_per_respondent
    if rows > 1:
        yield T.LOSS_OF_ROWS(rows=rows)


def _report(plan: Plan, attributes: int) -> Iterator[str]:
    if attributes == 1:
        yield T.RECORD_OF_ONE()
    elif plan.strategy == "spl":
        yield T.RECORD_OF_ALL()
    elif plan.strategy == "smp":
        yield T.RECORD_OF_DRAWN(count=attributes)
    else:
        yield T.RECORD_OF_FAKES(count=attributes)
        if plan.strategy == "rsrfd":
            yield T.FAKES_EXPECTED()
        else:
            yield T.FAKES_ZERO() if plan.fakes == "zeros" else T.FAKES_RANDOM()


def _nominal(plan: Plan) -> Decimal:
    # Stated for information, and therefore rounded to the nearest.
    nominal = Decimal(nominal_epsilon(plan))
    return nominal.quantize(_LAST_DIGIT, rounding=ROUND_HALF_EVEN)


def _difference(plan: Plan) -> str:
    """Returns in two sentences why the losses are not the nominal epsilon."""
    one = max(attribute_losses(plan).values()) / plan.statistics.unit.rows_per_respondent
    return in_a_row(
        (
            T.NOMINAL(
                nominal=format_epsilon(_nominal(plan)), total=format_epsilon(record_loss(plan))
            ),
            T.NOMINAL_OF_ONE(one=format_epsilon(one)),
        )
    )
