"""The square wave mechanism, for the distribution of numbers on a grid."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from dpdesk.channel import WindowKernel, WindowLaw
from dpdesk.cost import exp_lower
from dpdesk.domains import NumericDomain
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import Floats, Tick
from dpdesk.mechanisms.estimates import IntervalShares
from dpdesk.mechanisms.interval_shares import (
    IntervalReader,
    bin_edges,
    indicators,
    interval_edges,
    points_each,
)
from dpdesk.mechanisms.mean import BoundMean, Grid, NumericMechanism
from dpdesk.mechanisms.tally import Tally
from dpdesk.mechanisms.window_mean import WINDOW_GRID_MAX, WindowForecast, kernel_of


class SquareWave(NumericMechanism):
    """A number at most a few steps from the truth, or with smaller chance any other."""

    short = "Square wave"
    title = N_("Square wave mechanism")
    summary = N_("The report is a number of a slightly wider grid, likeliest close to the answer.")
    reference = "Li, Wang, Lopuhaä-Zwakenberg, Li & Škorić 2020, SIGMOD, 621-635"
    most_points = WINDOW_GRID_MAX

    kind: Literal["square_wave"] = "square_wave"

    def bound(self, grid: Grid, tick: Tick | None) -> BoundSquareWave:
        """Returns the square wave mechanism on a grid."""
        return BoundSquareWave(self, grid)

    def preview(self, grid: Grid) -> SquareWaveForecast:
        """Returns the preview."""
        return _forecast(grid.size, grid.span, self.epsilon)


def reach(size: int, epsilon: Decimal) -> int:
    """Returns how many steps from the truth a report is likely: floor(m b) of Li et al. 2020.

    With E = e^eps, b = (eps E - E + 1) / (2 E (E - 1 - eps)) is the half-width, in widths of the
    interval, that keeps most information between answers and reports.
    """
    growth, loss = exp_lower(epsilon), Fraction(epsilon)
    b = (loss * growth - growth + 1) / (2 * growth * (growth - 1 - loss))
    return int(size * b)


@lru_cache(maxsize=256)
def _forecast(size: int, span: float, epsilon: Decimal) -> SquareWaveForecast:
    width = 2 * reach(size, epsilon) + 1
    return SquareWaveForecast(size, span, WindowKernel.at(size, width, float(epsilon)))


class SquareWaveForecast(WindowForecast):
    """Preview of the square wave mechanism."""

    @property
    def positions(self) -> Floats:
        """The grid, some steps wider on either side."""
        steps = np.arange(self.kernel.outputs) - (self.kernel.width - 1) // 2
        return np.asarray(self._step * steps)

    @property
    def truthful(self) -> float:  # type: ignore[override]
        """Share of reports that are the true grid point."""
        return self.kernel.q + self.kernel.gap


class BoundSquareWave(BoundMean):
    """The square wave mechanism on a domain."""

    def __init__(self, mechanism: SquareWave, domain: Grid) -> None:
        self.reach = reach(domain.size, mechanism.epsilon)
        law = WindowLaw.at(domain.size, 2 * self.reach + 1, mechanism.epsilon)
        self._kernel = kernel_of(law)
        step = domain.span / (domain.size - 1)
        super().__init__(
            mechanism,
            domain,
            law,
            _widened_texts(domain, self.reach),
            step * self._kernel.linear(),
            step**2 * self._kernel.squares(),
        )

    @cached_property
    def _intervals(self) -> IntervalReader:
        edges, each = interval_edges(self.size), points_each(self.size)
        cells = bin_edges(self._kernel.outputs, each)
        inside = indicators(edges)
        worth = self._kernel.unbiased(inside)
        return IntervalReader(
            domain=self.domain,
            edges=edges,
            worth=worth,
            least_noise=(self._kernel.expected(worth**2) - inside).min(axis=0),
            channel=self._kernel.binned(bin_edges(self.size, each), cells),
            cells=cells,
        )

    def interval_shares(self, tally: Tally, confidence: float) -> IntervalShares:
        """Returns the shares of intervals of the domain."""
        return self._intervals.read(tally, confidence)

    def parameters(self) -> dict[str, float]:
        """Returns the chance of a number near the truth and of another, the reach and n Var*."""
        kernel = self._kernel
        return {
            "p": kernel.q + kernel.gap,
            "q": kernel.q,
            "reach": float(self.reach),
            "n_var_star": WindowForecast(self.size, self._span, kernel).noise_constant,
        }

    def estimation_rule(self, weighted: str) -> str:
        """Returns the estimator of the mean, and the law that a distribution follows from."""
        middle, kernel = self._lower + self._span / 2, self._kernel
        return (
            f"Mean = c + (a - c) / s, where a is the average of the reports{weighted}, "
            f"c = {middle!r} is the middle of the interval and s = {kernel.slope!r} is how far the "
            "average moves when all answers move by 1. Distribution: invert the law by which each "
            f"number at most {self.reach:,} steps from the answer has the chance "
            f"p = {kernel.q + kernel.gap!r} and each other of the {kernel.outputs:,} numbers "
            f"q = {kernel.q!r}, or maximise the likelihood of the reports under it."
        )


def _widened_texts(domain: NumericDomain, beyond: int) -> tuple[str, ...]:
    """Returns the texts of the grid with some steps more on either side, in the grid's digits."""
    lower, step = domain.grid_lower, domain.grid_step
    digits = max(0, *(-int(number.as_tuple().exponent) for number in (lower, step)))
    quantum = Decimal(1).scaleb(-digits)
    return tuple(
        format((lower + step * i).quantize(quantum), "f")
        for i in range(-beyond, domain.size + beyond)
    )
