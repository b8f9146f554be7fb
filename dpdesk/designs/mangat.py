"""Mangat's design: carriers tell the truth, others use Warner's device."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpdesk.designs.instructions import NO, UNSEEN, YES, Procedure, Way, draw_among, if_outcome
from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class Mangat(OneSampleDesign):
    """Mangat's design: carriers tell the truth, others use Warner's device."""

    title = N_("Mangat")
    summary = N_("A carrier says yes; a non-carrier uses Warner's device.")
    reference = "Mangat 1994, JRSS B 56, 93-95"
    caution = "The answer no proves that the respondent is not a carrier."
    device = N_("two coins")
    usual: ClassVar = {"p": "3/4"}

    kind: Literal["mangat"] = "mangat"
    p: Annotated[Probability, Field(description="chance that the device asks the question itself")]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = 1, b = 1 - p."""
        return Fraction(1), 1 - self.p

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """Carriers say yes; others use Warner's device."""
        return (for_others_only(question, self.p),)


def for_others_only(question: str, says_no: Fraction, group: str = "") -> Procedure:
    """Returns the procedure in which who has the trait says yes whatever the device shows.

    Everybody uses the device all the same.

    Args:
        question: The question.
        says_no: Chance that it lets a non-carrier say no.
        group: Name of the group.
    """
    chances = {NO: says_no, YES: 1 - says_no}
    kept = {answer: chance for answer, chance in chances.items() if chance}
    draw = draw_among(list(kept.values()))
    shown = list(zip(kept.items(), draw.outcomes, strict=True))
    start = [f"{draw.use}, {UNSEEN}."] if draw.use else []
    orders = [
        if_outcome(outcome, chance, f"say {answer}")[:-1].removeprefix("If ")
        for (answer, chance), outcome in shown
    ]
    steps = (
        *start,
        "If your true answer is yes: say yes, whatever the device shows.",
        *(f"If your true answer is no, and {order}." for order in orders),
    )
    return Procedure(
        group,
        draw.tool,
        (("", question),),
        steps,
        "Everybody uses the device, so nobody knows whether you needed it.",
        tuple(Way(chance, outcome, YES) for (_, chance), outcome in shown),
        tuple(Way(chance, outcome, answer) for (answer, chance), outcome in shown),
    )
