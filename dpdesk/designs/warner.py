"""Warner's device, which asks the question or its opposite, and the designs built upon it.

Mangat's device is for non-carriers alone; Mangat and Singh put a device that orders the truth in
front of it; Singh and Joarder let carriers whom it would make deny draw again.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, sqrt
from typing import Annotated, ClassVar, Literal, Self

from dpdesk.designs.devices import (
    ANY_DEVICE,
    DeviceChoice,
    Picture,
    chance_words,
    events_at_hand,
    unseen,
)
from dpdesk.designs.instructions import (
    NO,
    YES,
    Branch,
    Procedure,
    TwoOutcomes,
    Way,
    by_device,
    if_outcome,
    one_question,
    truth,
)
from dpdesk.designs.law import DIGITS, LARGEST_EPSILON, truth_at
from dpdesk.designs.probability import Probability, chance_named, probability_text
from dpdesk.designs.sample_groups import OneSampleDesign
from dpdesk.designs.texts import T
from dpdesk.i18n import N_

AsksItself = Annotated[
    Probability,
    chance_named(N_("chance of the question"), "chance that the device asks the question itself"),
]
"""The parameter of Warner's device, p."""


class WarnersDevice(OneSampleDesign):
    """A design with Warner's device."""

    device = N_("two coins")
    usual: ClassVar = {"p": "3/4"}
    device_parameters: ClassVar = ("p",)

    p: AsksItself


class WarnerDesign(WarnersDevice):
    """Warner's design: the question or its opposite, chosen by a device."""

    title = N_("Warner")
    summary = N_(
        "The device chooses, unseen, between the question and its opposite; the respondent answers "
        "with yes or no."
    )
    reference = "Warner 1965, JASA 60, 63-69"

    kind: Literal["warner"] = "warner"
    p: Annotated[
        Probability,
        chance_named(
            N_("chance of a true report"),
            "chance that the answer reported is the true one, not its opposite",
        ),
    ] = Fraction(3, 4)

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return self.p, 1 - self.p

    @property
    def doing(self) -> str:
        rarer = min(self.p, 1 - self.p)
        # A certain outcome is not drawn, and of equally likely ones none is the rarer.
        outcomes = events_at_hand((self.p, 1 - self.p)) if 0 < rarer < Fraction(1, 2) else ()
        if not outcomes:
            return T.WARNER_CHANCE(p=probability_text(self.p))
        if rarer == self.p:
            return T.WARNER_TRUTH(outcome=outcomes[0])
        return T.WARNER_OPPOSITE(outcome=outcomes[1])

    @property
    def epsilon_decides(self) -> bool:
        return True

    def _at(self, epsilon: float) -> Self:
        return self.model_copy(update={"p": truth_at(epsilon)})

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        branches = [truth(self.p), Branch(1 - self.p, T.OPPOSITE(), NO, YES, T.SAY_OPPOSITE())]
        return (by_device(question, branches, choice=choice),)


class MangatSingh(OneSampleDesign):
    """Two devices: the first orders the truth or sends to Warner's."""

    title = N_("Mangat and Singh")
    summary = N_("A first device orders the truth, or sends to a second, which is Warner's.")
    reference = "Mangat & Singh 1990, Biometrika 77, 439-442"
    device = N_("three coins")
    usual: ClassVar = {"t": "1/2", "p": "3/4"}
    device_parameters: ClassVar = ("t", "p")
    device_draws: ClassVar[int] = 2

    kind: Literal["mangat_singh"] = "mangat_singh"
    t: Annotated[
        Probability,
        chance_named(
            N_("first device: the truth"), "chance that the first device orders the truth"
        ),
    ]
    p: Annotated[
        Probability,
        chance_named(
            N_("second: the question"), "chance that the second device asks the question itself"
        ),
    ]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return self.t + (1 - self.t) * self.p, (1 - self.t) * (1 - self.p)

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        one = TwoOutcomes(self.t, (T.TELL_TRUTH(), T.DRAW_AGAIN()), choice)
        two = TwoOutcomes(self.p, (T.TELL_TRUTH(), T.SAY_OPPOSITE()), choice)
        carrier: list[Way] = []
        other: list[Way] = []
        steps = one.first_step
        for chance, orders_truth, outcome in one.branches:
            if orders_truth:
                carrier.append(Way(chance, outcome, YES))
                other.append(Way(chance, outcome, NO))
                steps.append(if_outcome(outcome, chance, T.TRUTH()))
                continue
            steps.append(if_outcome(outcome, chance, T.SECOND_DRAW() if two.use else T.GO_ON()))
            if two.use:
                steps.append(unseen(two.use))
            for second, asks, shown in two.branches:
                words = T.AND_SECOND_DRAW(first=outcome, second=shown)
                carrier.append(Way(chance * second, words, YES if asks else NO))
                other.append(Way(chance * second, words, NO if asks else YES))
                task = T.TRUTH() if asks else T.OPPOSITE()
                said = T.IF_SECOND_DRAW(outcome=shown, chance=chance_words(second), task=task)
                steps.append(said)
        if one.tool and two.use:
            steps.append(T.BOTH_DRAWS())
        pictures = [one.picture, two.picture][: 2 if self.t < 1 else 1]
        tools = dict.fromkeys(filter(None, (picture.draw.tool for picture in pictures)))
        tool = "".join(tools)
        if len(tools) > 1:
            first, second_tool = tools
            tool = T.TWO_TOOLS(first=first, second=second_tool)
        return (one_question(question, tool, steps, carrier, other, pictures=pictures),)


class Mangat(WarnersDevice):
    """Mangat's design: carriers tell the truth, others use Warner's device."""

    title = N_("Mangat")
    summary = N_("A carrier says yes; a non-carrier uses Warner's device.")
    reference = "Mangat 1994, JRSS B 56, 93-95"
    caution = "The answer no proves that the respondent is not a carrier."

    kind: Literal["mangat"] = "mangat"

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return Fraction(1), 1 - self.p

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        return (for_others_only(question, self.p, choice=choice),)


def for_others_only(
    question: str, says_no: Fraction, group: str = "", choice: DeviceChoice = ANY_DEVICE
) -> Procedure:
    """Returns the procedure in which carriers say yes whatever the device shows.

    Everybody uses the device all the same.

    Args:
        question: The question.
        says_no: Chance that it lets a non-carrier say no.
        group: Name of the group.
        choice: The device.
    """
    chances = {NO: says_no, YES: 1 - says_no}
    kept = {answer: chance for answer, chance in chances.items() if chance}
    draw = choice.among(list(kept.values()))
    shown = list(zip(kept.items(), draw.outcomes, strict=True))
    steps = (
        *draw.first_step,
        T.YES_ANYWAY(),
        *(
            T.IF_NO_AND(outcome=outcome, chance=chance_words(chance), answer=answer)
            for (answer, chance), outcome in shown
        ),
    )
    return one_question(
        question,
        draw.tool,
        steps,
        [Way(chance, outcome, YES) for (_, chance), outcome in shown],
        [Way(chance, outcome, answer) for (answer, chance), outcome in shown],
        T.ALL_USE_IT(),
        group,
        [Picture(draw, tuple(T.IF_NO_LABEL(answer=answer) for answer in kept))],
    )


class SinghJoarder(WarnersDevice):
    """Two draws of Warner's device for carriers whom the first would make deny."""

    title = N_("Singh and Joarder")
    summary = N_(
        "Everybody uses Warner's device; a carrier whom it would make say no draws again and "
        "follows the second draw."
    )
    reference = "Singh & Joarder 1997, Metron 55, 151-157"
    device_draws: ClassVar[int] = 2

    kind: Literal["singh_joarder"] = "singh_joarder"

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return 1 - (1 - self.p) ** 2, 1 - self.p

    @property
    def epsilon_decides(self) -> bool:
        return True

    def _at(self, epsilon: float) -> Self:
        # Solves p / (1 - p)^2 = e^epsilon for u = 1 - p, the ratio of the answers no. It is always
        # larger than that of the answers yes, p (2 - p) / (1 - p).
        truth_at(epsilon)  # refuses one at which nothing is told
        ratio = exp(min(epsilon, LARGEST_EPSILON))
        # (1 - u) / u^2 = x; the stable form of the positive root.
        u = 2 / (1 + sqrt(1 + 4 * ratio))
        # Rounded up, so that the ratio stays below e^epsilon.
        return self.model_copy(update={"p": 1 - Fraction(int(DIGITS * u) + 1, DIGITS)})

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        found = TwoOutcomes(self.p, (T.TELL_TRUTH(), T.SEE_WHAT_TO_DO()), choice)
        carrier: list[Way] = []
        other: list[Way] = []
        steps = found.first_step
        for chance, asks, outcome in found.branches:
            other.append(Way(chance, outcome, NO if asks else YES))
            if asks:
                carrier.append(Way(chance, outcome, YES))
                steps.append(if_outcome(outcome, chance, T.TRUTH()))
                continue
            steps.append(if_outcome(outcome, chance, T.YES_OR_DRAW_AGAIN()))
            for second, asks_again, shown in found.branches:
                answer = YES if asks_again else NO
                words = T.AND_SECOND_TIME(first=outcome, second=shown)
                carrier.append(Way(chance * second, words, answer))
                chance_said = chance_words(second)
                steps.append(T.IF_SECOND_TIME(outcome=shown, chance=chance_said, answer=answer))
        if found.tool:
            steps.append(T.USE_TWICE())
        pictures = [found.picture]
        return (one_question(question, found.tool, steps, carrier, other, pictures=pictures),)
