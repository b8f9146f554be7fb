"""A made-up design for numbers: everything that dpdesk knows of it is said here."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field

from dpdesk.designs.devices import DeviceChoice
from dpdesk.designs.instructions import Instruction
from dpdesk.designs.number_design import (
    DrawnLaw,
    NumberDesign,
    NumberLoss,
    Real,
    draw_a_number,
)


class Widened(NumberDesign):
    """A made-up design for numbers: Laplace's noise of a scale in ranges."""

    title = "Widened"
    summary = "The respondent adds a number that the device draws."
    reference = "Nobody 2002"

    kind: Literal["widened"] = "widened"
    ranges: Annotated[Real, Field(gt=0, description="scale of the noise, in ranges")] = 1.0

    @property
    def drawn_law(self) -> DrawnLaw:
        return DrawnLaw("laplace", self.ranges * self.width)

    @property
    def loss(self) -> NumberLoss:
        epsilon = 1 / self.ranges
        return NumberLoss(epsilon, 0.0, f"epsilon {epsilon:g}: one over the ranges")

    @classmethod
    def between(cls, lower: float, upper: float) -> Self:
        return cls(lower=lower, upper=upper)

    @property
    def epsilon_decides(self) -> bool:
        return True

    def _at(self, epsilon: float) -> Self:
        return self.model_copy(update={"ranges": 1 / epsilon * (1 + 1e-12)})

    def _instruction(self, question: str, choice: DeviceChoice) -> Instruction:
        return draw_a_number(question, "Laplace's law", ("Add it, and say the sum.",))
