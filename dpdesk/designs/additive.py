"""Additive scrambling: the respondent adds a number that the device draws."""

from __future__ import annotations

from math import inf
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.instructions import Instruction
from dpdesk.designs.number_design import (
    SCALE_MARGIN,
    DrawnLaw,
    NumberDesign,
    NumberLoss,
    Real,
    draw_a_number,
)
from dpdesk.i18n import N_
from dpdesk.numbers import bound_text


class Additive(NumberDesign):
    """The answer is y + S, with S drawn by the device around a known mean."""

    title = N_("Additive scrambling")
    summary = N_("The respondent draws a number, unseen, and says the true one plus the drawn one.")
    reference = "Himmelfarb & Edgell 1980, Psychological Bulletin 87, 525-530"

    often_compared: ClassVar[tuple[str, ...]] = ("additive",)
    in_unit: ClassVar[frozenset[str]] = frozenset({"scale", "center"})

    kind: Literal["additive"] = "additive"
    noise: Annotated[
        Literal["laplace", "uniform"], Field(description="law of the drawn number")
    ] = "laplace"
    scale: Annotated[
        Real,
        Field(gt=0, description="scale b of Laplace's law, or half the width of the uniform one"),
    ]
    center: Annotated[Real, Field(description="mean of the drawn number")] = 0.0

    @property
    def loss(self) -> NumberLoss:
        """Range / b for Laplace's law; for the uniform one proof with chance range / 2a."""
        if self.noise == "laplace":
            epsilon = self.width / self.scale
            return NumberLoss(
                epsilon,
                0.0,
                f"epsilon {bound_text(epsilon)}: the range of the true answers divided by the "
                "scale",
            )
        delta = min(self.width / (2 * self.scale), 1.0)
        return NumberLoss(
            inf,
            delta,
            "epsilon is infinite: an answer near the ends rules true answers out; "
            f"delta {bound_text(delta)} is the chance of that for the two ends of the range",
        )

    @property
    def drawn_law(self) -> DrawnLaw:
        """The number that is added."""
        return DrawnLaw(self.noise, self.scale, self.center)

    @classmethod
    def between(cls, lower: float, upper: float) -> Self:
        """Returns Laplace's noise as wide as the range: an epsilon of 1."""
        return cls(lower=lower, upper=upper, scale=upper - lower)

    @property
    def epsilon_decides(self) -> bool:
        """The scale of Laplace's law follows from it; a uniform one has none that is finite."""
        return self.noise == "laplace"

    def _at(self, epsilon: float) -> Self:
        """Range / epsilon, a little more."""
        return self.model_copy(update={"scale": self.width / epsilon * (1 + SCALE_MARGIN)})

    def _instruction(self, question: str) -> Instruction:
        """The sum."""
        law = (
            f"Laplace's law with mean {self.center:g} and scale {self.scale:g}"
            if self.noise == "laplace"
            else f"all numbers from {self.center - self.scale:g} to "
            f"{self.center + self.scale:g}, equally likely"
        )
        done = "Add it to your true number, and say only the sum."
        return draw_a_number(question, law, (done,))
