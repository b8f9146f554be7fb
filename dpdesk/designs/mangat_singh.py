"""Two devices: the first orders the truth or sends to Warner's."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class MangatSingh(OneSampleDesign):
    """Two devices: the first orders the truth or sends to Warner's."""

    title = N_("Mangat and Singh")
    summary = N_("A first device orders the truth, or sends to a second, which is Warner's.")
    reference = "Mangat & Singh 1990, Biometrika 77, 439-442"

    kind: Literal["mangat_singh"] = "mangat_singh"
    t: Annotated[Probability, Field(description="chance that the first device orders the truth")]
    p: Annotated[
        Probability, Field(description="chance that the second device asks the question itself")
    ]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = t + (1 - t) p, b = (1 - t)(1 - p)."""
        return self.t + (1 - self.t) * self.p, (1 - self.t) * (1 - self.p)
