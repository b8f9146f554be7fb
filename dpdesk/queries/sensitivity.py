"""Sensitivity: how far one protected unit can move what is measured."""

from __future__ import annotations

from dataclasses import dataclass

from dpdesk.errors import ParameterError
from dpdesk.queries.texts import T

SENSITIVITY_MAX = 1 << 53
"""Largest sensitivity in grid steps: up to here floating point holds every whole number."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """The farthest that two neighbouring tables can lie apart in one vector of whole numbers.

    Attributes:
        l1: Largest sum of the absolute differences, in steps of the grid.
        l2_square: Largest sum of the squared differences, in squared steps; the L2 sensitivity
            is its square root.
        linf: Largest absolute difference of one coordinate, in steps.

    Raises:
        ParameterError: A number is not positive, or no vector has these three norms.
    """

    l1: int
    l2_square: int
    linf: int

    def __post_init__(self) -> None:
        """Checks the numbers against each other."""
        numbers = (self.l1, self.l2_square, self.linf)
        if any(type(number) is not int or number < 1 for number in numbers):
            raise ParameterError(T.BAD_SENSITIVITY(power=53))
        # For every vector of whole numbers linf <= l1, linf^2 <= l2^2 <= linf * l1, l1 <= l2^2;
        # the three maxima may belong to different tables, and keep these inequalities.
        if not self.linf <= self.l1 <= self.l2_square <= self.linf * self.l1:
            raise ParameterError(T.IMPOSSIBLE_SENSITIVITY())
        if self.l1 > SENSITIVITY_MAX:
            raise ParameterError(T.MOVES_TOO_FAR())

    @classmethod
    def of_number(cls, steps: int) -> Sensitivity:
        """Returns the sensitivity of a single number that moves by at most `steps`."""
        return cls(steps, steps * steps, steps)
