"""Cheating detection: estimates how many respondents say no whatever the device orders.

In the symmetric design the device orders yes as well as no, so that no answer is a proof.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from dpdesk.designs.devices import Chances, Device, DeviceChoice
from dpdesk.designs.forced import near_orders, order_chances, ordered
from dpdesk.designs.instructions import GROUPS, Procedure
from dpdesk.designs.law import Group, one_of_two_groups
from dpdesk.designs.probability import Probability, chance_named
from dpdesk.designs.sample_groups import (
    OpenChance,
    TwoGroupDesign,
    linear,
    require_different_groups,
)
from dpdesk.designs.texts import T
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_

CHEATER = "says no whatever the device orders"

ForcedYes1 = Annotated[
    Probability,
    chance_named(N_("forced yes, group 1"), "chance of a forced yes in the first group"),
]
"""Chance of a forced yes in the first group, as a field of a design."""

ForcedYes2 = Annotated[
    Probability,
    chance_named(N_("forced yes, group 2"), "chance of a forced yes in the second group"),
]
"""The same in the second group."""


class CheatingDesign(TwoGroupDesign):
    """A design with forced answers whose two groups tell who says no against the order."""

    open_share = "cheaters"

    @property
    @abstractmethod
    def orders(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """The chances of a forced yes and of a forced no, for each group."""

    @property
    def groups(self) -> tuple[Group, ...]:
        self._determinant()
        return tuple(
            one_of_two_groups(1 - no, yes, name)
            for name, (yes, no) in zip(GROUPS, self.orders, strict=True)
        )

    def _determinant(self) -> Fraction:
        (yes1, no1), (yes2, no2) = self.orders
        value = yes2 * (1 - no1) - yes1 * (1 - no2)
        if value == 0:
            raise ParameterError(T.SAME_DEVICES())
        return value

    @property
    def open_chances(self) -> tuple[tuple[OpenChance, OpenChance], ...]:
        self._determinant()
        return tuple((OpenChance(1 - no, -yes), OpenChance(yes, -yes)) for yes, no in self.orders)

    @property
    def combination(self) -> tuple[float, tuple[float, float]]:
        gap = float(self._determinant())
        (yes1, _), (yes2, _) = self.orders
        return 0.0, (float(yes2) / gap, -float(yes1) / gap)

    def other_shares(
        self, value: float, groups: Sequence[tuple[float, float]]
    ) -> Mapping[str, tuple[float, float]]:
        gap = float(self._determinant())
        (yes1, a1), (yes2, a2) = ((float(y) / gap, float(1 - no) / gap) for y, no in self.orders)
        honest = linear(0.0, (-a2, a1), groups)
        cheaters = linear(1.0, (a2 - yes2, yes1 - a1), groups)
        return {"honest_no": honest, "cheaters": cheaters}

    @property
    def splits(self) -> tuple[Chances, ...]:
        return tuple(order_chances(yes, no) for yes, no in self.orders)

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        return tuple(
            ordered(question, yes, no, group, choice)
            for group, (yes, no) in zip(GROUPS, self.orders, strict=True)
        )


class CheatingDetection(CheatingDesign):
    """Cheating detection (CDM): honest carriers, honest non-carriers, and cheaters."""

    title = N_("Cheating detection")
    summary = N_(
        "The device orders yes with a chance that differs between two groups, or else the truth; "
        "those who say no against the order are estimated too."
    )
    reference = "Clark & Desharnais 1998, Psychological Methods 3, 160-168"
    caution = "The answer no proves that the respondent is not an honest carrier."
    device = N_("one die")
    device_parameters: ClassVar = ("p1", "p2")
    usual: ClassVar = {"p1": "1/3", "p2": "2/3"}

    kind: Literal["cheating_detection"] = "cheating_detection"
    p1: ForcedYes1
    p2: ForcedYes2

    @property
    def orders(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        require_different_groups(self.p1, self.p2)
        return (self.p1, Fraction(0)), (self.p2, Fraction(0))

    @property
    def groups(self) -> tuple[Group, ...]:
        cheater = (Fraction(0), Fraction(1))
        return tuple(
            replace(group, states=(*group.states, CHEATER), law=(*group.law, cheater))
            for group in super().groups
        )


class SymmetricCheatingDetection(CheatingDesign):
    """Symmetric cheating detection: forced yes and forced no in two groups."""

    title = N_("Symmetric cheating detection")
    summary = N_(
        "The device orders yes, no or the truth, with chances that differ between two groups; "
        "those who say no against the order are estimated too."
    )
    reference = "Ostapczuk, Moshagen, Zhao & Musch 2009, J. Educ. Behav. Stat. 34, 267-287"
    caution = N_("The epsilon is that of respondents who follow the device.")
    device = N_("one die")
    usual: ClassVar = {"yes1": "1/3", "no1": "1/6", "yes2": "1/6", "no2": "1/3"}

    kind: Literal["symmetric_cheating_detection"] = "symmetric_cheating_detection"
    yes1: ForcedYes1
    no1: Annotated[
        Probability,
        chance_named(N_("forced no, group 1"), "chance of a forced no in the first group"),
    ]
    yes2: ForcedYes2
    no2: Annotated[
        Probability,
        chance_named(N_("forced no, group 2"), "chance of a forced no in the second group"),
    ]

    def buildable(self, device: Device) -> Iterator[Self]:
        first, second = (tuple(near_orders(device, *orders)) for orders in self.orders)
        for (yes1, no1), (yes2, no2) in zip(first, second, strict=False):
            chances = {"yes1": yes1, "no1": no1, "yes2": yes2, "no2": no2}
            yield self.model_copy(update=chances)

    @property
    def orders(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        orders = (self.yes1, self.no1), (self.yes2, self.no2)
        for name, chances in zip(GROUPS, orders, strict=True):
            if sum(chances) > 1:
                raise ParameterError(T.FORCED_SUM(group=name))
        return orders
