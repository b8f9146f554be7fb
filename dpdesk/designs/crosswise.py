"""The crosswise design: are both answers the same?"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class Crosswise(OneSampleDesign):
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

    kind: Literal["crosswise"] = "crosswise"
    p: Annotated[Probability, Field(description="chance that a respondent has the innocent trait")]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = p, b = 1 - p, where yes means that both answers are the same."""
        return self.p, 1 - self.p
