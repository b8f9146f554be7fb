"""Mangat's design: carriers tell the truth, others use Warner's device."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class Mangat(OneSampleDesign):
    """Mangat's design: carriers tell the truth, others use Warner's device."""

    title = N_("Mangat")
    summary = N_("A carrier says yes; a non-carrier uses Warner's device.")
    reference = "Mangat 1994, JRSS B 56, 93-95"
    caution = "The answer no proves that the respondent is not a carrier."

    kind: Literal["mangat"] = "mangat"
    p: Annotated[Probability, Field(description="chance that the device asks the question itself")]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = 1, b = 1 - p."""
        return Fraction(1), 1 - self.p
