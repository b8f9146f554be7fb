"""Kuk's design: two decks of cards, one for carriers, one for others."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.base import CARRIER, OTHER, Design, Group, PlannedVariance, binary_group
from dpdesk.designs.counts import Count
from dpdesk.designs.one_sample import yes_no_estimate, yes_no_estimates
from dpdesk.designs.probability import Probability
from dpdesk.designs.scored import (
    scored_estimate,
    scored_estimates,
    scored_variance,
)
from dpdesk.designs.survey_estimate import Floats, SurveyEstimate, SurveyEstimates
from dpdesk.i18n import N_
from dpdesk.numbers import PlainDigits


class Kuk(Design):
    """Kuk's design: two decks of cards, one for carriers, one for others."""

    title = N_("Kuk")
    summary = N_(
        "The respondent draws cards from two decks and says how many red ones came from the deck "
        "of carriers, or from the other if they are none."
    )
    reference = "Kuk 1990, Biometrika 77, 436-438"

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

    def _moments(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """Mean and variance of the answer of a carrier and of a non-carrier: binomial."""
        carrier, other = ((self.draws * p, self.draws * p * (1 - p)) for p in (self.p1, self.p2))
        return carrier, other

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the share of carriers."""
        return scored_variance(prevalence, *self._moments())

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        """Returns the shares of carriers of many surveys from their numbers of red cards."""
        red, n = totals[..., 0], respondents[0]
        if self.draws == 1:
            return yes_no_estimates(red, n, self.p1, self.p2, confidence)
        return scored_estimates(red / n, n, *self._moments(), confidence)

    def estimate(self, counts: Sequence[Count], confidence: float = 0.95) -> SurveyEstimate:
        """Returns the share of carriers; "yes" is the number of red cards of all respondents."""
        (count,) = (count.checked(self.draws) for count in counts)
        self.groups  # noqa: B018 - refuses a device that tells nothing
        if self.draws == 1:
            return yes_no_estimate(count, self.p1, self.p2, confidence)
        return scored_estimate(count.share, count.respondents, *self._moments(), confidence)


@lru_cache(maxsize=64)
def binomial_law(chance: Fraction, draws: int) -> tuple[Fraction, ...]:
    """Returns the law of the number of successes, from 0 to `draws`.

    Remembered, since the powers of a long fraction take a while.
    """
    return tuple(comb(draws, y) * chance**y * (1 - chance) ** (draws - y) for y in range(draws + 1))
