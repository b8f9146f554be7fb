"""How numbers are distributed over a few intervals, from reports that tell more than the mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpdesk.domains import NumericDomain
from dpdesk.mechanisms.estimates import IntervalShares, linear_share_estimate
from dpdesk.mechanisms.possible_shares import PossibleEstimates, iterative_bayes, projections_of
from dpdesk.mechanisms.tally import Tally
from dpdesk.numbers.arrays import Floats

Edges = NDArray[np.intp]

INTERVALS_MAX = 20
"""The most intervals; grids of so few points have one for each point."""

BINS_MAX = 200
"""The most bins of grid points that expectation maximisation tells apart.

Twice as many bins take four times as long; the noise hides steps finer than these at any epsilon
that protects.
"""

_INTERVALS_MIN = 8
_INTERVALS_ELSE = 16


def interval_edges(size: int) -> Edges:
    """Returns where intervals of a grid begin, and the grid's size as the last edge.

    A grid of up to 20 points has an interval for each. A finer one has 8 to 20 intervals of the
    same width, as many as possible; if no such number divides the grid, it has 16 whose widths
    differ by at most a step. The last interval holds both of its ends.

    Args:
        size: Number of grid points, m.
    """
    if size <= INTERVALS_MAX:
        return np.arange(size + 1)
    steps = size - 1
    even = (j for j in range(INTERVALS_MAX, _INTERVALS_MIN - 1, -1) if steps % j == 0)
    intervals = next(even, _INTERVALS_ELSE)
    edges = np.arange(intervals + 1) * steps // intervals
    edges[-1] = size
    return edges


def interval_ends(domain: NumericDomain, edges: Edges) -> Floats:
    """Returns the intervals' ends in the attribute's unit, shape (intervals + 1,).

    An interval of one grid point reaches half a step to either side; all others begin at a grid
    point, which they hold, and end at the next one's beginning or at the upper bound.
    """
    lower, step = float(domain.grid_lower), float(domain.grid_step)
    if domain.size <= INTERVALS_MAX:
        return np.asarray(lower + step * (edges - 0.5))
    return np.asarray(lower + step * np.minimum(edges, domain.size - 1))


def indicators(edges: Edges) -> Floats:
    """Returns which grid points lie in which interval, ones and zeros, shape (m, intervals)."""
    return np.repeat(np.eye(len(edges) - 1), np.diff(edges), axis=0)


def bin_edges(points: int, each: int) -> Edges:
    """Returns the edges of bins of `each` points, the last one smaller if need be."""
    return np.append(np.arange(0, points, each), points)


def points_each(size: int) -> int:
    """Returns how many grid points share a bin: as few as `BINS_MAX` allows."""
    return -(-size // BINS_MAX)


@dataclass(frozen=True, slots=True, eq=False)
class IntervalReader:
    """What it takes to estimate the shares of intervals from counts of reports.

    Attributes:
        domain: The grid.
        edges: Where the intervals begin, from `interval_edges`.
        worth: What each report adds to an unbiased share, shape (outputs, intervals): its mean
            is 1 for grid points of the interval and 0 for others.
        least_noise: The least variance of a report's worth under any answer, (intervals,).
        own: Mean square of a report's worth under the answers of the interval, (intervals,).
        channel: Pr[report in a bin | answer in a bin], shape (input bins, output bins).
        cells: Edges of the bins of reports.
    """

    domain: NumericDomain
    edges: Edges
    worth: Floats
    least_noise: Floats
    own: Floats
    channel: Floats
    cells: Edges

    def read(self, tally: Tally, confidence: float) -> IntervalShares:
        """Returns the shares of the intervals.

        The noise is what the reports' worth spreads beyond drawing the respondents, by squared
        weights, and at least the least noise, so that few reports never look like no error.
        """
        shares, squares = tally.shares, tally.square_shares
        value, squared = shares @ self.worth, squares @ self.worth
        second = squares @ self.worth**2
        ways = projections_of(value)
        ways["iterative_bayes"] = self._most_likely(tally, smooth=False)
        if self.domain.size > INTERVALS_MAX:
            # With fewer points each neighbour is a whole interval, and averaging would blur the
            # shares.
            ways["smoothed_bayes"] = self._most_likely(tally, smooth=True)
        estimate = linear_share_estimate(
            value,
            squared,
            lambda possible: np.maximum(second - possible, self.least_noise),
            self.own,
            tally,
            confidence,
            PossibleEstimates(**ways),
        )
        return IntervalShares(interval_ends(self.domain, self.edges), estimate)

    def _most_likely(self, tally: Tally, *, smooth: bool) -> Callable[[], Floats]:
        def shares() -> Floats:
            counts = np.add.reduceat(tally.counts, self.cells[:-1])
            bins = iterative_bayes(counts, self.channel, smooth=smooth)
            # A bin that lies in two intervals is split by its grid points.
            inputs = bin_edges(self.domain.size, points_each(self.domain.size))
            points = np.repeat(bins / np.diff(inputs), np.diff(inputs))
            return np.add.reduceat(points, self.edges[:-1])

        return shares
