"""What the reports of all releases of a trusted file say: the guarantee, and what follows from it.

Nothing here reads an answer: a loss, a plan and the history of a population are enough.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

from dpdesk.composition import group_privacy
from dpdesk.composition.words import delta_text
from dpdesk.cost import PrivacyCost, format_epsilon
from dpdesk.i18n import Text, in_a_row
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan.column import SOURCES, ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.reports.budget import EarlierReleases, budget_words
from dpdesk.reports.checklist import CheckGroup
from dpdesk.reports.guarantee import Trust
from dpdesk.reports.implementation import (
    LimitGroup,
    SoftwareVersion,
    known_limits,
    reading_statement,
    software,
)
from dpdesk.reports.risk import GroupLoss, Risk, group_losses, risk_of_statistics
from dpdesk.reports.section import ExactEpsilon, Section
from dpdesk.reports.texts import T


class CentralGroupLoss(GroupLoss):
    """The loss of several respondents together, with the chance that its bound fails."""

    delta: str
    """Their delta, which grows faster than the number of members; 0 without Gaussian noise."""


class StatisticsGuarantee(Section):
    """What is promised to whom."""

    sentence: str
    """The whole guarantee in words."""
    epsilon: ExactEpsilon
    """Privacy loss of a respondent: the sum over all queries."""
    delta: str
    """Chance that the bound fails."""
    unit: str
    """Whom the loss protects."""
    neighbours: str
    """Which change of the data the loss bounds."""
    enforcement: str
    """How the bound on a respondent's rows is kept."""
    rows: int | None
    """Number of rows where it is public, else null."""
    not_protected: tuple[str, ...]
    """What the guarantee does not cover, as sentences."""


class CentralFacts(Section):
    """How the report of every release of a trusted file ends."""

    trust: Trust
    """Who has to be trusted."""
    risk: Risk
    """What the loss means."""
    groups: tuple[CentralGroupLoss, ...]
    """Groups of respondents whose answers depend on each other."""
    earlier_releases: EarlierReleases | None
    """Earlier releases of the same people, or null where no population was declared."""
    budget: str
    """What this release spends, in words."""
    software: tuple[SoftwareVersion, ...]
    """The programs that took part."""
    reading: str
    """How the trusted file was read, in words."""
    randomness: str
    """Where everything random came from."""
    known_limits: tuple[LimitGroup, ...]
    """What dpdesk does not do."""
    justification: str
    """The reasons given for the release; empty where there are none."""
    checklist: tuple[CheckGroup, ...]
    """A checklist after NIST SP 800-226."""
    commands: tuple[str, ...]
    """The command line that releases the same again, with new noise and at a new loss."""


class OwnWords(NamedTuple):
    """What the report of one kind of release says in sentences that all of them share.

    Attributes:
        command: The command line that releases the same again.
        done: What the curator did to the true answers.
        hidden: What readers of the release cannot be sure of.
        drawn: What dpdesk draws itself.
        limits: Heading of the limits that concern this kind of release alone.
    """

    command: str
    done: Text
    hidden: Text
    drawn: Text
    limits: str


def central_facts(
    plan: Plan,
    cost: PrivacyCost,
    earlier: EarlierReleases | None,
    own: OwnWords,
    budget: Decimal | None = None,
) -> dict[str, Any]:
    """Returns the fields of `CentralFacts` that follow from plan, loss and history.

    Args:
        plan: The plan that was released.
        cost: Its loss.
        earlier: Earlier releases of the population that was declared for this one.
        own: What is its own among them.
        budget: The most that the plan allowed; None without a limit.
    """
    return {
        "trust": Trust(
            model="central",
            randomizer=own.done(),
            sees_raw_data=in_a_row((T.SEEN_BY_CURATOR(), own.hidden())),
        ),
        "randomness": in_a_row((T.OPENDP_RANDOM(), own.drawn())),
        "known_limits": known_limits(own.limits),
        "commands": (own.command,),
        "risk": risk_of_statistics(cost, plan.statistics.unit.relation),
        "groups": central_groups(cost),
        "earlier_releases": earlier,
        "budget": budget_words(cost.epsilon, budget, earlier),
        "software": software("OpenDP"),
        "reading": reading_statement(plan),
        "justification": plan.details.justification,
    }


def central_groups(cost: PrivacyCost) -> tuple[CentralGroupLoss, ...]:
    """Returns the losses of groups of respondents whose answers depend on each other."""
    return tuple(
        CentralGroupLoss(
            **group.model_dump(),
            delta=delta_text(group_privacy(cost.epsilon, cost.delta, group.members)[1]),
        )
        for group in group_losses(cost.epsilon)
    )


def central_guarantee(
    cost: PrivacyCost, plan: Plan, rows: int | None, public: str
) -> StatisticsGuarantee:
    """Returns the guarantee of a release of a trusted file.

    Args:
        cost: Its loss.
        plan: The plan that was released.
        rows: Number of rows where it is public.
        public: What else is public, as a sentence.
    """
    epsilon, ratio = format_epsilon(cost.epsilon), ratio_text(cost.epsilon)
    delta = delta_text(cost.delta)
    sentences = (
        T.CENTRAL_DELTA(unit=cost.unit, epsilon=epsilon, delta=delta)
        if cost.delta
        else T.CENTRAL(unit=cost.unit, epsilon=epsilon),
        T.RATIO_OF_TABLES_DELTA(ratio=ratio) if cost.delta else T.RATIO_OF_TABLES(ratio=ratio),
        T.NEIGHBOURS(relation=cost.relation),
    )
    counted = () if rows is None else (T.ROWS_PUBLIC(rows=rows),)
    return StatisticsGuarantee(
        sentence=in_a_row(sentences),
        epsilon=cost.epsilon,
        delta=delta,
        unit=cost.unit,
        neighbours=cost.relation,
        enforcement=plan.enforcement,
        rows=rows,
        not_protected=(public, *counted, T.POPULATION()),
    )


def provenance_words(column: ColumnPlan) -> str:
    """Returns where the domain of a column comes from, in words."""
    source = SOURCES[column.provenance]
    read_off = column.provenance == "suggested"
    return T.CONFIRMED(source=source) if read_off else source
