"""What a privacy loss means for a respondent: odds, beliefs, households."""

from __future__ import annotations

from decimal import Decimal
from math import exp
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.composition.strength import Strength, strength_of
from dpdesk.composition.words import delta_text
from dpdesk.cost import PrivacyCost
from dpdesk.estimation.released import Released
from dpdesk.i18n import Text, in_a_row
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan.losses import attribute_losses, total_epsilon
from dpdesk.queries.unit import Relation
from dpdesk.reports.number_text import belief_up, of_hundred_text
from dpdesk.reports.section import ExactEpsilon, Section
from dpdesk.reports.texts import T

PRIORS = (0.01, 0.1, 0.5)
GROUPS = (2, 3, 4, 5)
_SOURCE: dict[bool, Literal["declared", "the records"]] = {False: "declared", True: "the records"}


class Belief(Section):
    """How far a release can move what somebody believes of a respondent."""

    before: float
    """Probability that an observer gives to an answer before the release."""
    after: float
    """The most that Bayes' rule can make of it afterwards."""


class Risk(Section):
    """What one loss means."""

    attribute: str
    """Name of the column; empty for the whole record."""
    epsilon: ExactEpsilon
    """The loss that the figures are for."""
    likelihood_ratio: str
    """e^epsilon, rounded up at its third digit."""
    odds_with: float
    """The clearest evidence that the loss allows: its probability under one true answer ..."""
    odds_against: float
    """... and the least probability that it has under the other one; fractions of 1."""
    beliefs: tuple[Belief, ...]
    """The most that beliefs can move."""
    sentence: str
    """The same in words."""
    strength: Strength | Literal[""] = ""
    """How strong the protection is, by e^epsilon; empty in reports of earlier versions."""


class GroupLoss(Section):
    """The loss of several respondents together, such as a household."""

    members: int
    """Number of respondents."""
    epsilon: ExactEpsilon
    """Their loss: members times epsilon."""
    likelihood_ratio: str
    """e^epsilon, rounded up at its third digit."""


class KeptCoarser(Section):
    """A column that is released on a coarser level."""

    column: str
    """Name of the column."""
    level: int
    """Its level; 0 would be its answers as they are."""
    levels: int
    """The highest level that there is."""
    words: str
    """What it is like, such as "in bands of 10"."""
    levels_from: Literal["declared", "the records"]
    """Where its levels come from."""
    level_from: Literal["declared", "the records"]
    """Whether the level was chosen by looking at the records."""


class KeptRisk(Section):
    """How many records stand out on the answers that are released as they are."""

    columns: tuple[str, ...]
    """The columns; survey weights are no answers."""
    records: int
    """Number of released records."""
    unique_records: int
    """Records that are the only one with their answers."""
    records_in_groups_below_5: int
    """Records whose answers fewer than 5 records have, themselves included."""
    sentence: str
    """The same in words."""
    coarser: Annotated[tuple[KeptCoarser, ...], Field(exclude_if=lambda coarser: not coarser)] = ()
    """Those of the columns whose answers are released coarser than they were given."""


class RiskReading(Section):
    """What the losses of a release mean, and what is released beside them."""

    record: Risk
    """The whole record of a respondent."""
    attributes: tuple[Risk, ...]
    """Each protected attribute by itself: records that differ in nothing else."""
    groups: tuple[GroupLoss, ...]
    """Groups of respondents whose answers depend on each other."""
    kept: KeptRisk | None
    """What the columns that are released as they are tell of who is who; null without any."""


def belief_after(before: float, epsilon: Decimal) -> float:
    """Returns the largest posterior of an answer: odds multiplied by e^epsilon."""
    return before / (before + (1 - before) * exp(-float(epsilon)))


def risk_reading(released: Released) -> RiskReading:
    """Returns what the losses of a release mean, from the epsilons of its plan."""
    total, losses = total_epsilon(released.plan), attribute_losses(released.plan)
    return RiskReading(
        record=risk_of("", total),
        attributes=tuple(
            risk_of(a.column.name, losses[a.column.name]) for a in released.attributes
        ),
        groups=group_losses(total),
        kept=_kept_risk(released),
    )


def _kept_risk(released: Released) -> KeptRisk | None:
    kept = released.kept
    if kept is None:
        return None
    coarser = [
        (column.name, column.kept_coarser)
        for column in released.plan.kept
        if column.kept_coarser is not None
    ]
    return KeptRisk(
        columns=kept.names,
        records=kept.rows,
        unique_records=kept.unique_rows,
        records_in_groups_below_5=kept.rows_below,
        sentence=kept.sentence(),
        coarser=tuple(
            KeptCoarser(
                column=name,
                level=found.level,
                levels=found.height,
                words=found.words,
                levels_from=_SOURCE[found.levels_from_records],
                level_from=_SOURCE[found.level_from_records],
            )
            for name, found in coarser
        ),
    )


def group_losses(epsilon: Decimal) -> tuple[GroupLoss, ...]:
    """Returns the losses of groups of respondents who lose an epsilon each."""
    return tuple(
        GroupLoss(
            members=members,
            epsilon=members * epsilon,
            likelihood_ratio=ratio_text(members * epsilon),
        )
        for members in GROUPS
    )


def risk_of(attribute: str, epsilon: Decimal) -> Risk:
    """Returns what one loss means.

    Args:
        attribute: Name of the column; empty for the whole record of a respondent.
        epsilon: The loss.
    """
    return _risk(attribute, epsilon, T.ODDS_OF_ANSWER if attribute else T.ODDS_OF_RECORD)


def risk_of_statistics(cost: PrivacyCost, relation: Relation) -> Risk:
    """Returns what the loss of released statistics means.

    Args:
        cost: The loss; with a delta, the sentence also states the exceptions.
        relation: Which change of the data the loss bounds.
    """
    odds = T.ODDS_OF_MEMBER if relation == "add_remove" else T.ODDS_OF_RECORD
    # P(Z > epsilon + t) <= delta / (1 - e^-t), Z being the privacy loss; at t = 1: 1.582 delta.
    beyond = (T.BEYOND_DELTA(delta=delta_text(cost.delta)),) if cost.delta else ()
    return _risk("", cost.epsilon, odds, *beyond)


def _risk(attribute: str, epsilon: Decimal, odds: Text, *beyond: str) -> Risk:
    # An outcome of probability E/(E+1) under one answer has at least 1/E times that probability
    # under any other: 1/(E+1), where E = e^epsilon.
    often = belief_after(0.5, epsilon)
    seldom = 1 / (1 + exp(min(float(epsilon), 700.0)))
    in_words = {"often": of_hundred_text(often), "seldom": of_hundred_text(seldom)}
    is_told = in_words["seldom"][0].isdigit()
    return Risk(
        attribute=attribute,
        epsilon=epsilon,
        likelihood_ratio=ratio_text(epsilon),
        odds_with=often,
        odds_against=seldom,
        beliefs=tuple(Belief(before=p, after=belief_after(p, epsilon)) for p in PRIORS),
        sentence=in_a_row(
            (
                odds(**in_words) if is_told else T.NO_DOUBT(),
                T.BELIEF(belief=belief_up(often)),
                *beyond,
            )
        ),
        strength=strength_of(epsilon),
    )
