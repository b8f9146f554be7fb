"""The unrelated question, whose share of yes is known."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.base import Phrase
from dpdesk.designs.instructions import (
    B_IS_NO,
    B_IS_YES,
    NO,
    UNSEEN,
    YES,
    Blank,
    Procedure,
    Way,
    chance_words,
    draw_among,
    if_outcome,
    innocent,
)
from dpdesk.designs.law import DIGITS, LARGEST_EPSILON, epsilon_too_small, truth_at
from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class Unrelated(OneSampleDesign):
    """The unrelated question, whose share of yes is known."""

    title = N_("Unrelated question")
    summary = N_(
        "The device chooses, unseen, between the sensitive question and an innocent one whose "
        "share of yes is known."
    )
    reference = "Greenberg, Abul-Ela, Simmons & Horvitz 1969, JASA 64, 520-539"
    caution = "The epsilon holds only while nobody knows the respondent's innocent answer."
    device = N_("a coin")
    often_compared: ClassVar[tuple[str, ...]] = ("unrelated",)
    usual: ClassVar = {"p": "1/2", "q": "1/6"}

    kind: Literal["unrelated"] = "unrelated"
    p: Annotated[
        Probability, Field(description="chance that the device asks the sensitive question")
    ]
    q: Annotated[Probability, Field(description="share of yes to the innocent question")]

    @property
    def rival_name(self) -> Phrase:
        """With the innocent share, which decides how good a rival it is."""
        return "{design}, q = {q}", {"design": self.title, "q": self.q}

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = p + (1 - p) q, b = (1 - p) q."""
        innocent = (1 - self.p) * self.q
        return self.p + innocent, innocent

    @property
    def epsilon_decides(self) -> bool:
        """The chance of the question follows from it; the innocent share stays."""
        return 0 < self.q < 1

    def _at(self, epsilon: float) -> Self:
        """Solves p / (1 - p) = min(q, 1 - q) (e^epsilon - 1): the rarer answer protects least."""
        truth_at(epsilon)  # refuses one at which nothing is told
        q = self.q
        odds = float(min(q, 1 - q)) * (exp(min(epsilon, LARGEST_EPSILON)) - 1)
        p = Fraction(int(DIGITS * odds / (1 + odds)), DIGITS)
        if p == 0:
            raise epsilon_too_small()
        return self.model_copy(update={"p": p})

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """The innocent question."""
        return (innocent(self.q),)

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """The device chooses the question."""
        known = f"About {chance_words(self.q)} people answer B with yes."
        return (either_question(question, others[0], self.p, self.q, known),)


def either_question(
    question: str, beside: str, p: Fraction, q: Fraction, known: str, group: str = ""
) -> Procedure:
    """Returns the procedure of a device that chooses between two questions.

    Args:
        question: The sensitive question.
        beside: The innocent question.
        p: Chance that the sensitive one is asked.
        q: Share of yes to the innocent one.
        known: What is known of that share, as a sentence; may be empty.
        group: Name of the group.
    """
    tasks = {
        "A": "answer question A truthfully, with yes or no",
        "B": "answer question B truthfully, with yes or no",
    }
    kept = [(letter, chance) for letter, chance in (("A", p), ("B", 1 - p)) if chance]
    draw = draw_among([chance for _, chance in kept])
    steps = [f"{draw.use}, {UNSEEN}."] if draw.use else []
    ways: dict[str, list[Way]] = {YES: [], NO: []}
    for (letter, chance), outcome in zip(kept, draw.outcomes, strict=True):
        steps.append(if_outcome(outcome, chance, tasks[letter]))
        for state, found in ways.items():
            if letter == "A":
                found.append(Way(chance, outcome, state))
                continue
            found.append(Way(chance * q, f"{outcome}, and {B_IS_YES}", YES))
            found.append(Way(chance * (1 - q), f"{outcome}, and {B_IS_NO}", NO))
    reason = "Only you know which of both questions you answer. Keep your answer to B to yourself."
    return Procedure(
        group,
        draw.tool,
        (("A", question), ("B", beside)),
        tuple(steps),
        f"{reason} {known}".strip(),
        tuple(way for way in ways[YES] if way.chance),
        tuple(way for way in ways[NO] if way.chance),
    )
