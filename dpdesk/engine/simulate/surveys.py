"""Surveys that are not held: what a randomized-response design would show.

The counts of a group are drawn directly, so the cost does not depend on the number of respondents.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isclose

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs import Count, Design, Group
from dpdesk.errors import ParameterError

Floats = NDArray[np.float64]

RESPONDENTS_MAX = 10**15
REPETITIONS_MAX = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class SimulatedSurveys:
    """Estimates of hypothetical surveys.

    Attributes:
        seed: Seed of the generator: the same seed gives the same surveys.
        prevalence: The true share of carriers.
        estimates: One estimate per survey, not truncated, shape (repetitions,).
        covered: Whether each survey's interval holds the true share.
        planned_error: The standard error that theory foresees.
    """

    seed: int
    prevalence: float
    estimates: Floats
    covered: NDArray[np.bool_]
    planned_error: float

    @property
    def bias(self) -> float:
        """Mean of the estimates less the truth."""
        return float(self.estimates.mean()) - self.prevalence

    @property
    def spread(self) -> float:
        """Standard deviation of the estimates."""
        return float(self.estimates.std(ddof=1)) if self.estimates.size > 1 else 0.0

    @property
    def coverage(self) -> float:
        """Share of the intervals that hold the truth."""
        return float(self.covered.mean())

    @property
    def negative(self) -> float:
        """Share of the estimates below 0."""
        return float((self.estimates < 0).mean())


def simulate_surveys(
    design: Design, prevalence: float, respondents: int, repetitions: int, seed: int
) -> SimulatedSurveys:
    """Holds a survey many times, its respondents drawn anew each time.

    Args:
        design: The design; the respondents are split evenly over its groups.
        prevalence: The true share of carriers.
        respondents: Number of respondents of each survey, at least 2 for each group.
        repetitions: Number of surveys.
        seed: Seed of the generator.

    Raises:
        ParameterError: A number is impossible, or the design joins several answers of one
            respondent, which counts do not show.
    """
    _check(design, prevalence, respondents, repetitions)
    generator = np.random.Generator(np.random.PCG64(seed))
    sizes = _sizes(respondents, design.group_count)
    drawn = np.stack(
        [
            _totals(generator, group, prevalence, size, repetitions)
            for group, size in zip(design.groups, sizes, strict=True)
        ],
        axis=1,
    )
    # Many surveys have the same counts: each different one is estimated once.
    different, position = np.unique(drawn, axis=0, return_inverse=True)
    found = [
        design.estimate([Count(int(y), n) for y, n in zip(row, sizes, strict=True)])
        for row in different
    ]
    values = np.array([estimate.estimate for estimate in found])
    covers = np.array([e.lower <= prevalence <= e.upper for e in found])
    planned = design.planned_variance(prevalence).total / respondents
    where = position.reshape(-1)
    return SimulatedSurveys(seed, prevalence, values[where], covers[where], planned**0.5)


def _check(design: Design, prevalence: float, respondents: int, repetitions: int) -> None:
    if len(design.groups) != design.group_count:
        raise ParameterError(
            f"{design.title} asks each respondent for several answers, which cannot be drawn as "
            "independent counts.",
            remedy="Simulate the design of the single question.",
        )
    if not 0 <= prevalence <= 1:
        raise ParameterError(
            "The true share must lie between 0 and 1.", remedy="Type a number such as 0.1."
        )
    if not 2 * design.group_count <= respondents <= RESPONDENTS_MAX:
        raise ParameterError(
            "A survey needs at least 2 respondents in each group.", remedy="Type a larger number."
        )
    if not 1 <= repetitions <= REPETITIONS_MAX:
        raise ParameterError(
            "The number of repetitions must lie between 1 and 1,000,000.",
            remedy="Type another number.",
        )


def _sizes(respondents: int, groups: int) -> list[int]:
    each, rest = divmod(respondents, groups)
    return [each + (group < rest) for group in range(groups)]


def _totals(
    generator: np.random.Generator, group: Group, prevalence: float, size: int, repetitions: int
) -> NDArray[np.int64]:
    """Draws the sum of the answers of one group, shape (repetitions,)."""
    laws = np.array([[float(chance) for chance in law] for law in group.law[:2]])
    chances = prevalence * laws[0] + (1 - prevalence) * laws[1]
    assert isclose(chances.sum(), 1.0)  # noqa: S101 - a law of answers
    worth = np.array([answer_worth(answer) for answer in group.answers], dtype=np.int64)
    counts = generator.multinomial(size, chances / chances.sum(), size=repetitions)
    return np.asarray(counts @ worth, dtype=np.int64)


def answer_worth(answer: str) -> int:
    """Returns what an answer adds to the count: 1 for yes, 0 for no, else its number."""
    return int(answer == "yes") if answer in {"yes", "no"} else int(answer.split(maxsplit=1)[0])
