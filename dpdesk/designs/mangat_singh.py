"""Two devices: the first orders the truth or sends to Warner's."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from dpdesk.designs.instructions import (
    NO,
    OPPOSITE,
    REASON,
    TRUTH,
    UNSEEN,
    YES,
    Procedure,
    TwoOutcomes,
    Way,
    chance_words,
    if_outcome,
)
from dpdesk.designs.one_sample import OneSampleDesign
from dpdesk.designs.probability import Probability
from dpdesk.i18n import N_


class MangatSingh(OneSampleDesign):
    """Two devices: the first orders the truth or sends to Warner's."""

    title = N_("Mangat and Singh")
    summary = N_("A first device orders the truth, or sends to a second, which is Warner's.")
    reference = "Mangat & Singh 1990, Biometrika 77, 439-442"
    device = N_("three coins")
    usual: ClassVar = {"t": "1/2", "p": "3/4"}

    kind: Literal["mangat_singh"] = "mangat_singh"
    t: Annotated[Probability, Field(description="chance that the first device orders the truth")]
    p: Annotated[
        Probability, Field(description="chance that the second device asks the question itself")
    ]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = t + (1 - t) p, b = (1 - t)(1 - p)."""
        return self.t + (1 - self.t) * self.p, (1 - self.t) * (1 - self.p)

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """The truth, or Warner's device."""
        one, two = TwoOutcomes(self.t), TwoOutcomes(self.p)
        carrier: list[Way] = []
        other: list[Way] = []
        steps = [f"{one.use}, {UNSEEN}."] if one.use else []
        for chance, orders_truth, outcome in one.branches:
            if orders_truth:
                carrier.append(Way(chance, outcome, YES))
                other.append(Way(chance, outcome, NO))
                steps.append(if_outcome(outcome, chance, TRUTH))
                continue
            again = f"do the second draw. {two.use}, {UNSEEN}" if two.use else "go on"
            steps.append(if_outcome(outcome, chance, again))
            for second, asks, shown in two.branches:
                words = f"{outcome}; in the second draw {shown}"
                carrier.append(Way(chance * second, words, YES if asks else NO))
                other.append(Way(chance * second, words, NO if asks else YES))
                steps.append(
                    f"If, in the second draw, {shown} ({chance_words(second)}): "
                    f"{TRUTH if asks else OPPOSITE}."
                )
        used = (one.tool, two.tool if self.t < 1 else "")
        tools = sorted({tool for tool in used if tool})
        return (
            Procedure(
                "",
                " and ".join(tools),
                (("", question),),
                tuple(steps),
                REASON,
                tuple(carrier),
                tuple(other),
            ),
        )
