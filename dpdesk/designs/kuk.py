"""Kuk's design: two decks of cards, one for carriers, one for others."""

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
from dpdesk.designs.probability import Probability
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
    """Kuk's design: two decks of cards, one for carriers, one for others."""

    title = N_("Kuk")
    summary = N_(
        "The respondent draws cards from two decks and says how many red ones came from the deck "
        "of carriers, or from the other deck if they are not a carrier."
    )
    reference = "Kuk 1990, Biometrika 77, 436-438"
    device = N_("two decks")
    device_parameters: ClassVar = ("p1", "p2")
    only_devices: ClassVar = ("beads", "screen")
    device_draws: ClassVar[int] = 2
    usual: ClassVar = {"p1": "3/4", "p2": "1/4"}
    departures: ClassVar[tuple[Departure, ...]] = ("denial", "carelessness")

    kind: Literal["kuk"] = "kuk"
    p1: Annotated[Probability, Field(description="share of red cards in the deck of carriers")]
    p2: Annotated[Probability, Field(description="share of red cards in the other deck")]
    draws: Annotated[
        int, Field(ge=1, le=50, description="number of cards drawn, with replacement"), PlainDigits
    ] = 1

    @property
    def largest_answer(self) -> int:  # type: ignore[override]
        """Every card may be red."""
        return self.draws

    @property
    def groups(self) -> tuple[Group, ...]:
        """The number of red cards is binomial."""
        binary_group(self.p1, self.p2)
        answers = tuple(f"{red} red" for red in range(self.draws + 1))
        law = (binomial_law(self.p1, self.draws), binomial_law(self.p2, self.draws))
        return (Group("", (CARRIER, OTHER), answers, law),)

    @property
    def moments(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """Mean and variance of the answer of a carrier and of a non-carrier: binomial."""
        carrier, other = ((self.draws * p, self.draws * p * (1 - p)) for p in (self.p1, self.p2))
        return carrier, other

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        """Returns the shares of carriers of many surveys from their numbers of red cards."""
        if self.draws > 1:
            return super().estimates(totals, respondents, confidence)
        return yes_no_estimates(totals[..., 0], respondents[0], self.p1, self.p2, confidence)

    def _conservative(self, pooled: Count | None, confidence: float) -> tuple[float, float] | None:
        one_card = pooled if self.draws == 1 else None
        return conservative_interval(one_card, self.p1, self.p2, confidence)

    @property
    def epsilon_decides(self) -> bool:
        """Both shares follow from the epsilon if one card is drawn."""
        return self.draws == 1

    def _at(self, epsilon: float) -> Self:
        """By two decks that are each other's opposite."""
        truth = truth_at(epsilon)
        return self.model_copy(update={"p1": truth, "p2": 1 - truth})

    def buildable(self, device: Device) -> Iterator[Self]:
        """Decks that are each other's opposite stay so."""
        if self.p1 + self.p2 != 1:
            yield from super().buildable(device)
            return
        for red in device.near(self.p1):
            yield self.model_copy(update={"p1": red, "p2": 1 - red})

    def _procedures(
        self, question: str, others: Sequence[str], choice: DeviceChoice
    ) -> tuple[Procedure, ...]:
        """Two decks; who has the trait reads the first, everybody else the second."""
        k = self.draws
        cards = "one card" if k == 1 else f"{k} cards"
        back = "" if k == 1 else " Put each card back before you draw the next."
        tool = (
            f"two decks of cards: {chance_words(self.p1)} cards of deck 1 are red, and "
            f"{chance_words(self.p2)} of deck 2"
        )
        steps = (
            f"Draw {cards} from deck 1 and as many from deck 2, {UNSEEN}.{back}",
            "If your true answer is yes: say how many of the cards from deck 1 were red.",
            "If your true answer is no: say how many of the cards from deck 2 were red.",
        )
        carrier, other = (
            tuple(
                Way(comb(k, y) * red**y * (1 - red) ** (k - y), _red(y, deck), f"{y} red")
                for y in range(k + 1)
                if comb(k, y) * red**y * (1 - red) ** (k - y)
            )
            for deck, red in ((1, self.p1), (2, self.p2))
        )
        reason = "Only you know which of both decks your number comes from."
        pictures = [self._deck(deck, choice) for deck in (1, 2)]
        return (one_question(question, tool, steps, carrier, other, reason, pictures=pictures),)

    def _deck(self, deck: int, choice: DeviceChoice) -> Picture:
        """The cards of a deck: as beads, of which the first event's are red; or as numbers."""
        draw = choice.among(self.splits[deck - 1])
        if draw.device is not None and not draw.device.for_screens:
            draw = replace(draw, outcomes=("the card is red", "the card is white"))
        counts_if = YES if deck == 1 else NO
        labels = (
            f"a red card of deck {deck}, which counts if {counts_if} is true",
            f"a white card of deck {deck}, which does not count",
        )
        return Picture(draw, labels, self.draws)


@lru_cache(maxsize=64)
def binomial_law(chance: Fraction, draws: int) -> tuple[Fraction, ...]:
    """Returns the law of the number of successes, from 0 to `draws`.

    Cached, since the powers of a long fraction take a while.
    """
    return tuple(comb(draws, y) * chance**y * (1 - chance) ** (draws - y) for y in range(draws + 1))


def _red(number: int, deck: int) -> str:
    return f"you draw {number} red {'card' if number == 1 else 'cards'} from deck {deck}"
