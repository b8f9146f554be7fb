"""Christofides' design: the device shows a number, the answer is a number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.base import Departure, divided_near, possible
from dpdesk.designs.devices import Chances, Device, DeviceChoice, Picture, chance_words
from dpdesk.designs.instructions import Procedure, Way, one_question
from dpdesk.designs.law import CARRIER, OTHER, Group
from dpdesk.designs.probability import Probability
from dpdesk.designs.sample_groups import ScoredDesign, mean_and_variance
from dpdesk.designs.texts import T
from dpdesk.designs.yes_no import Count
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
            raise ParameterError(T.NO_SUM())
        law, mirrored = self.chances, self.chances[::-1]
        mean = sum((j * c for j, c in enumerate(law, start=1)), Fraction(0))
        if 2 * mean == len(law) + 1:
            raise ParameterError(T.MIDDLE_MEAN())
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
            raise InputError(T.SMALL_SUM())
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
        m = len(self.chances)
        kept = [(j, chance) for j, chance in enumerate(self.chances, start=1) if chance]
        draw = choice.among([chance for _, chance in kept])
        steps = draw.first_step
        carrier, other = [], []
        for (j, chance), outcome in zip(kept, draw.outcomes, strict=True):
            words = chance_words(chance)
            steps.append(T.SAY_NUMBER(outcome=outcome, chance=words, no=j, yes=m + 1 - j))
            carrier.append(Way(chance, outcome, str(m + 1 - j)))
            other.append(Way(chance, outcome, str(j)))
        pictures = (Picture(draw, tuple(T.NUMBER_LABEL(no=j, yes=m + 1 - j) for j, _ in kept)),)
        told = T.NUMBER_REASON()
        return (one_question(question, draw.tool, steps, carrier, other, told, pictures=pictures),)
