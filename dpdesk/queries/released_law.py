"""The law of what a query releases, for pictures: an error, a number, or a lead.

A count is off by its own noise. A share, a mean or a variance is a function of two or three noisy
sums; its error is taken to first order, at the value where it is widest (see `ExpectedError`). A
choice has no error: a quantile is one number out of many, a category wins by its lead.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpdesk.numbers.arrays import Floats
from dpdesk.queries.noise import CalibratedNoise

_LEVELS = (np.arange(101) + 0.5) / 101


@dataclass(frozen=True)
class FirstOrder:
    """An error in the unit of the statistic.

    Attributes:
        noises: Each noise with its weight: what one step of it changes.
        shift: The most that one respondent moves the true statistic.
    """

    noises: tuple[tuple[CalibratedNoise, float], ...]
    shift: float

    @property
    def step(self) -> float | None:
        """Distance between neighbouring possible errors; None if the error is continuous."""
        noise, weight = self.noises[0]
        return weight if len(self.noises) == 1 and noise.whole else None

    def chances(self, steps: NDArray[np.int64]) -> Floats:
        """Returns the chance of each number of steps, where `step` is one."""
        return self.noises[0][0].law(steps)

    def density(self, x: Floats) -> Floats:
        """Returns the density of the error at each point; a law of steps is spread over them."""
        noise, weight = self.noises[0]
        others = np.zeros(1)
        for other, factor in self.noises[1:]:
            sizes = np.asarray(_quantiles(other))
            others = (others[:, None] + factor * sizes[None, :]).ravel()
        at = (x[:, None] - others[None, :]) / weight
        heights = noise.law(np.round(at) if noise.whole else at)
        return np.asarray(heights.mean(axis=1) / weight)


@lru_cache(maxsize=512)
def _quantiles(noise: CalibratedNoise) -> tuple[float, ...]:
    return tuple(float(noise.quantile(float(level))) for level in _LEVELS)


@dataclass(frozen=True, eq=False)
class ChosenNumbers:
    """Numbers that are chosen out of many.

    Attributes:
        at: The numbers that can be chosen, increasing, shape (points,).
        laws: For each of them that is released the chance of every number, same shape.
        names: What each of these is called.
        unit: Unit of the numbers.
    """

    at: Floats
    laws: tuple[Floats, ...]
    names: tuple[str, ...]
    unit: str


@dataclass(frozen=True)
class Lead:
    """How likely the best option is to be chosen, by how much it leads.

    Attributes:
        chance: Returns the chance where it leads all others by this much.
        needed: The lead at which it is chosen with the confidence asked for.
        unit: Unit of the lead.
    """

    chance: Callable[[float], float]
    needed: float
    unit: str


ReleasedLaw = FirstOrder | ChosenNumbers | Lead
