"""The triangular design: an answer that non-carriers may share."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class Triangular(OneSampleDesign):
    """The triangular design: an answer that non-carriers may share."""

    title = N_("Triangular")
    summary = N_(
        "The respondent says yes if they have the sensitive trait, or an innocent one, or both; "
        "else no."
    )
    reference = "Yu, Tian & Tang 2008, Metrika 67, 251-263"
    caution = (
        "The answer no proves that the respondent has neither trait; yes protects only while "
        "nobody knows the innocent one."
    )

    kind: Literal["triangular"] = "triangular"
    p: Annotated[Probability, Field(description="chance that a respondent has the innocent trait")]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = 1, b = p."""
        return Fraction(1), self.p
