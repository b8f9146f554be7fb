"""The unrelated question, an innocent one that the device may ask in place of the sensitive one.

Its share of yes is known; or it is unknown, and two groups with different devices tell both
shares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import exp
from typing import Annotated, ClassVar, Literal, Self

from dpdesk.designs.devices import (
    ANY_DEVICE,
    BIRTHDAY,
    MONTHS,
    Device,
    DeviceChoice,
    Picture,
    asked_exactly,
    chance_words,
    share_of_months,
)
from dpdesk.designs.innocent_questions import Blank, by_month, innocent
from dpdesk.designs.instructions import GROUPS, NO, YES, Procedure, Way, drawn, if_outcome
from dpdesk.designs.law import (
    DIGITS,
    LARGEST_EPSILON,
    Group,
    one_of_two_groups,
    truth_at,
)
from dpdesk.designs.probability import Probability, chance_named, probability_text
from dpdesk.designs.sample_groups import (
    OneSampleDesign,
    OpenChance,
    TwoGroupDesign,
    linear,
    require_different_groups,
)
from dpdesk.designs.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_, in_a_row, translated


class Unrelated(OneSampleDesign):
    """The unrelated question, whose share of yes is known."""

    title = N_("Unrelated question")
    summary = N_(
        "The device chooses, unseen, between the sensitive question and an innocent one whose "
        "share of yes is known."
    )
    reference = "Greenberg, Abul-Ela, Simmons & Horvitz 1969, JASA 64, 520-539"
    caution = N_("The epsilon holds only while the innocent answer is secret.")
    device = N_("a coin")
    often_compared: ClassVar[tuple[str, ...]] = ("unrelated",)
    usual: ClassVar = {"p": "1/2", "q": "1/6"}
    device_parameters: ClassVar = ("p",)
    asked_fact: ClassVar[str] = BIRTHDAY

    kind: Literal["unrelated"] = "unrelated"
    p: Annotated[
        Probability,
        chance_named(
            N_("chance of the question"), "chance that the device asks the sensitive question"
        ),
    ]
    q: Annotated[
        Probability,
        chance_named(N_("share of innocent yes"), "share of yes to the innocent question"),
    ]

    @property
    def rival_name(self) -> str:
        return T.WITH_SHARE(design=translated(self.title), q=probability_text(self.q))

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        innocent = (1 - self.p) * self.q
        return self.p + innocent, innocent

    @property
    def epsilon_decides(self) -> bool:
        return 0 < self.q < 1

    def _at(self, epsilon: float) -> Self:
        # Solves p / (1 - p) = min(q, 1 - q) (e^epsilon - 1): the rarer answer protects least.
        truth_at(epsilon)  # refuses one at which nothing is told
        q = self.q
        odds = float(min(q, 1 - q)) * (exp(min(epsilon, LARGEST_EPSILON)) - 1)
        p = Fraction(int(DIGITS * odds / (1 + odds)), DIGITS)
        if p == 0:
            raise ParameterError(T.SMALL_EPSILON())
        return self.model_copy(update={"p": p})

    def buildable(self, device: Device) -> Iterator[Self]:
        (blank,) = self.blanks
        q = share_of_months(int(self.q * len(MONTHS))) if blank.proposal else self.q
        exact = self if asked_exactly(self.q, "mother") else self.model_copy(update={"q": q})
        for p in device.near(self.p):
            yield exact.model_copy(update={"p": p})

    @property
    def blanks(self) -> tuple[Blank, ...]:
        return (innocent(self.q),)

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        known = T.KNOWN_SHARE(chance=chance_words(self.q))
        return (either_question(question, others[0], self.p, self.q, known, choice=choice),)


def either_question(
    question: str,
    beside: str,
    p: Fraction,
    q: Fraction,
    known: str,
    group: str = "",
    choice: DeviceChoice = ANY_DEVICE,
) -> Procedure:
    """Returns the procedure of a device that chooses between two questions.

    Args:
        question: The sensitive question.
        beside: The innocent question.
        p: Chance that the sensitive one is asked.
        q: Share of yes to the innocent one.
        known: What is known of that share, as a sentence; may be empty.
        group: Name of the group.
        choice: The device.
    """
    kept = [(letter, chance) for letter, chance in (("A", p), ("B", 1 - p)) if chance]
    draw = choice.among([chance for _, chance in kept])
    tasks = [T.ANSWER_QUESTION(letter=letter) for letter, _ in kept]
    steps = draw.first_step
    ways: dict[str, list[Way]] = {YES: [], NO: []}
    for (letter, chance), outcome, task in zip(kept, draw.outcomes, tasks, strict=True):
        steps.append(if_outcome(outcome, chance, task))
        for state, found in ways.items():
            if letter == "A":
                found.append(Way(chance, outcome, state))
                continue
            for part, answer in ((q, YES), (1 - q, NO)):
                words = T.AND_B_IS(outcome=outcome, answer=answer)
                found.append(Way(chance * part, words, answer))
    return Procedure(
        group,
        draw.tool,
        (("A", question), ("B", beside)),
        tuple(steps),
        in_a_row(filter(None, (T.EITHER_REASON(), known))),
        tuple(way for way in ways[YES] if way.chance),
        tuple(way for way in ways[NO] if way.chance),
        pictures=drawn([Picture(draw, tuple(tasks))]),
    )


class UnrelatedTwoSamples(TwoGroupDesign):
    """The unrelated question, whose share of yes is unknown."""

    title = N_("Unrelated question, two samples")
    summary = N_(
        "As the unrelated question, but the share of yes to the innocent one is unknown; two "
        "groups get devices with different chances."
    )
    reference = "Greenberg, Abul-Ela, Simmons & Horvitz 1969, JASA 64, 520-539"
    caution = "The epsilon is that of the innocent share q: supposed in a plan, then estimated."
    supposed: ClassVar[frozenset[str]] = frozenset({"q"})
    open_share = "innocent_share"
    device = N_("two coins")
    usual: ClassVar = {"p1": "3/4", "p2": "1/4", "q": "1/2"}
    device_parameters: ClassVar = ("p1", "p2")
    asked_fact: ClassVar[str] = BIRTHDAY
    assumes_innocent: ClassVar[bool] = True

    kind: Literal["unrelated_two_samples"] = "unrelated_two_samples"
    p1: Annotated[
        Probability,
        chance_named(
            N_("the question, group 1"), "chance of the sensitive question in the first group"
        ),
    ]
    p2: Annotated[
        Probability,
        chance_named(
            N_("the question, group 2"), "chance of the sensitive question in the second group"
        ),
    ]
    q: Annotated[
        Probability,
        chance_named(
            N_("share of innocent yes"), "share of yes to the innocent question, for planning"
        ),
    ] = Fraction(1, 2)

    @property
    def groups(self) -> tuple[Group, ...]:
        require_different_groups(self.p1, self.p2)
        return tuple(
            one_of_two_groups(p + (1 - p) * self.q, (1 - p) * self.q, name)
            for name, p in (("first group", self.p1), ("second group", self.p2))
        )

    @property
    def open_chances(self) -> tuple[tuple[OpenChance, OpenChance], ...]:
        require_different_groups(self.p1, self.p2)
        return tuple(
            (OpenChance(p, 1 - p), OpenChance(Fraction(0), 1 - p)) for p in (self.p1, self.p2)
        )

    @property
    def combination(self) -> tuple[float, tuple[float, float]]:
        require_different_groups(self.p1, self.p2)
        first, second = float(self.p1), float(self.p2)
        gap = first - second
        return 0.0, ((1 - second) / gap, -(1 - first) / gap)

    def other_shares(
        self, value: float, groups: Sequence[tuple[float, float]]
    ) -> Mapping[str, tuple[float, float]]:
        gap = float(self.p1 - self.p2)
        weights = (-float(self.p2) / gap, float(self.p1) / gap)
        return {"innocent_share": linear(0.0, weights, groups)}

    def with_answers(self, shares: Sequence[float]) -> Self:
        q = self.other_shares(0.0, [(share, 0.0) for share in shares])["innocent_share"][0]
        return self.model_copy(update={"q": Fraction(round(1000 * min(max(q, 0.0), 1.0)), 1000)})

    @property
    def blanks(self) -> tuple[Blank, ...]:
        return (Blank(T.INNOCENT_ALIKE(), by_month(6), BIRTHDAY, T.ALIKE_MUST_HOLD()),)

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        chances = (self.p1, self.p2)
        return tuple(
            either_question(question, others[0], p, self.q, "", group, choice)
            for group, p in zip(GROUPS, chances, strict=True)
        )
