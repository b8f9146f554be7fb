"""A made-up design of yes and no: everything that dpdesk knows of it is said here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.base import possible
from dpdesk.designs.devices import Chances, Device, DeviceChoice
from dpdesk.designs.instructions import NO, YES, Branch, Procedure, by_device, truth
from dpdesk.designs.law import truth_at
from dpdesk.designs.probability import Probability
from dpdesk.designs.sample_groups import OneSampleDesign


class Balls(OneSampleDesign):
    """A made-up design of yes and no: a red ball asks for the truth, another one for its answer."""

    title = "Balls in an urn"
    summary = "The respondent draws a ball, unseen: red for the truth, white for yes, black for no."
    reference = "Nobody 2000"
    caution = "The balls must feel alike."
    device = "an urn"
    usual: ClassVar = {"red": "1/2"}

    kind: Literal["balls"] = "balls"
    red: Annotated[Probability, Field(description="share of red balls")]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The truth, or yes with half of the rest."""
        white = (1 - self.red) / 2
        return self.red + white, white

    @property
    def splits(self) -> tuple[Chances, ...]:
        return (possible((self.red, (1 - self.red) / 2, (1 - self.red) / 2)),)

    def buildable(self, device: Device) -> Iterator[Self]:
        for red in device.near(self.red):
            yield self.model_copy(update={"red": red})

    @property
    def epsilon_decides(self) -> bool:
        return True

    def _at(self, epsilon: float) -> Self:
        return self.model_copy(update={"red": 2 * truth_at(epsilon) - 1})

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        rest = (1 - self.red) / 2
        orders = [Branch(rest, "say yes", YES, YES), Branch(rest, "say no", NO, NO)]
        return (by_device(question, [truth(self.red), *orders], choice=choice),)
