"""Respondents who are not there, one after the other: what they are, see and say.

Everything is drawn from a seed and from the design's own instruction, so that the device shown and
the answer belong together.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import isfinite

import numpy as np

from dpdesk.designs import Group, YesNoDesign
from dpdesk.designs.behaviour import COMPLIANT, Behaviour, answer_worth, safe_answer
from dpdesk.designs.instructions import Procedure, Way
from dpdesk.designs.law import CARRIER, OTHER
from dpdesk.errors import ParameterError

_Sums = tuple[float, ...]

MOST = 100_000
DENIES = "does not follow the device: denies"
REFUSES = "does not follow the device: never says yes"
CARELESS = "does not follow the device: answers at random"


@dataclass(frozen=True, slots=True)
class Said:
    """One answer of a respondent.

    Attributes:
        group: Name of the group or item; empty where there is one.
        outcome: What the device showed, in words.
        answer: The answer, as the law of the design names it.
        spoken: The answer as it is said.
    """

    group: str
    outcome: str
    answer: str
    spoken: str


@dataclass(frozen=True, slots=True)
class Respondent:
    """A hypothetical respondent, and the estimate once they have answered.

    Attributes:
        number: From 1.
        carrier: Whether they truly are a carrier, which only a simulation knows.
        said: What they say: one answer, or one for each item.
        estimate: The estimated share of carriers so far; None while there are too few.
        lower, upper: The interval of that estimate.
    """

    number: int
    carrier: bool
    said: tuple[Said, ...]
    estimate: float | None
    lower: float
    upper: float


class RespondentStream:
    """Draws respondents of a design, as many as are asked for; the same seed repeats them.

    Args:
        design: The design; respondents take its groups in turn.
        prevalence: The true share of carriers.
        seed: Seed of the generator.
        behaviour: How many respondents do not follow the device.
        confidence: Coverage of the intervals.

    Raises:
        ParameterError: The share is none, or the design's parameters are impossible.
    """

    def __init__(
        self,
        design: YesNoDesign,
        prevalence: float,
        seed: int,
        behaviour: Behaviour = COMPLIANT,
        confidence: float = 0.95,
    ) -> None:
        if not 0 <= prevalence <= 1:
            raise ParameterError(
                "The true share must lie between 0 and 1.", remedy="Type a number such as 0.1."
            )
        self._design = design
        self._prevalence = prevalence
        self._behaviour = behaviour
        self._confidence = confidence
        self._asked = tuple(zip(design.instructions(), design.asked, strict=True))
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._totals = np.zeros((1, len(self._asked)))
        self._sizes = [0] * len(self._asked)
        self._made: list[Respondent] = []
        self._drawn: dict[tuple[int, bool, bool, bool], tuple[tuple[Said, ...], _Sums]] = {}

    def first(self, count: int) -> tuple[Respondent, ...]:
        """Returns the first so many respondents, at most 100,000."""
        while len(self._made) < min(count, MOST):
            self._made.append(self._next())
        return tuple(self._made[:count])

    def _next(self) -> Respondent:
        number = len(self._made)
        carrier = bool(self._generator.random() < self._prevalence)
        careless = bool(self._generator.random() < self._behaviour.careless)
        stubborn = bool(self._generator.random() < self._shirking(carrier))
        chosen = range(len(self._asked))
        if not self._design.same_respondents:
            chosen = range(number % len(self._asked), number % len(self._asked) + 1)
        said = tuple(self._answer(item, carrier, careless, stubborn) for item in chosen)
        for item, answer in zip(chosen, said, strict=True):
            self._totals[0, item] += answer_worth(answer.answer)
            self._sizes[item] += 1
        return Respondent(number + 1, carrier, said, *self._estimate())

    def _shirking(self, carrier: bool) -> float:
        return self._behaviour.deny if carrier else self._behaviour.refuse

    def _answer(self, item: int, carrier: bool, careless: bool, stubborn: bool) -> Said:
        key = (item, carrier, careless, stubborn)
        if key not in self._drawn:
            procedure, group = self._asked[item]
            ways = ways_of(procedure, group, carrier, careless=careless, stubborn=stubborn)
            said = tuple(
                Said(group.name, way.outcome, way.answer, procedure.say(way.answer)) for way in ways
            )
            self._drawn[key] = said, tuple(accumulate(float(way.chance) for way in ways))
        said, sums = self._drawn[key]
        # The last sum may miss 1 by a rounding.
        return said[min(bisect_right(sums, self._generator.random()), len(said) - 1)]

    def _estimate(self) -> tuple[float | None, float, float]:
        if min(self._sizes) < 2:
            return None, -np.inf, np.inf
        found = self._design.estimates(self._totals, self._sizes, self._confidence)
        value, _, lower, upper = found.only
        return (value, lower, upper) if isfinite(value) else (None, -np.inf, np.inf)


def ways_of(
    procedure: Procedure, group: Group, carrier: bool, *, careless: bool, stubborn: bool
) -> tuple[Way, ...]:
    """Returns everything that can happen to a respondent, by what they are and whether they follow.

    Args:
        procedure: What they are told to do.
        group: The law of their answers.
        carrier: Whether they are a carrier.
        careless: Whether they give any possible answer with the same chance.
        stubborn: Whether they give the answer that speaks least for a carrier, or, where no answer
            does so, answer as if they were none.
    """
    if careless:
        blind = group.blind or (Fraction(1, len(group.answers)),) * len(group.answers)
        return tuple(
            Way(chance, CARELESS, answer)
            for answer, chance in zip(group.answers, blind, strict=True)
        )
    if not stubborn:
        return procedure.ways(CARRIER if carrier else OTHER)
    words = DENIES if carrier else REFUSES
    safe = safe_answer(group) or group.law[1]
    return tuple(
        Way(chance, words, answer)
        for answer, chance in zip(group.answers, safe, strict=True)
        if chance
    )
