"""Christofides' design: the device shows a number, the answer is a number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpdesk.designs.base import CARRIER, OTHER, Design, Group, PlannedVariance
from dpdesk.designs.counts import Count
from dpdesk.designs.probability import Probability
from dpdesk.designs.scored import (
    mean_and_variance,
    scored_estimate,
    scored_estimates,
    scored_variance,
)
from dpdesk.designs.survey_estimate import Floats, SurveyEstimate, SurveyEstimates
from dpdesk.errors import InputError, ParameterError
from dpdesk.i18n import N_


class Christofides(Design):
    """Christofides' design: carriers count from the other end."""

    title = N_("Christofides")
    summary = N_(
        "The device shows a number j of 1 to m; a non-carrier says j, a carrier m + 1 - j. Counts: "
        "the sum of all answers, of how many respondents."
    )
    reference = "Christofides 2003, Metrika 57, 195-200"

    kind: Literal["christofides"] = "christofides"
    chances: Annotated[
        tuple[Probability, ...],
        Field(min_length=2, max_length=50, description="chance of each number, from 1 to m"),
    ]

    @property
    def largest_answer(self) -> int:  # type: ignore[override]
        """The device's largest number."""
        return len(self.chances)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The numbers, and the numbers counted from the other end."""
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

    def _moments(self) -> tuple[tuple[Fraction, Fraction], tuple[Fraction, Fraction]]:
        """Mean and variance of the answer of a carrier and of a non-carrier."""
        answers = tuple(Fraction(y) for y in range(1, len(self.chances) + 1))
        carrier, other = (mean_and_variance(law, answers) for law in self.groups[0].law)
        return carrier, other

    def planned_variance(self, prevalence: float) -> PlannedVariance:
        """Returns n times the variance of the share of carriers."""
        return scored_variance(prevalence, *self._moments())

    def estimates(
        self, totals: Floats, respondents: Sequence[int], confidence: float = 0.95
    ) -> SurveyEstimates:
        """Returns the shares of carriers of many surveys from their sums of answers."""
        means, n = totals[..., 0] / respondents[0], respondents[0]
        return scored_estimates(means, n, *self._moments(), confidence)

    def estimate(self, counts: Sequence[Count], confidence: float = 0.95) -> SurveyEstimate:
        """Returns the share of carriers from the sum of the answers."""
        self.groups  # noqa: B018 - refuses a device that tells nothing
        (count,) = (count.checked(len(self.chances)) for count in counts)
        if count.yes < count.respondents:
            raise InputError(
                "The sum of the answers is smaller than the number of respondents.",
                remedy="Every answer is at least 1; check the counts.",
            )
        return scored_estimate(count.share, count.respondents, *self._moments(), confidence)
