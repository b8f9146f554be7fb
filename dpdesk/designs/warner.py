"""Warner's design: the question or its opposite, chosen by a device."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.base import Phrase
from dpdesk.designs.instructions import (
    NO,
    OPPOSITE,
    REASON,
    SAY_NO,
    SAY_YES,
    TRUTH,
    UNSEEN,
    YES,
    Branch,
    Device,
    Procedure,
    Way,
    by_device,
    chance_words,
    device_for,
    if_outcome,
    nearest_device,
    truth,
)
from dpdesk.designs.law import truth_at
from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class WarnerDesign(OneSampleDesign):
    """Warner's design: the question or its opposite, chosen by a device."""

    title = N_("Warner")
    summary = N_(
        "The device chooses, unseen, between the question and its opposite; the respondent answers "
        "with yes or no."
    )
    reference = "Warner 1965, JASA 60, 63-69"
    device = N_("two coins")
    usual: ClassVar = {"p": "3/4"}

    kind: Literal["warner"] = "warner"
    p: Annotated[
        Probability,
        Field(description="chance that the device asks the question itself and not its opposite"),
    ] = Fraction(3, 4)

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = p, b = 1 - p."""
        return self.p, 1 - self.p

    @property
    def doing(self) -> Phrase:
        """With two coins, another thing at hand, or the chance."""
        if self.p == Fraction(3, 4):
            return N_(
                "Heads: answer truthfully. Tails: toss again and answer yes on heads, no on tails."
            ), {}
        device = device_for(self.p)
        if device is None or self.p == Fraction(1, 2):
            return N_("The device asks the question itself with chance {p}, else its opposite."), {
                "p": self.p
            }
        rare, usual = N_("answer the opposite"), N_("Else answer truthfully.")
        if self.p < Fraction(1, 2):
            rare, usual = N_("answer truthfully"), N_("Else answer the opposite.")
        words = {"outcome": device.outcome, "rare": rare, "usual": usual}
        return N_("If {outcome}: {rare}. {usual}"), words

    @property
    def nearest_at_hand(self) -> tuple[Device, Self] | None:
        """The thing whose epsilon is the next below, where none has these chances."""
        if device_for(self.p) is not None:
            return None
        device, _ = nearest_device(self.loss.epsilon)
        return device, self.model_copy(update={"p": 1 - device.chance})

    @property
    def epsilon_decides(self) -> bool:
        """The one chance follows from it."""
        return True

    def _at(self, epsilon: float) -> Self:
        """By its one chance."""
        return self.model_copy(update={"p": truth_at(epsilon)})

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """The truth or its opposite; with three in four, a coin that decides twice."""
        if self.p == Fraction(3, 4):
            return (_two_tosses(question),)
        return (by_device(question, [truth(self.p), Branch(1 - self.p, OPPOSITE, NO, YES)]),)


def _two_tosses(question: str) -> Procedure:
    """The same chances without an opposite to think of: heads the truth, else the second toss."""
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    heads, again = "the coin shows heads", "the coin shows tails, then "
    steps = (
        f"Toss the coin, {UNSEEN}.",
        if_outcome(heads, half, TRUTH),
        if_outcome("the coin shows tails", half, "toss it a second time, unseen as well"),
        f"If the second toss shows heads ({chance_words(half)}): {SAY_YES}.",
        f"If the second toss shows tails ({chance_words(half)}): {SAY_NO}.",
    )
    ordered = (Way(quarter, f"{again}heads", YES), Way(quarter, f"{again}tails", NO))
    return Procedure(
        "",
        "a coin",
        (("", question),),
        steps,
        REASON,
        (Way(half, heads, YES), *ordered),
        (Way(half, heads, NO), *ordered),
    )
