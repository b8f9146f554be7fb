"""The unrelated question, whose share of yes is known."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class Unrelated(OneSampleDesign):
    """The unrelated question, whose share of yes is known."""

    title = N_("Unrelated question")
    summary = N_(
        "The device chooses, unseen, between the sensitive question and an innocent one whose "
        "share of yes is known."
    )
    reference = "Greenberg, Abul-Ela, Simmons & Horvitz 1969, JASA 64, 520-539"
    caution = "The epsilon holds only while nobody knows the respondent's innocent answer."

    kind: Literal["unrelated"] = "unrelated"
    p: Annotated[
        Probability, Field(description="chance that the device asks the sensitive question")
    ]
    q: Annotated[Probability, Field(description="share of yes to the innocent question")]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = p + (1 - p) q, b = (1 - p) q."""
        innocent = (1 - self.p) * self.q
        return self.p + innocent, innocent
