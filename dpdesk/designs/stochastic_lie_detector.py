"""The stochastic lie detector: carriers tell the truth with a chance that is estimated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from dpdesk.designs.devices import DeviceChoice
from dpdesk.designs.instructions import GROUPS, Procedure
from dpdesk.designs.law import Group, one_of_two_groups
from dpdesk.designs.probability import Probability, chance_named
from dpdesk.designs.sample_groups import (
    OpenChance,
    TwoGroupDesign,
    linear,
    require_different_groups,
)
from dpdesk.designs.warner import for_others_only
from dpdesk.i18n import N_


class StochasticLieDetector(TwoGroupDesign):
    """The stochastic lie detector: only non-carriers use the device."""

    title = N_("Stochastic lie detector")
    summary = N_(
        "The device lets a non-carrier tell the truth with a chance that differs between two "
        "groups; carriers tell it with an unknown chance, which is estimated too."
    )
    reference = "Moshagen, Musch & Erdfelder 2012, Behavior Research Methods 44, 222-231"
    caution = "If carriers always tell the truth, the answer no is a proof."
    open_share = "truthful_carriers"
    device = N_("one die")
    device_parameters: ClassVar = ("s1", "s2")
    usual: ClassVar = {"s1": "1/3", "s2": "2/3"}

    kind: Literal["stochastic_lie_detector"] = "stochastic_lie_detector"
    s1: Annotated[
        Probability,
        chance_named(
            N_("truth, group 1"),
            "chance that the device lets non-carriers be truthful, first group",
        ),
    ]
    s2: Annotated[
        Probability,
        chance_named(
            N_("truth, group 2"),
            "chance that the device lets non-carriers be truthful, second group",
        ),
    ]

    @property
    def groups(self) -> tuple[Group, ...]:
        require_different_groups(self.s1, self.s2)
        return tuple(
            one_of_two_groups(Fraction(1), 1 - s, name)
            for name, s in (("first group", self.s1), ("second group", self.s2))
        )

    @property
    def open_chances(self) -> tuple[tuple[OpenChance, OpenChance], ...]:
        require_different_groups(self.s1, self.s2)
        yes = OpenChance(Fraction(0), Fraction(1))
        return tuple((yes, OpenChance(1 - s, Fraction(0))) for s in (self.s1, self.s2))

    @property
    def combination(self) -> tuple[float, tuple[float, float]]:
        require_different_groups(self.s1, self.s2)
        gap = float(self.s2 - self.s1)
        return 1.0, (-1 / gap, 1 / gap)

    def other_shares(
        self, value: float, groups: Sequence[tuple[float, float]]
    ) -> Mapping[str, tuple[float, float]]:
        if value == 0:
            return {}
        first, gap = float(self.s1), float(self.s2 - self.s1)
        # t = (l1 - (1 - pi)(1 - s1)) / pi: a ratio of two linear functions of the shares.
        weights = (1 - (1 - first) / gap, (1 - first) / gap)
        told, _ = linear(0.0, weights, groups)
        truth = told / value
        slopes = (weights[0] + truth / gap, weights[1] - truth / gap)
        spread = linear(0.0, slopes, groups)[1] / abs(value)
        return {"truthful_carriers": (truth, spread)}

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        chances = (self.s1, self.s2)
        return tuple(
            for_others_only(question, s, group, choice)
            for group, s in zip(GROUPS, chances, strict=True)
        )
