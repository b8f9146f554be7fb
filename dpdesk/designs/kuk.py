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
from dpdesk.designs.devices import Device, DeviceChoice, Picture, bead_shown, chance_words, unseen
from dpdesk.designs.instructions import NO, YES, Procedure, Way, one_question
from dpdesk.designs.law import CARRIER, OTHER, Group, binary_group, truth_at
from dpdesk.designs.probability import Probability, chance_named
from dpdesk.designs.sample_groups import ScoredDesign, conservative_interval, yes_no_estimates
from dpdesk.designs.texts import T
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
        k = self.draws
        on_screen = choice.device is not None and choice.device.for_screens
        bags, use = (T.SCREEN_BAGS, T.LET_DRAW_BEADS) if on_screen else (T.BAGS, T.DRAW_BEADS)
        tool = bags(first=chance_words(self.p1), second=chance_words(self.p2))
        steps = [unseen(use(count=k))]
        if k > 1 and not on_screen:
            steps.append(T.PUT_BACK())
        counted = T.SAY_BEAD if k == 1 else T.SAY_BEADS
        steps += [counted(true=true, bag=bag) for bag, true in ((1, YES), (2, NO))]
        carrier, other = (
            tuple(
                Way(chance, T.RED_BEADS(count=y, bag=bag), f"{y} red")
                for y, chance in enumerate(binomial_law(red, k))
                if chance
            )
            for bag, red in ((1, self.p1), (2, self.p2))
        )
        pictures, reason = [self._bag(bag, choice) for bag in (1, 2)], T.BAGS_REASON()
        return (one_question(question, tool, steps, carrier, other, reason, pictures=pictures),)

    def _bag(self, bag: int, choice: DeviceChoice) -> Picture:
        """The beads of a bag, of which the first event's are red; or numbers in their place."""
        draw = choice.among(self.splits[bag - 1])
        if draw.device is not None and not draw.device.for_screens:
            draw = replace(draw, outcomes=(bead_shown("red"), bead_shown("white")))
        true = YES if bag == 1 else NO
        labels = T.RED_COUNTS(bag=bag, true=true), T.WHITE_COUNTS_NOT(bag=bag)
        return Picture(draw, labels, self.draws)


@lru_cache(maxsize=64)
def binomial_law(chance: Fraction, draws: int) -> tuple[Fraction, ...]:
    """Returns the law of the number of successes, from 0 to `draws`.

    Cached, since the powers of a long fraction take a while.
    """
    return tuple(comb(draws, y) * chance**y * (1 - chance) ** (draws - y) for y in range(draws + 1))
