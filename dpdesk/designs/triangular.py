"""The triangular design: an answer that non-carriers may share."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpdesk.designs.instructions import (
    B_IS_NO,
    B_IS_YES,
    NO,
    THINK_OF_BOTH,
    YES,
    Blank,
    Procedure,
    Way,
    chance_words,
    innocent,
)
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
    device = N_("birthday")
    usual: ClassVar = {"p": "1/4"}

    kind: Literal["triangular"] = "triangular"
    p: Annotated[Probability, Field(description="chance that a respondent has the innocent trait")]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = 1, b = p."""
        return Fraction(1), self.p

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """The innocent trait."""
        return (innocent(self.p),)

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """Does one of both apply?"""
        p = self.p
        other = ((p, B_IS_YES, YES), (1 - p, B_IS_NO, NO))
        carrier = ((p, B_IS_YES, YES), (1 - p, B_IS_NO, YES))
        return (
            Procedure(
                "",
                "",
                (("A", question), ("B", others[0])),
                (
                    THINK_OF_BOTH,
                    "If at least one of both answers is yes: say yes.",
                    "If both answers are no: say no.",
                ),
                f"About {chance_words(p)} people answer B with yes, and nobody here knows yours: "
                "who says yes may do so because of B. Keep your answer to B to yourself.",
                tuple(Way(*way) for way in carrier if way[0]),
                tuple(Way(*way) for way in other if way[0]),
            ),
        )
