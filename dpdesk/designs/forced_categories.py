"""Forced response with several answers: the device may order any of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.category_design import CategoryDesign
from dpdesk.designs.probability import Probability
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_


class ForcedCategories(CategoryDesign):
    """Forced response with several answers; otherwise respondents tell the truth.

    Epsilon is ln(1 + t / least order), with t the chance of the truth.
    """

    title = N_("Forced response, several answers")
    summary = N_(
        "The device orders, unseen, one of the answers, or else to answer the question truthfully."
    )
    reference = "Boruch 1971, American Sociologist 6, 308-311"

    kind: Literal["forced_categories"] = "forced_categories"
    orders: Annotated[
        tuple[Probability, ...],
        Field(min_length=2, max_length=50, description="chance of each order, one per answer"),
    ]

    @property
    def law(self) -> tuple[tuple[Fraction, ...], ...]:
        """The order, or the truth with what is left of the chances."""
        truth = 1 - sum(self.orders, Fraction(0))
        if truth <= 0:
            raise ParameterError(
                "The device always orders an answer, so that nobody tells the truth.",
                remedy="Choose chances that sum to less than 1.",
            )
        size = range(len(self.orders))
        return tuple(tuple(self.orders[j] + (truth if i == j else 0) for j in size) for i in size)
