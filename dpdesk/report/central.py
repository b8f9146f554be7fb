"""What the reports of all releases of a trusted file say: the guarantee, and what follows from it.

Nothing here reads an answer: a loss, a plan and the history of a population are enough.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, NamedTuple

from dpdesk.composition import group_privacy
from dpdesk.composition.words import delta_text
from dpdesk.cost import PrivacyCost, format_epsilon
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan.column import SOURCES, ColumnPlan
from dpdesk.plan.model import Plan
from dpdesk.report.budget import EarlierReleases, budget_words
from dpdesk.report.checklist import CheckGroup
from dpdesk.report.guarantee import Trust
from dpdesk.report.implementation import (
    LimitGroup,
    SoftwareVersion,
    known_limits,
    reading_statement,
    software,
)
from dpdesk.report.risk import GroupLoss, Risk, group_losses, risk_of_statistics
from dpdesk.report.section import ExactEpsilon, Section


class CentralGroupLoss(GroupLoss):
    """The loss of several respondents together, with the chance that its bound fails."""

    delta: str
    """Their delta, which grows faster than the number of members; 0 without Gaussian noise."""


class StatisticsGuarantee(Section):
    """What is promised to whom."""

    sentence: str
    """The whole guarantee in one sentence."""
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
        command: The command that releases it.
        done: What the curator did to the true answers.
        hidden: What readers of the release cannot be sure of, as a sentence.
        drawn: What dpdesk draws itself.
        limits: Heading of the limits that concern this kind of release alone.
    """

    command: str
    done: str
    hidden: str
    drawn: str
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
            randomizer=f"The curator held the true answers, {own.done}; the respondents "
            "randomized nothing.",
            sees_raw_data="The true answers were seen by the curator, and can be seen by "
            "everybody with access to that computer or to the original file. "
            f"{own.hidden}",
        ),
        "randomness": "Noise and choices are drawn by OpenDP from the operating system's "
        f"generator; {own.drawn} by dpdesk from the same source. There is no seed.",
        "known_limits": known_limits(own.limits),
        "commands": (f"dpdesk {own.command} DATA --plan plan.json --out FOLDER",),
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
    cost: PrivacyCost, plan: Plan, rows: int | None, public: str, shown: str
) -> StatisticsGuarantee:
    """Returns the guarantee of a release of a trusted file.

    Args:
        cost: Its loss.
        plan: The plan that was released.
        rows: Number of rows where it is public.
        public: What else is public, as a sentence.
        shown: What is not protected because it holds for others too, as a sentence.
    """
    fails = f" and δ\u00a0=\u00a0{delta_text(cost.delta)}" if cost.delta else ""
    sentence = (
        f"Each respondent ({cost.unit}) is protected in the central model with "
        f"ε\u00a0=\u00a0{format_epsilon(cost.epsilon)}{fails} against this change: "
        f"{cost.relation}. "
        f"Whatever is released is at most e^ε\u00a0=\u00a0{ratio_text(cost.epsilon)} times "
        "likelier with one of two such tables than with the other"
        + (", but for a chance of δ." if cost.delta else ".")
    )
    counted = () if rows is None else (f"The number of rows, {rows:,}, is public.",)
    return StatisticsGuarantee(
        sentence=sentence,
        epsilon=cost.epsilon,
        delta=delta_text(cost.delta),
        unit=cost.unit,
        neighbours=cost.relation,
        enforcement=plan.enforcement,
        rows=rows,
        not_protected=(public, *counted, shown),
    )


def provenance_words(column: ColumnPlan) -> str:
    """Returns where the domain of a column comes from, in words."""
    source = SOURCES[column.provenance]
    read_off = column.provenance == "suggested"
    return f"{source}, and confirmed as public knowledge" if read_off else source
