"""Devices given by a matrix of chances, for a question with several answers.

P[true, said] are the device's chances. With lambda^ the shares of what was said, the shares of the
true answers are pi^ = P^-T lambda^, and their covariance is P^-T (diag lambda - lambda lambda^T)
P^-1 / n, estimated without bias with n - 1 (Chaudhuri and Mukerjee 1988).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dpdesk.designs.base import divided_near, possible
from dpdesk.designs.behaviour import NONE_EVADES, Evasion, departed
from dpdesk.designs.devices import ANY_DEVICE, Chances, Device, DeviceChoice, Picture, chance_words
from dpdesk.designs.instructions import Instruction, Practice, Way, drawn, practised
from dpdesk.designs.law import Group
from dpdesk.designs.probability import Probability
from dpdesk.designs.several_answers import Reports, SeveralDesign
from dpdesk.designs.texts import T
from dpdesk.errors import InputError, ParameterError
from dpdesk.i18n import N_
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import ratio_interval, share_variance

if TYPE_CHECKING:
    from dpdesk.mechanisms import Mechanism

_TRUTH = Fraction(3, 5)


@dataclass(frozen=True, slots=True, eq=False)
class CategoryEstimate:
    """Unbiased estimates of the shares of the true answers; arrays of shape (m,).

    Attributes:
        shares: The shares as they are; they sum to 1, and one may be negative.
        covariance: Their covariance, shape (m, m).
        sampling_errors: The part that direct questions would have had, at the truncated shares.
        privacy_errors: The part that the device adds.
        lower, upper: Ends of the score intervals.
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
    """What respondents do if there are several answers to choose from.

    Attributes:
        ways: Everything that can happen, for each true answer.
        names: The words of the answers.
    """

    ways: tuple[tuple[Way, ...], ...]
    names: tuple[str, ...]

    @property
    def practice(self) -> tuple[Practice, ...]:
        said = [(way.outcome, self.names[int(way.answer) - 1]) for way in self.ways[-1]]
        begin = T.SUPPOSE_ANSWER(answer=self.names[-1])
        return (Practice(begin, practised(said)),) if len(said) > 1 else ()

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


class CategoryDesign(SeveralDesign):
    """A design of m answers, each of which is a true answer as well."""

    @classmethod
    def example(cls) -> Self:
        return cls.for_answers(4)

    def _in_plan(self) -> tuple[Mechanism, str]:
        from dpdesk.mechanisms.pram import Pram

        rows = [[str(chance) for chance in row] for row in self.law]
        return Pram.model_validate({"matrix": rows}), T.AS_MATRIX()

    @property
    @abstractmethod
    def law(self) -> tuple[tuple[Fraction, ...], ...]:
        """Chance of each answer said (column) by each true answer (row), exactly.

        Raises:
            ParameterError: The parameters make no device.
        """

    @property
    def size(self) -> int:
        return len(self.law)

    @property
    def groups(self) -> tuple[Group, ...]:
        names = tuple(f"answer {number}" for number in range(1, len(self.law) + 1))
        return (Group("", names, names, self.law),)

    @property
    def unmixing(self) -> Floats:
        """P^-T: column j is the score of a respondent who says answer j, shape (m, m).

        Raises:
            ParameterError: The matrix has no inverse, so that the shares cannot be estimated.
        """
        found = _unmixing_of(self.law)
        if found is None:
            raise ParameterError(T.NO_INVERSE())
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
            raise InputError(T.COUNT_OF_ANSWERS(answers=len(unmixing), given=len(answers)))
        n = sum(answers)
        if n < 2 or min(answers) < 0:  # a variance needs two
            raise InputError(T.FEW_RESPONDENTS())
        said = np.array(answers, dtype=np.float64) / n
        shares = unmixing @ said
        spread = np.diag(said) - np.outer(said, said)
        covariance = unmixing @ spread @ unmixing.T / (n - 1)
        # If all give the same answer the variance is 0, and rounding may make it negative.
        np.fill_diagonal(covariance, np.maximum(np.diag(covariance), 0.0))
        sampling, privacy = self.planned_variances(np.clip(shares, 0.0, 1.0))
        lower, upper = self._intervals(shares, n, confidence)
        return CategoryEstimate(
            shares=shares,
            covariance=covariance,
            sampling_errors=np.sqrt(sampling / n),
            privacy_errors=np.sqrt(privacy / n),
            lower=lower,
            upper=upper,
        )

    def _intervals(self, shares: Floats, n: int, confidence: float) -> tuple[Floats, Floats]:
        """Score intervals: every share that the answers do not contradict, shape (..., m) each."""
        law = np.array([[float(x) for x in row] for row in self.law])
        squares = self.unmixing**2 @ law.T
        possible = np.clip(shares, 0.0, 1.0)
        possible = possible / possible.sum(axis=-1, keepdims=True)
        variance = share_variance(possible, np.diag(squares), possible @ squares.T)
        lower, upper = ratio_interval(shares, 1.0, variance.times(1 / n), confidence)
        return np.minimum(lower, shares), np.maximum(upper, shares)

    def planned_variances(self, shares: Floats) -> tuple[Floats, Floats]:
        law = np.array([[float(x) for x in row] for row in self.law])
        # Var of the score given the true answer t: sum of P[t, j] U[i, j]^2, less 1 where i = t.
        squares = self.unmixing**2 @ law.T - np.eye(len(law))
        return shares * (1 - shares), np.maximum(squares @ shares, 0.0)

    @property
    def reports(self) -> Reports:
        return Reports(np.array([[float(x) for x in row] for row in self.law]), alone=True)

    def report_law(self, evasion: Evasion = NONE_EVADES) -> Floats:
        instead = np.eye(self.size)[evasion.instead]
        moved = {evasion.hidden: (evasion.deny, instead)}
        return departed(
            self.reports.law, moved, evasion.careless, np.full(self.size, 1 / self.size)
        )

    def ways(
        self, names: Sequence[str] = (), choice: DeviceChoice = ANY_DEVICE
    ) -> tuple[tuple[Way, ...], ...]:
        return self.instructions("", names, choice)[0].ways

    def scores(self, answer: int) -> Floats:
        return np.asarray(self.unmixing[answer])

    def moments_of_shares(self, shares: Floats, evasion: Evasion) -> tuple[Floats, Floats]:
        unmixing, said = self.unmixing, shares @ self.report_law(evasion)
        means = unmixing @ said
        return means, unmixing**2 @ said - means**2

    def estimates_of_shares(
        self, counts: NDArray[np.int64] | Floats, respondents: int, confidence: float
    ) -> tuple[Floats, Floats, Floats]:
        shares = counts / respondents @ self.unmixing.T
        return shares, *self._intervals(shares, respondents, confidence)

    @property
    def names_taken(self) -> int:
        return self.size

    def instructions(
        self, question: str = "", others: Sequence[str] = (), choice: DeviceChoice = ANY_DEVICE
    ) -> tuple[CategoryInstruction]:
        words = self.answer_names(others)
        return (self._instruction(question.strip() or T.QUESTION(), words, self._choice(choice)),)

    def _instruction(
        self, question: str, words: tuple[str, ...], choice: DeviceChoice
    ) -> CategoryInstruction:
        """What is said for each outcome by each true answer."""
        return by_rows(self.law, question, words, choice)


def by_rows(
    law: Sequence[Sequence[Fraction]],
    question: str,
    words: Sequence[str],
    choice: DeviceChoice = ANY_DEVICE,
) -> CategoryInstruction:
    """Returns what respondents do with a device whose outcomes depend on the true answer.

    Args:
        law: Chance of each answer said (column) by each true answer (row).
        question: The question.
        words: The words of the answers.
        choice: The device.
    """
    # One device for every true answer: different ones would disclose it.
    draws = choice.for_rows([[chance for chance in row if chance] for row in law])
    steps: list[str] = []
    ways: list[tuple[Way, ...]] = []
    tool = ""
    pictures = []
    for name, row, draw in zip(words, law, draws, strict=True):
        kept = [(n, chance) for n, chance in enumerate(row, start=1) if chance]
        tool = draw.tool or tool
        said = (T.IF_TRUE_LABEL(true=name, said=words[n - 1]) for n, _ in kept)
        pictures.append(Picture(draw, tuple(said)))
        steps = steps or draw.first_step
        ways.append(
            tuple(
                Way(chance, outcome, str(n))
                for (n, chance), outcome in zip(kept, draw.outcomes, strict=True)
            )
        )
        steps += [
            T.IF_TRUE_AND(
                true=name,
                outcome=way.outcome,
                chance=chance_words(way.chance),
                said=words[int(way.answer) - 1],
            )
            for way in ways[-1]
        ]
    return CategoryInstruction(
        "",
        tool,
        asked_among(question, words),
        tuple(steps),
        T.REASON(),
        tuple(ways),
        tuple(words),
        pictures=drawn(pictures),
    )


def asked_among(question: str, words: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Returns a question with the answers to choose from, as an instruction holds it."""
    return (("", f"{question} ({', '.join(words)})"),)


# An exact inverse takes milliseconds, and a picture that moves with a slider asks for it often.
@lru_cache(maxsize=64)
def _unmixing_of(law: tuple[tuple[Fraction, ...], ...]) -> Floats | None:
    """P^-T of a matrix, read-only; None if the matrix has no inverse."""
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


class MatrixCategories(CategoryDesign):
    """Any device for m answers: the chance of each answer said by each true answer."""

    title = N_("Matrix of chances")
    summary = N_(
        "The respondent says one of the answers; a matrix holds the chance of each answer said "
        "(column) for each true answer (row)."
    )
    reference = "Chaudhuri & Mukerjee 1988, Randomized Response: Theory and Techniques"

    kind: Literal["matrix"] = "matrix"
    rows: Annotated[
        tuple[tuple[Probability, ...], ...],
        Field(
            min_length=2,
            max_length=50,
            title=N_("chances said, a row per true answer"),
            description="chances of the answers said, one row for each true answer, such as "
            "4/5,1/5;1/5,4/5",
        ),
    ]

    @property
    def law(self) -> tuple[tuple[Fraction, ...], ...]:
        if any(len(row) != len(self.rows) for row in self.rows):
            raise ParameterError(T.NO_SQUARE())
        wrong = next((i for i, row in enumerate(self.rows, 1) if sum(row) != 1), None)
        if wrong is not None:
            raise ParameterError(T.NO_ROW_SUM(row=wrong))
        return self.rows

    @property
    def splits(self) -> tuple[Chances, ...]:
        return tuple(possible(row) for row in self.law)

    def served_by(self, device: Device, asked: Collection[str] | None = None) -> bool:
        return device.draws_for_rows(self.splits) is not None

    def buildable(self, device: Device) -> Iterator[Self]:
        size = len(self.rows)
        lies = {self.rows[i][j] for i in range(size) for j in range(size) if i != j}
        if len(lies) == 1:
            for lie in device.near(lies.pop()):
                truth = 1 - (size - 1) * lie
                if truth > 0:
                    each = range(size)
                    rows = tuple(tuple(truth if i == j else lie for j in each) for i in each)
                    yield self.model_copy(update={"rows": rows})
            return
        near = [tuple(divided_near(device, row)) for row in self.rows]
        for rounded in zip(*near, strict=False):
            yield self.model_copy(update={"rows": rounded})

    @classmethod
    def for_answers(cls, answers: int) -> Self:
        other = (1 - _TRUTH) / (answers - 1)
        size = range(answers)
        return cls(rows=tuple(tuple(_TRUTH if i == j else other for j in size) for i in size))

    def resized(self, answers: int, removed: int | None = None) -> Self:
        return self.for_answers(answers)
