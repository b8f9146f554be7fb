"""Any device for a question with several answers, given by its matrix of chances."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Literal, Self

from pydantic import Field

from dpdesk.designs.probability import Probability
from dpdesk.designs.several_answers import CategoryDesign
from dpdesk.errors import ParameterError
from dpdesk.i18n import N_

_TRUTH = Fraction(3, 5)


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
            description="chances of the answers said, one row for each true answer, such as "
            "4/5,1/5;1/5,4/5",
        ),
    ]

    @property
    def law(self) -> tuple[tuple[Fraction, ...], ...]:
        """The matrix as it is given."""
        if any(len(row) != len(self.rows) for row in self.rows):
            raise ParameterError(
                "The matrix does not have as many columns as rows.",
                remedy="Give one chance for each answer in every row.",
            )
        wrong = next((i for i, row in enumerate(self.rows, 1) if sum(row) != 1), None)
        if wrong is not None:
            raise ParameterError(
                f"The chances in row {wrong} do not sum to 1.",
                remedy="Correct them; fractions such as 1/3 are exact.",
            )
        return self.rows

    @classmethod
    def for_answers(cls, answers: int) -> Self:
        """Returns a device that lets the truth be said with chance 3/5, else another answer."""
        other = (1 - _TRUTH) / (answers - 1)
        size = range(answers)
        return cls(rows=tuple(tuple(_TRUTH if i == j else other for j in size) for i in size))

    def resized(self, answers: int, removed: int | None = None) -> Self:
        """Begins anew: no row or column can be told to be the one that is missing."""
        return self.for_answers(answers)
