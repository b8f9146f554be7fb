"""Sums count from 0, wherever the declared grid begins."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpdesk.errors import ParameterError
from dpdesk.queries.clamped import Clamp
from dpdesk.queries.coded_rows import Counts

_FINEST = 1_000_000


@dataclass(frozen=True, slots=True)
class GridOrigin:
    """The finest step of which both 0 and every point of the grid are a whole number.

    Attributes:
        step: The step, in the column's unit.
        first: The lower bound of the query in these steps.
        stride: Distance of neighbouring grid points in these steps.
        least, largest: The bounds of the query in these steps.
    """

    step: float
    first: int
    stride: int
    least: int
    largest: int

    @classmethod
    def of(cls, clamp: Clamp) -> GridOrigin:
        """Finds the step of a clamp.

        Raises:
            ParameterError: The grid misses 0 by so odd a fraction that no step serves.
        """
        step = Fraction(clamp.domain.grid_step)
        offset = Fraction(clamp.domain.grid_lower) / step
        stride = offset.denominator
        if stride > _FINEST:
            raise ParameterError(
                "The grid's bounds and its step have no common step that sums could be kept in.",
                remedy="Choose a lower bound that is a multiple of the step.",
            )
        begin = offset.numerator
        least, largest = begin + stride * clamp.first, begin + stride * clamp.last
        return cls(float(step / stride), begin, stride, least, largest)

    def values(self, clamp: Clamp) -> Counts:
        """Returns the number of every code in these steps, clamped, shape (domain size,)."""
        codes = np.clip(np.arange(clamp.domain.size, dtype=np.int64), clamp.first, clamp.last)
        return self.first + self.stride * codes
