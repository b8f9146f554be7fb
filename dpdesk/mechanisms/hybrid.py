"""The hybrid of the piecewise mechanism and Duchi's, for a mean on a grid."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np

from dpdesk.channel import WORD_TOTAL, HybridLaw, WindowKernel
from dpdesk.cost import exp_lower
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import Tick
from dpdesk.mechanisms.duchi import BoundDuchi, DuchiForecast
from dpdesk.mechanisms.mean import BoundMean, Grid, MeanForecast
from dpdesk.mechanisms.numeric import NumericMechanism
from dpdesk.mechanisms.window_noise import WINDOW_GRID_MAX, kernel_of, report_texts, window_width
from dpdesk.numbers.arrays import Floats

PIECEWISE_ABOVE = Decimal("0.6093525")
"""Up to this epsilon Duchi's mechanism alone has the least worst-case variance.

The root of the difference of the two worst cases, ln((-5 + 2 (6353 - 405 sqrt(241))^(1/3) +
2 (6353 + 405 sqrt(241))^(1/3)) / 27), rounded up.
"""


class Hybrid(NumericMechanism):
    """The piecewise mechanism for some respondents, Duchi's for the others, by chance."""

    short = "Hybrid"
    title = N_("Hybrid mechanism")
    summary = N_(
        "The report is Duchi's or the piecewise mechanism's, by chance; the average of all is the "
        "mean."
    )
    reference = "Wang, Xiao, Yang, Zhao, Hui, Shin, Shin & Yu 2019, ICDE, 638-649"
    most_points = WINDOW_GRID_MAX

    kind: Literal["hybrid"] = "hybrid"

    def bound(self, grid: Grid, tick: Tick | None) -> BoundHybrid | BoundDuchi:
        if self._is_duchi(grid):
            return BoundDuchi(self, grid)
        return BoundHybrid(self, grid)

    def preview(self, grid: Grid) -> HybridForecast | DuchiForecast:
        if self._is_duchi(grid):
            return DuchiForecast(grid.size, grid.span, float(self.epsilon))
        return _forecast(grid.size, grid.span, self.epsilon)

    def _is_duchi(self, domain: Grid) -> bool:
        # On two points the two mechanisms report the same two numbers with the same chances.
        return self.epsilon <= PIECEWISE_ABOVE or domain.size == 2


def piecewise_share(epsilon: Decimal) -> Fraction:
    """Returns the chance of the piecewise mechanism above `PIECEWISE_ABOVE`: 1 - e^(-eps/2)."""
    return 1 - exp_lower(-epsilon / 2)


@lru_cache(maxsize=256)
def _forecast(size: int, span: float, epsilon: Decimal) -> HybridForecast:
    kernel = WindowKernel.at(size, window_width(size, epsilon), float(epsilon))
    duchi = DuchiForecast(size, span, float(epsilon))
    return HybridForecast(size, span, kernel, duchi, float(piecewise_share(epsilon)))


class HybridForecast(MeanForecast):
    """Preview of the hybrid mechanism: two mechanisms of one unbiased mean, mixed."""

    def __init__(
        self, size: int, span: float, kernel: WindowKernel, duchi: DuchiForecast, share: float
    ) -> None:
        super().__init__(size, span)
        self.kernel = kernel
        self.duchi = duchi
        self.share = share
        self._step = span / (size - 1)
        self._cells = self._step * kernel.linear()
        self.below = int((self._cells < duchi.positions[0]).sum())

    def _joined(self, cells: Floats, bit: Floats) -> Floats:
        return joined(cells, bit, self.below)

    @property
    def atoms(self) -> tuple[int, ...]:
        return self.below, self.kernel.outputs + 1 - self.below

    @property
    def positions(self) -> Floats:
        return self._joined(self._cells, self.duchi.positions)

    @property
    def noise_variances(self) -> Floats:
        half = self.span / 2
        from_middle = np.linspace(-half, half, self.size)
        duchi = (half * self.duchi.magnitude) ** 2 - from_middle**2
        piecewise = self._step**2 * self.kernel.linear_variances()
        return np.asarray(self.share * piecewise + (1 - self.share) * duchi)

    @cached_property
    def most_likely(self) -> Floats:
        cell = self.kernel.q + self.kernel.gap
        cells = np.full(self.kernel.outputs, self.share * cell)
        return self._joined(cells, (1 - self.share) * self.duchi.most_likely)

    def probabilities(self, code: int) -> Floats:
        rest = 1 - self.share
        cells, bit = self.kernel.row(code), self.duchi.probabilities(code)
        return self._joined(self.share * cells, rest * bit)

    def report_law(self) -> tuple[Floats, Floats, float]:
        even = np.full(2, (1 - self.share) / 2)
        return self.worth, self._joined(self.share * self.kernel.even(), even), self.span / 2


def joined(cells: Floats, bit: Floats, below: int) -> Floats:
    """Returns the values of cells and of "low" and "high" in one array, ordered as `HybridLaw`."""
    return np.insert(cells, [below, cells.size - below], bit)


class BoundHybrid(BoundMean):
    """The hybrid mechanism on a domain."""

    def __init__(self, mechanism: Hybrid, domain: Grid) -> None:
        forecast = _forecast(domain.size, domain.span, mechanism.epsilon)
        law = HybridLaw.at(
            domain.size,
            forecast.kernel.width,
            mechanism.epsilon,
            piecewise_share(mechanism.epsilon),
            forecast.below,
        )
        kernel = kernel_of(law.window)
        self.share = law.window.total / WORD_TOTAL
        self._n_var_star = forecast.noise_constant
        step = domain.span / (domain.size - 1)
        low_chance = law.low / law.rest
        far = domain.span / (1 - 2 * low_chance)
        bit = low_chance * far * np.array([-1.0, -1.0]) + np.array([0.0, far])
        worth = joined(step * kernel.linear(), bit, law.below)
        # Duchi's two numbers do not identify squares; the cells alone estimate them.
        square_worth = joined(step**2 * kernel.squares() / self.share, np.zeros(2), law.below)
        outputs = report_texts(domain.grid_lower, worth, domain.span)
        super().__init__(mechanism, domain, law, outputs, worth, square_worth)

    def parameters(self) -> dict[str, float]:
        return {"piecewise_share": self.share, "n_var_star": self._n_var_star}
