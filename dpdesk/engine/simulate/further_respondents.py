"""Respondents who are not there, of a question with several answers or whose answer is a number.

Everything is drawn from a seed and from the design's own instruction, so that the device shown and
the answer belong together.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.additive import Additive
from dpdesk.designs.bar_lev import BarLev
from dpdesk.designs.instructions.several import several_answers
from dpdesk.designs.mechanism_share import MechanismShare
from dpdesk.designs.number_design import NumberDesign
from dpdesk.designs.number_law import TrueNumbers
from dpdesk.designs.several_law import NONE_EVADES, Evasion, SeveralDesign, require_shares
from dpdesk.engine.simulate.numbers import draw_device, draw_true
from dpdesk.engine.simulate.respondents import CARELESS, MOST
from dpdesk.mechanisms import normal_quantile

HIDES = "does not follow the device: hides the answer"
UNDERSTATES = "acts as if the least number were the true one"
_ENTERS = "enters another answer; the program draws a report from it"
_GUESSES = "enters any answer; the program draws a report from it"


@dataclass(frozen=True, slots=True)
class FurtherRespondent:
    """A hypothetical respondent, and the estimate once they have answered.

    Attributes:
        number: From 1.
        truth: Their true answer, which only a simulation knows.
        device: What the device showed.
        said: What they say.
        estimate: The estimate so far: the share looked at, or the mean; None while there are too
            few.
        lower, upper: The interval of that estimate.
    """

    number: int
    truth: str
    device: str
    said: str
    estimate: float | None
    lower: float
    upper: float


class FurtherStream(ABC):
    """Draws respondents, as many as are asked for; the same seed repeats them.

    Args:
        seed: Seed of the generator.
        confidence: Coverage of the intervals.
    """

    def __init__(self, seed: int, confidence: float) -> None:
        self._generator = np.random.Generator(np.random.PCG64(seed))
        self._confidence = confidence
        self._made: list[FurtherRespondent] = []

    def first(self, count: int) -> tuple[FurtherRespondent, ...]:
        """Returns the first so many respondents, at most 100,000."""
        while len(self._made) < min(count, MOST):
            number = len(self._made) + 1
            self._made.append(FurtherRespondent(number, *self._ask(), *self._estimate(number)))
        return tuple(self._made[:count])

    @abstractmethod
    def _ask(self) -> tuple[str, str, str]:
        """Draws the next respondent: the truth, the device and what is said, in words."""

    @abstractmethod
    def _estimate(self, respondents: int) -> tuple[float | None, float, float]:
        """Returns the estimate after so many respondents, with its interval."""


class SeveralStream(FurtherStream):
    """Respondents of a question with several answers.

    Args:
        design: The design.
        shares: The supposed true shares.
        names: The words of the answers.
        looked: Number of the answer whose share is estimated, from 0.
        seed: Seed of the generator.
        evasion: Respondents who do not follow the instruction.
        confidence: Coverage of the intervals.

    Raises:
        ParameterError: The shares or the design's parameters are impossible.
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
    ) -> None:
        super().__init__(seed, confidence)
        self._design = design
        self._shares = require_shares(design, shares)
        self._names = tuple(names)
        self._looked = looked
        self._evasion = evasion
        self._counts = np.zeros(len(self._shares))
        self._ways = (
            () if isinstance(design, MechanismShare) else several_answers(design, "", names).ways
        )
        self._unmixing = None if isinstance(design, MechanismShare) else design.unmixing

    def _ask(self) -> tuple[str, str, str]:
        true = int(self._generator.choice(len(self._shares), p=self._shares))
        careless = bool(self._generator.random() < self._evasion.careless)
        hides = true == self._evasion.hidden and bool(self._generator.random() < self._evasion.deny)
        acted = self._evasion.instead if hides else true
        if careless:
            acted = int(self._generator.integers(len(self._shares)))
        if isinstance(self._design, MechanismShare):
            device = _GUESSES if careless else _ENTERS if hides else "the program draws a report"
            supported = supports_of(self._design, acted, self._generator)
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
        named = ", ".join(f"“{self._names[index]}”" for index in supported)
        return f"report for {named}" if named else "report for no answer"

    def _estimate(self, respondents: int) -> tuple[float | None, float, float]:
        if respondents < 2:  # a variance needs two
            return None, -inf, inf
        if self._unmixing is None:
            assert isinstance(self._design, MechanismShare)  # noqa: S101 - it has no matrix
            total = self._counts[self._looked, np.newaxis]
            found = self._design.estimates(total, (respondents,), self._confidence)
            share, _, lower, upper = found.only
            return share, lower, upper
        said, row = self._counts / respondents, self._unmixing[self._looked]
        share = float(said @ row)
        variance = max(float(said @ row**2) - share**2, 0.0) / (respondents - 1)
        half = normal_quantile(self._confidence) * sqrt(variance)
        return share, share - half, share + half


class NumberStream(FurtherStream):
    """Respondents of a question whose answer is a number.

    Args:
        design: The design.
        true: The law of the numbers that respondents act upon.
        seed: Seed of the generator.
        confidence: Coverage of the intervals.

    Raises:
        ParameterError: The design's parameters are impossible.
    """

    def __init__(
        self, design: NumberDesign, true: TrueNumbers, seed: int, confidence: float = 0.95
    ) -> None:
        super().__init__(seed, confidence)
        self._design = design
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
        drawn = float(draw_device(self._generator, self._design, (1,))[0])
        if isinstance(self._design, BarLev) and self._generator.random() < self._design.truth:
            device, said = "the device orders the truth", acted
        elif isinstance(self._design, Additive):
            device, said = f"the number to add: {drawn:,.4g}", acted + drawn
        else:
            device, said = f"the number to multiply by: {drawn:.4g}", acted * drawn
        score = (said - self._shift) / self._factor - self._true.mean
        self._sums[0] += score
        self._sums[1] += score**2
        return f"{true:,.4g}", device + words, f"{said:,.4g}"

    def _estimate(self, respondents: int) -> tuple[float | None, float, float]:
        if respondents < 2:  # a variance needs two
            return None, -inf, inf
        # Sums of deviations from the supposed mean: those of large numbers would cancel badly.
        mean = self._sums[0] / respondents
        variance = max(self._sums[1] - respondents * mean**2, 0.0) / (respondents - 1)
        half = normal_quantile(self._confidence) * sqrt(variance / respondents)
        value = self._true.mean + mean
        return value, value - half, value + half


def supports_of(
    design: MechanismShare, answer: int, generator: np.random.Generator
) -> NDArray[np.bool_]:
    """Draws which answers the report of one respondent supports, shape (m,).

    Args:
        design: The mechanism.
        answer: Number of the respondent's answer, from 0.
        generator: The source of chance.
    """
    p, q = map(float, design.chances)
    size = design.categories
    own = bool(generator.random() < p)
    others = np.delete(np.arange(size), answer)
    found = np.zeros(size, dtype=np.bool_)
    if design.mechanism in ("grr", "subset_selection"):
        # The members of the set besides one's own answer are any of the others alike.
        members = round(p + (size - 1) * q) - own
        found[generator.permutation(others)[:members]] = True
        found[answer] = own
        return found
    if design.mechanism == "hadamard":
        rows = np.arange(1 << size.bit_length())
        kept = np.bitwise_count(rows & (answer + 1)) % 2 == (0 if own else 1)
        row = int(generator.choice(rows[kept]))
        return np.asarray(np.bitwise_count(row & np.arange(1, size + 1)) % 2 == 0)
    # Bits are drawn each by itself; hashing puts any other answer into the reported cell with 1/g.
    found[:] = generator.random(size) < q
    found[answer] = own
    return found
