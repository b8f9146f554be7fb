"""Multiplicative scrambling: the respondent multiplies by a number that the device draws."""

from __future__ import annotations

from math import inf, isfinite, log
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.instructions import Instruction, sentence
from dpdesk.designs.number_design import (
    LARGEST_SCALE,
    SCALE_MARGIN,
    DrawnLaw,
    NumberDesign,
    NumberLoss,
    Real,
    draw_a_number,
)
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import bound_text

_SCALE = 0.2
MULTIPLY = "multiply your true number by it, and say only the product"


class MultiplyingDesign(NumberDesign):
    """A design whose answer is the true one times a number that the device draws."""

    noise: Annotated[
        Literal["laplace", "uniform"],
        Field(description="law of the multiplier: its logarithm is Laplace's, or it is uniform"),
    ] = "laplace"
    scale: Annotated[
        Real,
        Field(
            gt=0,
            description="scale of the logarithm, less than 1/2; or half the width of the uniform "
            "law around 1, less than 1",
        ),
    ]

    @property
    def drawn_loss(self) -> tuple[float, float]:
        """Epsilon and delta of the multiplier alone; the true answers are positive or all is lost.

        Laplace: ln(U / L) / b. Uniform: the chance of an answer that one end of the range allows
        and the other does not.
        """
        width = self.width
        if self.lower <= 0:
            return inf, 1.0
        if self.noise == "laplace":
            return log(self.upper / self.lower) / self.scale, 0.0
        lost = (1 - self.scale) * width / self.lower, (1 + self.scale) * width / self.upper
        return inf, min(max(lost) / (2 * self.scale), 1.0)

    @property
    def drawn_law(self) -> DrawnLaw:
        """The multiplier."""
        return DrawnLaw(self.noise, self.scale, multiplies=True)

    @classmethod
    def between(cls, lower: float, upper: float) -> Self:
        """Returns a multiplier whose logarithm has the scale 1/5."""
        return cls.model_validate({"lower": lower, "upper": upper, "scale": _SCALE})

    @property
    def multiplier_words(self) -> str:
        """The law of the multiplier in words."""
        if self.noise == "laplace":
            return (
                "numbers above 0 whose logarithm follows Laplace's law with mean 0 and scale "
                f"{self.scale:g}"
            )
        return f"all numbers from {1 - self.scale:g} to {1 + self.scale:g}, equally likely"


class Multiplicative(MultiplyingDesign):
    """The answer is y S, with S drawn by the device."""

    title = N_("Multiplicative scrambling")
    summary = N_(
        "The respondent draws a number, unseen, and says the true one times the drawn one."
    )
    reference = "Eichhorn & Hayre 1983, J. Statistical Planning and Inference 7, 307-316"

    often_compared: ClassVar[tuple[str, ...]] = ("multiplicative",)

    kind: Literal["multiplicative"] = "multiplicative"

    @property
    def loss(self) -> NumberLoss:
        """Finite only where the logarithm is Laplace's and true answers are above 0."""
        epsilon, delta = self.drawn_loss
        if isfinite(epsilon):
            said = (
                f"epsilon {bound_text(epsilon)}: the logarithm of the largest ratio of two true "
                "answers divided by the scale"
            )
            return NumberLoss(epsilon, delta, said)
        if self.lower <= 0:
            said = "epsilon is infinite: who has 0 says 0, and a sign is never hidden"
            return NumberLoss(epsilon, delta, said)
        return NumberLoss(
            epsilon,
            delta,
            "epsilon is infinite: an answer can rule true answers out; "
            f"delta {bound_text(delta)} is the chance of that for the two ends of the range",
        )

    @property
    def epsilon_decides(self) -> bool:
        """The scale of Laplace's law follows from it, where no true number can be 0 or negative."""
        return self.noise == "laplace" and 0 < self.lower < self.upper

    def _at(self, epsilon: float) -> Self:
        """ln(U / L) / epsilon, a little more."""
        ratio = log(self.upper / self.lower)
        scale = ratio / epsilon * (1 + SCALE_MARGIN)
        if scale >= LARGEST_SCALE:
            raise ParameterError(
                "At this epsilon the multiplier has no variance, so that no number of respondents "
                "would do.",
                remedy=f"Choose an epsilon above {bound_text(2 * ratio, 3)}, or bounds whose ratio "
                "is smaller.",
            )
        return self.model_copy(update={"scale": scale})

    def _instruction(self, question: str) -> Instruction:
        """The product."""
        return draw_a_number(question, self.multiplier_words, (sentence(MULTIPLY),))
