"""The crosswise design: are both answers the same?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

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
from dpdesk.designs.law import truth_beside
from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_

_SAME = {YES: "the same", NO: "different"}
"""How answers are said; the law codes "the same" as yes."""


class CrosswiseDesign(OneSampleDesign):
    """A design whose respondents say whether two of their answers are the same."""

    device = N_("birthday")
    usual: ClassVar = {"p": "1/4"}

    p: Annotated[Probability, Field(description="chance that a respondent has the innocent trait")]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = p, b = 1 - p, where yes means that both answers are the same."""
        return self.p, 1 - self.p

    @property
    def epsilon_decides(self) -> bool:
        """The one chance follows from it."""
        return True

    def _at(self, epsilon: float) -> Self:
        """The trait stays rare, or frequent."""
        return self.model_copy(update={"p": truth_beside(epsilon, self.p)})


class Crosswise(CrosswiseDesign):
    """The crosswise design: are both answers the same?"""

    title = N_("Crosswise")
    summary = N_(
        "The respondent thinks of an innocent trait as well, such as a birthday, and says whether "
        "both answers are the same (coded yes) or different."
    )
    reference = "Yu, Tian & Tang 2008, Metrika 67, 251-263"
    caution = (
        "The epsilon holds only while nobody knows the respondent's innocent trait; for somebody "
        "who does, every answer is a proof. One innocent trait must not serve two questions."
    )

    often_compared: ClassVar[tuple[str, ...]] = ("crosswise",)

    kind: Literal["crosswise"] = "crosswise"

    @property
    def blanks(self) -> tuple[Blank, ...]:
        """The innocent trait."""
        return (innocent(self.p),)

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """Are both answers the same?"""
        return (same_or_different(question, others[0], self.p),)


def same_or_different(question: str, beside: str, p: Fraction, group: str = "") -> Procedure:
    """Returns the procedure of an item with an innocent question beside it.

    Args:
        question: The question.
        beside: The innocent question.
        p: Chance that it is answered with yes.
        group: Name of the group or item.
    """
    carrier = ((p, B_IS_YES, YES), (1 - p, B_IS_NO, NO))
    other = ((p, B_IS_YES, NO), (1 - p, B_IS_NO, YES))
    return Procedure(
        group,
        "",
        (("A", question), ("B", beside)),
        (
            THINK_OF_BOTH,
            "If both answers are yes, or both are no: say “the same”.",
            "If one answer is yes and the other no: say “different”.",
        ),
        f"About {chance_words(p)} people answer B with yes, and nobody here knows yours: what you "
        "say does not show your answer to A. Keep your answer to B to yourself.",
        tuple(Way(*way) for way in carrier if way[0]),
        tuple(Way(*way) for way in other if way[0]),
        _SAME,
    )
