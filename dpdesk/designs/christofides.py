"""Christofides' design: the device shows a number, the answer is a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.base import Departure, divided_near, possible
from dpdesk.designs.devices import Chances, Device, DeviceChoice, Picture
from dpdesk.designs.instructions import (
    Procedure,
    Way,
    chance_words,
    one_question,
)
from dpdesk.designs.law import CARRIER, OTHER, Group
from dpdesk.designs.probability import Probability
from dpdesk.designs.sample_groups import (
    ScoredDesign,
    mean_and_variance,
)
from dpdesk.designs.yes_no import (
    Count,
)
from dpdesk.errors import InputError, ParameterError
from dpdesk.i18n import N_


class Christofides(ScoredDesign):
    """Christofides' design: carriers count from the other end."""

    title = N_("Christofides")
    summary = N_(
        "The device shows a number j of 1 to m; a non-carrier says j, a carrier m + 1 - j. Counts: "
        "the sum of all answers, of how many respondents."
    )
    reference = "Christofides 2003, Metrika 57, 195-200"
    device = N_("one die")
    usual: ClassVar = {"chances": ("1/2", "1/3", "1/6")}
    departures: ClassVar[tuple[Departure, ...]] = ("denial", "carelessness")

    kind: Literal["christofides"] = "christofides"
    chances: Annotated[
        tuple[Probability, ...],
        Field(
            min_length=2,
            max_length=50,
            title=N_("chance per number"),
            description="chance of each number, from 1 to m",
        ),
    ]

    @property
    def largest_answer(self) -> int:  # type: ignore[override]
        """The device's largest number."""
        return len(self.chances)

    @property
    def groups(self) -> tuple[Group, ...]:
        if sum(self.chances) != 1:
            raise ParameterError(
                "The chances of the device's numbers do not sum to 1.",
                remedy="Correct them; fractions such as 1/3 are exact.",
            )
        law, mirrored = self.chances, self.chances[::-1]
        mean = sum((j * c for j, c in enumerate(law, start=1)), Fraction(0))
        if 2 * mean == len(law) + 1:
            raise ParameterError(
                "The device's mean number lies in the middle, so that the answers tell nothing.",
                remedy="Make small numbers likelier than large ones, or the reverse.",
            )
        answers = tuple(map(str, range(1, len(law) + 1)))
        return (Group("", (CARRIER, OTHER), answers, (mirrored, law)),)

    @property
    def moments(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        answers = tuple(Fraction(y) for y in range(1, len(self.chances) + 1))
        carrier, other = (mean_and_variance(law, answers) for law in self.groups[0].law)
        return carrier, other

    def _checked(self, counts: Sequence[Count]) -> tuple[Count, ...]:
        (count,) = super()._checked(counts)
        if count.yes < count.respondents:
            raise InputError(
                "The sum of the answers is smaller than the number of respondents.",
                remedy="Every answer is at least 1; check the counts.",
            )
        return (count,)

    @property
    def splits(self) -> tuple[Chances, ...]:
        return (possible(self.chances),)

    def buildable(self, device: Device) -> Iterator[Self]:
        for chances in divided_near(device, self.chances):
            yield self.model_copy(update={"chances": chances})

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        """The number that the device shows, or its mirror image m + 1 - j."""
        m = len(self.chances)
        kept = [(j, chance) for j, chance in enumerate(self.chances, start=1) if chance]
        draw = choice.among([chance for _, chance in kept])
        steps = draw.first_step
        carrier, other = [], []
        for (j, chance), outcome in zip(kept, draw.outcomes, strict=True):
            steps.append(
                f"If {outcome} ({chance_words(chance)}): say {j} if your true answer is no, and "
                f"{m + 1 - j} if it is yes."
            )
            carrier.append(Way(chance, outcome, str(m + 1 - j)))
            other.append(Way(chance, outcome, str(j)))
        reason = "Only you know what the device showed. So others cannot be sure how you counted."
        labels = tuple(f"no: say {j}; yes: say {m + 1 - j}" for j, _ in kept)
        pictures = (Picture(draw, labels),)
        return (
            one_question(question, draw.tool, steps, carrier, other, reason, pictures=pictures),
        )
