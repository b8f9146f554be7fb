"""What an answer betrays: epsilon, and the jeopardy of each answer."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import inf, log

from dpdesk.designs.base import Group

_FOLLOWING = 2
"""Carriers and non-carriers, who come first in every group."""


@dataclass(frozen=True, slots=True)
class Jeopardy:
    """How much likelier an answer is under one true state than under another.

    Attributes:
        answer: The answer.
        group: Name of the group of respondents; empty where there is one group.
        ratio: The largest ratio of its probabilities; None where it is infinite, the answer being
            impossible under some state.
        points_to: The state that makes it likeliest.
        rules_out: The state under which it is impossible; empty where there is none.
    """

    answer: str
    group: str
    ratio: Fraction | None
    points_to: str
    rules_out: str


@dataclass(frozen=True, slots=True)
class Loss:
    """The privacy of a design, for a respondent of any group.

    Attributes:
        epsilon: The logarithm of the largest ratio; infinite where an answer is a proof.
        ratio: e^epsilon, exactly; None where it is infinite.
        answers: Every answer of every group.
    """

    epsilon: float
    ratio: Fraction | None
    answers: tuple[Jeopardy, ...]

    @property
    def betraying(self) -> tuple[Jeopardy, ...]:
        """The answers that prove something."""
        return tuple(answer for answer in self.answers if answer.ratio is None)


def loss_of(groups: tuple[Group, ...]) -> Loss:
    """Returns the privacy loss of a design: the largest over its groups.

    Epsilon is the logarithm of the larger jeopardy of Leysieffer and Warner (1976).
    """
    answers = tuple(
        _jeopardy(group, index) for group in groups for index in range(len(group.answers))
    )
    possible = tuple(answer for answer in answers if answer is not None)
    if any(answer.ratio is None for answer in possible):
        return Loss(inf, None, possible)
    ratio = max(answer.ratio for answer in possible if answer.ratio is not None)
    return Loss(log(ratio.numerator) - log(ratio.denominator), ratio, possible)


def loss_of_trait(groups: tuple[Group, ...]) -> Loss:
    """Returns the loss for carriers and non-carriers who follow the device, without cheaters.

    An answer that rules out a cheater alone is no proof of what was asked.
    """
    return loss_of(
        tuple(Group(g.name, g.states[:_FOLLOWING], g.answers, g.law[:_FOLLOWING]) for g in groups)
    )


def _jeopardy(group: Group, index: int) -> Jeopardy | None:
    chances = [law[index] for law in group.law]
    likeliest, least = max(chances), min(chances)
    if likeliest == 0:
        return None
    return Jeopardy(
        answer=group.answers[index],
        group=group.name,
        ratio=likeliest / least if least else None,
        points_to=group.states[chances.index(likeliest)],
        rules_out="" if least else group.states[chances.index(least)],
    )
