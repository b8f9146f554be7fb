"""Multiplicative scrambling: the respondent multiplies by a number that the device draws."""

from __future__ import annotations

from math import isfinite
from typing import Literal

from dpdesk.designs.multiplying import Multiplier, MultiplyingDesign
from dpdesk.designs.number_design import NumberLoss
from dpdesk.i18n import N_
from dpdesk.numbers import bound_text


class Multiplicative(MultiplyingDesign):
    """The answer is y S, with S drawn by the device."""

    title = N_("Multiplicative scrambling")
    summary = N_(
        "The respondent draws a number, unseen, and says the true one times the drawn one."
    )
    reference = "Eichhorn & Hayre 1983, J. Statistical Planning and Inference 7, 307-316"

    kind: Literal["multiplicative"] = "multiplicative"

    @property
    def applied(self) -> Multiplier:
        """The multiplier that is drawn."""
        return self.drawn

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
