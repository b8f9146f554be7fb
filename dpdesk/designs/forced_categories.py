"""Forced response with several answers: the device may order any of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from dpdesk.designs.category_design import CategoryDesign
from dpdesk.designs.probability import Probability
from dpdesk.designs.survey_estimate import Floats
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_

_NO_TRUTH = "The device always orders an answer, so that nobody tells the truth."
_LESS = "Choose chances that sum to less than 1."


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
            raise ParameterError(_NO_TRUTH, remedy=_LESS)
        size = range(len(self.orders))
        return tuple(tuple(self.orders[j] + (truth if i == j else 0) for j in size) for i in size)

    @property
    def size(self) -> int:
        """The number of answers, m."""
        return len(self.orders)

    @property
    def unmixing(self) -> Floats:
        """P^-T in closed form: with t the chance of the truth, U[i, j] = (1[i = j] - f_i) / t."""
        orders, truth = self._floats
        return np.asarray((np.eye(len(orders)) - orders[:, np.newaxis]) / truth)

    def planned_variances(self, shares: Floats) -> tuple[Floats, Floats]:
        """Returns n times the variance of each share: the sampling's part and the device's.

        An answer is said with chance l = t pi + f, and its share is (l^ - f) / t.

        Args:
            shares: The true shares, shape (m,).
        """
        orders, truth = self._floats
        said, sampling = truth * shares + orders, shares * (1 - shares)
        return sampling, np.maximum(said * (1 - said) / truth**2 - sampling, 0.0)

    @property
    def _floats(self) -> tuple[Floats, float]:
        truth = 1 - sum(self.orders, Fraction(0))
        if truth <= 0:
            raise ParameterError(_NO_TRUTH, remedy=_LESS)
        return np.array([float(order) for order in self.orders]), float(truth)
