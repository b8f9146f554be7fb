"""Reconstruction: everybody's secret bit from many counts of random groups, too little noisy."""

from __future__ import annotations

from math import sqrt
from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from dpdesk.attacks.base import SeededAttack
from dpdesk.attacks.findings import Findings, Picture, Remedy, Series, said, severity_of
from dpdesk.attacks.parameters import Answer, Epsilon, Wanted
from dpdesk.attacks.target import Bits, Target
from dpdesk.engine.jobs import Tracker
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.digits import share_text, significant
from dpdesk.queries.noise.calibrated import GeometricLaw

_REPETITIONS = 5
_QUESTIONS_PER_PERSON = (0.5, 1, 2, 4)
_NOISE_STEPS = 10


def reconstruct(groups: Floats, answers: Floats, share: float, noise: float) -> Bits:
    """Returns the bits that fit noisy counts of groups best, by least squares.

    Deviations of bits from their share are penalised by the variance of the noise over theirs, so
    that more noise pulls them towards the share; without noise these are plain least squares.

    Args:
        groups: Which people each question is about, 0 or 1; shape (questions, people).
        answers: The noisy counts, shape (questions,).
        share: The share of people whose bit is set, which is public.
        noise: Standard deviation of the noise.
    """
    variance = max(share * (1 - share), 1e-6)
    penalty = max(noise * noise / variance, 1e-9)
    matrix = groups.T @ groups + penalty * np.eye(groups.shape[1])
    found = share + np.linalg.solve(matrix, groups.T @ (answers - share * groups.sum(axis=1)))
    return np.asarray(found > 1 / 2)


def share_recovered(
    bits: Bits, questions: int, noise: float, generator: np.random.Generator
) -> float:
    """Returns the share of people whose bit one attack finds.

    Args:
        bits: The true bits, shape (people,).
        questions: Number of random groups that are counted.
        noise: Standard deviation of the noise on each count.
        generator: The source of chance.
    """
    groups = generator.integers(0, 2, (questions, len(bits))).astype(np.float64)
    answers = groups @ bits + noise * generator.standard_normal(questions)
    found = reconstruct(groups, answers, float(bits.mean()), noise)
    return float((found == bits).mean())


class Reconstruction(SeededAttack):
    """Too many answers with too little noise give everybody's secret away."""

    title = N_("Reconstruction")
    question = N_("Do many slightly noisy counts tell what everybody answered?")
    method = N_(
        "The attacker asks for counts of random groups of people and finds the answers that fit "
        "all counts best (least squares)."
    )
    reference = "Dinur & Nissim 2003, PODS, 202-210"
    stopped_by = N_("noise that grows with the number of questions")

    kind: Literal["reconstruction"] = "reconstruction"
    column: Annotated[Wanted, Field(description="column whose answers are to be learnt")] = ""
    answer: Answer = ""
    people: Annotated[
        int,
        Field(
            ge=10,
            le=1000,
            title="People",
            description="how many respondents, drawn at random, the counts are about",
        ),
    ] = 100
    questions: Annotated[
        int, Field(ge=1, le=10_000, title="Questions", description="number of counts")
    ] = 400
    noise: Annotated[
        float,
        Field(
            ge=0,
            le=1e6,
            allow_inf_nan=False,
            title="Noise",
            description="standard deviation of the noise on each count, in people",
        ),
    ] = 2.0
    epsilon: Annotated[
        Epsilon, Field(description="epsilon of all counts together, as a remedy")
    ] = 1.0

    def _run(self, target: Target, tracker: Tracker) -> Findings:
        secret = target.secret_bit(self.column, self.answer)
        generator = self.generator()
        size = min(self.people, len(secret.bits))
        drawn = [
            secret.bits[generator.permutation(len(secret.bits))[:size]] for _ in range(_REPETITIONS)
        ]
        steps = len(_QUESTIONS_PER_PERSON) * _NOISE_STEPS + 2
        done = 0

        def recovered(questions: int, noise: float) -> float:
            nonlocal done
            tracker.progress("Solving for the answers", min(done / steps, 1.0))
            done += 1
            found = [share_recovered(bits, questions, noise, generator) for bits in drawn]
            return float(np.mean(found))

        success = recovered(self.questions, self.noise)
        enough = sqrt(GeometricLaw(self.questions / self.epsilon).variance)
        stopped = recovered(self.questions, enough)
        guess = float(np.mean([max(bits.mean(), 1 - bits.mean()) for bits in drawn]))
        noises = np.concatenate([[0.0], np.geomspace(0.05, 2, _NOISE_STEPS - 1)]) * sqrt(size)
        curves = tuple(
            Series(
                said(N_("{number} counts"), number=round(times * size)),
                tuple(recovered(round(times * size), float(noise)) for noise in noises),
            )
            for times in _QUESTIONS_PER_PERSON
        )
        return Findings(
            success,
            guess,
            said(N_("{share} of answers found"), share=share_text(success)),
            (
                Remedy(
                    said(
                        N_("noise for ε = {epsilon} over all {number} counts (± {noise} people)"),
                        epsilon=f"{self.epsilon:g}",
                        number=self.questions,
                        noise=significant(enough, 2),
                    ),
                    stopped,
                ),
            ),
            (
                said(
                    N_(
                        "{number} counts of random groups of {size} people, each off by about "
                        "{noise}, were enough to find {share} of the people's answers."
                    ),
                    number=self.questions,
                    size=size,
                    noise=significant(self.noise, 2),
                    share=share_text(success),
                ),
                said(
                    N_(
                        "Noise well below the root of the number of people, here {root}, protects "
                        "nobody when there are enough questions, whatever the kind of noise."
                    ),
                    root=significant(sqrt(size), 2),
                ),
            ),
            Picture(
                said(N_("Answers found, by noise and number of counts")),
                said(N_("Noise on each count (people)")),
                said(N_("Found (%)")),
                tuple(float(noise) for noise in noises),
                (*curves, Series(said(N_("guess")), (guess,) * len(noises), "dashed")),
            ),
            said(
                N_("who of {size} people answered “{answer}” to {column}"),
                answer=secret.answer,
                column=secret.column,
                size=size,
            ),
            severity_of(success, guess),
            {"people": size, "noise_of_remedy": enough},
        )
