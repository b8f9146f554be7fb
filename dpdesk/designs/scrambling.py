"""Scrambled numbers: the respondent adds a drawn number to the true one, or multiplies by it.

In Bar-Lev, Bobovitch and Boukai's design the device may also let the true number be said.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf, isfinite, log
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.devices import DeviceChoice, Picture
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
from dpdesk.designs.texts import T
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
            return NumberLoss(epsilon, 0.0, T.ADDITIVE_LOSS(epsilon=epsilon_up(epsilon)))
        delta = min(self.width / (2 * self.scale), 1.0)
        return NumberLoss(inf, delta, T.SOME_RULED_OUT(delta=bound_text(delta)))

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
        return self.model_copy(update={"scale": self.width / epsilon * (1 + SCALE_MARGIN)})

    def _instruction(self, question: str, choice: DeviceChoice) -> Instruction:
        if self.noise == "laplace":
            law: str = T.LAPLACE(mean=_digits(self.center), scale=_digits(self.scale))
        else:
            law = _uniform(self.center, self.scale)
        return draw_a_number(question, law, (T.ADD_IT(),))


def _digits(number: float) -> str:
    return f"{number:,.10g}"


def _uniform(center: float, half: float) -> str:
    return T.UNIFORM(low=_digits(center - half), high=_digits(center + half))


_SCALE = 0.2


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
            "law around 1, less than 1"
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
            return T.LOG_LAPLACE(scale=_digits(self.scale))
        return _uniform(1, self.scale)


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
            return NumberLoss(epsilon, delta, T.MULTIPLIED_LOSS(epsilon=epsilon_up(epsilon)))
        if self.lower <= 0:
            return NumberLoss(epsilon, delta, T.SIGN_SHOWN())
        return NumberLoss(epsilon, delta, T.SOME_RULED_OUT(delta=bound_text(delta)))

    @property
    def epsilon_decides(self) -> bool:
        return self.noise == "laplace" and 0 < self.lower < self.upper

    def _at(self, epsilon: float) -> Self:
        ratio = log(self.upper / self.lower)
        scale = ratio / epsilon * (1 + SCALE_MARGIN)
        if scale >= LARGEST_SCALE:
            raise ParameterError(T.NO_VARIANCE_AT(least=epsilon_up(2 * ratio)))
        return self.model_copy(update={"scale": scale})

    def _instruction(self, question: str, choice: DeviceChoice) -> Instruction:
        return draw_a_number(question, self.multiplier_words, (sentence(T.MULTIPLY()),))


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
            raise ParameterError(T.NO_SHARE(what="chance of the truth"))

    @property
    def loss(self) -> NumberLoss:
        p = float(self.truth)
        epsilon, delta = self.drawn_loss
        total = min(p + (1 - p) * delta, 1.0)
        chance = f"{p:.6g}"
        if isfinite(epsilon):
            said = T.TRUTH_SAID(chance=chance, epsilon=epsilon_up(epsilon))
        else:
            said = T.TRUE_OR_RULED_OUT(chance=chance, delta=bound_text(total))
        return NumberLoss(inf, total, said)

    @property
    def drawn_law(self) -> DrawnLaw:
        return replace(super().drawn_law, truth=float(self.truth))

    def _instruction(self, question: str, choice: DeviceChoice) -> Instruction:
        draw = choice.among([self.truth, 1 - self.truth])
        first, second = draw.outcomes
        found = draw_a_number(
            question,
            self.multiplier_words,
            (
                *draw.first_step,
                if_outcome(first, self.truth, T.SAY_TRUE_NUMBER()),
                if_outcome(second, 1 - self.truth, T.MULTIPLY()),
            ),
        )
        tool = T.TOOL_AND_NUMBER(tool=draw.tool, numbers=found.tool)
        labels = (T.SAY_TRUE_NUMBER(), T.MULTIPLY_LABEL())
        return replace(found, tool=tool, pictures=(Picture(draw, labels),))
