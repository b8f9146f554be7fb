"""A made-up design of several answers: everything that dpdesk knows of it is said here."""

from __future__ import annotations

from fractions import Fraction
from math import exp
from typing import Annotated, Literal, Self

from pydantic import Field

from dpdesk.designs.matrix_categories import CategoryDesign
from dpdesk.designs.probability import Probability


class Ladder(CategoryDesign):
    """A made-up design of several answers: the truth, or any other answer."""

    title = "Ladder"
    summary = "The respondent says the true answer or, by chance, any other one."
    reference = "Nobody 2001"

    kind: Literal["ladder"] = "ladder"
    answers: Annotated[int, Field(ge=2, description="number of answers")] = 3
    honest: Annotated[Probability, Field(description="chance of the truth")] = Fraction(3, 5)

    @property
    def law(self) -> tuple[tuple[Fraction, ...], ...]:
        """The truth, or any other answer alike."""
        size, other = range(self.answers), (1 - self.honest) / (self.answers - 1)
        return tuple(tuple(self.honest if i == j else other for j in size) for i in size)

    @classmethod
    def for_answers(cls, answers: int) -> Self:
        return cls(answers=answers)

    def resized(self, answers: int, removed: int | None = None) -> Self:
        return self.model_copy(update={"answers": answers})

    @property
    def epsilon_decides(self) -> bool:
        return True

    def _at(self, epsilon: float) -> Self:
        ratio = exp(epsilon)
        honest = Fraction(int(10**6 * ratio / (ratio + self.answers - 1)), 10**6)
        return self.model_copy(update={"honest": honest})
