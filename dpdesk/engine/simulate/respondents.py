"""Simulated respondents, one after the other: their truth, what the device shows, what they say.

Everything is drawn from a seed by the design's own instruction, so that device and answer agree.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import inf, isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs import Group, YesNoDesign
from dpdesk.designs.behaviour import (
    COMPLIANT,
    NONE_EVADES,
    Behaviour,
    Evasion,
    answer_worth,
    safe_answer,
)
from dpdesk.designs.devices import ANY_DEVICE, DeviceChoice
from dpdesk.designs.instructions import Procedure, Way
from dpdesk.designs.law import CARRIER, OTHER
from dpdesk.designs.number_design import NumberDesign, TrueNumbers
from dpdesk.designs.several_answers import Program, SeveralDesign, require_shares
from dpdesk.engine.simulate.surveys import draw_device, draw_true
from dpdesk.engine.texts import T
from dpdesk.errors import ParameterError
from dpdesk.numbers.intervals import normal_quantile

_Sums = tuple[float, ...]

MOST = 100_000
DENIES = "does not follow the device: denies"
REFUSES = "does not follow the device: never says yes"
CARELESS = "does not follow the device: answers at random"
HIDES = "does not follow the device: hides the answer"
UNDERSTATES = "acts as if the least number were the true one"
_ENTERS = "enters another answer; the program draws a report from it"
_GUESSES = "enters any answer; the program draws a report from it"


@dataclass(frozen=True, slots=True)
class Said:
    """One answer of a respondent.

    Attributes:
        group: Name of the group or item; empty if there is only one.
        outcome: What the device showed, in words.
        answer: The answer, as the law of the design names it.
        spoken: The answer in the words of the respondent.
    """

    group: str
    outcome: str
    answer: str
    spoken: str


@dataclass(frozen=True, slots=True)
class Respondent:
    """A simulated respondent, and the estimate after their answer.

    Attributes:
        number: From 1.
        truth: Their true answer, which only a simulation knows.
        device: What the device showed.
        spoken: What they say.
        estimate: The estimate so far: the share of carriers or of the chosen answer, or the mean;
            None while there are too few respondents.
        lower, upper: The interval of that estimate.
        said: For a yes-no design, each answer: one, or one for each item.
    """

    number: int
    truth: str
    device: str
    spoken: str
    estimate: float | None
    lower: float
    upper: float
    said: tuple[Said, ...] = ()


class RespondentStream(ABC):
    """Draws respondents one after the other; the same seed repeats them.

    Args:
        seed: Seed of the generator.
        confidence: Coverage of the intervals.
    """

    def __init__(self, seed: int, confidence: float) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._confidence = confidence
        self._made: list[Respondent] = []

    def first(self, count: int) -> tuple[Respondent, ...]:
        """Returns the first `count` respondents, at most 100,000."""
        while len(self._made) < min(count, MOST):
            self._made.append(self._next(len(self._made) + 1))
        return tuple(self._made[:count])

    def _next(self, number: int) -> Respondent:
        return Respondent(number, *self._ask(), *self._estimate(number))

    @abstractmethod
    def _ask(self) -> tuple[str, str, str]:
        """Draws the next respondent: the truth, the device and the answer, in words."""

    @abstractmethod
    def _estimate(self, respondents: int) -> tuple[float | None, float, float]:
        """Returns the estimate after a number of respondents, with its interval."""


class YesNoStream(RespondentStream):
    """Respondents of a yes-no question.

    Args:
        design: The design; respondents take its groups in turn.
        prevalence: The true share of carriers.
        seed: Seed of the generator.
        behaviour: Shares of respondents who do not follow the device.
        confidence: Coverage of the intervals.
        choice: The device that respondents use.

    Raises:
        ParameterError: The share or the design's parameters are invalid, or the device has not the
            chances of the design.
    """

    def __init__(
        self,
        design: YesNoDesign,
        prevalence: float,
        seed: int,
        behaviour: Behaviour = COMPLIANT,
        confidence: float = 0.95,
        *,
        choice: DeviceChoice = ANY_DEVICE,
    ) -> None:
        if not 0 <= prevalence <= 1:
            raise ParameterError(T.BAD_SHARE())
        super().__init__(seed, confidence)
        self._design = design
        self._prevalence = prevalence
        self._behaviour = behaviour
        self._asked = tuple(zip(design.instructions(choice=choice), design.asked, strict=True))
        self._totals = np.zeros((1, len(self._asked)))
        self._sizes = [0] * len(self._asked)
        self._said: tuple[Said, ...] = ()
        self._drawn: dict[tuple[int, bool, bool, bool], tuple[tuple[Said, ...], _Sums]] = {}

    def _next(self, number: int) -> Respondent:
        words = self._ask()
        return Respondent(number, *words, *self._estimate(number), self._said)

    def _ask(self) -> tuple[str, str, str]:
        number = len(self._made)
        carrier = bool(self._generator.random() < self._prevalence)
        careless = bool(self._generator.random() < self._behaviour.careless)
        stubborn = bool(self._generator.random() < self._shirking(carrier))
        chosen = range(len(self._asked))
        if not self._design.same_respondents:
            chosen = range(number % len(self._asked), number % len(self._asked) + 1)
        self._said = tuple(self._answer(item, carrier, careless, stubborn) for item in chosen)
        for item, answer in zip(chosen, self._said, strict=True):
            self._totals[0, item] += answer_worth(answer.answer)
            self._sizes[item] += 1
        return (
            "yes" if carrier else "no",
            "; ".join(said.outcome for said in self._said),
            ", ".join(f"“{said.spoken}”" for said in self._said),
        )

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

    def _estimate(self, respondents: int) -> tuple[float | None, float, float]:
        if min(self._sizes) < 2:
            return None, -inf, inf
        estimated = self._design.estimates(self._totals, self._sizes, self._confidence)
        value, _, lower, upper = estimated.only
        return (value, lower, upper) if isfinite(value) else (None, -inf, inf)


class SeveralStream(RespondentStream):
    """Respondents of a question with several answers.

    Args:
        design: The design.
        shares: The supposed true shares.
        names: The texts of the answers.
        looked: Number of the answer whose share is estimated, from 0.
        seed: Seed of the generator.
        evasion: Respondents who do not follow the instruction.
        confidence: Coverage of the intervals.
        choice: The device that respondents use.

    Raises:
        ParameterError: The shares or the design's parameters are invalid, or the device has not
            the chances of the design.
    """

    def __init__(
        self,
        design: SeveralDesign,
        shares: Sequence[float],
        names: Sequence[str],
        looked: int,
        seed: int,
        evasion: Evasion = NONE_EVADES,
        confidence: float = 0.95,
        *,
        choice: DeviceChoice = ANY_DEVICE,
    ) -> None:
        super().__init__(seed, confidence)
        self._design = design
        self._shares = require_shares(design, shares)
        self._names = tuple(names)
        self._looked = looked
        self._evasion = evasion
        self._counts = np.zeros(len(self._shares))
        self._ways = design.ways(names, choice)
        self._program = design.program

    def _ask(self) -> tuple[str, str, str]:
        true = int(self._generator.choice(len(self._shares), p=self._shares))
        careless = bool(self._generator.random() < self._evasion.careless)
        hides = true == self._evasion.hidden and bool(self._generator.random() < self._evasion.deny)
        acted = self._evasion.instead if hides else true
        if careless:
            acted = int(self._generator.integers(len(self._shares)))
        if self._program is not None:
            device = _GUESSES if careless else _ENTERS if hides else "the program draws a report"
            supported = supports_of(self._program, len(self._shares), acted, self._generator)
            self._counts += supported
            return self._names[true], device, self._report(np.flatnonzero(supported).tolist())
        device, said = CARELESS if careless else HIDES, acted
        if not (careless or hides):
            ways = self._ways[true]
            chances = [float(way.chance) for way in ways]
            way = ways[int(self._generator.choice(len(ways), p=np.array(chances) / sum(chances)))]
            device, said = way.outcome, int(way.answer) - 1
        self._counts[said] += 1
        return self._names[true], device, f"“{self._names[said]}”"

    def _report(self, supported: list[int]) -> str:
        answers = ", ".join(f"“{self._names[index]}”" for index in supported)
        return T.REPORT_FOR(answers=answers) if answers else T.REPORT_FOR_NONE()

    def _estimate(self, respondents: int) -> tuple[float | None, float, float]:
        if respondents < 2:  # a variance needs two
            return None, -inf, inf
        counts = self._counts[np.newaxis]
        estimated = self._design.estimates_of_shares(counts, respondents, self._confidence)
        share, lower, upper = (float(part[0, self._looked]) for part in estimated)
        return share, lower, upper


class NumberStream(RespondentStream):
    """Respondents of a question whose answer is a number.

    Args:
        design: The design.
        true: The law of the numbers that respondents answer by.
        seed: Seed of the generator.
        confidence: Coverage of the intervals.
        unit: Unit of the numbers; may be empty.

    Raises:
        ParameterError: The design's parameters are invalid.
    """

    def __init__(
        self,
        design: NumberDesign,
        true: TrueNumbers,
        seed: int,
        confidence: float = 0.95,
        *,
        unit: str = "",
    ) -> None:
        super().__init__(seed, confidence)
        self._unit = f" {unit}" if unit else ""
        self._law = design.drawn_law
        self._true = true
        self._shift, self._factor = design.shift_and_factor
        self._sums = [0.0, 0.0]

    def _ask(self) -> tuple[str, str, str]:
        honest = TrueNumbers(
            self._true.mean, self._true.deviation, self._true.lower, self._true.upper
        )
        true = float(draw_true(self._generator, honest, 1)[0])
        acted, words = true, ""
        if self._generator.random() < self._true.understating:
            acted, words = self._true.lower, f"; {UNDERSTATES}"
        drawn = draw_device(self._generator, self._law, (1,))
        said = float(self._law.applied(np.array([acted]), drawn)[0])
        if self._law.truth and self._generator.random() < self._law.truth:
            device, said = "the device orders the truth", acted
        elif self._law.multiplies:
            device = T.FACTOR(number=f"{drawn[0]:.4g}")
        else:
            device = T.ADDEND(number=f"{drawn[0]:,.4g}{self._unit}")
        score = (said - self._shift) / self._factor - self._true.mean
        self._sums[0] += score
        self._sums[1] += score**2
        return f"{true:,.4g}{self._unit}", device + words, f"{said:,.4g}{self._unit}"

    def _estimate(self, respondents: int) -> tuple[float | None, float, float]:
        if respondents < 2:  # a variance needs two
            return None, -inf, inf
        # Sums of deviations from the supposed mean: sums of large numbers would lose digits.
        mean = self._sums[0] / respondents
        variance = max(self._sums[1] - respondents * mean**2, 0.0) / (respondents - 1)
        half = normal_quantile(self._confidence) * sqrt(variance / respondents)
        value = self._true.mean + mean
        return value, value - half, value + half


def ways_of(
    procedure: Procedure, group: Group, carrier: bool, *, careless: bool, stubborn: bool
) -> tuple[Way, ...]:
    """Returns all outcomes for a respondent, given their true state and behaviour.

    Args:
        procedure: The instruction.
        group: The law of their answers.
        carrier: Whether they are a carrier.
        careless: Whether they give any possible answer with the same chance.
        stubborn: Whether they give the answer that is least evidence of a carrier, or, if there is
            no such answer, answer as a non-carrier.
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


def supports_of(
    program: Program, size: int, answer: int, generator: np.random.Generator
) -> NDArray[np.bool_]:
    """Draws which answers the report of one respondent supports, shape (m,).

    Args:
        program: The mechanism with its chances.
        size: Number of answers, m.
        answer: Number of the respondent's answer, from 0.
        generator: The source of chance.
    """
    p, q, kind = program.p, program.q, program.mechanism.kind
    own = bool(generator.random() < p)
    others = np.delete(np.arange(size), answer)
    supported = np.zeros(size, dtype=np.bool_)
    if kind in ("grr", "subset_selection"):
        # The other members of the set are a uniform choice among the other answers.
        members = round(p + (size - 1) * q) - own
        supported[generator.permutation(others)[:members]] = True
        supported[answer] = own
        return supported
    if kind == "hadamard":
        rows = np.arange(1 << size.bit_length())
        kept = np.bitwise_count(rows & (answer + 1)) % 2 == (0 if own else 1)
        row = int(generator.choice(rows[kept]))
        return np.asarray(np.bitwise_count(row & np.arange(1, size + 1)) % 2 == 0)
    # Bits are drawn independently; hashing puts any other answer into the reported bucket with 1/g.
    supported[:] = generator.random(size) < q
    supported[answer] = own
    return supported
