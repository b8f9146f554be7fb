"""Warner's device, which asks the question or its opposite, and the designs built upon it.

Mangat's device is for non-carriers alone; Mangat and Singh put a device that orders the truth in
front of it; Singh and Joarder let carriers whom it would make deny draw again.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, sqrt
from typing import Annotated, ClassVar, Literal, Self

from dpdesk.designs.base import Phrase
from dpdesk.designs.devices import ANY_DEVICE, UNSEEN, DeviceChoice, Picture, events_at_hand
from dpdesk.designs.instructions import (
    NO,
    OPPOSITE,
    TRUTH,
    YES,
    Branch,
    Procedure,
    TwoOutcomes,
    Way,
    by_device,
    chance_words,
    if_outcome,
    one_question,
    truth,
)
from dpdesk.designs.law import DIGITS, LARGEST_EPSILON, truth_at
from dpdesk.designs.probability import Probability, chance_named
from dpdesk.designs.sample_groups import OneSampleDesign
from dpdesk.i18n import N_

AsksItself = Annotated[
    Probability,
    chance_named(N_("chance of the question"), "chance that the device asks the question itself"),
]
"""The parameter of Warner's device, p."""


_TWICE = "{again} in any case, so that nobody sees how often you needed it."
_TRUTH_OR_OPPOSITE = ("tell the truth", "say the opposite")


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
    def doing(self) -> Phrase:
        rarer = min(self.p, 1 - self.p)
        # A certain outcome is not drawn, and of equally likely ones none is the rarer.
        outcomes = events_at_hand((self.p, 1 - self.p)) if 0 < rarer < Fraction(1, 2) else ()
        if not outcomes:
            return N_("The device asks the question itself with chance {p}, else its opposite."), {
                "p": self.p
            }
        rare, usual = N_("answer the opposite"), N_("Else answer truthfully.")
        if self.p < Fraction(1, 2):
            rare, usual = N_("answer truthfully"), N_("Else answer the opposite.")
        words = {"outcome": outcomes[int(rarer != self.p)], "rare": rare, "usual": usual}
        return N_("If {outcome}: {rare}. {usual}"), words

    @property
    def epsilon_decides(self) -> bool:
        return True

    def _at(self, epsilon: float) -> Self:
        """Solves for the one chance."""
        return self.model_copy(update={"p": truth_at(epsilon)})

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        """The truth or its opposite."""
        branches = [truth(self.p), Branch(1 - self.p, OPPOSITE, NO, YES)]
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
        """The truth, or Warner's device."""
        one = TwoOutcomes(self.t, ("tell the truth", "draw again"), choice)
        two = TwoOutcomes(self.p, _TRUTH_OR_OPPOSITE, choice)
        carrier: list[Way] = []
        other: list[Way] = []
        steps = one.first_step
        for chance, orders_truth, outcome in one.branches:
            if orders_truth:
                carrier.append(Way(chance, outcome, YES))
                other.append(Way(chance, outcome, NO))
                steps.append(if_outcome(outcome, chance, TRUTH))
                continue
            again = f"do the second draw. {two.use}, {UNSEEN}" if two.use else "go on"
            steps.append(if_outcome(outcome, chance, again))
            for second, asks, shown in two.branches:
                words = f"{outcome}; in the second draw {shown}"
                carrier.append(Way(chance * second, words, YES if asks else NO))
                other.append(Way(chance * second, words, NO if asks else YES))
                steps.append(
                    f"If, in the second draw, {shown} ({chance_words(second)}): "
                    f"{TRUTH if asks else OPPOSITE}."
                )
        if one.tool and two.use:
            steps.append(_TWICE.format(again="Do both draws"))
        tools = [tool for tool in (one.tool, two.tool if self.t < 1 else "") if tool]
        if len(set(tools)) > 1:
            tools = [f"{tools[0]} for the first draw", f"{tools[1]} for the second"]
        tools = list(dict.fromkeys(tools))
        pictures = [one.picture, *([two.picture] if self.t < 1 else [])]
        return (
            one_question(question, " and ".join(tools), steps, carrier, other, pictures=pictures),
        )


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
        """Carriers say yes; others use Warner's device."""
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
    orders = [
        if_outcome(outcome, chance, f"say {answer}")[:-1].removeprefix("If ")
        for (answer, chance), outcome in shown
    ]
    steps = (
        *draw.first_step,
        "If your true answer is yes: say yes, whatever the device shows.",
        *(f"If your true answer is no, and {order}." for order in orders),
    )
    return one_question(
        question,
        draw.tool,
        steps,
        [Way(chance, outcome, YES) for (_, chance), outcome in shown],
        [Way(chance, outcome, answer) for (answer, chance), outcome in shown],
        "Everybody uses the device, so others cannot be sure whether you needed it.",
        group,
        [Picture(draw, tuple(f"if no is true: say {answer}" for answer in kept))],
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
        """Solves p / (1 - p)^2 = e^epsilon for u = 1 - p, the ratio of the answers no.

        It is always larger than that of the answers yes, p (2 - p) / (1 - p).
        """
        truth_at(epsilon)  # refuses one at which nothing is told
        ratio = exp(min(epsilon, LARGEST_EPSILON))
        # (1 - u) / u^2 = x; the stable form of the positive root.
        u = 2 / (1 + sqrt(1 + 4 * ratio))
        # Rounded up, so that the ratio stays below e^epsilon.
        return self.model_copy(update={"p": 1 - Fraction(int(DIGITS * u) + 1, DIGITS)})

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        """Warner's device, which carriers use a second time if it would make them deny."""
        found = TwoOutcomes(self.p, ("tell the truth", "see what to do"), choice)
        carrier: list[Way] = []
        other: list[Way] = []
        steps = found.first_step
        for chance, asks, outcome in found.branches:
            other.append(Way(chance, outcome, NO if asks else YES))
            if asks:
                carrier.append(Way(chance, outcome, YES))
                steps.append(if_outcome(outcome, chance, TRUTH))
                continue
            steps.append(
                if_outcome(
                    outcome,
                    chance,
                    "say yes if your true answer is no. If it is yes, say nothing yet, and use the "
                    "device a second time, unseen",
                )
            )
            for second, asks_again, shown in found.branches:
                answer = YES if asks_again else NO
                carrier.append(Way(chance * second, f"{outcome}; the second time {shown}", answer))
                steps.append(
                    f"If, the second time, {shown} ({chance_words(second)}): say {answer}."
                )
        if found.tool:
            steps.append(_TWICE.format(again="Use the device twice"))
        pictures = [found.picture]
        return (one_question(question, found.tool, steps, carrier, other, pictures=pictures),)
