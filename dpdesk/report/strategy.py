"""How the attributes share a respondent's report: what was run, and its two losses."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from typing import Literal

from dpdesk.cost import format_epsilon
from dpdesk.estimation.released import Released
from dpdesk.plan.losses import (
    attribute_losses,
    hides_the_attribute,
    nominal_epsilon,
    record_loss,
    total_epsilon,
)
from dpdesk.plan.model import Plan, Strategy, sampled_attribute_name
from dpdesk.report.section import ExactEpsilon, Section

_LAST_DIGIT = Decimal("0.000001")

TITLES: dict[Strategy, str] = {
    "spl": "Every attribute is reported (SPL)",
    "smp": "One attribute is drawn and reported (SMP)",
    "rsfd": "One attribute is drawn, the others are faked (RS+FD)",
    "rsrfd": "One attribute is drawn, the others are faked realistically (RS+RFD)",
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
        report=_report(plan, len(released.attributes)),
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
    rows = plan.statistics.unit.rows_per_respondent
    if rows == 1:
        return _losses_of_record(plan)
    return (
        f"{_losses_of_record(plan)} A respondent has up to {rows:,} records, whose losses add up: "
        f"what is stated of a respondent is {rows:,} times that of one record."
    )


def _losses_of_record(plan: Plan) -> str:
    if len(plan.protected) == 1:
        return "One attribute is protected: its loss is that of a respondent's whole record."
    if plan.strategy == "spl":
        return (
            "Every attribute is randomized by itself, with random words of its own. The loss of a "
            "respondent's whole record is the exact sum over the attributes (sequential "
            "composition); somebody who looks at one attribute alone learns at most that "
            "attribute's share."
        )
    if plan.strategy == "smp":
        return (
            "Which attribute a respondent reports is drawn without regard to the answers, and one "
            "report is all that is released of them: the largest epsilon bounds the loss of the "
            "whole record."
        )
    return (
        "Which attribute of a respondent is real is drawn without regard to the answers and "
        "not recorded. The chance of a record is an average over the attributes with the same "
        "weights whatever the answers are, so that the largest epsilon bounds the loss of the "
        "whole record. With equal epsilons it is exactly that; with unequal ones it is less, and "
        "the exact loss, rounded up, is stated and charged."
    )


def _report(plan: Plan, attributes: int) -> str:
    if attributes == 1:
        return "A record holds a report of the one attribute that is protected."
    if plan.strategy == "spl":
        return "A record holds a report of every attribute."
    of = f"one of {attributes:,} attributes, drawn at random"
    if plan.strategy == "smp":
        return (
            f"A record holds a report of {of}, and says which; the cells of the others are empty."
        )
    if plan.strategy == "rsrfd":
        return (
            f"A record holds a real report of {of}, and for every other attribute a fake that is "
            "drawn from the declared distribution; bits of it are randomized like real ones."
        )
    bits = (
        "bits are drawn as if no category were true"
        if plan.fakes == "zeros"
        else "bits encode a category drawn at random and are randomized like real ones"
    )
    return (
        f"A record holds a real report of {of}, and a fake for every other attribute: a fake "
        f"category is any one with equal chance, fake {bits}."
    )


def _nominal(plan: Plan) -> Decimal:
    # Stated for information, and therefore rounded to the nearest.
    nominal = Decimal(nominal_epsilon(plan))
    return nominal.quantize(_LAST_DIGIT, rounding=ROUND_HALF_EVEN)


def _difference(plan: Plan) -> str:
    """Returns in two sentences why the losses are not the nominal epsilon."""
    nominal, total = _nominal(plan), record_loss(plan)
    one = max(attribute_losses(plan).values()) / plan.statistics.unit.rows_per_respondent
    if abs(one - nominal) <= _LAST_DIGIT:
        compared = "which is their epsilon"
    else:
        compared = f"{'more' if one > nominal else 'less'} than their epsilon"
    return (
        f"The papers call this a release at ε = {format_epsilon(nominal)} and say that it bounds "
        "the loss of a whole record; it does not, since a record that agrees with one set of "
        "answers everywhere and with another nowhere can be e^ε times likelier with "
        f"ε = {format_epsilon(total)}. Of records that differ in one attribute only the largest "
        f"loss is ε = {format_epsilon(one)}, {compared}."
    )
