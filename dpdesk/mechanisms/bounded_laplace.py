"""Bounded Laplace noise on a public grid, with an unbiased mean through its inverse channel."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np

from dpdesk.channel import DenseLaw, GeometricKernel, geometric_weights
from dpdesk.channel.dense import DENSE_MAX
from dpdesk.i18n import N_
from dpdesk.mechanisms.base import Tick
from dpdesk.mechanisms.kernel_forecast import KernelForecast
from dpdesk.mechanisms.mean import BoundMean, Grid, NumericMechanism


class BoundedLaplace(NumericMechanism):
    """Laplace noise of scale W/eps, conditioned on the public interval, on its grid."""

    short = "Bounded Laplace"
    title = N_("Bounded Laplace noise")
    summary = N_("The report is a number of the grid, near answers being likelier than far ones.")
    reference = "Holohan, Antonatos, Braghin & Mac Aonghusa 2020; Couchot 2023"
    in_its_favour = N_("Bounded Laplace keeps reports within the range, at a price in the mean.")
    most_points = DENSE_MAX

    kind: Literal["bounded_laplace"] = "bounded_laplace"

    def bound(self, grid: Grid, tick: Tick | None) -> BoundLaplace:
        """Returns bounded Laplace noise on a grid, its integer table certified."""
        return BoundLaplace(self, grid, tick)

    def preview(self, grid: Grid) -> KernelForecast:
        """Returns the preview."""
        return _forecast(grid.size, grid.span, float(self.epsilon))


@lru_cache(maxsize=256)
def _forecast(size: int, span: float, epsilon: float) -> KernelForecast:
    kernel = GeometricKernel.at(size, epsilon)
    return KernelForecast(span, kernel, float((1 / kernel.normalisers()).mean()))


class BoundLaplace(BoundMean):
    """Bounded Laplace noise on a domain: the integer table that is run, and its inverse."""

    def __init__(self, mechanism: BoundedLaplace, domain: Grid, tick: Tick | None) -> None:
        law = DenseLaw(geometric_weights(domain.size, mechanism.epsilon, tick), tick)
        self._kernel = GeometricKernel.at(domain.size, float(mechanism.epsilon))
        position = np.linspace(0.0, 1.0, domain.size)
        worth = domain.span * self._kernel.unbiased(position)
        square_worth = domain.span**2 * self._kernel.unbiased(position**2)
        super().__init__(mechanism, domain, law, domain.texts, worth, square_worth)

    def parameters(self) -> dict[str, float]:
        """Returns the noise scale in the attribute's unit and n Var*."""
        forecast = _forecast(self.size, self._span, float(self.mechanism.epsilon))
        return {
            "scale": self._span / float(self.mechanism.epsilon),
            "n_var_star": forecast.noise_constant,
        }

    def estimation_rule(self, weighted: str) -> str:
        """Returns the estimator of the mean through the inverse channel."""
        return (
            f"Mean = the average of phi(report){weighted}, since the plain average is pulled to "
            f"the middle. With grid points x_1 to x_{self.size}, r = {self._kernel.ratio!r}, s_i = "
            "x_i times the sum over j of r^|i - j|, and s = 0 beyond the ends: phi(x_i) = (c s_i - "
            "r (s_(i-1) + s_(i+1))) / (1 - r^2), where c = 1 at the two ends and 1 + r^2 between "
            "them."
        )
