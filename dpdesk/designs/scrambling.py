"""Scrambled numbers: the respondent adds a drawn number to the true one, or multiplies by it.

In Bar-Lev, Bobovitch and Boukai's design the device may also let the true number be said.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf, isfinite, log
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.devices import UNSEEN, DeviceChoice, Picture
from dpdesk.designs.instructions import Instruction, if_outcome, sentence
from dpdesk.designs.number_design import (
    LARGEST_SCALE,
    SCALE_MARGIN,
    DrawnLaw,
    NumberDesign,
    NumberLoss,
    Real,
    draw_a_number,
)
from dpdesk.designs.probability import Probability, chance_named
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import bound_text
from dpdesk.numbers.digits import epsilon_up

Scale = Annotated[Real, Field(gt=0, title=N_("scale, or half width"))]
"""How far drawn numbers spread; a design says in which sense."""


class Additive(NumberDesign):
    """The answer is y + S, with S drawn by the device around a known mean."""

    title = N_("Additive scrambling")
    summary = N_("The respondent draws a number, unseen, and says the true one plus the drawn one.")
    reference = "Himmelfarb & Edgell 1980, Psychological Bulletin 87, 525-530"

    often_compared: ClassVar[tuple[str, ...]] = ("additive",)
    in_unit: ClassVar[frozenset[str]] = frozenset({"scale", "center"})

    kind: Literal["additive"] = "additive"
    noise: Annotated[
        Literal["laplace", "uniform"],
        Field(title=N_("law of the number"), description="law of the drawn number"),
    ] = "laplace"
    scale: Annotated[
        Scale, Field(description="scale b of Laplace's law, or half the width of the uniform one")
    ]
    center: Annotated[
        Real, Field(title=N_("mean drawn"), description="mean of the drawn number")
    ] = 0.0

    @property
    def loss(self) -> NumberLoss:
        if self.noise == "laplace":
            epsilon = self.width / self.scale
            return NumberLoss(
                epsilon,
                0.0,
                f"epsilon {epsilon_up(epsilon)}: the range of the true answers divided by the "
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
        return DrawnLaw(self.noise, self.scale, self.center)

    @classmethod
    def between(cls, lower: float, upper: float) -> Self:
        return cls(lower=lower, upper=upper, scale=upper - lower)

    @property
    def epsilon_decides(self) -> bool:
        return self.noise == "laplace"

    def _at(self, epsilon: float) -> Self:
        """Range / epsilon, a little more."""
        return self.model_copy(update={"scale": self.width / epsilon * (1 + SCALE_MARGIN)})

    def _instruction(self, question: str, choice: DeviceChoice) -> Instruction:
        """The sum."""
        law = (
            f"Laplace's law with mean {self.center:,.10g} and scale {self.scale:,.10g}"
            if self.noise == "laplace"
            else f"all numbers from {self.center - self.scale:,.10g} to "
            f"{self.center + self.scale:,.10g}, equally likely"
        )
        done = "Add it to your true number, and say only the sum."
        return draw_a_number(question, law, (done,))


_SCALE = 0.2
MULTIPLY = "multiply your true number by it, and say only the product"


class MultiplyingDesign(NumberDesign):
    """A design whose answer is the true one times a number that the device draws."""

    noise: Annotated[
        Literal["laplace", "uniform"],
        Field(
            title=N_("law of the multiplier"),
            description="law of the multiplier: its logarithm is Laplace's, or it is uniform",
        ),
    ] = "laplace"
    scale: Annotated[
        Scale,
        Field(
            description="scale of the logarithm, less than 1/2; or half the width of the uniform "
            "law around 1, less than 1",
        ),
    ]

    @property
    def drawn_loss(self) -> tuple[float, float]:
        """Epsilon and delta of the multiplier alone; infinite and 1 unless all are above 0.

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
        return DrawnLaw(self.noise, self.scale, multiplies=True)

    @classmethod
    def between(cls, lower: float, upper: float) -> Self:
        return cls.model_validate({"lower": lower, "upper": upper, "scale": _SCALE})

    @property
    def multiplier_words(self) -> str:
        """The law of the multiplier in words."""
        if self.noise == "laplace":
            return (
                "numbers above 0 whose logarithm follows Laplace's law with mean 0 and scale "
                f"{self.scale:,.10g}"
            )
        return f"all numbers from {1 - self.scale:,.10g} to {1 + self.scale:,.10g}, equally likely"


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
        epsilon, delta = self.drawn_loss
        if isfinite(epsilon):
            said = (
                f"epsilon {epsilon_up(epsilon)}: the logarithm of the largest ratio of two true "
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
        return self.noise == "laplace" and 0 < self.lower < self.upper

    def _at(self, epsilon: float) -> Self:
        """ln(U / L) / epsilon, a little more."""
        ratio = log(self.upper / self.lower)
        scale = ratio / epsilon * (1 + SCALE_MARGIN)
        if scale >= LARGEST_SCALE:
            raise ParameterError(
                "At this epsilon the multiplier has no variance, so that no number of respondents "
                "would do.",
                remedy=f"Choose an epsilon above {epsilon_up(2 * ratio)}, or bounds whose ratio "
                "is smaller.",
            )
        return self.model_copy(update={"scale": scale})

    def _instruction(self, question: str, choice: DeviceChoice) -> Instruction:
        """The product."""
        return draw_a_number(question, self.multiplier_words, (sentence(MULTIPLY),))


class BarLev(MultiplyingDesign):
    """The answer is y with chance p, and y S otherwise."""

    title = N_("Bar-Lev")
    summary = N_(
        "The device decides, unseen, whether the respondent says the true number or the true one "
        "times a drawn one."
    )
    reference = "Bar-Lev, Bobovitch & Boukai 2004, Metrika 60, 255-260"

    kind: Literal["bar_lev"] = "bar_lev"
    truth: Annotated[
        Probability, chance_named(N_("chance of the truth"), "chance that the true number is said")
    ] = Fraction(1, 4)

    def check(self) -> None:
        super().check()
        if self.truth in (0, 1):
            raise ParameterError(
                "The device always lets the true number be said, or never does.",
                remedy="Choose a chance between 0 and 1; without any the design is multiplicative.",
            )

    @property
    def loss(self) -> NumberLoss:
        p = float(self.truth)
        epsilon, delta = self.drawn_loss
        total = min(p + (1 - p) * delta, 1.0)
        said = f"epsilon is infinite: with chance {p:.6g} the true number itself is said"
        if isfinite(epsilon):
            return NumberLoss(inf, total, f"{said}; but for that, epsilon is {epsilon_up(epsilon)}")
        return NumberLoss(inf, total, f"{said}; delta {bound_text(total)}")

    @property
    def drawn_law(self) -> DrawnLaw:
        return replace(super().drawn_law, truth=float(self.truth))

    def _instruction(self, question: str, choice: DeviceChoice) -> Instruction:
        """The truth, or the product."""
        draw = choice.among([self.truth, 1 - self.truth])
        first, second = draw.outcomes
        found = draw_a_number(
            question,
            self.multiplier_words,
            (
                f"{draw.use}, {UNSEEN}.",
                if_outcome(first, self.truth, "say your true number"),
                if_outcome(second, 1 - self.truth, MULTIPLY),
            ),
        )
        labels = ("say your true number", "multiply it by a drawn number")
        return replace(
            found, tool=f"{draw.tool} and {found.tool}", pictures=(Picture(draw, labels),)
        )
