"""Bar-Lev, Bobovitch and Boukai's design: the truth, or the truth times a drawn number."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import inf, isfinite
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.instructions import UNSEEN, Instruction, draw_among, if_outcome
from dpdesk.designs.multiplicative import MULTIPLY, MultiplyingDesign
from dpdesk.designs.number_design import DrawnLaw, NumberLoss, draw_a_number
from dpdesk.designs.probability import Probability
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers import bound_text


class BarLev(MultiplyingDesign):
    """The answer is y with chance p, and y S otherwise."""

    title = N_("Bar-Lev")
    summary = N_(
        "The device decides, unseen, whether the respondent says the true number or the true one "
        "times a drawn one."
    )
    reference = "Bar-Lev, Bobovitch & Boukai 2004, Metrika 60, 255-260"

    kind: Literal["bar_lev"] = "bar_lev"
    truth: Annotated[Probability, Field(description="chance that the true number is said")] = (
        Fraction(1, 4)
    )

    def check(self) -> None:
        """Refuses a device that decides nothing, besides what any multiplier must be."""
        super().check()
        if self.truth in (0, 1):
            raise ParameterError(
                "The device always lets the true number be said, or never does.",
                remedy="Choose a chance between 0 and 1; without any the design is multiplicative.",
            )

    @property
    def loss(self) -> NumberLoss:
        """Infinite: a number that is said with a chance of its own is a point of the law."""
        p = float(self.truth)
        epsilon, delta = self.drawn_loss
        total = min(p + (1 - p) * delta, 1.0)
        said = f"epsilon is infinite: with chance {p:.6g} the true number itself is said"
        if isfinite(epsilon):
            return NumberLoss(inf, total, f"{said}; but for that, epsilon is {bound_text(epsilon)}")
        return NumberLoss(inf, total, f"{said}; delta {bound_text(total)}")

    @property
    def drawn_law(self) -> DrawnLaw:
        """The multiplier, which is left aside with the chance of the truth."""
        return replace(super().drawn_law, truth=float(self.truth))

    def _instruction(self, question: str) -> Instruction:
        """The truth, or the product."""
        draw = draw_among([self.truth, 1 - self.truth])
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
        return replace(found, tool=f"{draw.tool} and {found.tool}")
