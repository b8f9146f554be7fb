"""What is supposed of questions answered with yes or no, or with one of several answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Any, Self

from dpdesk.designs import Design, YesNoDesign
from dpdesk.designs.forced_categories import ForcedCategories
from dpdesk.designs.law import plan_epsilon
from dpdesk.designs.planning import Goal, People, PlannedQuestion, Sample, Shares
from dpdesk.designs.several_answers import SeveralDesign
from dpdesk.designs.warner import WarnerDesign
from dpdesk.domains import Categorical, ColumnKind
from dpdesk.engine.simulate.respondents import (
    RespondentStream,
    SeveralStream,
    YesNoStream,
)
from dpdesk.gui.pages.simulate.design_words import (
    belief_words,
    carrier_belief,
    tr,
)
from dpdesk.gui.pages.simulate.scenario import COLUMN, Scenario, Taken, protected_column
from dpdesk.gui.widgets.figure_tile import Figure
from dpdesk.i18n import N_
from dpdesk.mechanisms.direct_encoding import Warner
from dpdesk.plan import ColumnPlan
from dpdesk.preview.survey import (
    SupposedShare,
    SupposedShares,
    belief_table,
    beliefs_after,
)
from dpdesk.reports.survey import ShareMemo, SharesMemo

TWO_COINS = WarnerDesign(p=Fraction(3, 4))

YES_NO_RESPONDENTS = 3_586
"""What two coins need for a margin of 3 pp at a share of 10 %."""

_YES_OR_NO = Categorical(values=("yes", "no"))

_YES_NO_SURVEY = SupposedShare(TWO_COINS, 0.1, YES_NO_RESPONDENTS, simulated=True)

RESPONDENTS = 3_000
SHARES = (0.7, 0.18, 0.08, 0.04)
ORDERS = (Fraction(1, 8),) * len(SHARES)
"""The truth with chance 1/2, else any answer alike: e^epsilon is 5."""

_FORCED = SupposedShares(ForcedCategories(orders=ORDERS), SHARES, RESPONDENTS, len(SHARES) - 1, 0)

_TWO = 2


@dataclass(frozen=True)
class ShareScenario(Scenario[SupposedShare]):
    """A hypothetical survey of a question answered with yes or no."""

    survey: SupposedShare = _YES_NO_SURVEY

    family = YesNoDesign
    departing = {  # noqa: RUF012 - of the class
        "denial": (
            N_("Carriers who deny anyway"),
            N_("Carriers who give the harmless answer whatever the device says."),
        ),
        "refusal": (
            N_("Others who never say yes"),
            N_("Non-carriers who say no even when the device orders a yes."),
        ),
        "carelessness": (
            N_("Careless answers"),
            N_("Respondents of any kind who answer at random."),
        ),
    }
    rivals_most = 3
    follows_epsilon = False
    cap_sentences = {  # noqa: RUF012 - of the class
        Goal.EPSILON_FOR_BELIEF: N_(
            "ε = {epsilon} is the largest at which no answer lets anybody be thought a carrier "
            "with more than {cap}; before any answer it is {share}."
        ),
        Goal.EPSILON_FOR_ODDS: N_(
            "ε = {epsilon} is the largest at which no answer changes the odds of being a carrier "
            "by more than {odds} times."
        ),
    }

    @property
    def design(self) -> YesNoDesign:
        return self.survey.design

    @property
    def prevalence(self) -> float:
        """The supposed true share of carriers."""
        return self.survey.prevalence

    def refuse_design(self, design: Design) -> None:
        ShareScenario().changed(design=design).survey.check()

    def of_people(self, people: People) -> Self:
        return self.changed(prevalence=people.value)

    def question_column(self, name: str, wording: str, planned: PlannedQuestion) -> ColumnPlan:
        epsilon = plan_epsilon(planned.epsilon * (1 + 1e-12))
        return protected_column(name, wording, "binary", _YES_OR_NO, Warner(epsilon=epsilon))

    @property
    def estimated(self) -> str:
        return tr("Estimated share (%)")

    @property
    def quantities(self) -> tuple[str, ...]:
        return ("share",)

    def disclosed(self) -> Figure:
        beliefs = beliefs_after(self.design, self.prevalence)
        highest = max(beliefs, key=lambda belief: belief.belief)
        # Where no answer moves the belief, the last one: not the same answer twice.
        lowest = min(reversed(beliefs), key=lambda belief: belief.belief)
        say = self.design.instructions()[0].say
        caption = tr("belief after {yes}; after {no} {belief}").format(
            yes=_said(say(highest.answer), highest.group),
            no=_said(say(lowest.answer), lowest.group),
            belief=carrier_belief(lowest.belief),
        )
        detail = tr("What one may believe of a respondent: the true share before, then this.")
        if not isfinite(self.epsilon):
            detail = tr("An answer can be a proof: epsilon is infinite.")
        before, after = carrier_belief(self.prevalence), carrier_belief(highest.belief)
        return Figure(f"{before} → {after}", caption, detail)

    def stream(self) -> RespondentStream:
        survey = self.survey
        return YesNoStream(
            survey.design,
            survey.prevalence,
            survey.seed,
            survey.behaviour,
            survey.confidence,
            choice=self.played_choice,
        )

    def memo(self, others: Sequence[str]) -> ShareMemo:
        return ShareMemo(
            question=self.question,
            design=self.design,
            prevalence=self.prevalence,
            respondents=self.respondents,
            others=tuple(others),
        )

    def taken(self) -> Taken:
        mechanism, differs = self.design.in_plan()
        return Taken(
            protected_column(COLUMN, self.question, "binary", _YES_OR_NO, mechanism), differs
        )


@dataclass(frozen=True)
class SharesScenario(Scenario[SupposedShares]):
    """A hypothetical survey of a question with several answers.

    Attributes:
        names: The words of the answers.
    """

    survey: SupposedShares = _FORCED
    names: tuple[str, ...] = ("1", "2", "3", "4")

    family = SeveralDesign
    departing = {  # noqa: RUF012 - of the class
        "denial": (
            N_("Holders who hide it"),
            N_("Of those whose true answer is looked at: they give the commonest other one."),
        ),
        "carelessness": (
            N_("Careless answers"),
            N_("Respondents of any kind who answer at random."),
        ),
    }

    cap_sentences = {  # noqa: RUF012 - of the class
        Goal.EPSILON_FOR_BELIEF: N_(
            "ε = {epsilon} is the largest at which no report makes it likelier than {cap} that a "
            "respondent's answer is the one looked at; before any report it is {share}{of}."
        ),
        Goal.EPSILON_FOR_ODDS: N_(
            "ε = {epsilon} is the largest at which no report changes the odds between two true "
            "answers by more than {odds} times."
        ),
    }
    deniers = N_("of those with the answer looked at hide it from a direct question")
    denying = N_(
        "Share of those with the answer looked at who would hide it from a direct question"
    )
    deniers_word = "holders"

    @property
    def looked_rows(self) -> tuple[tuple[str, str, str], ...]:
        return (("answer looked at", self.names[self.survey.looked], ""),)

    @property
    def of_what(self) -> str:
        return tr(" for “{answer}”").format(answer=self.names[self.survey.looked])

    def each_margin(self, sample: Sample) -> tuple[tuple[str, float], ...]:
        people = (Shares(self.survey.shares, index) for index in range(len(self.names)))
        margins = (replace(sample, people=each).margin for each in people)
        return tuple(zip(self.names, margins, strict=True))

    def of_people(self, people: People) -> Self:
        assert isinstance(people, Shares)  # noqa: S101 - of this kind
        return self.changed(shares=people.shares)

    @property
    def design(self) -> SeveralDesign:
        return self.survey.design

    def changed(self, **changes: Any) -> Self:
        found = super().changed(**changes)
        survey = found.survey
        others = [index for index in range(len(survey.shares)) if index != survey.looked]
        commonest = max(others, key=lambda index: survey.shares[index])
        if commonest == survey.instead:
            return found
        return replace(found, survey=survey.changed(instead=commonest))

    def _fitted(self, variant: Design) -> Design:
        assert isinstance(variant, SeveralDesign)  # noqa: S101 - of this family
        return variant.usual_for(len(self.names))

    @property
    def estimated(self) -> str:
        name = self.names[self.survey.looked]
        return tr("Estimated share of “{answer}” (%)").format(answer=name)

    @property
    def quantities(self) -> tuple[str, ...]:
        return self.names

    def disclosed(self) -> Figure:
        looked, table = self.survey.looked, belief_table(self.design, self.survey.shares)
        highest, lowest = table.raising(looked), table.lowering(looked)
        alone = tr("“{answer}”") if table.alone else tr("a report for “{answer}” alone")
        name = self.names[looked]
        if highest.answer != looked:
            caption = tr("belief in “{looked}” after {yes}").format(
                looked=name, yes=alone.format(answer=self.names[highest.answer])
            )
        elif table.alone:
            caption = tr("belief after “{looked}”").format(looked=name)
        else:
            caption = tr("belief after a report for “{looked}”").format(looked=name)
        detail = tr(
            "What one may believe of a respondent: the true share before, then this; at least "
            "{least}, after {no}."
        ).format(
            least=belief_words(lowest.beliefs[looked]),
            no=alone.format(answer=self.names[lowest.answer]),
        )
        if table.proofs:
            detail = tr("A report can rule true answers out: epsilon is infinite.")
        prior = belief_words(self.survey.truth)
        after = belief_words(highest.beliefs[looked])
        return Figure(f"{prior} → {after}", caption, detail)

    def stream(self) -> RespondentStream:
        survey = self.survey
        return SeveralStream(
            survey.design,
            survey.shares,
            self.names,
            survey.looked,
            survey.seed,
            survey.evasion,
            survey.confidence,
            choice=self.played_choice,
        )

    def memo(self, others: Sequence[str]) -> SharesMemo:
        return SharesMemo(
            question=self.question,
            design=self.design,
            names=self.names,
            shares=self.survey.shares,
            looked=self.survey.looked,
            respondents=self.respondents,
        )

    def sheet_words(self, others: Sequence[str]) -> Sequence[str]:
        return self.names

    def taken(self) -> Taken:
        mechanism, differs = self.design.in_plan()
        kind: ColumnKind = "nominal" if len(self.names) > _TWO else "binary"
        domain = Categorical(values=self.names)
        column = protected_column(COLUMN, self.question, kind, domain, mechanism)
        expected = tuple(Decimal(f"{share:.6f}") for share in self.survey.shares)
        return Taken(column.model_copy(update={"expected": expected}), tr(differs))


def _said(answer: str, group: str) -> str:
    if not group:
        return f"“{answer}”"
    return tr("“{answer}” ({group})").format(answer=answer, group=group)
