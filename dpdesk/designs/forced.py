"""Forced response: the device may order yes or no."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_


class Forced(OneSampleDesign):
    """Forced response: the device may order yes or no."""

    title = N_("Forced response")
    summary = N_(
        "The device orders, unseen, to say yes, to say no, or to answer the question truthfully."
    )
    reference = "Boruch 1971, American Sociologist 6, 308-311"

    kind: Literal["forced"] = "forced"
    forced_no: Annotated[Probability, Field(description="chance that the device orders no")] = (
        Fraction(1, 6)
    )
    forced_yes: Annotated[Probability, Field(description="chance that the device orders yes")] = (
        Fraction(1, 6)
    )

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = 1 - forced_no, b = forced_yes."""
        if self.forced_no + self.forced_yes >= 1:
            raise ParameterError(
                "The device always orders an answer, so that nobody tells the truth.",
                remedy="Choose two chances that sum to less than 1.",
            )
        return 1 - self.forced_no, self.forced_yes
