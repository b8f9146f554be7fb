"""The guarantee in one sentence, its unit, and who must be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dpdesk.cost import format_epsilon
from dpdesk.estimation.released import Released
from dpdesk.i18n import joined, quoted
from dpdesk.numbers.digits import ratio_text
from dpdesk.plan.losses import attribute_losses, hides_the_attribute, plan_cost
from dpdesk.plan.model import Plan
from dpdesk.report.section import ExactEpsilon, Section

# More names than this make the sentence unreadable; the parameters list them all.
_NAMES_IN_SENTENCE = 8


class Guarantee(Section):
    """What is promised to whom, and what is not."""

    sentence: str
    """The whole guarantee in one sentence."""
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


def guarantee(released: Released) -> Guarantee:
    """Returns the guarantee of a release."""
    return guarantee_of_plan(released.plan)


def guarantee_of_plan(plan: Plan) -> Guarantee:
    """Returns the guarantee that a release of a plan will have: it depends on nothing else."""
    cost = plan_cost(plan)
    protected = tuple(column.name for column in plan.protected)
    kept = tuple(column.name for column in plan.kept)
    blank = tuple(column.name for column in plan.left_blank)
    sentence = (
        f"Each respondent ({cost.unit}) is protected in the local model "
        f"with ε\u00a0=\u00a0{format_epsilon(cost.epsilon)} and "
        f"δ\u00a0=\u00a0{format_epsilon(cost.delta)} against a "
        f"change of {_answers(protected)}: whatever is released of them is at most "
        f"e^ε\u00a0=\u00a0{ratio_text(cost.epsilon)} times likelier under one set of "
        f"answers than under any other{_one_attribute(plan)}; not covered are "
        f"{_exceptions(kept, blank)}."
    )
    return Guarantee(
        sentence=sentence,
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
        randomizer="The mechanisms are those of the local model, in which every answer is "
        "randomized by itself. They were run by the curator, on a computer that held the true "
        "answers; the respondents did not run them.",
        sees_raw_data="The true answers were seen by the curator, and can be seen by everybody "
        "with access to that computer or to the original file. Readers of the release cannot be "
        "sure which of the protected answers are true.",
    )


def _answers(names: Sequence[str]) -> str:
    if len(names) > _NAMES_IN_SENTENCE:
        return f"their answers to the {len(names):,} protected attributes"
    return f"their {'answer' if len(names) == 1 else 'answers'} to {quoted(names)}"


def _one_attribute(plan: Plan) -> str:
    """Returns the smaller loss of one attribute that fakes give; empty without fakes."""
    losses = attribute_losses(plan).values()
    if not hides_the_attribute(plan) or not losses:
        return ""
    loss = format_epsilon(max(losses))
    return f" (with ε\u00a0=\u00a0{loss} where the two differ in one answer only)"


def _exceptions(kept: Sequence[str], blank: Sequence[str]) -> str:
    facts = ["the number of records", "the fact that somebody took part"]
    if not kept and not blank:
        return joined(facts)
    if blank:
        facts.insert(0, f"whether somebody answered {quoted(blank)}, released without protection")
    if kept:
        columns = "column" if len(kept) == 1 else "columns"
        facts.insert(0, f"the {columns} {quoted(kept)}, released without protection")
    return "; ".join(facts[:-1]) + f"; and {facts[-1]}"


def _not_protected(released: Released) -> tuple[str, ...]:
    facts = []
    kept = [column for column in released.plan.kept if column.kept_coarser is None]
    if kept:
        names = quoted(tuple(column.name for column in kept))
        facts.append(
            f"Released as in the survey: {names}. The file is not private with respect to "
            "it, and protected answers that depend on it can be guessed from it."
            if len(kept) == 1
            else f"Released as in the survey: {names}. The file is not private with respect to "
            "them, and protected answers that depend on them can be guessed from them."
        )
    facts += [
        f"Released coarser, but true: {column.name} {coarser.words}"
        f"{f'; {coarser.origin}' if coarser.origin else ''}. The file is not private with respect "
        "to it."
        for column in released.plan.kept
        if (coarser := column.kept_coarser) is not None
    ]
    if released.plan.left_blank:
        names = quoted(tuple(column.name for column in released.plan.left_blank))
        facts.append(
            f"Who answered {names} is public: an empty cell says that its respondent did not. "
            "Whatever goes with not answering can be guessed from it."
        )
    facts += [
        "The number of records is public.",
        "That somebody took part is not hidden, only what they answered.",
        "The plan with its attributes, domains and mechanisms is public.",
        *(
            ("Which attribute a respondent reports is public; it was drawn at random.",)
            if released.plan.strategy == "smp" and len(released.plan.protected) > 1
            else ()
        ),
        "What the survey shows of a population holds for everybody in it, whether they took part "
        "or not.",
    ]
    return tuple(facts)
