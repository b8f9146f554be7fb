"""A cautionary tale: the coin that lies, corrected as if it were the coin that tells the truth."""

from __future__ import annotations

from math import exp, log, sqrt
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from dpdesk.attacks.base import Attack
from dpdesk.attacks.findings import Findings, Picture, Remedy, Series, said
from dpdesk.attacks.parameters import PromisedEpsilon
from dpdesk.attacks.target import Target
from dpdesk.attacks.texts import T
from dpdesk.engine.jobs import Tracker
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.digits import share_text, significant

_MORE_THAN_PROMISED = N_(
    "Nor is the promise kept: an answer changes the odds by a factor of e^{actual}, while "
    "ε = {epsilon} was promised. A guess from one answer is right in {belief} and not in {p}."
)
_LESS_THAN_PROMISED = N_(
    "The device gives away less than was promised, e^{actual} for ε = {epsilon}: a guess from one "
    "answer is right in {belief}, not in {p}."
)


def law_of_yes(count: int, others: int, of_carrier: float, of_other: float) -> Floats:
    """Returns the exact law of the number of answers yes, shape (count + others + 1,).

    Args:
        count: Number of people whose true answer is yes.
        others: Number of people whose true answer is no.
        of_carrier: The chance to say yes of who truly would.
        of_other: The chance of the others.
    """
    law = np.ones(1)
    for number, chance in ((count, of_carrier), (others, of_other)):
        for _ in range(number):
            law = np.convolve(law, (1 - chance, chance))
    return law


class SwappedCoin(Attack):
    """One sign in an exercise makes the estimate wrong and the promise of privacy false."""

    title = N_("The swapped coin")
    question = N_("What happens if a coin's chances are corrected the wrong way round?")
    method = N_(
        "A published exercise lets each respondent answer at random with chance 1/2 + α and tell "
        "the truth otherwise, and corrects the count as if 1/2 + α were the chance of the truth."
    )
    reference = "a published exercise on randomized response; the right design: Warner 1965"
    rates = N_(
        "A guess from one answer is right in {success}; {baseline} was promised at the most."
    )
    stopped_by = N_("one declared law for device and estimate")
    is_tale = True
    reads_data = False

    kind: Literal["swapped-coin"] = "swapped-coin"
    count: Annotated[
        int, Field(ge=0, le=2000, title="True count", description="people whose answer is yes")
    ] = 34
    people: Annotated[
        int, Field(ge=1, le=2000, title="People", description="number of respondents")
    ] = 100
    epsilon: PromisedEpsilon = 0.5

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.count > self.people:
            raise ParameterError(T.COUNT_ABOVE_PEOPLE())
        return self

    @property
    def truth(self) -> float:
        """The chance 1/2 + alpha = e^epsilon / (1 + e^epsilon) of the right design."""
        return exp(self.epsilon) / (1 + exp(self.epsilon))

    def law(self, *, swapped: bool) -> tuple[Floats, Floats]:
        """Returns the estimates and their exact chances, both of shape (people + 1,).

        Right: yes with chance p for carriers and 1 - p for others. Swapped: with chance p the
        answer is a fair coin, else the truth. Both are corrected by (yes - (1 - p) n) / (2p - 1).

        Args:
            swapped: Whether the device is that of the exercise.
        """
        p, n = self.truth, self.people
        carrier, other = (1 - p + p / 2, p / 2) if swapped else (p, 1 - p)
        law = law_of_yes(self.count, n - self.count, carrier, other)
        return np.asarray((np.arange(n + 1) - (1 - p) * n) / (2 * p - 1), dtype=np.float64), law

    def _run(self, target: Target, tracker: Tracker) -> Findings:
        means, deviations = [], []
        for swapped in (True, False):
            estimates, law = self.law(swapped=swapped)
            mean = float(law @ estimates)
            means.append(mean)
            deviations.append(sqrt(float(law @ (estimates - mean) ** 2)))
        p = self.truth
        actual = log((2 - p) / p)
        belief = 1 - p / 2
        return Findings(
            belief,
            p,
            said(
                N_("{wrong} instead of {true}"),
                wrong=significant(means[0], 3),
                true=self.count,
            ),
            (
                Remedy(
                    said(N_("the truth with chance 1/2 + α, the opposite otherwise (Warner)")), p
                ),
            ),
            (
                said(
                    N_(
                        "{count} of {people} people would truly say yes. At ε = {epsilon}, "
                        "1/2 + α is {p}."
                    ),
                    count=self.count,
                    people=self.people,
                    epsilon=f"{self.epsilon:g}",
                    p=significant(p, 4),
                ),
                said(
                    N_(
                        "The exercise's estimate is {wrong} on average, which asking more people "
                        "does not mend; that of the right design is {right}, and varies by "
                        "± {deviation} (standard deviation)."
                    ),
                    wrong=significant(means[0], 3),
                    right=significant(means[1], 3),
                    deviation=significant(deviations[1], 3),
                ),
                said(
                    _MORE_THAN_PROMISED if actual > self.epsilon else _LESS_THAN_PROMISED,
                    actual=significant(actual, 3),
                    epsilon=f"{self.epsilon:g}",
                    belief=share_text(belief),
                    p=share_text(p),
                ),
            ),
            self._picture(),
            said(
                N_("{count} of {people} people"),
                count=self.count,
                people=self.people,
            ),
            "danger" if abs(means[0] - self.count) >= 1 / 2 else "warning",
            {
                "expected_wrong": means[0],
                "expected_right": means[1],
                "actual_epsilon": actual,
                "deviation_wrong": deviations[0],
                "deviation_right": deviations[1],
            },
            no_better=N_("right in {share}, no more than was promised"),
        )

    def _picture(self) -> Picture:
        # Both estimates are on the same grid: they differ by the answers, not by the correction.
        at, wrong = self.law(swapped=True)
        _, right = self.law(swapped=False)
        shown = (wrong > 1e-5) | (right > 1e-5)
        return Picture(
            said(N_("The estimate of the count of yes")),
            said(N_("Estimate (people)")),
            said(N_("Chance (%)")),
            tuple(at[shown].tolist()),
            (
                Series(said(N_("the exercise")), tuple(wrong[shown].tolist())),
                Series(said(N_("the right design")), tuple(right[shown].tolist())),
            ),
        )
