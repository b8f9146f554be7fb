"""Differencing: a count of everybody, minus the count without one person."""

from __future__ import annotations

from math import exp
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from dpdesk.attacks.base import Attack
from dpdesk.attacks.findings import Findings, Picture, Remedy, Series, said, severity_of
from dpdesk.attacks.noise import best_guess, noise_sum
from dpdesk.attacks.parameters import Answer, CountEpsilon, Wanted
from dpdesk.attacks.target import Bits, Target
from dpdesk.engine.jobs import Tracker
from dpdesk.i18n import N_
from dpdesk.numbers.digits import share_text

_TRIED_MOST = 500


def count(bits: Bits, among: Bits) -> int:
    """Answers a question: how many of those asked about gave the answer."""
    return int(np.count_nonzero(bits & among))


class Differencing(Attack):
    """Two exact counts that differ by one person give away that person's answer."""

    title = N_("Differencing")
    question = N_("Do two harmless counts tell what one person answered?")
    method = N_(
        "The attacker asks how many of all respondents gave an answer, and how many of all but one "
        "person. The difference is that person's answer."
    )
    reference = "Denning 1980, ACM TODS 5, 291-315; Dwork & Roth 2014, section 1"
    stopped_by = N_("noise on every count")

    kind: Literal["differencing"] = "differencing"
    column: Wanted = ""
    answer: Answer = ""
    epsilon: CountEpsilon = 1.0
    belief: Annotated[
        float,
        Field(
            ge=0,
            lt=1,
            title="Belief before",
            description="chance, before the counts, that the person gave the answer; 0 for the "
            "share of all who did",
        ),
    ] = 0.0

    @staticmethod
    def right_with_noise(belief: float, epsilon: float, *, others_known: bool) -> float:
        """Returns how often the best guess is right, exactly, from the law of the noise.

        Args:
            belief: The chance, before the counts, that the person gave the answer.
            epsilon: The epsilon of each count.
            others_known: Whether the attacker knows the count without the person exactly.
        """
        law = noise_sum(epsilon, 1 if others_known else 2)
        return best_guess((1 - belief, belief), law)

    def _run(self, target: Target, tracker: Tracker) -> Findings:
        secret = target.secret_bit(self.column, self.answer)
        rows = len(secret.bits)
        tried, right = self._tried(secret.bits, tracker)
        success = right / tried
        belief = self.belief or secret.share
        guess = max(belief, 1 - belief)
        one, both = (
            self.right_with_noise(belief, self.epsilon, others_known=known)
            for known in (True, False)
        )
        epsilon = f"{self.epsilon:g}"
        ratio = exp(self.epsilon)
        highest = belief * ratio / (belief * ratio + 1 - belief)
        return Findings(
            success,
            guess,
            said(N_("answer known in {share}"), share=share_text(success)),
            (
                Remedy(said(N_("noise at ε = {epsilon} on the counts"), epsilon=epsilon), one),
                Remedy(
                    said(
                        N_("noise at ε = {epsilon}, on both counts, for who knows nothing else"),
                        epsilon=epsilon,
                    ),
                    both,
                ),
            ),
            (
                said(
                    N_(
                        "For each of {tried} people the two exact counts of “{answer}” to {column} "
                        "were asked; their difference showed whether that was the person's answer "
                        "in {share}."
                    ),
                    answer=secret.answer,
                    column=secret.column,
                    tried=tried,
                    share=share_text(success),
                ),
                said(
                    N_(
                        "A belief of {before} before the counts can become {after} at the most, "
                        "whatever the counts turn out to be."
                    ),
                    before=share_text(belief),
                    after=share_text(highest),
                ),
            ),
            self._picture(belief, guess),
            said(
                N_("the answer “{answer}” to {column}, {rows} respondents"),
                answer=secret.answer,
                column=secret.column,
                rows=rows,
            ),
            severity_of(success, guess),
            {"tried": tried, "highest_belief": highest},
        )

    @staticmethod
    def _tried(bits: Bits, tracker: Tracker) -> tuple[int, int]:
        """Returns of how many people the two exact counts were asked, and how often they tell."""
        rows = len(bits)
        everybody = np.ones(rows, dtype=np.bool_)
        whole = count(bits, everybody)
        tried = np.unique(np.linspace(0, rows - 1, min(rows, _TRIED_MOST)).astype(np.int64))
        right = 0
        for person in tried:
            tracker.tick()
            others = everybody.copy()
            others[person] = False
            right += (whole - count(bits, others)) == int(bits[person])
        return len(tried), right

    def _picture(self, belief: float, guess: float) -> Picture:
        grid = tuple(float(one) for one in np.geomspace(0.05, 10, 40))

        def right(*, others_known: bool) -> tuple[float, ...]:
            return tuple(
                self.right_with_noise(belief, one, others_known=others_known) for one in grid
            )

        return Picture(
            said(N_("How often the attacker is right, with noise")),
            said(N_("ε of each count")),
            said(N_("Right (%)")),
            grid,
            (
                Series(said(N_("knows all others")), right(others_known=True)),
                Series(said(N_("has both noisy counts")), right(others_known=False)),
                Series(said(N_("guess")), (guess,) * len(grid), "dashed"),
            ),
            log_x=True,
        )
