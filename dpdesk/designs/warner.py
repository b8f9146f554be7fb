"""Warner's design: the question or its opposite, chosen by a device."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class WarnerDesign(OneSampleDesign):
    """Warner's design: the question or its opposite, chosen by a device."""

    title = N_("Warner")
    summary = N_(
        "The device chooses, unseen, between the question and its opposite; the respondent answers "
        "with yes or no."
    )
    reference = "Warner 1965, JASA 60, 63-69"

    kind: Literal["warner"] = "warner"
    p: Annotated[
        Probability,
        Field(description="chance that the device asks the question itself and not its opposite"),
    ] = Fraction(3, 4)

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = p, b = 1 - p."""
        return self.p, 1 - self.p
