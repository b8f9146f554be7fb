"""Bounded staircase noise on a public grid, calibrated so that its loss is exactly epsilon."""

from __future__ import annotations

from functools import lru_cache
from math import expm1, log1p
from typing import Literal

import numpy as np

from dpdesk.channel import DenseLaw
from dpdesk.channel.dense import DENSE_MAX
from dpdesk.channel.staircase import StaircaseKernel, staircase_loss, staircase_weights
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import Tick
from dpdesk.mechanisms.kernel_forecast import KernelForecast
from dpdesk.mechanisms.mean import BoundMean, Grid, NumericMechanism


class BoundedStaircase(NumericMechanism):
    """Staircase noise of period W, the interval's width, conditioned on the interval."""

    short = "Bounded staircase"
    title = N_("Bounded staircase noise")
    summary = N_("The report is a number of the grid, those around the answer being likelier.")
    reference = "Geng, Kairouz, Oh & Viswanath 2015; Couchot 2023"
    most_points = DENSE_MAX

    kind: Literal["bounded_staircase"] = "bounded_staircase"

    def bound(self, grid: Grid, tick: Tick | None) -> BoundBoundedStaircase:
        """Returns bounded staircase noise on a grid, its integer table certified."""
        return BoundBoundedStaircase(self, grid, tick)

    def preview(self, grid: Grid) -> KernelForecast:
        """Returns the preview."""
        return _forecast(grid.size, grid.span, float(self.epsilon))


@lru_cache(maxsize=256)
def _kernel(size: int, epsilon: float) -> StaircaseKernel:
    return StaircaseKernel.least_noise(size, epsilon)


@lru_cache(maxsize=256)
def _forecast(size: int, span: float, epsilon: float) -> KernelForecast:
    kernel = _kernel(size, epsilon)
    truthful = float(((1 + kernel.rise) / kernel.normalisers()).mean())
    return KernelForecast(span, kernel, truthful)


class BoundBoundedStaircase(BoundMean):
    """Bounded staircase noise on a domain: the integer table that is run, and its inverse."""

    def __init__(self, mechanism: BoundedStaircase, domain: Grid, tick: Tick | None) -> None:
        epsilon = mechanism.epsilon
        self._kernel = _kernel(domain.size, float(epsilon))
        law = DenseLaw(staircase_weights(domain.size, self._kernel.width, epsilon, tick), tick)
        position = np.linspace(0.0, 1.0, domain.size)
        worth = domain.span * self._kernel.unbiased(position)
        square_worth = domain.span**2 * self._kernel.unbiased(position**2)
        super().__init__(mechanism, domain, law, domain.texts, worth, square_worth)

    def parameters(self) -> dict[str, float]:
        """Returns the staircase's own epsilon, gamma = g / (m - 1), and n Var*.

        Also the loss that a staircase of the same step would have if its own epsilon were the
        nominal one.
        """
        epsilon = float(self.mechanism.epsilon)
        forecast = _forecast(self.size, self._span, epsilon)
        width = self._kernel.width
        return {
            "eps0": log1p(self._kernel.rise),
            "gamma": width / (self.size - 1),
            "naive_loss": staircase_loss(self.size, width, expm1(epsilon)),
            "n_var_star": forecast.noise_constant,
        }

    def estimation_rule(self, weighted: str) -> str:
        """Returns the estimator of the mean through the inverse channel."""
        kernel = self._kernel
        return (
            f"Mean = the average of phi(report){weighted}, since the plain average is pulled to "
            f"the middle. With grid points x_1 to x_{self.size}, g = {kernel.width} and u = "
            f"{kernel.rise!r}, let Z_i = {self.size} + u times the number of points nearer to x_i "
            f"than g steps. phi solves, for every i: sum of phi + u times the sum of phi over the "
            "points nearer to x_i than g steps = x_i Z_i."
        )
