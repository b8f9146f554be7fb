"""Designs for a question with several answers.

Of a matrix, P[true, said] are the device's chances. With lambda^ the shares of what was said, the
shares of the true answers are pi^ = P^-T lambda^, and their covariance is P^-T (diag lambda -
lambda lambda^T) P^-1 / n, estimated without bias with n - 1 (Chaudhuri and Mukerjee 1988).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import fsum, lcm
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dpdesk.designs.base import Departure, Design, Quantity
from dpdesk.designs.behaviour import NONE_EVADES, Evasion, departed
from dpdesk.designs.devices import draw_of
from dpdesk.designs.estimator_law import RESPONDENTS_MAX
from dpdesk.designs.law import Group, Loss, loss_of
from dpdesk.designs.procedure import QUESTION, REASON, UNSEEN, Instruction, Way, if_outcome
from dpdesk.designs.yes_no import Floats
from dpdesk.errors import InputError, ParameterError
from dpdesk.mechanisms import Mechanism, normal_quantile

_NEARLY_ONE = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class CategoryEstimate:
    """Unbiased estimates of the shares of the true answers; arrays of shape (m,).

    Attributes:
        shares: The shares as they are; they sum to 1, and one may be negative.
        covariance: Their covariance, shape (m, m).
        sampling_errors: The part that direct questions would have had, at the truncated shares.
        privacy_errors: The part that the device adds.
        lower, upper: Ends of the normal intervals.
    """

    shares: Floats
    covariance: Floats
    sampling_errors: Floats
    privacy_errors: Floats
    lower: Floats
    upper: Floats

    @property
    def standard_errors(self) -> Floats:
        """Standard errors of the shares."""
        return np.asarray(np.sqrt(np.diag(self.covariance)))

    @property
    def truncated(self) -> Floats:
        """The shares moved between 0 and 1."""
        return np.clip(self.shares, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class CategoryInstruction(Instruction):
    """What respondents do who have several answers to choose from.

    Attributes:
        ways: Everything that can happen, for each true answer.
    """

    ways: tuple[tuple[Way, ...], ...]

    def law(self) -> tuple[tuple[Fraction, ...], ...]:
        """Returns the chance of each answer (column) for each true answer (row)."""
        said = [str(number) for number in range(1, len(self.ways) + 1)]
        return tuple(
            tuple(
                sum((way.chance for way in row if way.answer == answer), Fraction(0))
                for answer in said
            )
            for row in self.ways
        )


@dataclass(frozen=True, slots=True, eq=False)
class Reports:
    """What the reports of a design say of the true answers.

    Attributes:
        law: Chance of each report (column) by each true answer (row), up to a factor of its column.
        alone: Whether a report is of one answer; else it may be for several answers at once, and
            each column is of the report that is for one alone, which discloses most.
    """

    law: Floats
    alone: bool


@dataclass(frozen=True, slots=True)
class Program:
    """What draws a report instead of the respondent.

    Attributes:
        mechanism: The mechanism, at its epsilon.
        p: Chance that a report supports the answer it is of.
        q: Chance that it supports any other one.
    """

    mechanism: Mechanism
    p: float
    q: float


@dataclass(frozen=True, slots=True, eq=False)
class SharesTheory:
    """Means and errors of the estimated shares by theory, shape (m,) each."""

    means: Floats
    errors: Floats


class SeveralDesign(Design):
    """A design for a question with several answers; shares are arrays of shape (m,)."""

    quantity: ClassVar[Quantity] = "shares"
    departures: ClassVar[tuple[Departure, ...]] = ("denial", "carelessness")

    @classmethod
    @abstractmethod
    def for_answers(cls, answers: int) -> Self:
        """Returns the usual design for a question with so many answers, at least 2."""

    @abstractmethod
    def resized(self, answers: int, removed: int | None = None) -> Self:
        """Returns the design for another number of answers, as like this one as can be.

        Args:
            answers: Number of answers from now on.
            removed: Number of the answer that went, from 0; None if they were added at the end.
        """

    @property
    @abstractmethod
    def size(self) -> int:
        """The number of answers, m."""

    @property
    @abstractmethod
    def groups(self) -> tuple[Group, ...]:
        """The law of the reports, as far as they tell of the true answer."""

    @property
    def loss(self) -> Loss:
        """Epsilon and the jeopardy of every report."""
        return loss_of(self.groups)

    @property
    def as_shares(self) -> SeveralDesign | None:
        """This design."""
        return self

    @property
    def as_matrix(self) -> CategoryDesign | None:
        """This design as one of a matrix of chances, whose answers are said; None for others."""
        return None

    @property
    @abstractmethod
    def reports(self) -> Reports:
        """The law of the reports, for beliefs.

        Raises:
            ParameterError: The parameters make no device.
        """

    @property
    def program(self) -> Program | None:
        """What draws the reports; None where respondents use a device and say an answer."""
        return None

    def said_law(self, evasion: Evasion = NONE_EVADES) -> Floats:
        """Returns the chance of each answer said (column) by each true answer (row).

        To be asked of designs without a program.
        """
        raise TypeError(f"no answers are said with {self.kind}")

    def ways(self, names: Sequence[str] = ()) -> tuple[tuple[Way, ...], ...]:
        """Returns all that can happen, for each true answer; nothing with a program."""
        return ()

    @abstractmethod
    def planned_variances(self, shares: Floats) -> tuple[Floats, Floats]:
        """Returns n times the variance of each share: the sampling's part and the device's.

        Args:
            shares: The true shares, everybody following the instruction.
        """

    @abstractmethod
    def scores(self, answer: int) -> Floats:
        """Returns what reports count for in the estimated share of one answer.

        Args:
            answer: Number of the answer, from 0.
        """

    @abstractmethod
    def moments_of_shares(self, shares: Floats, evasion: Evasion) -> tuple[Floats, Floats]:
        """Returns the means of the estimated shares, and n times their variances, exactly.

        Args:
            shares: The true shares.
            evasion: Respondents who do not follow the instruction.
        """

    @abstractmethod
    def estimates_of_shares(
        self, counts: NDArray[np.int64] | Floats, respondents: int, confidence: float
    ) -> tuple[Floats, Floats, Floats]:
        """Returns the shares of many surveys and both ends of their intervals.

        Args:
            counts: How often each answer was said, or supported, shape (surveys, m).
            respondents: Number of respondents of each survey.
            confidence: Coverage of the intervals.
        """

    def answer_names(self, given: Sequence[str]) -> tuple[str, ...]:
        """Returns the words of the answers: as given, else their numbers."""
        names = (*given, *[""] * self.size)[: self.size]
        return tuple(name.strip() or f"answer {number}" for number, name in enumerate(names, 1))


def require_shares(design: SeveralDesign, shares: Sequence[float]) -> Floats:
    """Returns the supposed shares as an array.

    Raises:
        ParameterError: They are not one per answer, none below 0, with the sum 1.
    """
    size = design.size
    if len(shares) != size:
        raise ParameterError(
            f"The design has {size} answers; there are {len(shares)} supposed shares.",
            remedy="Give one share for each answer.",
        )
    if min(shares) < 0 or abs(fsum(shares) - 1) > _NEARLY_ONE:
        raise ParameterError(
            "The supposed shares must not be negative, and their sum must be 1.",
            remedy="Correct them, as in 0.6,0.3,0.1.",
        )
    return np.array(shares, dtype=np.float64) / fsum(shares)


def shares_theory(
    design: SeveralDesign,
    shares: Sequence[float],
    respondents: int,
    evasion: Evasion = NONE_EVADES,
) -> SharesTheory:
    """Returns means and errors of all estimated shares, exactly.

    Raises:
        ParameterError: The survey cannot be held, or the design does not tell the shares.
    """
    true = require_shares(design, shares)
    if not 2 <= respondents <= RESPONDENTS_MAX:
        raise ParameterError(
            "A survey needs at least 2 respondents.", remedy="Type a larger number."
        )
    means, variances = design.moments_of_shares(true, evasion)
    return SharesTheory(means, np.sqrt(np.maximum(variances, 0.0) / respondents))


def share_variances(design: SeveralDesign, shares: Sequence[float]) -> tuple[Floats, Floats]:
    """Returns n times the variance of each share: the sampling's part and the device's.

    Everybody follows the instruction.

    Raises:
        ParameterError: The shares are impossible, or the design does not tell them.
    """
    return design.planned_variances(require_shares(design, shares))


class CategoryDesign(SeveralDesign):
    """A design of m answers, each of which is a true answer as well."""

    @classmethod
    def example(cls) -> Self:
        """Returns the usual design for four answers."""
        return cls.for_answers(4)

    @property
    @abstractmethod
    def law(self) -> tuple[tuple[Fraction, ...], ...]:
        """Chance of each answer said (column) by each true answer (row), exactly.

        Raises:
            ParameterError: The parameters make no device.
        """

    @property
    def size(self) -> int:
        """The number of answers, m."""
        return len(self.law)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The one group, answers being named by their numbers."""
        names = tuple(f"answer {number}" for number in range(1, len(self.law) + 1))
        return (Group("", names, names, self.law),)

    @property
    def unmixing(self) -> Floats:
        """P^-T: column j is the score of a respondent who says answer j, shape (m, m).

        Raises:
            ParameterError: The answers do not tell all shares apart.
        """
        found = _unmixing_of(self.law)
        if found is None:
            raise ParameterError(
                "With these parameters different shares give the same answers, so that the "
                "answers do not tell the shares.",
                remedy="Choose a device that tells the truth more often.",
            )
        return found

    def estimate(self, answers: Sequence[int], confidence: float = 0.95) -> CategoryEstimate:
        """Returns the shares of the true answers.

        Args:
            answers: Number of respondents who gave each answer, in the order of the matrix.
            confidence: Coverage of the intervals.

        Raises:
            InputError: The numbers are not one per answer, or are of fewer than 2 respondents.
        """
        unmixing = self.unmixing
        if len(answers) != len(unmixing):
            raise InputError(
                f"The design has {len(unmixing)} answers; {len(answers)} numbers are given.",
                remedy="Give the number of respondents of each answer, such as 120,45,30.",
            )
        n = sum(answers)
        if n < 2 or min(answers) < 0:  # a variance needs two
            raise InputError(
                "An estimate with an error needs at least 2 respondents, and no negative number.",
                remedy="Correct the numbers of respondents.",
            )
        said = np.array(answers, dtype=np.float64) / n
        shares = unmixing @ said
        spread = np.diag(said) - np.outer(said, said)
        covariance = unmixing @ spread @ unmixing.T / (n - 1)
        # Where all say the same the variance is 0, and rounding may take it below.
        np.fill_diagonal(covariance, np.maximum(np.diag(covariance), 0.0))
        sampling, privacy = self.planned_variances(np.clip(shares, 0.0, 1.0))
        half = normal_quantile(confidence) * np.sqrt(np.diag(covariance))
        return CategoryEstimate(
            shares=shares,
            covariance=covariance,
            sampling_errors=np.sqrt(sampling / n),
            privacy_errors=np.sqrt(privacy / n),
            lower=shares - half,
            upper=shares + half,
        )

    def planned_variances(self, shares: Floats) -> tuple[Floats, Floats]:
        """Returns n times the variance of each share: the sampling's part and the device's.

        Args:
            shares: The true shares, shape (m,).
        """
        law = np.array([[float(x) for x in row] for row in self.law])
        # Var of the score given the true answer t: sum of P[t, j] U[i, j]^2, less 1 where i = t.
        squares = self.unmixing**2 @ law.T - np.eye(len(law))
        return shares * (1 - shares), np.maximum(squares @ shares, 0.0)

    @property
    def as_matrix(self) -> CategoryDesign | None:
        """This design."""
        return self

    @property
    def reports(self) -> Reports:
        """Every answer that is said is a report."""
        return Reports(np.array([[float(x) for x in row] for row in self.law]), alone=True)

    def said_law(self, evasion: Evasion = NONE_EVADES) -> Floats:
        """Returns the device's chances; who hides an answer says the other one outright."""
        instead = np.eye(self.size)[evasion.instead]
        moved = {evasion.hidden: (evasion.deny, instead)}
        return departed(
            self.reports.law, moved, evasion.careless, np.full(self.size, 1 / self.size)
        )

    def ways(self, names: Sequence[str] = ()) -> tuple[tuple[Way, ...], ...]:
        """Returns all that the device can show to who has each true answer."""
        return self.instructions("", names)[0].ways

    def scores(self, answer: int) -> Floats:
        """Returns the score of each answer that is said."""
        return np.asarray(self.unmixing[answer])

    def moments_of_shares(self, shares: Floats, evasion: Evasion) -> tuple[Floats, Floats]:
        """Returns the moments of the scores of what is said."""
        unmixing, said = self.unmixing, shares @ self.said_law(evasion)
        means = unmixing @ said
        return means, unmixing**2 @ said - means**2

    def estimates_of_shares(
        self, counts: NDArray[np.int64] | Floats, respondents: int, confidence: float
    ) -> tuple[Floats, Floats, Floats]:
        """Returns the shares with normal intervals."""
        unmixing, said = self.unmixing, counts / respondents
        shares = said @ unmixing.T
        variances = np.maximum(said @ (unmixing**2).T - shares**2, 0.0) / (respondents - 1)
        half = normal_quantile(confidence) * np.sqrt(variances)
        return shares, shares - half, shares + half

    @property
    def names_taken(self) -> int:
        """Every answer has its words."""
        return self.size

    def instructions(
        self, question: str = "", others: Sequence[str] = ()
    ) -> tuple[CategoryInstruction]:
        """Returns what respondents do; `others` are the words of the answers."""
        return (self._instruction(question.strip() or QUESTION, self.answer_names(others)),)

    def _instruction(self, question: str, words: tuple[str, ...]) -> CategoryInstruction:
        """What is said for each outcome by each true answer."""
        return by_rows(self.law, question, words)


def by_rows(
    law: Sequence[Sequence[Fraction]], question: str, words: Sequence[str]
) -> CategoryInstruction:
    """Returns what respondents do with a device whose outcomes mean something else to each answer.

    Args:
        law: Chance of each answer said (column) by each true answer (row).
        question: The question.
        words: The words of the answers.
    """
    # One device for every true answer: different ones would betray it.
    size = lcm(*(chance.denominator for row in law for chance in row))
    steps: list[str] = []
    ways: list[tuple[Way, ...]] = []
    tool = ""
    for name, row in zip(words, law, strict=True):
        kept = [(n, chance) for n, chance in enumerate(row, start=1) if chance]
        draw = draw_of(size, [chance for _, chance in kept])
        tool = draw.tool
        if draw.use and not steps:
            steps.append(f"{draw.use}, {UNSEEN}.")
        ways.append(
            tuple(
                Way(chance, outcome, str(n))
                for (n, chance), outcome in zip(kept, draw.outcomes, strict=True)
            )
        )
        steps += [
            if_outcome(
                f"your true answer is “{name}” and {way.outcome}",
                way.chance,
                f"say “{words[int(way.answer) - 1]}”",
            )
            for way in ways[-1]
        ]
    return CategoryInstruction(
        "", tool, asked_among(question, words), tuple(steps), REASON, tuple(ways)
    )


def asked_among(question: str, words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Returns a question with the answers to choose from, as an instruction holds it."""
    return (("", f"{question} ({', '.join(words)})"),)


# An exact inverse takes milliseconds, and a picture that moves with a slider asks for it often.
@lru_cache(maxsize=64)
def _unmixing_of(law: tuple[tuple[Fraction, ...], ...]) -> Floats | None:
    """P^-T of a matrix, not to be written to; None where it has none."""
    found = inverse(law)
    if found is None:
        return None
    unmixing = np.array([[float(x) for x in row] for row in found]).T
    unmixing.flags.writeable = False
    return unmixing


def inverse(matrix: Sequence[Sequence[Fraction]]) -> tuple[tuple[Fraction, ...], ...] | None:
    """Returns the exact inverse by elimination of Gauss and Jordan; None where there is none."""
    size = len(matrix)
    rows = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = next((i for i in range(column, size) if rows[i][column]), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        head = rows[column][column]
        rows[column] = [x / head for x in rows[column]]
        for i in range(size):
            factor = rows[i][column]
            if i != column and factor:
                rows[i] = [x - factor * y for x, y in zip(rows[i], rows[column], strict=True)]
    return tuple(tuple(row[size:]) for row in rows)
