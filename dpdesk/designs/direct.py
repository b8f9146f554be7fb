"""The direct question: no protection, the measure of all others."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.i18n import N_


class Direct(OneSampleDesign):
    """The direct question: no protection, the measure of all others."""

    title = N_("Direct question")
    summary = N_(
        "The respondent answers the question itself; every answer is the truth that they tell."
    )
    reference = ""

    kind: Literal["direct"] = "direct"

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """A carrier says yes, a non-carrier no."""
        return Fraction(1), Fraction(0)
