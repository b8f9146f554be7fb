"""Two draws of Warner's device for carriers whom the first would make deny."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import exp, sqrt
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.instructions import (
    NO,
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
from dpdesk.designs.law import DIGITS, LARGEST_EPSILON, truth_at
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
    device = N_("two coins")
    usual: ClassVar = {"p": "3/4"}

    kind: Literal["singh_joarder"] = "singh_joarder"
    p: Annotated[Probability, Field(description="chance that the device asks the question itself")]

    @property
    def chances(self) -> tuple[Fraction, Fraction]:
        """The chances a = 1 - (1 - p)^2, b = 1 - p."""
        return 1 - (1 - self.p) ** 2, 1 - self.p

    @property
    def epsilon_decides(self) -> bool:
        """The one chance follows from it."""
        return True

    def _at(self, epsilon: float) -> Self:
        """Solves p / (1 - p)^2 = e^epsilon for u = 1 - p, the ratio of the answers no.

        It is always larger than that of the answers yes, p (2 - p) / (1 - p).
        """
        truth_at(epsilon)  # refuses one at which nothing is told
        ratio = exp(min(epsilon, LARGEST_EPSILON))
        # (1 - u) / u^2 = x; the stable form of the positive root.
        u = 2 / (1 + sqrt(1 + 4 * ratio))
        # Rounded up, so that the ratio stays below e^epsilon.
        return self.model_copy(update={"p": 1 - Fraction(int(DIGITS * u) + 1, DIGITS)})

    def _procedures(self, question: str, others: Sequence[str]) -> tuple[Procedure, ...]:
        """Warner's device, which who would have to deny uses twice."""
        found = TwoOutcomes(self.p)
        carrier: list[Way] = []
        other: list[Way] = []
        steps = [f"{found.use}, {UNSEEN}."] if found.use else []
        for chance, asks, outcome in found.branches:
            other.append(Way(chance, outcome, NO if asks else YES))
            if asks:
                carrier.append(Way(chance, outcome, YES))
                steps.append(if_outcome(outcome, chance, TRUTH))
                continue
            steps.append(
                if_outcome(
                    outcome,
                    chance,
                    "say yes if your true answer is no. If it is yes, say nothing yet, and use the "
                    "device a second time, unseen",
                )
            )
            for second, asks_again, shown in found.branches:
                answer = YES if asks_again else NO
                carrier.append(Way(chance * second, f"{outcome}; the second time {shown}", answer))
                steps.append(
                    f"If, the second time, {shown} ({chance_words(second)}): say {answer}."
                )
        return (
            Procedure(
                "",
                found.tool,
                (("", question),),
                tuple(steps),
                REASON,
                tuple(carrier),
                tuple(other),
            ),
        )
