"""An attribute of released records: what each record tells of it, by unbiased scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import parse_number
from dpdesk.errors import ParameterError
from dpdesk.estimation.texts import T
from dpdesk.numbers.arrays import Floats
from dpdesk.numbers.intervals import least_variance
from dpdesk.plan.column import ColumnPlan

Places = NDArray[np.int64]
Reports = NDArray[Any]
"""What n records hold in a column: codes, shape (n,), of a protected one 0 where there is no report
and else one more than the report; or several numbers of each, whose first says whether there is a
report."""
Scores = Callable[[Reports], Floats]
"""From reports, what these tell, one row each."""


@dataclass(frozen=True, slots=True, eq=False)
class Variable(ABC):
    """One attribute of the records.

    Attributes:
        column: The column of the plan.
        is_kept: Whether it was released as it is, so that its scores have no noise.
        scores: What reports tell of it.
        codes: Numbers from 0 on which alone the scores of a column that was released as it is
            depend, from its reports.
        cells: The different texts of such a column, in the order of their codes; else none.
    """

    column: ColumnPlan
    is_kept: bool
    scores: Scores
    codes: Callable[[Reports], Places]
    cells: tuple[str, ...]

    are_numbers: ClassVar[bool]
    """Whether answers are numbers, else they are listed."""

    @property
    def name(self) -> str:
        """Name of the column."""
        return self.column.name

    @abstractmethod
    def categories(self) -> Categories:
        """Returns this attribute where its answers are listed.

        Raises:
            ParameterError: They are numbers.
        """

    @property
    @abstractmethod
    def answered(self) -> Floats | None:
        """Which answers are given, as a function; None where none is missing."""

    @property
    @abstractmethod
    def itself(self) -> Floats | None:
        """The answer as a number, as a function; None where categories are no numbers."""

    @abstractmethod
    def product(self, first: Floats, second: Floats) -> Floats:
        """Returns the product of two functions of the answer.

        A function is a vector whose product with the scores of a report is, on average, its value
        at the true answer.

        Raises:
            ParameterError: Reports tell nothing of the product.
        """

    @abstractmethod
    def numbers(self) -> Numbers:
        """Returns this attribute where its answers are numbers.

        Raises:
            ParameterError: They are listed.
        """


@dataclass(frozen=True, slots=True, eq=False)
class Categories(Variable):
    """Answers of a list; missing ones are one of it. Scores are of shape (n, k).

    Attributes:
        texts: Text of each category or option, as in the records.
        labels: What it means.
        picks_one: Whether an answer is exactly one of them, so that shares add up to 1.
        missing: Place of "no answer" among them; None where there is none.
        chances: How likely the report of each record is under each category, up to a factor of the
            record, shape (n, k); None where that depends on more than this answer.
        squares: The mean square of each score where its category is true, and where another one
            is, shape (k,) each, from the possible shares of all.
    """

    are_numbers: ClassVar[bool] = False

    texts: tuple[str, ...]
    labels: tuple[str, ...]
    picks_one: bool
    missing: int | None
    chances: Scores | None
    squares: Callable[[Floats], tuple[Floats, Floats]]

    def categories(self) -> Categories:
        return self

    @property
    def answered(self) -> Floats | None:
        if self.missing is None:
            return None
        return np.asarray(np.arange(len(self.texts)) != self.missing, dtype=np.float64)

    @property
    def values(self) -> Floats | None:
        """The number that each category is, 0 for "no answer"; None where one is a text."""
        found = [parse_number(text, ".") for text in self.texts]
        if any(n is None for place, n in enumerate(found) if place != self.missing):
            return None
        return np.array([0.0 if n is None else float(n) for n in found])

    @property
    def itself(self) -> Floats | None:
        return None if self.column.kind == "nominal" else self.values

    def product(self, first: Floats, second: Floats) -> Floats:
        return np.asarray(first * second)

    def numbers(self) -> Numbers:
        raise ParameterError(T.HOLDS_CATEGORIES(column=self.name))


@dataclass(frozen=True, slots=True, eq=False)
class Numbers(Variable):
    """Numbers. Scores are of shape (n, 3): as `BoundMechanism.number_scores`, from `origin`.

    Attributes:
        unit: Unit of the numbers.
        origin: What the scores are counted from.
        has_squares: Whether the last column tells of squares.
        has_missing: Whether an answer may be missing.
        floor: The least noise of a mean (`BoundMechanism.noise_floor`).
    """

    are_numbers: ClassVar[bool] = True

    unit: str
    origin: float
    has_squares: bool
    has_missing: bool
    floor: Floats

    def categories(self) -> Categories:
        raise ParameterError(T.HOLDS_NUMBERS(column=self.name))

    def numbers(self) -> Numbers:
        return self

    @property
    def answered(self) -> Floats | None:
        return np.array([1.0, 0.0, 0.0]) if self.has_missing else None

    @property
    def itself(self) -> Floats:
        return np.array([self.origin, 1.0, 0.0])

    def product(self, first: Floats, second: Floats) -> Floats:
        found = np.convolve(first, second)
        if found[2] and not self.has_squares:
            raise ParameterError(T.NO_SQUARES(column=self.name))
        return np.asarray(found[:3])

    def least_variances(self, sums: Floats, effective: float) -> Floats:
        """Returns the least variances of k means of reports times factors.

        Args:
            sums: From `report_sums`, shape (4, k).
            effective: Kish's effective number of records.
        """
        found = np.zeros(sums.shape[1])
        for place, (total, given, number, fourth) in enumerate(sums.T.tolist()):
            if total > 0:
                reports = (total * effective) ** 2 / fourth
                answered = max(given / total, 1 / reports)
                least = least_variance(self.floor, number / total / answered, reports, answered)
                found[place] = total * least
        return found


def report_sums(factors: Floats, scores: Floats, squares: Floats) -> Floats:
    """Returns sums, by squared weights, of f^2, f^2 times the scores of a number, and f^4.

    f, shape (n, k), is what other answers multiply the scores by in k means.
    """
    weights = squares[:, None] * factors**2
    parts = np.column_stack((np.ones(len(scores)), scores[:, :2]))
    return np.vstack((parts.T @ weights, (weights * factors**2).sum(axis=0)))
