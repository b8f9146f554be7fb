"""The guarantee in one sentence, its unit, and who must be trusted."""

from __future__ import annotations

from typing import Literal

from dpdesk.cost import format_epsilon
from dpdesk.estimation.released import Released
from dpdesk.i18n import in_a_row, quoted
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan.losses import attribute_losses, hides_the_attribute, plan_cost
from dpdesk.plan.model import Plan
from dpdesk.reports.section import ExactEpsilon, Section
from dpdesk.reports.texts import T

_MOST_NAMES = 8


class Guarantee(Section):
    """What is promised to whom, and what is not."""

    sentence: str
    """The whole guarantee in words."""
    epsilon: ExactEpsilon
    """Privacy loss of a respondent's whole record."""
    delta: ExactEpsilon
    """Probability that the bound fails; 0 for every mechanism here."""
    model: Literal["local", "central"]
    """Whether each answer is randomized by itself, or a curator adds noise to results."""
    protected: tuple[str, ...]
    """The columns whose answers are randomized."""
    passed_through: tuple[str, ...]
    """The columns that are released as they are, without protection."""
    who_answered_public: tuple[str, ...]
    """The protected columns of which an empty cell says that its respondent did not answer."""


class PrivacyUnit(Section):
    """Who is protected against which change."""

    unit: str
    """Whom the loss protects."""
    neighbours: str
    """Which change of the data the loss bounds."""
    enforcement: str
    """How the bound on a respondent's rows is kept."""
    records: int
    """Number of released records."""
    records_are_public: bool
    """Whether the number of records is taken to be public knowledge."""
    not_protected: tuple[str, ...]
    """What the guarantee does not cover, as sentences."""


class Trust(Section):
    """Who has to be trusted."""

    model: Literal["local", "central"]
    """The model of the mechanisms."""
    randomizer: str
    """Who ran the randomization, and where."""
    sees_raw_data: str
    """Who saw the true answers."""


def guarantee_of_plan(plan: Plan) -> Guarantee:
    """Returns the guarantee that a release of a plan will have: it depends on nothing else."""
    cost = plan_cost(plan)
    protected = tuple(column.name for column in plan.protected)
    kept = tuple(column.name for column in plan.kept)
    blank = tuple(column.name for column in plan.left_blank)
    losses = attribute_losses(plan).values()
    sentences = [
        T.GUARANTEE(
            unit=cost.unit,
            epsilon=format_epsilon(cost.epsilon),
            delta=format_epsilon(cost.delta),
        ),
        T.RATIO(ratio=ratio_text(cost.epsilon)),
    ]
    if hides_the_attribute(plan) and losses:
        sentences.append(T.LOSS_OF_ONE_ANSWER(epsilon=format_epsilon(max(losses))))
    sentences.append(T.PROTECTED(names=quoted(protected, _MOST_NAMES)))
    if kept:
        sentences.append(T.UNPROTECTED(names=quoted(kept)))
    if blank:
        sentences.append(T.WHO_ANSWERED_PUBLIC(names=quoted(blank)))
    return Guarantee(
        sentence=in_a_row(sentences),
        epsilon=cost.epsilon,
        delta=cost.delta,
        model=cost.model,
        protected=protected,
        passed_through=kept,
        who_answered_public=blank,
    )


def privacy_unit(released: Released) -> PrivacyUnit:
    """Returns the unit of a release."""
    cost = plan_cost(released.plan)
    return PrivacyUnit(
        unit=cost.unit,
        neighbours=cost.relation,
        enforcement=released.plan.enforcement,
        records=released.rows,
        records_are_public=True,
        not_protected=_not_protected(released),
    )


def trust() -> Trust:
    """Returns who must be trusted, for a release of records."""
    return Trust(
        model="local",
        randomizer=T.RAN_BY_CURATOR(),
        sees_raw_data=in_a_row((T.SEEN_BY_CURATOR(), T.READERS_UNSURE())),
    )


def _not_protected(released: Released) -> tuple[str, ...]:
    plan, facts = released.plan, []
    exact = [column.name for column in plan.kept if column.kept_coarser is None]
    if exact:
        facts.append(T.AS_SURVEYED(names=quoted(exact)))
    for column in plan.kept:
        if (coarser := column.kept_coarser) is not None:
            facts.append(
                T.RECODED_FROM(name=column.name, words=coarser.words, origin=coarser.origin)
                if coarser.origin
                else T.RECODED(name=column.name, words=coarser.words)
            )
    if plan.left_blank:
        facts.append(T.BLANK_CELLS(names=quoted([column.name for column in plan.left_blank])))
    facts += [T.RECORDS_PUBLIC(), T.PARTICIPATION(), T.PLAN_PUBLIC()]
    if plan.strategy == "smp" and len(plan.protected) > 1:
        facts.append(T.DRAWN_PUBLIC())
    return (*facts, T.POPULATION())
