"""Kuk's design: two bags of beads, one for carriers, one for others (in the paper two decks)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field

from dpdesk.designs.base import Departure
from dpdesk.designs.devices import UNSEEN, Device, DeviceChoice, Picture
from dpdesk.designs.instructions import NO, YES, Procedure, Way, chance_words, one_question
from dpdesk.designs.law import CARRIER, OTHER, Group, binary_group, truth_at
from dpdesk.designs.probability import Probability, chance_named
from dpdesk.designs.sample_groups import (
    ScoredDesign,
    conservative_interval,
    yes_no_estimates,
)
from dpdesk.designs.yes_no import Count, SurveyEstimates
from dpdesk.i18n import N_
from dpdesk.numbers import PlainDigits
from dpdesk.numbers.arrays import Floats


class Kuk(ScoredDesign):
    """Kuk's design: two bags of beads, one for carriers, one for others."""

    title = N_("Kuk")
    summary = N_(
        "The respondent draws beads from two bags and says how many red ones came from the bag of "
        "carriers, or from the other bag if they are not a carrier."
    )
    reference = "Kuk 1990, Biometrika 77, 436-438"
    device = N_("two bags")
    device_parameters: ClassVar = ("p1", "p2")
    only_devices: ClassVar = ("beads", "screen")
    device_draws: ClassVar[int] = 2
    usual: ClassVar = {"p1": "3/4", "p2": "1/4"}
    departures: ClassVar[tuple[Departure, ...]] = ("denial", "carelessness")

    kind: Literal["kuk"] = "kuk"
    p1: Annotated[
        Probability,
        chance_named(N_("red beads, carriers"), "share of red beads in the bag of carriers"),
    ]
    p2: Annotated[
        Probability, chance_named(N_("red beads, others"), "share of red beads in the other bag")
    ]
    draws: Annotated[
        int,
        Field(
            ge=1,
            le=50,
            title=N_("beads drawn"),
            description="number of beads drawn, with replacement",
        ),
        PlainDigits,
    ] = 1

    @property
    def largest_answer(self) -> int:  # type: ignore[override]
        """Every bead may be red."""
        return self.draws

    @property
    def groups(self) -> tuple[Group, ...]:
        binary_group(self.p1, self.p2)
        answers = tuple(f"{red} red" for red in range(self.draws + 1))
        law = (binomial_law(self.p1, self.draws), binomial_law(self.p2, self.draws))
        return (Group("", (CARRIER, OTHER), answers, law),)

    @property
    def moments(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        carrier, other = ((self.draws * p, self.draws * p * (1 - p)) for p in (self.p1, self.p2))
        return carrier, other

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        if self.draws > 1:
            return super().estimates(totals, respondents, confidence)
        return yes_no_estimates(totals[..., 0], respondents[0], self.p1, self.p2, confidence)

    def _conservative(self, pooled: Count | None, confidence: float) -> tuple[float, float] | None:
        one_bead = pooled if self.draws == 1 else None
        return conservative_interval(one_bead, self.p1, self.p2, confidence)

    @property
    def epsilon_decides(self) -> bool:
        return self.draws == 1

    def _at(self, epsilon: float) -> Self:
        """By two bags that are each other's opposite."""
        truth = truth_at(epsilon)
        return self.model_copy(update={"p1": truth, "p2": 1 - truth})

    def buildable(self, device: Device) -> Iterator[Self]:
        if self.p1 + self.p2 != 1:
            yield from super().buildable(device)
            return
        for red in device.near(self.p1):
            yield self.model_copy(update={"p1": red, "p2": 1 - red})

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        """Two bags; who has the trait reads the first, everybody else the second."""
        k = self.draws
        on_screen = choice.device is not None and choice.device.for_screens
        bags = "a device that draws as if from two bags" if on_screen else "two bags of beads"
        tool = (
            f"{bags}: {chance_words(self.p1)} beads of bag 1 are red, and {chance_words(self.p2)} "
            "of bag 2; the others are white"
        )
        beads = "one bead" if k == 1 else f"{k} beads"
        again = "" if k == 1 else " Put each bead back before you draw the next."
        steps = (
            f"{'Let the device draw' if on_screen else 'Draw'} {beads} from bag 1 and {beads} from "
            f"bag 2, {UNSEEN}.{'' if on_screen else again}",
            *(
                f"If your true answer is {true}: {self._said_of(bag)}."
                for bag, true in enumerate((YES, NO), start=1)
            ),
        )
        carrier, other = (
            tuple(
                Way(comb(k, y) * red**y * (1 - red) ** (k - y), _red(y, bag), f"{y} red")
                for y in range(k + 1)
                if comb(k, y) * red**y * (1 - red) ** (k - y)
            )
            for bag, red in ((1, self.p1), (2, self.p2))
        )
        reason = "Only you know which of both bags your number comes from."
        pictures = [self._bag(bag, choice) for bag in (1, 2)]
        return (one_question(question, tool, steps, carrier, other, reason, pictures=pictures),)

    def _said_of(self, bag: int) -> str:
        """What is said of the beads of a bag."""
        if self.draws == 1:
            return f"say 1 if the bead from bag {bag} is red, and 0 if it is white"
        return f"say how many of the beads from bag {bag} were red"

    def _bag(self, bag: int, choice: DeviceChoice) -> Picture:
        """The beads of a bag, of which the first event's are red; or numbers in their place."""
        draw = choice.among(self.splits[bag - 1])
        if draw.device is not None and not draw.device.for_screens:
            draw = replace(draw, outcomes=("the bead is red", "the bead is white"))
        counts_if = YES if bag == 1 else NO
        labels = (
            f"a red bead of bag {bag}, which counts if {counts_if} is true",
            f"a white bead of bag {bag}, which does not count",
        )
        return Picture(draw, labels, self.draws)


@lru_cache(maxsize=64)
def binomial_law(chance: Fraction, draws: int) -> tuple[Fraction, ...]:
    """Returns the law of the number of successes, from 0 to `draws`.

    Cached, since the powers of a long fraction take a while.
    """
    return tuple(comb(draws, y) * chance**y * (1 - chance) ** (draws - y) for y in range(draws + 1))


def _red(number: int, bag: int) -> str:
    return f"you draw {number or 'no'} red {'beads' if number > 1 else 'bead'} from bag {bag}"
