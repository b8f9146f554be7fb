"""Designs with an innocent trait beside the sensitive one, and no device (Yu, Tian & Tang 2008).

Crosswise: are both answers the same? Triangular: does at least one of both apply? In the extended
crosswise design the innocent traits of two groups are each other's opposite.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from dpdesk.designs.devices import BIRTHDAY, DeviceChoice, chance_words
from dpdesk.designs.innocent_questions import Blank, innocent
from dpdesk.designs.instructions import GROUPS, NO, YES, Procedure, Way
from dpdesk.designs.law import Group, binary_group, truth_beside
from dpdesk.designs.probability import Probability, chance_named
from dpdesk.designs.sample_groups import (
    OneSampleDesign,
    linear,
    shares_and_variances,
    yes_no_estimates,
)
from dpdesk.designs.texts import T
from dpdesk.designs.yes_no import Count, SurveyEstimates
from dpdesk.i18n import N_, Text
from dpdesk.numbers.arrays import Floats


class InnocentTraitDesign(OneSampleDesign):
    """A design whose answers depend on an innocent trait, such as a birthday, as well."""

    device = N_("birthday")
    usual: ClassVar = {"p": "1/4"}
    asked_parameters: ClassVar[tuple[str, ...]] = ("p",)
    device_draws: ClassVar[int] = 0
    asked_fact: ClassVar[str] = BIRTHDAY

    p: Annotated[
        Probability,
        chance_named(
            N_("chance of the innocent trait"), "chance that a respondent has the innocent trait"
        ),
    ]

    @property
    def blanks(self) -> tuple[Blank, ...]:
        return (innocent(self.p),)


_SAME = {YES: "the same", NO: "different"}
"""How answers are said; the law codes "the same" as yes."""


class CrosswiseDesign(InnocentTraitDesign):
    """A design whose respondents say whether two of their answers are the same."""

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return self.p, 1 - self.p

    @property
    def epsilon_decides(self) -> bool:
        return True

    def _at(self, epsilon: float) -> Self:
        return self.model_copy(update={"p": truth_beside(epsilon, self.p)})


class Crosswise(CrosswiseDesign):
    """The crosswise design: are both answers the same?"""

    title = N_("Crosswise")
    summary = N_(
        "The respondent thinks of an innocent trait as well, such as a birthday, and says whether "
        "both answers are the same (coded yes) or different."
    )
    reference = "Yu, Tian & Tang 2008, Metrika 67, 251-263"
    caution = N_(
        "The epsilon holds only while the innocent trait is secret; otherwise every answer is a "
        "proof. Use each innocent trait for one question."
    )

    often_compared: ClassVar[tuple[str, ...]] = ("crosswise",)

    kind: Literal["crosswise"] = "crosswise"

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        return (same_or_different(question, others[0], self.p),)


def same_or_different(question: str, beside: str, p: Fraction, group: str = "") -> Procedure:
    """Returns the procedure of an item with an innocent question beside it.

    Args:
        question: The question.
        beside: The innocent question.
        p: Chance that it is answered with yes.
        group: Name of the group or item.
    """
    rules, said = (T.SAME(), T.DIFFERENT()), ((YES, NO), (NO, YES))
    procedure = _with_innocent((question, beside), p, rules, T.CROSSWISE_REASON, said)
    return replace(procedure, group=group, spoken=_SAME)


def _with_innocent(
    questions: tuple[str, str],
    p: Fraction,
    rules: tuple[str, str],
    reason: Text,
    said: tuple[tuple[str, str], tuple[str, str]],
) -> Procedure:
    """Returns the procedure of a sensitive question A and an innocent one B."""
    beside = [(chance, each) for chance, each in ((p, YES), (1 - p, NO)) if chance]
    carrier, other = (
        tuple(
            Way(chance, T.B_IS(answer=each), yes if each == YES else no, each)
            for chance, each in beside
        )
        for yes, no in said
    )
    return Procedure(
        "",
        "",
        (("A", questions[0]), ("B", questions[1])),
        (T.THINK_OF_BOTH(), *rules),
        reason(chance=chance_words(p)),
        carrier,
        other,
        innocent=(p, 1 - p) if 0 < p < 1 else (),
    )


class Triangular(InnocentTraitDesign):
    """The triangular design: an answer that non-carriers may share."""

    title = N_("Triangular")
    summary = N_(
        "The respondent says yes if they have the sensitive trait, or an innocent one, or both; "
        "else no."
    )
    reference = "Yu, Tian & Tang 2008, Metrika 67, 251-263"
    caution = N_(
        "The answer no proves that the respondent has neither trait. Yes protects only while the "
        "innocent one is secret."
    )

    kind: Literal["triangular"] = "triangular"

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return Fraction(1), self.p

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        rules, said = (T.AT_LEAST_ONE_YES(), T.BOTH_NO()), ((YES, YES), (YES, NO))
        asked = question, others[0]
        return (_with_innocent(asked, self.p, rules, T.TRIANGULAR_REASON, said),)


class ExtendedCrosswise(CrosswiseDesign):
    """The extended crosswise design, which shows whether respondents follow the instruction."""

    title = N_("Extended crosswise")
    summary = N_(
        "As crosswise; the innocent trait of the second group is as frequent as its absence in the "
        "first, so that both groups must agree if everybody follows the instruction."
    )
    reference = "Heck, Hoffmann & Moshagen 2018, Behavior Research Methods 50, 1895-1905"
    group_count: ClassVar[int] = 2
    caution = N_(
        "The epsilon holds only while the innocent trait is secret; otherwise every answer is a "
        "proof."
    )

    kind: Literal["extended_crosswise"] = "extended_crosswise"
    p: Annotated[
        Probability,
        chance_named(
            N_("innocent trait, group 1"), "chance of the innocent trait in the first group"
        ),
    ]

    @property
    def groups(self) -> tuple[Group, ...]:
        return tuple(
            binary_group(p, 1 - p, name)
            for name, p in (("first group", self.p), ("second group", Fraction(1) - self.p))
        )

    def tested(self, shares: Sequence[float]) -> tuple[str, float]:
        return "difference_of_groups", shares[0] + shares[1] - 1

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        pooled = totals[..., 0] + respondents[1] - totals[..., 1]
        return yes_no_estimates(pooled, sum(respondents), self.p, 1 - self.p, confidence)

    def _pooled(self, counts: Sequence[Count]) -> Count:
        first, second = counts
        yes = first.yes + second.respondents - second.yes
        return Count(yes, first.respondents + second.respondents)

    def _other_estimates(
        self, value: float, counts: Sequence[Count]
    ) -> Mapping[str, tuple[float, float]]:
        found = linear(-1.0, (1.0, 1.0), shares_and_variances(counts))
        return {"difference_of_groups": found}

    @property
    def blanks(self) -> tuple[Blank, ...]:
        return innocent(self.p, T.INNOCENT_FIRST), innocent(1 - self.p, T.INNOCENT_SECOND)

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        chances = (self.p, 1 - self.p)
        return tuple(
            same_or_different(question, beside, p, group)
            for group, beside, p in zip(GROUPS, others, chances, strict=True)
        )
