"""Averaging: the same noisy question again and again, until the noise is gone."""

from __future__ import annotations

from math import sqrt
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from dpdesk.attacks.base import SeededAttack
from dpdesk.attacks.findings import Findings, Picture, Remedy, Series, said, severity_of
from dpdesk.attacks.noise import chance_within, noise_sum
from dpdesk.attacks.parameters import Answer, Epsilon, Wanted
from dpdesk.attacks.target import Target
from dpdesk.engine.jobs import Tracker
from dpdesk.i18n import N_
from dpdesk.numbers.digits import significant
from dpdesk.queries.noise.calibrated import GeometricLaw


def right_by_average(epsilon: float, times: int) -> float:
    """Returns the exact chance that the rounded average of noisy counts is the true count.

    Args:
        epsilon: The loss of each answer.
        times: Number of answers.
    """
    return chance_within(noise_sum(epsilon, times), times / 2)


def error_of_average(epsilon: float, times: int) -> float:
    """Returns the root mean square error of the average, which falls with the root of `times`."""
    return sqrt(GeometricLaw(1 / epsilon).variance / times)


class Averaging(SeededAttack):
    """Fresh noise for the same question averages out; the losses add up."""

    title = N_("Averaging")
    question = N_("Does asking the same noisy question often enough remove the noise?")
    method = N_(
        "The attacker asks for the same count again and again, gets fresh noise each time, and "
        "takes the average."
    )
    reference = "Denning 1980, ACM TODS 5, 291-315; Dwork & Roth 2014, section 3.5"
    rates = N_("The exact count is hit in {success}; by one answer, in {baseline}.")
    stopped_by = N_("the ledger: every answer is charged")

    kind: Literal["averaging"] = "averaging"
    column: Annotated[Wanted, Field(description="column that is counted")] = ""
    answer: Answer = ""
    epsilon: Annotated[Epsilon, Field(description="epsilon of each answer")] = 1.0
    times: Annotated[
        int, Field(ge=1, le=10_000, title="Times", description="how often the count is asked for")
    ] = 100

    def draw(self, true: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Draws the noisy answers of one attack."""
        generator = self.generator()
        # The difference of two geometric numbers is discrete Laplace.
        chance = 1 - np.exp(-self.epsilon)
        first, second = generator.geometric(chance, (2, self.times))
        return np.asarray(true + first - second)

    def _run(self, target: Target, tracker: Tracker) -> Findings:
        secret = target.secret_bit(self.column, self.answer)
        true = int(np.count_nonzero(secret.bits))
        answers = self.draw(true)
        once, often = (right_by_average(self.epsilon, n) for n in (1, self.times))
        total = self.times * self.epsilon
        split = right_by_average(self.epsilon / self.times, self.times)
        errors = error_of_average(self.epsilon, 1), error_of_average(self.epsilon, self.times)
        rounded = round(float(answers.mean()))
        ended = (
            N_("In the run that was drawn the average, rounded, is the true count exactly.")
            if rounded == true
            else N_("In the run that was drawn the average, rounded, is off by {off}.")
        )
        return Findings(
            often,
            once,
            said(N_("error ÷ {factor}"), factor=significant(sqrt(self.times), 2)),
            (
                Remedy(
                    said(
                        N_("the ledger: ε = {total}; a cap of {epsilon} allows one answer"),
                        total=f"{total:g}",
                        epsilon=f"{self.epsilon:g}",
                    ),
                    once,
                ),
                Remedy(
                    said(
                        N_("the same ε = {epsilon} split over all {times} answers"),
                        epsilon=f"{self.epsilon:g}",
                        times=self.times,
                    ),
                    split,
                ),
            ),
            (
                said(
                    N_(
                        "One answer is off by {one} people (root mean square); the average of "
                        "{times} by {many}: the error falls with the root of their number."
                    ),
                    one=significant(errors[0], 3),
                    times=self.times,
                    many=significant(errors[1], 3),
                ),
                said(ended, off=abs(rounded - true)),
            ),
            self._picture(answers, true),
            said(
                N_("the count of “{answer}” to {column}"),
                answer=secret.answer,
                column=secret.column,
            ),
            severity_of(often, once),
            {"ledger_epsilon": total, "error_once": errors[0], "error_of_average": errors[1]},
            no_better=N_("right in {share}, no better than one answer"),
        )

    def _picture(self, answers: np.ndarray[tuple[int], np.dtype[np.int64]], true: int) -> Picture:
        at = np.unique(np.geomspace(1, self.times, 40).round().astype(np.int64))
        running = np.cumsum(answers)[at - 1] / at
        return Picture(
            said(N_("Error of the average")),
            said(N_("How often it was asked")),
            said(N_("Error (people)")),
            tuple(float(one) for one in at),
            (
                Series(
                    said(N_("expected")),
                    tuple(error_of_average(self.epsilon, int(one)) for one in at),
                ),
                Series(said(N_("one attack")), tuple(np.abs(running - true).tolist())),
            ),
            log_x=True,
            in_percent=False,
        )
