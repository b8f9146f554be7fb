"""Symmetric cheating detection: forced yes and forced no, so that no answer is a proof."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpdesk.designs.cheating_detection import CheatingDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class SymmetricCheatingDetection(CheatingDesign):
    """Symmetric cheating detection: forced yes and forced no in two groups."""

    title = N_("Symmetric cheating detection")
    summary = N_(
        "The device orders yes, no or the truth, with chances that differ between two groups; "
        "those who say no against the order are estimated too."
    )
    reference = "Ostapczuk, Moshagen, Zhao & Musch 2009, J. Educ. Behav. Stat. 34, 267-287"
    caution = (
        "The epsilon is that of respondents who follow the device; who always says no protects "
        "themselves."
    )
    device = N_("one die")
    usual: ClassVar = {"yes1": "1/3", "no1": "1/6", "yes2": "1/6", "no2": "1/3"}

    kind: Literal["symmetric_cheating_detection"] = "symmetric_cheating_detection"
    yes1: Annotated[Probability, Field(description="chance of a forced yes in the first group")]
    no1: Annotated[Probability, Field(description="chance of a forced no in the first group")]
    yes2: Annotated[Probability, Field(description="chance of a forced yes in the second group")]
    no2: Annotated[Probability, Field(description="chance of a forced no in the second group")]

    @property
    def orders(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """Both orders of each group."""
        return (self.yes1, self.no1), (self.yes2, self.no2)
