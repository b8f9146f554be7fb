"""The direct question: no protection, the measure of all others."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import ClassVar, Literal

from dpdesk.designs.base import Departure
from dpdesk.designs.devices import DeviceChoice
from dpdesk.designs.instructions import Procedure, by_device, truth
from dpdesk.designs.sample_groups import OneSampleDesign
from dpdesk.i18n import N_


class Direct(OneSampleDesign):
    """The direct question: no protection, the measure of all others."""

    title = N_("Direct question")
    summary = N_(
        "The respondent answers the question itself; every answer is the truth that they tell."
    )
    reference = ""
    no_device: ClassVar[str] = N_("The question is asked directly: nothing is left to chance.")
    often_compared: ClassVar[tuple[str, ...]] = ("direct",)
    departures: ClassVar[tuple[Departure, ...]] = ("denial", "carelessness")

    kind: Literal["direct"] = "direct"

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        return Fraction(1), Fraction(0)

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        return (by_device(question, [truth(Fraction(1))], choice=choice),)
