"""The crosswise design with an anchor: an item that nobody has shows who does not attend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

import numpy as np

from dpdesk.designs.answer_likelihood import AnswerChances
from dpdesk.designs.crosswise import CrosswiseDesign, same_or_different
from dpdesk.designs.devices import DeviceChoice
from dpdesk.designs.innocent_questions import Blank, innocent
from dpdesk.designs.instructions import Procedure
from dpdesk.designs.law import Group, binary_group, one_of_two_groups
from dpdesk.designs.probability import Probability, chance_named
from dpdesk.designs.sample_design import Labels
from dpdesk.designs.sample_groups import linear, privacy_variance, shares_and_variances
from dpdesk.designs.texts import T
from dpdesk.designs.yes_no import Count, PlannedVariance, SurveyEstimates, normal_estimates
from dpdesk.errors import InputError, ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats


class AnchoredCrosswise(CrosswiseDesign):
    """Crosswise with an anchor: corrected for respondents who answer at random."""

    title = N_("Crosswise with anchor")
    summary = N_(
        "As crosswise; a second crosswise item asks for something that no one has, and shows how "
        "many respondents attend. Counts: of the question, then of the anchor."
    )
    reference = "Atsusaka & Stevenson 2023, Political Analysis 31, 134-148"
    group_count: ClassVar[int] = 2
    same_respondents: ClassVar[bool] = True
    # The estimate is divided by the estimated share of attentive respondents.
    unbiased: ClassVar[bool] = False
    caution = N_(
        "The epsilon holds only while the innocent traits are secret. Both items need different "
        "ones."
    )
    device = N_("two birthdays")
    asked_parameters: ClassVar = ("p", "anchor")
    usual: ClassVar = {"p": "1/4", "anchor": "1/4"}

    kind: Literal["anchored_crosswise"] = "anchored_crosswise"
    p: Annotated[
        Probability,
        chance_named(
            N_("trait with the question"), "chance of the innocent trait beside the question"
        ),
    ]
    anchor: Annotated[
        Probability,
        chance_named(N_("trait with the anchor"), "chance of the innocent trait beside the anchor"),
    ]

    @property
    def groups(self) -> tuple[Group, ...]:
        if self.anchor == Fraction(1, 2):
            raise ParameterError(T.HALF_ANCHOR())
        return (binary_group(self.p, 1 - self.p),)

    @property
    def asked(self) -> tuple[Group, ...]:
        yes = 1 - self.anchor
        return (*self.groups, one_of_two_groups(yes, yes, "anchor"))

    def chances_of(self, said: Floats, group: Labels, anchor: Floats | None) -> AnswerChances:
        yes, no = float(1 - self.anchor), float(self.anchor)
        beside = np.where(anchor == 1, yes, no)
        quarter = np.full(said.size, 0.25)
        high, low = (
            beside * np.where(said == 1, float(row[0]), float(row[1])) for row in self.groups[0].law
        )
        return AnswerChances(quarter, quarter, high - 0.25, low - 0.25, "attentive")

    def tested(self, shares: Sequence[float]) -> tuple[str, float]:
        return "attentive", (shares[1] - 0.5) / (0.5 - float(self.anchor))

    def linearised(self, shares: Sequence[float]) -> tuple[float, tuple[float, float]] | None:
        _, attentive = self.tested(shares)
        if attentive <= 0:
            return None
        shift, beside = (share - 0.5 for share in shares)
        slope = 1 / (attentive * float(2 * self.p - 1))
        return 0.5 + shift * slope, (slope, -slope * shift / beside)

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        self.check_device()
        p, anchor = float(self.p), float(self.anchor)
        device = privacy_variance(p, 1 - p, prevalence)
        # The anchor's share enters with slope -(pi - 1/2) / (l' - 1/2).
        correction = ((prevalence - 0.5) / (0.5 - anchor)) ** 2 * anchor * (1 - anchor)
        return PlannedVariance(prevalence * (1 - prevalence), device + correction)

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        # The same respondents answer both items, so that attention joins the two answers: their
        # covariance is (1 - g)/g (l - 1/2)(l' - 1/2), with g the share who attend. Errors are by
        # the delta method; NaN where nobody attends.
        shares = totals / respondents[0]
        shift, anchor_shift = shares[..., 0] - 0.5, shares[..., 1] - 0.5
        attentive, gap = anchor_shift / (0.5 - float(self.anchor)), float(2 * self.p - 1)
        attentive = np.where(attentive > 0, attentive, np.nan)
        slope, anchor_slope = 1 / (attentive * gap), -shift / (attentive * gap * anchor_shift)
        joint = (1 - attentive) / attentive * shift * anchor_shift
        spread = shares * (1 - shares)
        variance = (
            slope**2 * spread[..., 0]
            + anchor_slope**2 * spread[..., 1]
            + 2 * slope * anchor_slope * joint
        ) / (respondents[0] - 1)
        error = np.sqrt(np.maximum(variance, 0.0))
        return normal_estimates(0.5 + shift * slope, error, confidence)

    def _checked(self, counts: Sequence[Count]) -> tuple[Count, ...]:
        question, anchor = super()._checked(counts)
        self.check_device()
        if question.respondents != anchor.respondents:
            raise InputError(T.ANCHOR_RESPONDENTS())
        if self.tested((question.share, anchor.share))[1] <= 0:
            raise InputError(T.NO_ATTENTION())
        return question, anchor

    def _other_estimates(
        self, value: float, counts: Sequence[Count]
    ) -> Mapping[str, tuple[float, float]]:
        slope = 1 / (0.5 - float(self.anchor))
        return {"attentive": linear(-0.5 * slope, (0.0, slope), shares_and_variances(counts))}

    @property
    def blanks(self) -> tuple[Blank, ...]:
        return (
            innocent(self.p),
            Blank(T.ANCHOR(), T.ANCHOR_PROPOSAL(), holds=T.NO_YES_MUST_HOLD()),
            innocent(self.anchor, T.INNOCENT_OTHER, "father"),
        )

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        trait, anchor, beside = others
        item = same_or_different(anchor, beside, self.anchor, "anchor")
        # Nobody has what the anchor asks for: everybody answers it as a non-carrier.
        return (
            same_or_different(question, trait, self.p),
            replace(item, innocent=(), carrier=item.other),
        )
