"""Two draws of Warner's device for carriers whom the first would make deny."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class SinghJoarder(OneSampleDesign):
    """Two draws of Warner's device for carriers whom the first would make deny."""

    title = N_("Singh and Joarder")
    summary = N_(
        "Everybody uses Warner's device; a carrier whom it would make say no draws again and "
        "follows the second draw."
    )
    reference = "Singh & Joarder 1997, Metron 55, 151-157"

    kind: Literal["singh_joarder"] = "singh_joarder"
    p: Annotated[Probability, Field(description="chance that the device asks the question itself")]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = 1 - (1 - p)^2, b = 1 - p."""
        return 1 - (1 - self.p) ** 2, 1 - self.p
