"""Forced response: the device may order yes or no."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from dpdesk.designs.base import divided_near, possible
from dpdesk.designs.devices import ANY_DEVICE, Chances, Device, DeviceChoice, events_at_hand
from dpdesk.designs.instructions import NO, YES, Branch, Procedure, by_device, truth
from dpdesk.designs.law import truth_at
from dpdesk.designs.probability import Probability, chance_named
from dpdesk.designs.sample_groups import OneSampleDesign
from dpdesk.designs.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_


class Forced(OneSampleDesign):
    """Forced response: the device may order yes or no."""

    title = N_("Forced response")
    summary = N_(
        "The device orders, unseen, to say yes, to say no, or to answer the question truthfully."
    )
    reference = "Boruch 1971, American Sociologist 6, 308-311"
    device = N_("one die")
    often_compared: ClassVar[tuple[str, ...]] = ("forced",)
    usual: ClassVar = {"forced_no": "1/6", "forced_yes": "1/6"}

    kind: Literal["forced"] = "forced"
    forced_no: Annotated[
        Probability, chance_named(N_("chance of a forced no"), "chance that the device orders no")
    ] = Fraction(1, 6)
    forced_yes: Annotated[
        Probability, chance_named(N_("chance of a forced yes"), "chance that the device orders yes")
    ] = Fraction(1, 6)

    @property
    def doing(self) -> str:
        yes, no = self.forced_yes, self.forced_no
        chances = (yes, no, 1 - yes - no)
        outcomes = events_at_hand(chances) if min(chances) > 0 else ()
        if not outcomes:
            return super().doing
        return T.FORCED_ORDERS(yes=outcomes[0], no=outcomes[1])

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        if self.forced_no + self.forced_yes >= 1:
            raise ParameterError(T.ALWAYS_ORDERED())
        return 1 - self.forced_no, self.forced_yes

    @property
    def epsilon_decides(self) -> bool:
        return True

    def _at(self, epsilon: float) -> Self:
        order = 1 - truth_at(epsilon)
        return self.model_copy(update={"forced_no": order, "forced_yes": order})

    @property
    def splits(self) -> tuple[Chances, ...]:
        not_no, yes = self.chances
        return (order_chances(yes, 1 - not_no),)

    def buildable(self, device: Device) -> Iterator[Self]:
        if self.forced_yes == self.forced_no:
            equal = device.near(self.forced_yes)
            found = [(order, order) for order in equal if 2 * order < 1]
        else:
            found = list(near_orders(device, self.forced_yes, self.forced_no))
        for yes, no in found:
            yield self.model_copy(update={"forced_yes": yes, "forced_no": no})

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        return (ordered(question, self.forced_yes, self.forced_no, choice=choice),)


def order_chances(yes: Fraction, no: Fraction) -> Chances:
    """Returns the chances of the orders yes and no and of the truth, those of 0 left out."""
    return possible((yes, no, 1 - yes - no))


def near_orders(device: Device, yes: Fraction, no: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Yields chances of the orders yes and no near the wanted ones that a device may have."""
    for chances in divided_near(device, (yes, no, 1 - yes - no)):
        yield chances[0], chances[1]


def ordered(
    question: str, yes: Fraction, no: Fraction, group: str = "", choice: DeviceChoice = ANY_DEVICE
) -> Procedure:
    """Returns the procedure of a device that orders yes, no or the truth.

    Args:
        question: The question.
        yes: Chance that it orders yes.
        no: Chance that it orders no.
        group: Name of the group.
        choice: The device.
    """
    orders = [
        Branch(chance, T.SAY_ANYWAY(answer=answer), answer, answer, T.SAY(answer=answer))
        for chance, answer in ((yes, YES), (no, NO))
    ]
    return by_device(question, [*orders, truth(1 - yes - no)], group, choice)
